import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the person at the issuer is like, and what the issuer does wrong. */
export interface IssuerBehavior {
  email: string
  emailVerified: unknown
  name: string
  /** Claims that replace those of the ID token. */
  claims: Record<string, unknown>
  /** The address is in the answer of the userinfo endpoint alone. */
  isEmailInUserInfo: boolean
  /** Signs with a key that the key set does not have. */
  isForged: boolean
  /** Every request is answered with 503. */
  isDown: boolean
  /** The person says no. */
  isDenied: boolean
}

interface Grant {
  readonly query: URLSearchParams
  readonly accessToken: string
}

export interface FakeIssuer {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly behavior: IssuerBehavior
  /** Paths that were asked for, the oldest first. */
  readonly requests: string[]
  /** Access tokens and codes that were given out. */
  readonly secrets: string[]
  /** What the person's browser does: opens the address, agrees, and is sent back with these parameters. */
  visit(url: string): Promise<Record<string, string>>
  rotateKeys(): void
  reset(): void
  stop(): Promise<void>
}

const asUsual = (): IssuerBehavior => ({
  email: 'grace@example.com',
  emailVerified: true,
  name: 'Grace',
  claims: {},
  isEmailInUserInfo: false,
  isForged: false,
  isDown: false,
  isDenied: false,
})

interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const newKey = (): SigningKey => ({ kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) })

/** An issuer of OpenID Connect, and GitHub's OAuth beside it, on a port of this machine; held to the protocol as a real one is. */
export async function startFakeIssuer(): Promise<FakeIssuer> {
  const behavior = asUsual()
  const grants = new Map<string, Grant>()
  const people = new Set<string>()
  const requests: string[] = []
  const secrets: string[] = []
  let key = newKey()
  const otherKey = newKey()
  const clientId = 'assay-client'
  const clientSecret = 'the-secret-of-the-client'

  const server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', 'http://issuer')
    requests.push(target.pathname)
    if (behavior.isDown) return void response.writeHead(503).end()
    void answer(request, response, target)
  })

  async function answer(request: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL) {
    const send = (body: unknown, status = 200) =>
      void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    const isKnown = people.has(request.headers.authorization?.replace(/^Bearer /i, '') ?? '')
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return send(metadata())
      case '/keys':
        return send({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig', alg: 'RS256' }] })
      case '/authorize':
      case '/login/oauth/authorize':
        return sendBack(response, searchParams)
      case '/token':
      case '/login/oauth/access_token': {
        const grant = takeGrant(new URLSearchParams(await readText(request)))
        // GitHub says no with a yes.
        if (!grant) return send({ error: 'invalid_grant' }, pathname === '/token' ? 400 : 200)
        const isOidc = grant.query.get('scope')?.split(' ').includes('openid')
        const token = { access_token: grant.accessToken, token_type: 'bearer', scope: grant.query.get('scope') }
        return send(isOidc ? { ...token, id_token: sign(claimsFor(grant)) } : token)
      }
      case '/userinfo':
        return isKnown ? send({ sub: 'person-1', ...address() }) : send({}, 401)
      case '/user':
        return isKnown ? send({ login: 'grace', name: behavior.name }) : send({ message: 'Bad credentials' }, 401)
      case '/user/emails':
        return isKnown ? send(githubAddresses()) : send({ message: 'Bad credentials' }, 401)
      default:
        return send({}, 404)
    }
  }

  const issuer = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const metadata = () => ({
    issuer: issuer(),
    authorization_endpoint: `${issuer()}/authorize`,
    token_endpoint: `${issuer()}/token`,
    jwks_uri: `${issuer()}/keys`,
    userinfo_endpoint: `${issuer()}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  })

  function sendBack(response: ServerResponse, query: URLSearchParams): void {
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('state', query.get('state') ?? '')
    if (behavior.isDenied) back.searchParams.set('error', 'access_denied')
    else {
      const grant = { query, accessToken: `access-${randomUUID()}` }
      const code = `code-${randomUUID()}`
      grants.set(code, grant)
      secrets.push(code, grant.accessToken)
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  /** Once, for the client and the verifier that it was asked for with. */
  function takeGrant(form: URLSearchParams): Grant | undefined {
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const hash = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      form.get('client_id') === clientId &&
      form.get('client_secret') === clientSecret &&
      form.get('redirect_uri') === grant?.query.get('redirect_uri') &&
      grant?.query.get('code_challenge_method') === 'S256' &&
      hash === grant.query.get('code_challenge')
    if (!grant || !isRight) return undefined
    people.add(grant.accessToken)
    return grant
  }

  const address = () => ({ email: behavior.email, email_verified: behavior.emailVerified })

  const githubAddresses = () => [
    { email: 'other@example.com', primary: false, verified: true },
    { email: behavior.email, primary: true, verified: behavior.emailVerified === true },
  ]

  function claimsFor({ query }: Grant): object {
    const now = Math.floor(Date.now() / 1000)
    return {
      iss: issuer(),
      sub: 'person-1',
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: query.get('nonce'),
      name: behavior.name,
      ...(!behavior.isEmailInUserInfo && address()),
      ...behavior.claims,
    }
  }

  function sign(claims: object): string {
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
    const text = `${encode({ alg: 'RS256', kid: key.kid })}.${encode(claims)}`
    const { privateKey } = behavior.isForged ? otherKey : key
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: issuer(),
    clientId,
    clientSecret,
    behavior,
    requests,
    secrets,
    async visit(url) {
      const answer = await fetch(url, { redirect: 'manual' })
      return Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams)
    },
    rotateKeys() {
      key = newKey()
    },
    reset() {
      Object.assign(behavior, asUsual())
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  ClientSecretPost,
  processAuthorizationCodeResponse,
  protectedResourceRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import { z } from 'zod'
import {
  authorizationUrl,
  type ProviderTransport,
  requestOptions,
  type SignInAnswer,
  type SignInProvider,
  withFailures,
} from './sign-in-provider.ts'

export interface GithubOptions {
  /** https://github.com, or a server of one's own. */
  readonly baseUrl: string
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUrl: string
}

const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
const profile = z.object({ name: z.string().nullish(), login: z.string() })

/** GitHub speaks OAuth and not OpenID Connect: there is no ID token, its API says who the person is. */
export function createGithubSignIn(options: GithubOptions, transport: ProviderTransport): SignInProvider {
  const { baseUrl, apiUrl, clientId, clientSecret, redirectUrl } = options
  const client = { client_id: clientId }
  const server: AuthorizationServer = { issuer: baseUrl, token_endpoint: `${baseUrl}/login/oauth/access_token` }
  const through = requestOptions(transport)
  const read = async (accessToken: string, path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json' })
    const url = new URL(`${apiUrl}${path}`)
    const answer = await protectedResourceRequest(accessToken, 'GET', url, headers, null, through)
    return answer.json().catch(() => undefined)
  }
  return {
    id: 'github',
    name: 'GitHub',
    begin: (secrets) =>
      withFailures(async () => {
        const url = await authorizationUrl(`${baseUrl}/login/oauth/authorize`, secrets, {
          client_id: clientId,
          redirect_uri: redirectUrl,
          scope: 'read:user user:email',
        })
        return { kind: 'started', url }
      }),
    finish: (parameters, { state, verifier }) =>
      withFailures(async () => {
        const valid = validateAuthResponse(server, client, new URLSearchParams(parameters), state)
        const proof = ClientSecretPost(clientSecret)
        const answer = await authorizationCodeGrantRequest(server, client, proof, valid, redirectUrl, verifier, through)
        const { access_token } = await processAuthorizationCodeResponse(server, client, answer)
        return readPerson(await read(access_token, '/user/emails'), await read(access_token, '/user'))
      }),
  }
}

function readPerson(addresses: unknown, about: unknown): SignInAnswer {
  const known = emails.safeParse(addresses)
  if (!known.success) return { kind: 'refused', reason: 'addresses could not be read' }
  const own = known.data.find(({ primary, verified }) => primary && verified)
  if (!own) return { kind: 'unverified' }
  const { data } = profile.safeParse(about)
  return { kind: 'person', email: own.email, name: data?.name ?? data?.login }
}

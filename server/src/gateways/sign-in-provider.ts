import { allowInsecureRequests, type CustomFetchOptions, calculatePKCECodeChallenge, customFetch } from 'oauth4webapi'
import { codeOf } from './download.ts'
import { type AddressRules, parseUrl, vet } from './vetted-address.ts'
import { sendVetted } from './vetted-request.ts'

/** Somewhere else that says who a person is: GitHub, Google, any OpenID Connect issuer. */
export interface SignInProvider {
  readonly id: SignInProviderId
  /** As its button says it. */
  readonly name: string
  /** Where to send the browser. */
  begin(secrets: SignInSecrets): Promise<{ kind: 'started'; url: string } | ProviderFailure>
  /** Who came back, by the parameters of the redirect. */
  finish(parameters: SignInParameters, secrets: SignInSecrets): Promise<SignInAnswer>
}

export type SignInProviderId = 'github' | 'google' | 'oidc'

/** Drawn anew for each sign-in, and kept by the browser that began it. */
export interface SignInSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** What the provider appends to the redirect address. */
export type SignInParameters = Readonly<Record<string, string>>

export type SignInAnswer =
  | { readonly kind: 'person'; readonly email: string; readonly name: string | undefined }
  /** The provider knows an address, and does not say that it is the person's. */
  | { readonly kind: 'unverified' }
  | ProviderFailure

/** The reason is a code for the log, never what the other side wrote. */
export interface ProviderFailure {
  readonly kind: 'refused' | 'away'
  readonly reason: string
}

export interface ProviderTransport extends AddressRules {
  /** Of each request. */
  readonly timeoutMs: number
}

const MAX_BYTES = 1024 * 1024

class ProviderAway extends Error {}

/** Every request to a provider: to checked addresses only, without redirects, bounded in time and size. */
export function requestOptions(transport: ProviderTransport) {
  return {
    [customFetch]: (url: string, init: CustomFetchOptions<string, unknown>) => send(transport, url, init),
    // The address rules decide where plain http may go: to this machine, while trying things out.
    [allowInsecureRequests]: transport.isPlainLoopbackAllowed,
  }
}

async function send(
  transport: ProviderTransport,
  address: string,
  init: CustomFetchOptions<string, unknown>,
): Promise<Response> {
  const parsed = parseUrl(transport, address)
  if ('problem' in parsed) throw new ProviderAway('address refused')
  const vetted = await vet(transport, parsed.url)
  if (vetted.kind !== 'ok') throw new ProviderAway(`address ${vetted.kind}`)
  const answer = await sendVetted({
    method: init.method === 'POST' ? 'POST' : 'GET',
    url: parsed.url,
    addresses: vetted.addresses,
    headers: init.headers,
    body: init.body instanceof URLSearchParams ? init.body.toString() : undefined,
    signal: AbortSignal.timeout(transport.timeoutMs),
    maxBytes: MAX_BYTES,
  }).catch((error: unknown) => {
    throw new ProviderAway(codeOf(error))
  })
  if (answer.kind === 'too-large') throw new ProviderAway('answer too large')
  if (answer.status >= 500) throw new ProviderAway(`status ${answer.status}`)
  const type = answer.headers['content-type']
  return new Response(answer.bytes.length > 0 ? new Uint8Array(answer.bytes) : null, {
    status: answer.status,
    headers: { ...(type && { 'content-type': type }) },
  })
}

/** The address of the provider's own page. */
export async function authorizationUrl(
  endpoint: string | undefined,
  secrets: SignInSecrets,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  if (!endpoint || !URL.canParse(endpoint)) throw new ProviderAway('no authorization endpoint')
  const url = new URL(endpoint)
  const all = {
    response_type: 'code',
    state: secrets.state,
    code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...parameters,
  }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  return url.href
}

/** Runs one half of a sign-in; the errors of the protocol become outcomes. */
export async function withFailures<T>(run: () => Promise<T>): Promise<T | ProviderFailure> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProviderAway) return { kind: 'away', reason: error.message }
    const { code } = error as { code?: unknown }
    if (typeof code === 'string' && /^OAUTH_\w+$/.test(code)) return { kind: 'refused', reason: code }
    throw error
  }
}

import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  ClientSecretBasic,
  ClientSecretPost,
  discoveryRequest,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi'
import {
  authorizationUrl,
  type ProviderTransport,
  requestOptions,
  type SignInAnswer,
  type SignInProvider,
  withFailures,
} from './sign-in-provider.ts'

export interface OidcOptions extends Pick<SignInProvider, 'id' | 'name'> {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUrl: string
}

/**
 * Any issuer of OpenID Connect. Its metadata and keys are read anew for each sign-in: those are rare, and a key that the issuer changed
 * never stands in the way.
 */
export function createOidcSignIn(options: OidcOptions, transport: ProviderTransport): SignInProvider {
  const { clientId, clientSecret, redirectUrl } = options
  const client = { client_id: clientId }
  const through = requestOptions(transport)
  const discover = async (): Promise<AuthorizationServer> => {
    const issuer = new URL(options.issuer)
    return processDiscoveryResponse(issuer, await discoveryRequest(issuer, { algorithm: 'oidc', ...through }))
  }
  return {
    id: options.id,
    name: options.name,
    begin: (secrets) =>
      withFailures(async () => {
        const { authorization_endpoint } = await discover()
        const url = await authorizationUrl(authorization_endpoint, secrets, {
          client_id: clientId,
          redirect_uri: redirectUrl,
          scope: 'openid email profile',
          nonce: secrets.nonce,
        })
        return { kind: 'started', url }
      }),
    finish: (parameters, { state, nonce, verifier }) =>
      withFailures(async () => {
        const server = await discover()
        const valid = validateAuthResponse(server, client, new URLSearchParams(parameters), state)
        const proof = takesBody(server) ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret)
        const answer = await authorizationCodeGrantRequest(server, client, proof, valid, redirectUrl, verifier, through)
        const tokens = await processAuthorizationCodeResponse(server, client, answer, {
          expectedNonce: nonce,
          requireIdToken: true,
        })
        await validateApplicationLevelSignature(server, answer, through)
        const claims = getValidatedIdTokenClaims(tokens)
        if (!claims || claims.email !== undefined || !server.userinfo_endpoint) return readPerson(claims ?? {})
        // An issuer may keep the address out of the token.
        const more = await userInfoRequest(server, client, tokens.access_token, through)
        return readPerson({ ...(await processUserInfoResponse(server, client, claims.sub, more)) })
      }),
  }
}

const takesBody = ({ token_endpoint_auth_methods_supported: methods }: AuthorizationServer): boolean =>
  methods?.includes('client_secret_post') ?? false

/** Some issuers write the truth as text. */
function readPerson({ email, email_verified: verified, name }: Readonly<Record<string, unknown>>): SignInAnswer {
  if (typeof email !== 'string' || !(verified === true || verified === 'true')) return { kind: 'unverified' }
  return { kind: 'person', email, name: typeof name === 'string' ? name : undefined }
}

/** Passkeys between the service, which speaks the JSON form of WebAuthn, and the browser, which wants bytes. */
import { passkey as texts } from '../messages/second-factor.ts'

type Json = Record<string, unknown>

const toBytes = (text: unknown): ArrayBuffer => {
  const plain = atob(String(text).replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0)).buffer
}

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const withIds = (list: unknown): PublicKeyCredentialDescriptor[] =>
  ((list ?? []) as Json[]).map((each) => ({ ...each, id: toBytes(each.id) }) as PublicKeyCredentialDescriptor)

export const canUsePasskeys = (): boolean => typeof PublicKeyCredential !== 'undefined'

/** Asks the authenticator for a new passkey. */
export async function makePasskey(options: Json): Promise<Json & { id: string; response: Json }> {
  const user = options.user as Json
  const credential = await requestCredential(() =>
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        user: { ...user, id: toBytes(user.id) },
        excludeCredentials: withIds(options.excludeCredentials),
      } as unknown as PublicKeyCredentialCreationOptions,
    }),
  )
  return toJson(credential)
}

/** Asks the authenticator to prove that it holds a passkey. */
export async function presentPasskey(options: Json): Promise<Json & { id: string; response: Json }> {
  const credential = await requestCredential(() =>
    navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        allowCredentials: withIds(options.allowCredentials),
      } as unknown as PublicKeyCredentialRequestOptions,
    }),
  )
  return toJson(credential)
}

/** A browser tells a person who changed their mind from any other failure by nothing but a name. */
async function requestCredential(question: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await question()
    if (credential) return credential as PublicKeyCredential
  } catch (error) {
    if ((error as Error).name === 'InvalidStateError') throw new Error(texts.passkeyAlreadyRegistered)
  }
  throw new Error(texts.passkeyWasNotAccepted)
}

function toJson(credential: PublicKeyCredential): Json & { id: string; response: Json } {
  const response = credential.response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
  const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const
  const given = parts.flatMap((name) => (response[name] ? [[name, toText(response[name])] as const] : []))
  return {
    id: credential.id,
    rawId: toText(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      ...Object.fromEntries(given),
      ...('getTransports' in response ? { transports: response.getTransports() } : {}),
    },
  }
}

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onSessionEnd } from '../api/client.ts'
import { logIn, logInWithPasskey, prove } from './log-in.ts'

const bytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer
const requests: { url: string; body: unknown }[] = []
const questions: CredentialRequestOptions[] = []
let answers: [status: number, body: unknown][] = []

beforeEach(() => {
  requests.length = 0
  questions.length = 0
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    requests.push({ url, body: body === undefined ? undefined : JSON.parse(String(body)) })
    const [status, answer] = answers.shift() ?? [500, {}]
    return new Response(JSON.stringify(answer), { status })
  })
  vi.stubGlobal('navigator', {
    credentials: {
      get: async (question: CredentialRequestOptions) => {
        questions.push(question)
        return {
          id: 'a2V5',
          rawId: bytes('key'),
          type: 'public-key',
          getClientExtensionResults: () => ({}),
          response: {
            clientDataJSON: bytes('{}'),
            authenticatorData: bytes('data'),
            signature: bytes('?>?'),
            userHandle: null,
          },
        }
      },
    },
  })
})
afterEach(() => {
  onSessionEnd(null)
  vi.unstubAllGlobals()
})

const due = {
  message: 'A second factor is needed.',
  challenge: 'c1',
  factors: ['totp' as const, 'passkey' as const],
  passkeyOptions: { challenge: 'Pz4_', allowCredentials: [{ id: 'a2V5', type: 'public-key' }] },
  expiresAt: '2026-03-10T12:05:00.000Z',
}
const me = { email: 'ada@example.com', password: 'a long enough passphrase' }

test('a password that is enough asks for nothing more, one that is not says what is due', async () => {
  answers = [
    [200, { token: 't' }],
    [202, due],
  ]
  expect(await logIn(me)).toBeNull()
  expect(await logIn(me)).toEqual(due)
})

test('a passkey is asked for in bytes and sent as text', async () => {
  answers = [[200, {}]]
  await prove(due, 'passkey')
  const { challenge, allowCredentials } = questions[0]?.publicKey ?? {}
  expect(new TextDecoder().decode(challenge as ArrayBuffer)).toBe('?>?')
  expect(new TextDecoder().decode(allowCredentials?.[0]?.id as ArrayBuffer)).toBe('key')
  expect(requests).toEqual([
    {
      url: '/api/login/second-factor',
      body: {
        challenge: 'c1',
        passkey: {
          id: 'a2V5',
          rawId: 'a2V5',
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON: 'e30', authenticatorData: 'ZGF0YQ', signature: 'Pz4_' },
        },
      },
    },
  ])
})

test('a wrong code is an answer, not the end of a session', async () => {
  const logInAgain = vi.fn(async () => true)
  onSessionEnd(logInAgain)
  answers = [[401, { error: 'The second factor was not accepted.' }]]
  await expect(prove(due, { code: '123456' })).rejects.toThrow('The second factor was not accepted.')
  expect(logInAgain).not.toHaveBeenCalled()
})

test('a person who turns the passkey down sees what else to do, and nothing is sent', async () => {
  vi.stubGlobal('navigator', { credentials: { get: () => Promise.reject(new DOMException('no', 'NotAllowedError')) } })
  answers = [[200, { challenge: 'c2', options: { challenge: 'AA' }, expiresAt: '' }]]
  await expect(logInWithPasskey()).rejects.toThrow('The passkey was not accepted. Try again or use another method.')
  expect(requests).toHaveLength(1)
})

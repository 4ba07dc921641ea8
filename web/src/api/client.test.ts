import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, onSessionEnd, Refusal } from './client.ts'

/** The network's edge: answers in turn, and what was asked. */
let answers: Response[] = []
const requests: string[] = []

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

beforeEach(() => {
  requests.length = 0
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url)
    return answers.shift()
  })
})

afterEach(() => {
  onSessionEnd(null)
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const scans = () => call('GET /api/v1/scans', { query: { limit: 1 } })

test('a busy service is asked again after the time it names', async () => {
  answers = [json(503, { error: 'Busy.' }, { 'retry-after': '3' }), json(200, { success: true })]
  const result = scans()
  await vi.advanceTimersByTimeAsync(2_900)
  expect(requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  await expect(result).resolves.toEqual({ success: true })
  expect(requests).toHaveLength(2)
})

test('a service that stays busy is given up in its own words', async () => {
  answers = Array.from({ length: 4 }, () => json(503, { error: 'Busy.' }, { 'retry-after': '1' }))
  const result = scans()
  const refused = expect(result).rejects.toThrow('Busy.')
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  expect(requests).toHaveLength(4)
})

test('a request that finds its session ended is repeated after logging in', async () => {
  answers = [json(401, { error: 'Log in first.' }), json(200, { success: true })]
  onSessionEnd(async () => true)
  await expect(scans()).resolves.toEqual({ success: true })
})

test('who does not log in again gets the refusal', async () => {
  answers = [json(401, { error: 'Log in first.' }), json(401, { error: 'Log in first.' })]
  onSessionEnd(async () => false)
  await expect(scans()).rejects.toMatchObject({ message: 'Log in first.', status: 401 })
  await expect(scans()).rejects.toBeInstanceOf(Refusal)
  expect(requests).toHaveLength(2)
})

test('refusals have the spelling of the screen', async () => {
  answers = [
    json(403, { error: 'E-mail address is not verified.' }),
    json(401, { error: 'Invalid e-mail or password.' }),
  ]
  const logIn = () => call('POST /api/login', { body: { email: 'a@example.com', password: 'x' } })
  await expect(logIn()).rejects.toMatchObject({ message: 'Email address is not verified.', status: 403 })
  await expect(logIn()).rejects.toMatchObject({ message: 'Invalid email or password.', status: 401 })
})

test('a wrong password is an answer, not the end of a session', async () => {
  answers = [json(401, { error: 'Invalid e-mail or password.' })]
  const openLogIn = vi.fn(async () => true)
  onSessionEnd(openLogIn)
  await expect(call('POST /api/login', { body: { email: 'a@example.com', password: 'x' } })).rejects.toThrow('Invalid')
  expect(openLogIn).not.toHaveBeenCalled()
})

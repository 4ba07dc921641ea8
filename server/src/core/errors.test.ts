import { expect, test } from 'vitest'
import { Refusal, refusals, refuse } from './errors.ts'

test('a refusal carries its words, status and headers', () => {
  try {
    refuse('quotaSpent', new Date('2026-03-11T00:00:00Z'), 3600, 5)
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({
      refusal: 'quotaSpent',
      status: 429,
      message: 'Daily scan limit exceeded. Limit resets at 2026-03-11T00:00:00.000Z',
      headers: { 'retry-after': '3600', 'x-ratelimit-limit': '5', 'x-ratelimit-reset': '1773187200' },
    })
    return
  }
  expect.unreachable()
})

test('every 429 and 503 says when to come back', () => {
  for (const [name, [status, , headers]] of Object.entries(refusals) as [
    string,
    readonly [number, unknown, unknown?],
  ][]) {
    if (status === 429 || status === 503) expect(headers, name).toBeTypeOf('function')
  }
})

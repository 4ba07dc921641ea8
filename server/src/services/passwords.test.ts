import { expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

const passwords = createPasswords({ parallel: 2 })

test('a password is kept by argon2id with the advised cost', async () => {
  expect(await passwords.hash('a long enough password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('the same password verifies, another does not, in whatever way its letters were typed', async () => {
  const kept = await passwords.hash('caf\u00e9 au lait')
  expect(await passwords.verify(kept, 'cafe\u0301 au lait')).toBe(true)
  expect(await passwords.verify(kept, 'cafe au lait')).toBe(false)
  expect(await passwords.verifyNothing('anything')).toBe(false)
})

test('a flood waits for its turn, and beyond that is refused with a time to come back', async () => {
  const many = createPasswords({ parallel: 1 })
  const results = await Promise.allSettled(Array.from({ length: 203 }, () => many.verifyNothing('x')))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(2)
  expect(refused[0]).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '2' } } })
}, 60_000)

import { expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

const passwords = createPasswords({ parallel: 2 })

test('a password is kept by argon2id with the advised cost', async () => {
  expect(await passwords.hash('a long enough password', 'here')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('the same password verifies, another does not, in whatever way its letters were typed', async () => {
  const kept = await passwords.hash('caf\u00e9 au lait', 'here')
  expect(await passwords.verify(kept, 'cafe\u0301 au lait', 'here')).toBe(true)
  expect(await passwords.verify(kept, 'cafe au lait', 'here')).toBe(false)
  expect(await passwords.verifyNothing('anything', 'here')).toBe(false)
})

test('a flood from one network waits for its turn, beyond that is refused, and holds up nobody else', async () => {
  const many = createPasswords({ parallel: 1 })
  const ended: string[] = []
  const verifyIn = (lane: string) => many.verifyNothing('x', lane).finally(() => ended.push(lane))
  await many.verifyNothing('x', 'first')
  const flood = Promise.allSettled(Array.from({ length: 23 }, () => verifyIn('flood')))
  await verifyIn('somebody else')
  expect(ended.indexOf('somebody else')).toBeLessThan(6)
  const refused = (await flood).filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(2)
  expect(refused[0]).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '2' } } })
})

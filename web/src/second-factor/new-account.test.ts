import { expect, test } from 'vitest'
import { rememberPassword, takePassword } from './new-account.ts'

test('the password of a new account is given once, for its own address', () => {
  rememberPassword({ email: 'ada@example.com', password: 'a long enough passphrase' })
  expect(takePassword('ada@example.com')).toBe('a long enough passphrase')
  expect(takePassword('ada@example.com')).toBeUndefined()
  rememberPassword({ email: 'ada@example.com', password: 'a long enough passphrase' })
  expect(takePassword('eve@example.com')).toBeUndefined()
  expect(takePassword('ada@example.com')).toBeUndefined()
})

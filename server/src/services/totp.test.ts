import { expect, test } from 'vitest'
import { codeOfStep, findStep, stepAt, toBase32, totpUri } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('RFC 6238, appendix B: the code at second %i', (second, code) => {
  expect(codeOfStep(secret, stepAt(new Date(second * 1000)), 8)).toBe(code)
})

test('a code is known a step before and after its own, and no further', () => {
  const moment = new Date(1_234_567_890_000)
  const code = codeOfStep(secret, stepAt(moment))
  const at = (seconds: number) => findStep(secret, code, new Date(moment.getTime() + seconds * 1000))
  expect([-60, -30, 0, 30, 60].map((seconds) => at(seconds) !== undefined)).toEqual([false, true, true, true, false])
})

test('RFC 4648, 10: base32', () => {
  const words = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar']
  expect(words.map((word) => toBase32(Buffer.from(word)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ])
})

test('the address names the account and the issuer', () => {
  expect(totpUri(Buffer.from('foobar'), 'ada@example.com')).toBe(
    'otpauth://totp/Assay:ada%40example.com?secret=MZXW6YTBOI&issuer=Assay',
  )
})

import { expect, test } from 'vitest'
import { qrCode } from './qr-code.ts'

const drawn = (text: string): string[] | undefined =>
  qrCode(text)?.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))

test('the smallest code, module for module, as a reader of another make has read it', () => {
  expect(drawn('a')).toMatchSnapshot()
})

test.each([
  ['a', 21],
  ['x'.repeat(17), 21],
  ['x'.repeat(18), 25],
  ['x'.repeat(134), 41],
  ['x'.repeat(135), 45],
  ['ü'.repeat(135), 57],
])('%s takes a square of %i modules, with its three corners', (text, size) => {
  const rows = drawn(text) ?? []
  expect(rows).toHaveLength(size)
  for (const corner of [
    rows[0]?.slice(0, 8),
    rows[0]?.slice(-8).split('').reverse().join(''),
    rows.at(-1)?.slice(0, 8),
  ])
    expect(corner).toBe('#######.')
})

test('a text that is too long has none', () => {
  expect(qrCode('x'.repeat(271))).toBeDefined()
  expect(qrCode('x'.repeat(272))).toBeUndefined()
})

import { expect, test } from 'vitest'
import { formatWei, sharesOf } from './ether.ts'

test.each([
  ['0', '0 ether'],
  ['1', '1 wei'],
  ['1000000000000000000', '1 ether'],
  ['3500000000000000000', '3.5 ether'],
  ['-2000000000000000000', '-2 ether'],
  ['100000000000000000000000001', '100000000 ether'],
])('%s wei is %s', (digits, words) => expect(formatWei(digits)).toBe(words))

test('shares are taken of the largest, however large', () => {
  expect(sharesOf(['50000000000000000000000', '100000000000000000000000', '0'])).toEqual([0.5, 1, 0])
  expect(sharesOf(['0', '0'])).toEqual([0, 0])
})

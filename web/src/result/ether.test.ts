import { expect, test } from 'vitest'
import { changesOf, formatChange, formatWei } from './ether.ts'

test.each([
  ['0', '0 ether'],
  ['1', '1 wei'],
  ['1000000000000000000', '1 ether'],
  ['3500000000000000000', '3.5 ether'],
  ['-2000000000000000000', '-2 ether'],
  ['100000000000000000000000001', '100,000,000 ether'],
])('%s wei is %s', (digits, words) => expect(formatWei(digits)).toBe(words))

test('a gain has a plus, and tokens stay in their smallest units', () => {
  expect(formatChange('5000000000000000000', undefined)).toBe('+5 ether')
  expect(formatChange('-5000000000000000000', undefined)).toBe('-5 ether')
  expect(formatChange('12', 'TKN')).toBe('+12')
})

test('the chart is of what changed: ether first, then token by token, the largest change first', () => {
  const changes = changesOf([
    { holder: 'whale', before: '100000000000000000000000', after: '100000000000000000000000' },
    { holder: 'attacker', before: '100000000000000000000000', after: '100005000000000000000000' },
    { holder: 'Bank', before: '10000000000000000000', after: '0' },
    { holder: 'attacker', token: 'TKN', before: '0', after: '7' },
    { holder: 'Bank', token: 'TKN', before: '7', after: '7' },
  ])
  expect(changes.map(({ holder, token, change, share }) => [holder, token, change, share])).toEqual([
    ['Bank', undefined, '-10000000000000000000', 1],
    ['attacker', undefined, '5000000000000000000', 0.5],
    ['attacker', 'TKN', '7', 1],
  ])
})

test('a change of one wei beside one of a million ether can still be seen', () => {
  const changes = changesOf([
    { holder: 'Bank', before: '1000000000000000000000000', after: '0' },
    { holder: 'attacker', before: '0', after: '1' },
  ])
  expect(changes.map(({ share }) => share)).toEqual([1, 0.03])
})

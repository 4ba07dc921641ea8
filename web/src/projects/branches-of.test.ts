import { expect, test } from 'vitest'
import { branchesOf } from './branches-of.ts'

test('each branch once, with its newest scan', () => {
  const trend = [
    { ref: 'main', scanId: '4' },
    { ref: 'fee', scanId: '3' },
    { ref: 'main', scanId: '2' },
    { ref: null, scanId: '1' },
  ]
  expect(branchesOf(trend).map(({ scanId }) => scanId)).toEqual(['4', '3', '1'])
})

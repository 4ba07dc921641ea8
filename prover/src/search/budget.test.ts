import { expect, test } from 'vitest'
import { cpuNow, FindingBudget } from './budget.ts'

test('a call that is taken after the time is over is refused, not an error', () => {
  let counted = 0
  const late = new FindingBudget(5, cpuNow() - 1, () => counted++)
  expect([late.take(), late.isLate, counted]).toEqual([false, true, 0])
})

test('calls are taken as long as there are any', () => {
  const budget = new FindingBudget(2, Number.POSITIVE_INFINITY, () => {})
  expect([budget.take(), budget.take(), budget.take(), budget.left]).toEqual([true, true, false, 0])
})

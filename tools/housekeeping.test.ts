/** The dashboard sorts as the reports do: it knows the engine by its interface alone, so its list is a copy. */
import { expect, test } from 'vitest'
import { housekeeping } from '../engine/src/report/housekeeping.ts'
import { housekeeping as inDashboard } from '../web/src/result/housekeeping.ts'

test('the dashboard and the reports agree on what is housekeeping', () => {
  expect([...inDashboard].sort()).toEqual([...housekeeping].sort())
})

import type { Evidence } from '@assay/engine'

/** Nothing was executed for this finding, and why. */
export const notAttempted = (reason: string, compiler: string | null = null): Evidence => ({
  status: 'not-attempted',
  summary: `not attempted: ${reason}`,
  scene: [],
  steps: [],
  balances: [],
  control: null,
  callsTried: 0,
  seed: 0,
  compiler,
  foundryTest: null,
})

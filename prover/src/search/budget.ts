/** How much a finding may cost: attempts of the search, calls of the EVM, and time as the last resort. */
export interface Budget {
  /** False when there is nothing left. */
  spend(): boolean
}

export interface Limits {
  /** Calls of the EVM per finding. */
  readonly callsPerFinding: number
  /** Wall clock; whatever is not finished then was not reproduced. */
  readonly millisecondsPerFinding: number
  readonly millisecondsPerScan: number
}

export const defaultLimits: Limits = {
  callsPerFinding: 400,
  millisecondsPerFinding: 10_000,
  millisecondsPerScan: 60_000,
}

export const createBudget = (callsMade: () => number, limits: Limits, deadline: number): Budget => {
  const last = callsMade() + limits.callsPerFinding
  const until = Math.min(deadline, performance.now() + limits.millisecondsPerFinding)
  return { spend: () => callsMade() < last && performance.now() < until }
}

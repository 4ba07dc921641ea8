/** How much a finding may cost: calls of the EVM first, and CPU time of this process as the last resort, so that a busy machine changes nothing. */
export interface Budget {
  /** False when there is nothing left. */
  spend(): boolean
}

export interface Limits {
  /** Calls of the EVM per finding. */
  readonly callsPerFinding: number
  /** CPU time; whatever is not finished then was not reproduced. */
  readonly millisecondsPerFinding: number
  readonly millisecondsPerScan: number
}

export const defaultLimits: Limits = {
  callsPerFinding: 400,
  millisecondsPerFinding: 10_000,
  millisecondsPerScan: 60_000,
}

/** Milliseconds that this process has computed. */
export const cpuNow = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export const createBudget = (callsMade: () => number, limits: Limits, deadline: number): Budget => {
  const last = callsMade() + limits.callsPerFinding
  const until = Math.min(deadline, cpuNow() + limits.millisecondsPerFinding)
  return { spend: () => callsMade() < last && cpuNow() < until }
}

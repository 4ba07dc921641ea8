/** How much a finding may cost: calls of the EVM first, and CPU time of this process as the last resort, so that a busy machine changes nothing. */
export interface Budget {
  /** Calls. */
  readonly left: number
  /** False when there is nothing left. */
  spend(): boolean
}

export interface Limits {
  /** Calls of the EVM per finding. */
  readonly callsPerFinding: number
  /** CPU time; whatever is not finished then was not reproduced. */
  readonly millisecondsPerFinding: number
  readonly millisecondsPerScan: number
  readonly callsPerScan: number
}

export const defaultLimits: Limits = {
  callsPerFinding: 400,
  millisecondsPerFinding: 10_000,
  millisecondsPerScan: 60_000,
  callsPerScan: 20_000,
}

/** Milliseconds that this process has computed. Reading it costs more than a short call of the EVM does, so the answer is up to eight milliseconds old. */
export const cpuNow = (): number => {
  const now = performance.now()
  if (now - lastRead.at >= mostAge) {
    const { user, system } = process.cpuUsage()
    lastRead = { at: now, answer: (user + system) / 1000 }
  }
  return lastRead.answer
}

const mostAge = 8
let lastRead = { at: Number.NEGATIVE_INFINITY, answer: 0 }

/** What a scan has left; findings take from it one after the other. */
export class ScanBudget {
  readonly limits: Limits
  readonly #deadline: number
  #calls = 0

  constructor(limits: Limits) {
    this.limits = limits
    this.#deadline = cpuNow() + limits.millisecondsPerScan
  }

  get isSpent(): boolean {
    return this.isLate || this.#calls >= this.limits.callsPerScan
  }

  /** Over compiling, scenes and attacks together. */
  get isLate(): boolean {
    return cpuNow() > this.#deadline
  }

  /** For one finding, over all contracts that are attacked for it. */
  forFinding(): FindingBudget {
    const calls = Math.min(this.limits.callsPerFinding, this.limits.callsPerScan - this.#calls)
    const until = Math.min(this.#deadline, cpuNow() + this.limits.millisecondsPerFinding)
    return new FindingBudget(calls, until, () => this.#calls++)
  }
}

/** Counted where calls are made, so that no attack can forget to. */
export class FindingBudget implements Budget {
  readonly #most: number
  readonly #until: number
  readonly #onCall: () => void
  #late = false
  calls = 0

  constructor(most: number, until: number, onCall: () => void) {
    this.#most = most
    this.#until = until
    this.#onCall = onCall
  }

  /** It was the time, not the calls, that ended it. */
  get isLate(): boolean {
    return this.#late
  }

  get left(): number {
    return this.#most - this.calls
  }

  spend(): boolean {
    return this.calls < this.#most && !this.#isLate()
  }

  #isLate(): boolean {
    this.#late ||= cpuNow() >= this.#until
    return this.#late
  }

  /** Counts one call where there is one left; time may run out between two questions, so it is one. */
  take(): boolean {
    if (!this.spend()) return false
    this.calls++
    this.#onCall()
    return true
  }

  /** In the middle of a call; throws where the time is over. */
  look(): void {
    if (this.#isLate()) throw new BudgetSpent()
  }

  /** One call is about to be made; throws where there is none left. */
  count(): void {
    if (!this.take()) throw new BudgetSpent()
  }
}

/** An equal part of the calls that are left, so that one search leaves some to the others. */
export const partOf = (budget: Budget, parts: number): Budget => {
  const kept = budget.left - Math.ceil(budget.left / parts)
  return {
    get left() {
      return Math.max(0, budget.left - kept)
    },
    spend: () => budget.left > kept && budget.spend(),
  }
}

/** Ends an attack wherever it stands. */
export class BudgetSpent extends Error {}

/** How much one flow, and one scan, may hold; past it something is left out and said so. */
export interface Budget {
  /** Operations of one flow that come from calls; past it no call is inlined any more. */
  readonly maxInlinedOps: number
  /** The same for all flows of contracts that are followed together; whole protocols take some 25,000. */
  readonly maxInlinedTogether: number
  /**
   * Steps of one flow: every operation, block, statement, placeholder, call of an assembly function and value that a phi joins
   * is one. People's largest functions take some 3,000.
   */
  readonly maxSteps: number
  /** Calls inside calls. */
  readonly maxDepth: number
  /** Expression nesting; left-deep operator chains are walked without recursion and do not count. */
  readonly maxNesting: number
  /** Weight of everything lowered for one scan, about two microseconds each: past it further contracts are left out. */
  readonly maxWeight: number
}

export const defaultBudget: Budget = {
  maxInlinedOps: 1500,
  maxInlinedTogether: 60_000,
  maxSteps: 12_000,
  maxDepth: 12,
  maxNesting: 300,
  maxWeight: 4_000_000,
}

/** How much one flow, and one scan, may hold; past it something is left out and said so. */
export interface Budget {
  /** Operations of one flow; past it no call is inlined any more. */
  readonly maxInlinedOps: number
  /** Operations of one flow at all. */
  readonly maxOps: number
  readonly maxDepth: number
  /** Expression nesting; left-deep operator chains are walked without recursion and do not count. */
  readonly maxNesting: number
  /** Weight of everything lowered for one scan, about two microseconds each: past it further contracts are left out. */
  readonly maxWeight: number
}

export const defaultBudget: Budget = {
  maxInlinedOps: 1500,
  maxOps: 60_000,
  maxDepth: 12,
  maxNesting: 300,
  maxWeight: 4_000_000,
}

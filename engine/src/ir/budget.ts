/** How much one flow, and one scan, may hold; past it something is left out and said so. */
export interface Budget {
  /** Operations of one flow that come from calls; past it no call is inlined any more. */
  readonly maxInlinedOps: number
  /** The same for a function that is only summed up: what it does to storage that it hands to a library is seen in the copy alone. */
  readonly maxBriefOps: number
  /**
   * Steps of one flow: every operation, block, statement, placeholder, call of an assembly function and value that a phi joins
   * is one. People's largest functions take some 3,000.
   */
  readonly maxSteps: number
  /** Operations of a pure function of numbers that is inlined; a call of a larger one is a single operation. */
  readonly maxCopiedComputation: number
  /** Calls inside calls. */
  readonly maxDepth: number
  /** Expression nesting; left-deep operator chains are walked without recursion and do not count. */
  readonly maxNesting: number
  /**
   * Weight of contracts that are followed together, some thirty microseconds each, for every character of their text: past it contracts are
   * left out. Protocols take a tenth to a third.
   */
  readonly weightPerCharacter: number
  /** What a short text may weigh all the same. */
  readonly leastWeight: number
}

/**
 * Every limit of the analysis. A question about a value leads to what it is computed from, so many levels deep; past a limit the answer is
 * the careful one of that question. `depth` counts levels, `work` counts things looked at; the names are those of the questions.
 */
export const budget = {
  flow: {
    maxInlinedOps: 1500,
    maxBriefOps: 100,
    maxSteps: 12_000,
    maxCopiedComputation: 40,
    maxDepth: 12,
    maxNesting: 300,
    weightPerCharacter: 0.6,
    leastWeight: 26_000,
  },
  depth: {
    addends: 3,
    answers: 2,
    attainable: 7,
    attainableState: 4,
    checkedParts: 8,
    clock: 2,
    conditionAlternatives: 8,
    conditionPhis: 12,
    deadline: 4,
    decision: 6,
    holdings: 6,
    intervals: 200,
    jump: 4,
    kept: 4,
    keptAnswer: 3,
    limitedPhi: 2,
    loopBound: 6,
    loopParameters: 4,
    memoryAddress: 3,
    memoryCopies: 4,
    memoryObjects: 2,
    moment: 3,
    nearBlock: 4,
    oldValue: 3,
    outcome: 4,
    packed: 6,
    place: 6,
    refusal: 6,
    position: 8,
    putTogether: 4,
    recovered: 4,
    relations: 3,
    sameValue: 3,
    scale: 4,
    senderMention: 4,
    senderValue: 3,
    shareOfLimit: 4,
    shares: 4,
    sharpened: 2,
    shortClock: 3,
    smallValue: 4,
    structs: 6,
    taken: 3,
    timelock: 6,
    trust: 8,
    pathFacts: 4,
    paths: 6,
    unchecked: 3,
    units: 40,
    within: 4,
    yulCalls: 8,
    yulNesting: 200,
  },
  work: {
    attainableSources: 200,
    conditionFacts: 400,
    dependencies: 2000,
    guardFacts: 300,
    heldValues: 24,
    implementations: 3,
    lockTests: 8,
    modularLeaves: 12,
    modularOperations: 2000,
    modularParts: 100,
    reached: 200,
    yulCases: 120,
  },
} as const satisfies { flow: Budget; depth: Record<string, number>; work: Record<string, number> }

export const defaultBudget: Budget = budget.flow

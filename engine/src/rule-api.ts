/**
 * What rules of a user's own are made of. The version is raised when a rule that worked would not work any more; what is
 * not named here may change with every release.
 */
import { defineDetector, excuse } from './detectors/define-detector.ts'
import * as facts from './facts/index.ts'
import * as idioms from './idioms/index.ts'
import { nodesOf, walk } from './syntax/index.ts'

/** Former names of questions, for rules that were written with them. */
const formerFacts = {
  asksCaller: facts.queriesCaller,
  factsOnWay: facts.factsOnPath,
  isCallerAsked: facts.isCallerChecked,
  isToldInError: facts.isInRevertReason,
}
const formerIdioms = {
  bringsSomething: idioms.hasIncomingPayment,
  isNobody: idioms.isUnownedAddress,
  isOnlyAsked: idioms.isReadOnlyService,
}

/** What a rule is handed. Types of the package: `import('@assay/cli/rule-api').RuleApi`. */
export interface RuleApi {
  /** A module that exports another `apiVersion` is refused. */
  readonly version: 1
  /** Makes a detector: who it is, a claim, excuses, and what is reported. */
  readonly defineDetector: typeof defineDetector
  /** A named reason to stay silent about a candidate. */
  readonly excuse: typeof excuse
  /** All nodes of a kind in a file. */
  readonly nodesOf: typeof nodesOf
  /** Visits a node and everything in it. */
  readonly walk: typeof walk
  /** Questions about code: guards, callers, locks, taint, loops, ranges. */
  readonly facts: typeof facts
  /** Patterns of Solidity: token calls, trades, time, intended wrap-around. */
  readonly idioms: typeof idioms
}

export const ruleApi: RuleApi = Object.freeze({
  version: 1 as const,
  defineDetector,
  excuse,
  nodesOf,
  walk,
  facts: { ...facts, ...formerFacts },
  idioms: { ...idioms, ...formerIdioms },
})

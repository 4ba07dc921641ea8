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

export const ruleApi = Object.freeze({
  version: 1,
  defineDetector,
  excuse,
  nodesOf,
  walk,
  facts: { ...facts, ...formerFacts },
  idioms: { ...idioms, ...formerIdioms },
})

export type RuleApi = typeof ruleApi

/**
 * What rules of somebody's own are made of. The version is raised when a rule that worked would not work any more; what is
 * not named here may change with every release.
 */
import { defineDetector, excuse } from './detectors/define-detector.ts'
import * as facts from './facts/index.ts'
import * as idioms from './idioms/index.ts'
import { nodesOf, walk } from './syntax/index.ts'

export const ruleApi = Object.freeze({ version: 1, defineDetector, excuse, nodesOf, walk, facts, idioms })

export type RuleApi = typeof ruleApi

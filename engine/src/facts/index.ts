/**
 * One question per file, each answer remembered with the flow or contract it is about. What detectors ask most:
 *
 * - Conditions: `guardsAt(flow, op)` what holds there; `principalAt(flow, op)` and `isProtected(flow, op)` who may get
 *   there; `demandAt(flow, op)` what anyone has to bring; `lockedAt(flow, op)` the reentrancy lock held there; `runsOnce(flow, op)` initializers.
 * - Effects: `writesAfter(flow, op)`, `writesOf(flow)`, `writesState(flow)`, callees included.
 * - Data: `taintOf(flow, v)` bits of `Source`; `dependsOn(flow, v, predicate, { storage, keys })` what a value is made of;
 *   `reaches(flow, v, { through, until })` what becomes of it; `resultUse(flow, call)`;
 *   `isUntrusted(flow, address, at)` whether an outsider may have chosen it.
 * - Numbers: `intervalOf(flow, v, at)`, `canOverflow(flow, op)`, `isAtLeast(flow, a, b, at)`.
 * - Loops: `loopsOf(flow)`, `loopAround(flow, op)`, with what bounds them and who can raise that bound.
 * - The contract: `outsiderCanSetPlace(flow.contractFlow, place)`, `grownBy(flow.contractFlow, variable, …)`.
 */
export { implementedBy, neverAnsweredFalse, neverAnswersCode, neverAnswersFalse } from './answers.ts'
export { type Argument, argumentsIn, fieldsOfArgument, includesArgument, nameOfArgument } from './arguments.ts'
export { canOverflow, intervalOf, isAtLeast } from './arithmetic.ts'
export { upperBoundsOf } from './bounds-of.ts'
export { isListed, isUntrusted } from './chosen-values.ts'
export { isCleared } from './cleared.ts'
export { comparisonsOf } from './comparisons.ts'
export type { Fact } from './conditions.ts'
export { demandAt } from './demands.ts'
export {
  type DependencyOptions,
  dependsOn,
  everyPart,
  findDependency,
  isCallersNumber,
  isSaidByOthers,
  isStateRead,
  parametersIn,
  readsState,
  stateReadsOf,
} from './dependencies.ts'
export { encodedCallOf } from './encoded-calls.ts'
export { endsInRevert, isAfterFailure, revertsOnFailure } from './failures.ts'
export { canHold, isReachable, isUndone, runsElsewhere } from './feasibility.ts'
export { type GrownBy, grownBy, isKeyedBySender } from './growth.ts'
export { guardRestingOn } from './guard-origins.ts'
export {
  factsOf,
  fromFactsAt,
  guardCallsAt,
  guardsAt,
  guardsAtEnd,
  isInRevertReason,
  relationsAt,
  relationsOnEdge,
  someFactAt,
} from './guards.ts'
export { implementationsOf } from './implementations.ts'
export { runsOnce } from './initializers.ts'
export { type Lock, lockedAt } from './locks.ts'
export { type Loop, loopAround, loopsOf } from './loops.ts'
export { contentOf, partFor, valuesFor } from './memory-values.ts'
export { isOpenPath, isWithoutProof } from './open-paths.ts'
export { isMadeElsewhere, isOpened } from './opened-records.ts'
export { type Bounds, canHoldWithin, constantBounds } from './outcomes.ts'
export { isMetOnEachPath } from './paths.ts'
export {
  isBroken,
  isCallerChecked,
  isChosenByRole,
  isForOne,
  isPendingRight,
  isProtected,
  isReserved,
  isRole,
  isRolePrincipal,
  outsiderCanFillPlace,
  outsiderCanSetCopied,
  outsiderCanSetPlace,
  type Principal,
  principalAt,
  privilegedState,
  queriesCaller,
  roleAt,
  senderGuardAt,
} from './principals.ts'
export { reaches, usesOf } from './reaches.ts'
export { addRelation, type Relation, relationsOf } from './relations.ts'
export { resultUse } from './result-use.ts'
export { senderGuardsAt } from './sender-checks.ts'
export { anyChoice, isFromOrigin, isOrigin, isSender, type SenderGuard } from './sender-conditions.ts'
export { isSetByOthers } from './set-by-others.ts'
export { parametersOf, type Recovery, recoveriesOf, recoversSigner } from './signatures.ts'
export { keepsNothing, parametersCalledBy, type Write, writesAfter, writesOf, writesState } from './summaries.ts'
export { chosenByCaller, isPassedIn, readsBlock, Source, taintOf } from './taint.ts'
export { isForTestRunner, isTestRunner } from './test-runners.ts'
export { type Trend, trendOf } from './trends.ts'
export { isFreelyDone, isUnconditional } from './unconditional.ts'
export { isUsed } from './uses.ts'
export { factsOnPath, isDemandedAfter } from './wrap-checks.ts'

/**
 * Behaviour: what detectors ask. `Behaviour` hands out a scan in portions; a portion is a `Context`, where a detector starts:
 *
 * - `context.model` names, types, files of the whole scan; `context.functions` every distinct behaviour once (a `Flow`), inlined calls and
 *   modifiers included; `context.entryPoints` those that outsiders can call; `context.contracts` (`ContractFlow`) all
 *   flows of one deployable contract together, shared base functions included; `context.opsOfKind('call')` the
 *   operations of one kind over all functions; `context.flowOf(fn)` what a function does that another contract calls.
 * - An `Op` is an operation and the value it yields: `kind`, `operator`, `args`, `location`, `call`, `flag`; its span is
 *   where to report (code of known libraries reports at the call that led there); `op.node` is the syntax, `op.site` the
 *   calls it was inlined through. Values are compared by identity; `stripCasts(v)` looks through conversions and
 *   `sameValue(a, b)` through expressions written twice.
 * - Ask first whether what is looked for occurs at all: `context.has('bin')`, `.hasCall('delegate')`; for one flow `flow.has(kind)`, `.hasCall(kind)`, `.usesEnvironment(name)`.
 * - `flow.ops(kind)`, `flow.externalCalls()`, `flow.sends()`, `flow.stateStores()`, `flow.stateLoads()`,
 *   `flow.builtins(name)` list operations in order.
 * - Order: `flow.dominates(a, b)`, `flow.canFollow(a, b)`, `flow.isFollowedBy(a, b)` (on every path that does not
 *   revert), `flow.writesAfter(op)`, `flow.writesBefore(op)`, `flow.readsBefore(op, location)`.
 * - Conditions: `flow.guardsAt(op)` facts that hold there; `flow.senderGuardAt(op)` / `flow.isProtected(op)` who may get
 *   there; `flow.lockedAt(op)` the reentrancy lock held there; `runsOnce(flow, op)` initialisers.
 * - Data: `flow.taint(v)` bits of `Source`; `flow.dependsOn(v, predicate, { storage, keys })`; `flow.usersOf(v)`;
 *   `flow.resultUse(call)`; `flow.interval(v, at?)`; `flow.canOverflow(op)`; `flow.typeOf(v)`.
 * - Loops: `flow.loops()`, `flow.loopAround(op)`, `flow.bodyOf(loop.mark)`.
 * - The whole contract: `flow.whole.writersOf(variable)`, `.readersOf(variable)`, `.outsiderCanSet(variable)`,
 *   `.isBroken(guard)`, `.grownBy(variable, isLength)`.
 * - Words: `flow.trace(op)` the calls that lead there as steps; `flow.describe(location)`; `describeValue(model, v)`;
 *   `flow.writtenIn(op)`. `oncePerPlace(hits)` drops repeats of one cause.
 */
export { isChosenByRole, roleAt } from './authority.ts'
export { Behaviour, type FlowDiagnostic } from './behaviour.ts'
export { comparisonsOf } from './comparisons.ts'
export type { Fact } from './conditions.ts'
export { Context, oncePerPlace, oncePerStart } from './context.ts'
export { type Access, ContractFlow, runsOnce } from './contract-flow.ts'
export { type Bounds, canHold, canHoldWithin, isReachable, isUndone, runsElsewhere } from './feasibility.ts'
export { Flow, type Write } from './flow.ts'
export type { Lock } from './locks.ts'
export type { Loop } from './loops.ts'
export { contentOf, type MemoryContent } from './memory-values.ts'
export { exactBounds, type Interval, join, rangeOf } from './ranges.ts'
export { addendsOf, isAmong, isAtLeast, relationsAt, sameValue } from './relations.ts'
export { isPendingRight, privilegedState } from './roles.ts'
export { isSender, type SenderGuard } from './senders.ts'
export { parametersOf, type Recovery, recoveriesOf } from './signatures.ts'
export { partFor } from './state-limits.ts'
export { chosenByCaller, isPassedIn, Source } from './taint.ts'
export { isSameSlot } from './trust.ts'

/**
 * What the code does. `Behaviour` hands out a scan in partitions; a partition is a `Context`, where a detector starts:
 *
 * - `context.model` names, types, files of the whole scan; `context.functions` every distinct behavior once (a `Flow`), inlined
 *   calls and modifiers included; `context.entryPoints` those that outsiders can call; `context.contracts` (`ContractFlow`) all
 *   flows of one deployable contract together, shared base functions included; `context.opsOfKind('call')` the operations of one
 *   kind over all functions; `context.flowOf(fn)` what a function does that another contract calls.
 * - An `Op` is an operation and the value it yields: `kind`, `operator`, `args`, `location`, `call`, `flag`; its span is
 *   where to report (code of known libraries reports at the call that led there); `op.node` is the syntax, `op.site` the
 *   calls it was inlined through. Values are compared by identity; `stripCasts(v)` looks through conversions and
 *   `sameValue(a, b)` through expressions written twice.
 * - Ask first whether what is looked for occurs at all: `flow.has(kind)`, `.hasCall(kind)`, `.usesEnvironment(name)`.
 * - `flow.ops(kind)`, `flow.externalCalls()`, `flow.sends()`, `flow.stateStores()`, `flow.stateLoads()`,
 *   `flow.builtins(name)` list operations in order; `flow.usersOf(v)` who uses a value.
 * - Order: `isBefore(a, b)` as written, `flow.dominates(a, b)`, `flow.canFollow(a, b)`, `flow.isFollowedBy(a, b)` (on every path that does not revert).
 * - State: `flow.contractFlow.writersOf(variable)`, `.readersOf(variable)`.
 * - Words: `flow.trace(op)` the calls that lead there as steps; `flow.describe(location)`; `describeValue(model, v)`; `describeCall(model, call)`;
 *   `flow.writtenIn(op)`.
 */
export { Behaviour, type FlowDiagnostic, type Followed, followedIn, ownOf } from './behaviour.ts'
export { budget } from './budget.ts'
export { Context, type Need, type Part } from './context.ts'
export { describeCall, describeValue, quoteSource } from './describe.ts'
export { fieldPath, rootOf } from './field-path.ts'
export { type Access, ContractFlow, Flow } from './flow.ts'
export { groupBy } from './group-by.ts'
export { isInLoop } from './in-loop.ts'
export type {
  BasicBlock,
  BinaryOp,
  CallInfo,
  CallOp,
  LoadOp,
  Location,
  LoopMark,
  Op,
  OpKind,
  OpOf,
  Site,
  StoreOp,
} from './ir.ts'
export { isOfMissingFile } from './missing.ts'
export { holding } from './needs.ts'
export { isComparison, isEquality, isLogical, isOrdering, isOverflowing, opposites } from './operators.ts'
export { isBefore } from './order.ts'
export { isSameSlot, mayOverlap, mayOverlapAcross } from './overlap.ts'
export {
  address,
  bool,
  constantInterval,
  ether,
  exactBounds,
  gas,
  type Interval,
  join,
  length,
  lengthOf,
  rangeOf,
  time,
  uint256,
  within,
  zero,
} from './ranges.ts'
export {
  addendsOf,
  alternativesOf,
  bothOrders,
  isAmong,
  isGasLeft,
  isOne,
  isTransient,
  isZero,
  sameValue,
  sameValueOrPlace,
  stripCasts,
} from './values.ts'

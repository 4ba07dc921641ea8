/** Functions that update a record before they hand control on, and one that updates it only afterwards, without a lock. */
import { dependsOn, isAfterFailure, isPassedIn, lockedAt } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  controlTransfers,
  isDemandedBack,
  nameOfColumn,
  paymentsOf,
} from '../../idioms/index.ts'
import { type CallOp, type ContractFlow, type Flow, isBefore, type StoreOp } from '../../ir/index.ts'
import { plain } from './habits.ts'
import { type Exception, isOfLock } from './siblings.ts'

/** A callee or a token of the caller's choice runs: what moves in the protocol's own token gives nobody control. */
const handovers = (flow: Flow): readonly CallOp[] => flow.answer(findHandovers)

const findHandovers = (flow: Flow): readonly CallOp[] => [
  ...controlTransfers(flow),
  ...paymentsOf(flow).flatMap(({ op, token }) =>
    token !== null && dependsOn(flow, token, isPassedIn, { keys: true }) ? [op] : [],
  ),
]

interface Update {
  readonly op: StoreOp
  readonly column: Column
}

const updatesOf = (flow: Flow): readonly Update[] => flow.answer(findUpdates)

const findUpdates = (flow: Flow): readonly Update[] =>
  flow.stateStores().flatMap((op) => {
    const isNumber = op.location.depth > 0 && op.location.type?.kind === 'int'
    const column = isNumber && !isOfLock(flow, op) ? columnOf(op.location) : null
    return column === null ? [] : [{ op, column }]
  })

/** Updates that come only after control was handed on. */
const lateUpdates = (flow: Flow): readonly Update[] => flow.answer(findLateUpdates)

const findLateUpdates = (flow: Flow): readonly Update[] =>
  updatesOf(flow).filter(({ op }) =>
    handovers(flow).some(
      (call) =>
        isBefore(call, op) &&
        flow.canFollow(call, op) &&
        lockedAt(flow, call) === null &&
        !isAfterFailure(flow, call, op) &&
        !isDemandedBack(flow, call) &&
        !dependsOn(flow, op.args[0], ({ kind }) => kind === 'call'),
    ),
  )

const fewest = 2

/** Each is compared with each. */
const mostFlows = 16

/** `withdraw(); _transfer()`: two steps that are right by themselves, one after the other. */
const isShared = (flow: Flow, op: StoreOp, siblings: readonly Flow[]): boolean => {
  const writer = flow.writtenIn(op)
  return writer !== flow.fn && siblings.some((sibling) => sibling.ir.ops.some(({ site }) => site?.fn === writer))
}

export const orderExceptions = (contractFlow: ContractFlow): readonly Exception[] => {
  if (contractFlow.entryPoints.length > 4 * mostFlows) return []
  const flows = contractFlow.entryPoints.filter(
    (flow) => !flow.isPartial && flow.stateStores().length > 0 && handovers(flow).length > 0,
  )
  if (flows.length <= fewest || flows.length > mostFlows) return []
  const late = flows.filter((flow) => lateUpdates(flow).length > 0)
  return late.flatMap((flow): readonly Exception[] => {
    const [{ op, column }] = lateUpdates(flow) as [Update]
    const isSame = (other: Update): boolean => other.column.variable === column.variable
    const others = flows.filter((other) => other !== flow && updatesOf(other).some(isSame))
    const breaking = others.filter((other) =>
      lateUpdates(other).some((each) => isSame(each) && each.op.start !== op.start),
    )
    const siblings = others.filter((other) => !lateUpdates(other).some(isSame))
    if (breaking.length > 0 || siblings.length < fewest || isShared(flow, op, siblings)) return []
    const words = `update \`${nameOfColumn(column)}\` before the external call`
    const act = {
      key: 'order',
      words: `write \`${column.variable.name}\``,
      ops: [op],
      isNarrow: true,
      column: null,
      settlement: null,
    }
    const at = updatesOf(siblings[0]!).find(isSame)!.op
    return [{ flow, act, siblings, habit: { ...plain, kind: 'order', key: 'order', words, at } }]
  })
}

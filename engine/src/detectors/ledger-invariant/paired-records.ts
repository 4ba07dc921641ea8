/** Two records that are filled and emptied together, and one function that changes the one alone: they no longer tell the same. */
import { dependsOn, guardsAt, isCleared, isProtected, lockedAt, runsOnce } from '../../facts/index.ts'
import {
  type Column,
  clockOf,
  columnOf,
  isBesides,
  isColumnPaidFrom,
  isSameAmount,
  keyOfColumn,
  keysOf,
  loweredBy,
  nameOfColumn,
  netMovesOf,
  numberMovesOf,
  raisedBy,
  requiredUnset,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import type { Violation } from './violation.ts'

/** Something is added, or taken away. */
interface Change {
  readonly flow: Flow
  readonly op: StoreOp
  readonly column: Column
  readonly isAdded: boolean
}

const isAdded = (store: StoreOp): boolean =>
  raisedBy(store) !== null || (loweredBy(store) === null && !isCleared(store))

const changesOf = (flow: Flow): readonly Change[] =>
  flow.stateStores().flatMap((op): readonly Change[] => {
    const isEntry = op.location.space === 'state' && op.location.part !== 'length'
    const column = isEntry ? columnOf(op.location) : null
    return column === null ? [] : [{ flow, op, column, isAdded: isAdded(op) }]
  })

/** The time of the last change, and what a lock writes, say nothing of what is there. */
const isRecord = ({ flow, op }: Change): boolean =>
  clockOf(stripCasts(op.args[0])) === null &&
  !flow.externalCalls().some((call) => lockedAt(flow, call)?.variable === op.location.variable)

/** All that a contract changes by its entry points, by column. */
const changesByColumn = ({ entryPoints }: ContractFlow): ReadonlyMap<string, readonly Change[]> => {
  const found = new Map<string, Change[]>()
  for (const flow of entryPoints)
    for (const change of changesOf(flow)) {
      if (!isRecord(change) || runsOnce(flow, change.op)) continue
      const key = keyOfColumn(change.column)
      found.set(key, [...(found.get(key) ?? []), change])
    }
  return found
}

/** Some function decides by it, and does not only count it on. */
const isDecisive = ({ entryPoints }: ContractFlow, column: Column): boolean =>
  (column.variable.visibility === 'public' && column.variable.type.kind === 'mapping') ||
  entryPoints.some(
    (flow) =>
      (flow.stateStores().length > 0 || flow.externalCalls().length > 0) &&
      flow
        .stateLoads()
        .some(
          (load) =>
            load.location.variable === column.variable &&
            keyOfColumn(columnOf(load.location)!) === keyOfColumn(column) &&
            flow.usersOf(load).some((user) => decides(flow, user, load.location.variable!)),
        ),
  )

const decides = (flow: Flow, user: Op, variable: VariableModel): boolean =>
  flow.isCondition(user) ||
  user.kind === 'assume' ||
  user.kind === 'call' ||
  (user.kind === 'un' && user.operator === '!') ||
  (user.kind === 'bin' && flow.usersOf(user).some((end) => end.kind !== 'store' || end.location.variable !== variable))

interface Writer {
  readonly flow: Flow
  readonly own: readonly Change[]
  readonly other: readonly Change[]
}

const amountOf = ({ flow, op }: Change): Op | null =>
  numberMovesOf(flow).find((move) => move.op === op && !move.isNew)?.amount ?? null

const isNumber = ({ op }: Change): boolean => op.location.type?.kind === 'int'

/** Numbers go by the same amount; what is no number, or counts others, is written or cleared. */
const goesWith = (one: Change, two: Change): boolean => {
  if (one.isAdded !== two.isAdded) return false
  if (!isNumber(one) || !isNumber(two)) return true
  const [a, b] = [amountOf(one), amountOf(two)]
  return a !== null && b !== null && isSameAmount(a, b)
}

/** Two fields of one record, of which the one is worked out again whenever the other changes: `user.debt = user.amount * rate`. */
const isOfOneRecord = (one: Change, two: Change): boolean =>
  one.column.variable === two.column.variable &&
  isNumber(one) &&
  isNumber(two) &&
  (amountOf(two) === null || isCleared(two.op)) &&
  one.op.location.parent === two.op.location.parent

/** In one execution both go the same way. */
const isKept = ({ flow, own, other }: Writer): boolean =>
  own.some((one) => other.some((two) => isOfOneRecord(one, two))) ||
  own.every((one) => other.some((two) => goesWith(one, two) && isBesides(flow, one.op, two.op)))

/** Numbers that only move from one entry to another. */
const isBalanced = ({ flow, own }: Writer): boolean =>
  !own.some(({ op }) => op.location.type?.kind !== 'int' || netMovesOf(flow).some((move) => move.op === op))

/** `require(isListed[id]); weights[id] = w`: the companion was checked, and still says the same; an empty one need not be cleared. */
const isChecked = ({ flow, own }: Writer, { variable }: Column): boolean =>
  own.every(({ op, isAdded: isAdding }) =>
    guardsAt(flow, op).some(
      ({ condition, polarity }) =>
        (!isAdding || requiredUnset(condition, polarity) === null) &&
        dependsOn(flow, condition, (part) => part.kind === 'load' && part.location.variable === variable),
    ),
  )

const writersOf = (own: readonly Change[], other: readonly Change[]): readonly Writer[] =>
  [...new Set(own.map(({ flow }) => flow))].map((flow) => ({
    flow,
    own: own.filter((change) => change.flow === flow),
    other: other.filter((change) => change.flow === flow),
  }))

const touches = (flow: Flow, { variable, path }: Column): boolean =>
  flow.stateStores().some((store) => {
    const written = columnOf(store.location)
    return written?.variable === variable && (path.startsWith(written.path) || written.path.startsWith(path))
  })

/** The one who breaks it; null where the two are no pair, or all keep it. */
const breakerOf = (writers: readonly Writer[], companion: Column): Writer | null => {
  const kept = writers.filter(isKept)
  const rest = writers.filter((writer) => !kept.includes(writer))
  const places = new Set(rest.map(({ flow, own }) => flow.writtenIn(own[0]!.op)))
  const [breaker] = rest
  if (breaker === undefined || places.size !== 1 || rest.some(({ flow }) => touches(flow, companion))) return null
  if (rest.every((each) => isChecked(each, companion) || isBalanced(each))) return null
  const has = (isAdding: boolean): boolean => kept.some(({ own }) => own.some((change) => change.isAdded === isAdding))
  return has(true) && has(false) && kept.length > rest.length ? breaker : null
}

/** By the same accounts or ids, or by what the record itself says. */
const isLinked = ({ flow, own, other }: Writer): boolean => {
  const keys = own.flatMap(({ op }) => keysOf(op.location))
  return other.every(({ op }) =>
    keysOf(op.location).every(
      (key) =>
        keys.length === 0 ||
        keys.some((each) => dependsOn(flow, key, (part) => part === each, { keys: true })) ||
        keys.some((each) => dependsOn(flow, each, (part) => part === key, { keys: true })) ||
        key.kind === 'env' ||
        key.kind === 'const' ||
        key.kind === 'param',
    ),
  )
}

/** Another field of the same record, and what is paid follows from both. */
const isPaidWith = ({ entryPoints: [flow] }: ContractFlow, column: Column, companion: Column): boolean =>
  flow !== undefined &&
  column.path !== companion.path &&
  column.path !== '' &&
  companion.path !== '' &&
  isColumnPaidFrom(flow, column) &&
  isColumnPaidFrom(flow, companion)

/** Every column is compared with every other one: beyond so many functions the work would grow with their square. */
const mostFunctions = 24

export const brokenPairs = (contractFlow: ContractFlow): readonly Violation[] => {
  if (contractFlow.entryPoints.length > mostFunctions) return []
  const changes = contractFlow.answer(changesByColumn)
  const found: Violation[] = []
  for (const own of changes.values())
    for (const other of changes.values()) {
      const [{ column }, { column: companion }] = [own[0]!, other[0]!]
      if (
        column === companion ||
        (column.variable === companion.variable && !isPaidWith(contractFlow, column, companion))
      )
        continue
      const writers = writersOf(own, other)
      const breaker = breakerOf(writers, companion)
      if (breaker === null || !isDecisive(contractFlow, companion)) continue
      const keepers = writers.filter((writer) => writer !== breaker && isKept(writer))
      if (!keepers.every(isLinked)) continue
      // A role may count the one number alone: that is what it is for.
      const areNumbers = [...own, ...other].every(isNumber)
      if (areNumbers && isProtected(breaker.flow, breaker.own[0]!.op)) continue
      const { flow, own: moved } = breaker
      const [first] = moved
      const keeper =
        keepers.find(({ own: kept }) => kept.some(({ isAdded }) => isAdded === first!.isAdded)) ?? keepers[0]!
      const [name, beside] = [nameOfColumn(column), nameOfColumn(companion)]
      found.push({
        rule: 'Records out of sync',
        flow,
        at: first!.op,
        text: `\`${flow.name}()\` ${first!.isAdded ? 'writes' : 'reduces or clears'} \`${name}\` but leaves \`${beside}\` as it is, although \`${keeper.flow.name}()\` changes both, so what is decided by \`${beside}\` is wrong`,
        kept: keeper.own[0]!.op,
        total: null,
      })
    }
  return found
}

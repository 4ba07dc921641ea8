/**
 * What some function holds two numbers to when it moves one of them: a debt stays covered, a total stays below its cap. Whatever
 * else moves that number the same way has to hold it too.
 */
import { dependsOn, endsInRevert, factsOf, isProtected, relationsOf, runsOnce } from '../../facts/index.ts'
import {
  type Column,
  clockOf,
  columnOf,
  isMessageValue,
  keyOfColumn,
  type NumberMove,
  nameOfColumn,
  numberMovesOf,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import { isOfNumbers, plain } from './habits.ts'
import type { Exception } from './siblings.ts'

interface Limit {
  readonly key: string
  readonly at: Op
  /** Columns with the way in which they come closer to the limit. */
  readonly columns: ReadonlyMap<string, { readonly column: Column; readonly isRaised: boolean }>
}

interface Demand {
  readonly greater: Op
  readonly smaller: Op
  readonly at: Op
}

/** Comparisons that a function does not get past. */
const demandsOf = (flow: Flow): readonly Demand[] => flow.answer(findDemands)

const findDemands = (flow: Flow): readonly Demand[] => {
  const checked = flow
    .ops('assume')
    .flatMap((check) => (isOfNumbers(check) ? [] : [{ condition: check.args[0], polarity: true }]))
  const chosen = flow.blocks.flatMap(({ condition, succs: [whenTrue, whenFalse] }) => {
    if (condition === null || whenTrue === undefined || whenFalse === undefined || isOfNumbers(condition)) return []
    const [first, second] = [endsInRevert(flow, whenTrue), endsInRevert(flow, whenFalse)]
    return first === second ? [] : [{ condition, polarity: second }]
  })
  return [...checked, ...chosen].flatMap(({ condition, polarity }) =>
    factsOf(flow, condition, polarity, condition).flatMap((fact) =>
      relationsOf(fact.condition, fact.polarity).map(({ greater, smaller }) => ({ greater, smaller, at: condition })),
    ),
  )
}

interface Leaf {
  readonly op: Op
  readonly isPositive: boolean
}

const mostParts = 40

/** What holds more numbers together is an account of a whole portfolio, which other functions move in other ways. */
const mostColumns = 2

/** What a side grows with, and what it falls with. Products and quotients are of numbers without a sign. */
const leavesWithSigns = (side: Op): readonly Leaf[] => {
  const found: Leaf[] = []
  const work: Leaf[] = [{ op: side, isPositive: true }]
  for (let leaf = work.pop(); leaf !== undefined && found.length < mostParts; leaf = work.pop()) {
    const op = stripCasts(leaf.op)
    found.push({ ...leaf, op })
    if (op.kind !== 'bin') continue
    const isTurned = op.operator === '-' || op.operator === '/'
    if (!['+', '-', '*', '/'].includes(op.operator)) continue
    work.push(
      { op: op.args[0], isPositive: leaf.isPositive },
      { op: op.args[1], isPositive: leaf.isPositive !== isTurned },
    )
  }
  return found
}

const columnRead = (op: Op): Column | null =>
  op.kind === 'load' && op.location.space === 'state' && op.location.type?.kind === 'int' ? columnOf(op.location) : null

/** The number as it is after the move. */
const isNewValue = ({ op, column }: NumberMove, part: Op): boolean => {
  if (sameValue(part, stripCasts(op.args[0])) && part.kind !== 'const' && part.kind !== 'param') return true
  const read = columnRead(part)
  return read !== null && keyOfColumn(read) === keyOfColumn(column) && part.id > op.id
}

const limitsOf = (flow: Flow): readonly Limit[] => flow.answer(findLimits)

const findLimits = (flow: Flow): readonly Limit[] => {
  const moves = numberMovesOf(flow).filter(({ isNew }) => !isNew)
  if (moves.length === 0) return []
  return demandsOf(flow).flatMap(({ greater, smaller, at }): readonly Limit[] => {
    const leaves = [
      ...leavesWithSigns(greater),
      ...leavesWithSigns(smaller).map(({ op, isPositive }) => ({ op, isPositive: !isPositive })),
    ]
    const columns = new Map<string, { column: Column; isRaised: boolean }>()
    let isKept = false
    for (const { op, isPositive } of leaves) {
      const move = moves.find((each) => isNewValue(each, op))
      const column = move?.column ?? columnRead(op)
      if (column === null) continue
      columns.set(keyOfColumn(column), { column, isRaised: !isPositive })
      if (move !== undefined && move.isRaised === !isPositive) isKept = true
    }
    const key = [...columns].map(([name, { isRaised }]) => `${name}${isRaised}`).sort()
    return isKept && columns.size <= mostColumns ? [{ key: `limit ${key}`, at, columns }] : []
  })
}

const readsColumn = (flow: Flow, value: Op, key: string): boolean =>
  dependsOn(flow, value, (part) => {
    const column = columnRead(part)
    return column !== null && keyOfColumn(column) === key
  })

/** It asks for it in its own way: any condition that looks at another number of the limit, or holds the moved one against something. */
const checksItself = (flow: Flow, { columns }: Limit, moved: string): boolean => {
  const conditions = [
    ...flow.ops('assume').map(({ args }) => args[0]),
    ...flow.blocks.flatMap(({ condition }) => condition ?? []),
  ]
  const others = [...columns.keys()].filter((key) => columns.size === 1 || key !== moved)
  return conditions.some((condition) => others.some((key) => readsColumn(flow, condition, key)))
}

/** Interest, or whatever else rises without the caller's say. */
const isGrowth = (flow: Flow, { amount }: NumberMove): boolean =>
  dependsOn(flow, amount, (part) => clockOf(part) !== null) ||
  !(amount.kind === 'const' || dependsOn(flow, amount, (part) => part.kind === 'param' || isMessageValue(part)))

const breaches = (flow: Flow, limit: Limit): NumberMove | null => {
  const own = numberMovesOf(flow).filter(({ column }) => limit.columns.has(keyOfColumn(column)))
  const isCloser = ({ column, isRaised }: NumberMove): boolean =>
    limit.columns.get(keyOfColumn(column))!.isRaised === isRaised
  const [move] = own
  if (move === undefined || !own.every(isCloser) || runsOnce(flow, move.op)) return null
  if (own.some((each) => each.isRaised && isGrowth(flow, each))) return null
  return checksItself(flow, limit, keyOfColumn(move.column)) ? null : move
}

export const limitExceptions = (contractFlow: ContractFlow): readonly Exception[] => {
  const flows = contractFlow.entryPoints.filter(({ isPartial }) => !isPartial)
  const limits = new Map<string, { limit: Limit; keepers: Flow[] }>()
  const isOpen = (flow: Flow, { columns }: Limit): boolean =>
    numberMovesOf(flow).some(({ op, column }) => columns.has(keyOfColumn(column)) && !isProtected(flow, op))
  for (const flow of flows)
    for (const limit of limitsOf(flow)) {
      const known = limits.get(limit.key) ?? { limit, keepers: [] }
      limits.set(limit.key, known)
      known.keepers.push(flow)
    }
  return [...limits.values()].flatMap(({ limit, keepers }) => {
    // What binds a role alone binds nobody else.
    if (!keepers.some((keeper) => isOpen(keeper, limit))) return []
    const breaking = flows.flatMap((flow) => {
      const move = keepers.includes(flow) ? null : breaches(flow, limit)
      return move === null ? [] : [{ flow, move }]
    })
    if (new Set(breaking.map(({ flow, move }) => flow.writtenIn(move.op))).size !== 1) return []
    const names = [...limit.columns.values()].map(({ column }) => `\`${nameOfColumn(column)}\``).join(' and ')
    const words = `check the limit on ${names}`
    return breaking.map(({ flow, move }): Exception => {
      const does = `${move.isRaised ? 'raise' : 'lower'} \`${nameOfColumn(move.column)}\``
      const act = { key: limit.key, words: does, ops: [move.op], isNarrow: true, column: null, settlement: null }
      return { flow, act, siblings: keepers, habit: { ...plain, kind: 'limit', key: limit.key, words, at: limit.at } }
    })
  })
}

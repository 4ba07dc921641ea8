/** Functions of one contract that perform the same act, and what all of them but one do besides. */
import { dependsOn, lockedAt, runsOnce } from '../../facts/index.ts'
import { columnOf, incomingOf, keyOfColumn, loweredBy, nameOfColumn, outgoingOf, raisedBy } from '../../idioms/index.ts'
import type { ContractFlow, Flow, Op, StoreOp } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import {
  basesOf,
  clockedBy,
  conditions,
  type Habit,
  isCompleted,
  locks,
  multipliedColumns,
  settledColumns,
  settlements,
  writersOf,
} from './habits.ts'

export interface Act {
  readonly key: string
  /** After "functions that". */
  readonly words: string
  readonly ops: readonly Op[]
  /** The same state, not only the same kind of effect. */
  readonly isNarrow: boolean
  /** The state that it writes. */
  readonly column: string | null
  /** It changes what this settlement counts with: nothing but that is compared, and one function shows the rule. */
  readonly settlement: string | null
}

export interface Exception {
  readonly flow: Flow
  readonly act: Act
  readonly habit: Habit
  readonly siblings: readonly Flow[]
}

/** So many functions make a rule. */
const fewest = 3

const directionOf = (store: StoreOp): 'raise' | 'lower' | 'write' =>
  raisedBy(store) !== null ? 'raise' : loweredBy(store) !== null ? 'lower' : 'write'

/** The state of reentrancy locks. */
const locksOf = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel> =>
  new Set(entryPoints.flatMap((flow) => flow.externalCalls().flatMap((call) => lockedAt(flow, call)?.variable ?? [])))

/** Taken or released by a known lock. */
const isOfKnownLock = (store: StoreOp): boolean => writersOf(store).some(({ effect }) => effect === 'lock')

export const isOfLock = (flow: Flow, store: StoreOp): boolean => {
  const { variable } = store.location
  return isOfKnownLock(store) || (variable !== null && flow.contractFlow.answer(locksOf).has(variable))
}

/** What a function does to state and to what the contract holds. */
export const actsOf = (flow: Flow): readonly Act[] => flow.answer(findActs)

const findActs = (flow: Flow): readonly Act[] => {
  const acts = new Map<string, Act & { readonly ops: Op[] }>()
  const note = (key: string, words: string, op: Op, column: string | null = null): void => {
    const act = acts.get(key) ?? { key, words, ops: [], isNarrow: op.kind === 'store', column, settlement: null }
    acts.set(key, act)
    act.ops.push(op)
  }
  const ofLocks = flow.contractFlow.answer(locksOf)
  for (const op of flow.stateStores()) {
    const column = columnOf(op.location)
    if (column === null || ofLocks.has(column.variable) || isOfKnownLock(op)) continue
    const key = keyOfColumn(column)
    const direction = directionOf(op)
    note(`${direction} ${key}`, `${direction} \`${nameOfColumn(column)}\``, op, key)
  }
  for (const op of flow.externalCalls())
    if (!op.call.isStatic && op.call.gasKind !== 'stipend') note('call', 'call other contracts', op)
  for (const { op } of outgoingOf(flow)) note('pay', 'pay out tokens or ETH', op)
  for (const { op } of incomingOf(flow)) note('take', 'take in tokens', op)
  return [...acts.values(), ...changesOfBases(flow), ...usesOfSettled(flow)]
}

/** What a settlement brings up to date is counted with: `shares * totalAssets / totalShares` before `accrue()` counts with what stood there long ago. */
const usesOfSettled = (flow: Flow): readonly Act[] =>
  flow.contractFlow.answer(settledColumns).flatMap(({ fn, key, columns }): readonly Act[] => {
    if (flow.fn === fn || flow.fn?.mutability === 'view') return []
    const ops = flow.stateLoads().filter((load) => {
      const column = writersOf(load).includes(fn) ? null : columnOf(load.location)
      return column !== null && columns.has(keyOfColumn(column)) && !flow.answerAbout(load, isCompleted)
    })
    const words = `use numbers that \`${fn.name}()\` brings up to date`
    return ops.length === 0 ? [] : [{ key: `use ${key}`, words, ops, isNarrow: true, column: null, settlement: key }]
  })

/** What has grown since the last settlement was counted with the old number: `totalDebt += n` before `accrue()` lets the new debt grow for the past. */
const changesOfBases = (flow: Flow): readonly Act[] =>
  flow.contractFlow.answer(basesOf).flatMap(({ fn, key, columns, isBalance }): readonly Act[] => {
    if (flow.fn === fn) return []
    const isOutside = (op: Op): boolean => !writersOf(op).includes(fn)
    const stores = flow.stateStores().filter((store) => {
      const column = columnOf(store.location)
      return column !== null && columns.has(keyOfColumn(column)) && isChoice(flow, store)
    })
    const payments = isBalance ? [...incomingOf(flow), ...outgoingOf(flow)].map(({ op }) => op) : []
    const ops = [...stores, ...payments].filter(isOutside)
    const words = `change numbers that \`${fn.name}()\` computes with`
    return ops.length === 0 ? [] : [{ key: `base ${key}`, words, ops, isNarrow: true, column: null, settlement: key }]
  })

/** A number, or which contract names it by the caller's choice; not an address that is looked up again in a registry. */
const isChoice = (flow: Flow, { location, args }: StoreOp): boolean =>
  location.type?.kind === 'int' || dependsOn(flow, args[0], ({ kind }) => kind === 'param')

/** Columns that a settlement writes by the clock: the number that grows, and the time of its last update. */
const upkeepOf = (contractFlow: ContractFlow): ReadonlySet<string | null> => {
  const settling = new Set(contractFlow.answer(settledColumns).map(({ fn }) => fn))
  const stores = settling.size === 0 ? [] : contractFlow.flows.flatMap((flow) => flow.stateStores())
  return new Set(
    stores
      .filter((store) => writersOf(store).some((fn) => settling.has(fn)))
      .flatMap((store) => clockedBy(store) ?? []),
  )
}

interface Performer {
  readonly flow: Flow
  readonly act: Act
}

interface Observed extends Performer {
  readonly habits: ReadonlyMap<string, Habit>
}

/**
 * Conditions differ from payment to payment and from call to call: only functions that write the same state need the same. What
 * brings state up to date is compared where its base changes, or what it is multiplied with.
 */
const habitsFor = (contractFlow: ContractFlow, { flow, act }: Performer): readonly Habit[] => {
  const { isNarrow, settlement, column, ops } = act
  if (settlement !== null) return settlements(flow, ops).filter(({ key }) => key === settlement)
  const settling = column === null ? [] : settlements(flow, ops)
  const partners = settling.length === 0 ? undefined : contractFlow.answer(multipliedColumns).get(column!)
  return [
    // What lets a number grow with the time is upkeep, whatever function it runs in.
    ...(isNarrow && !contractFlow.answer(upkeepOf).has(column) ? conditions(flow, ops) : []),
    ...locks(flow, ops),
    ...settling.filter(({ settled }) => [...settled].some((each) => partners?.has(each))),
  ]
}

/** By what they do. */
const performersOf = (contractFlow: ContractFlow): ReadonlyMap<string, readonly Performer[]> => {
  const found = new Map<string, Performer[]>()
  for (const flow of contractFlow.entryPoints)
    for (const act of actsOf(flow)) {
      if (runsOnce(flow, act.ops[0]!)) continue
      const known = found.get(act.key) ?? []
      found.set(act.key, known)
      known.push({ flow, act })
    }
  return found
}

const observe = (contractFlow: ContractFlow, performer: Performer): Observed => ({
  ...performer,
  habits: new Map(habitsFor(contractFlow, performer).map((habit) => [habit.key, habit])),
})

/** Functions that share a body break a rule in one place. */
const placesOf = (performers: readonly Performer[]): number =>
  new Set(performers.map(({ flow, act }) => flow.writtenIn(act.ops[0]!))).size

/**
 * For each act and habit: those that lack what at least three others, and more than they are, have; in one place, or of locks also in
 * several if four times as many have one. Those that have a reason of their own to lack it do not speak against the rule.
 */
export const exceptionsOf = (
  contractFlow: ContractFlow,
  hasReason: (exception: Exception) => boolean,
): readonly Exception[] =>
  [...performersOf(contractFlow).values()].flatMap((all) => {
    const least = all[0]!.act.settlement === null ? fewest : 1
    if (all.length <= least) return []
    const performers = all.map((performer) => observe(contractFlow, performer))
    const habits = new Map(performers.flatMap(({ habits }) => [...habits]))
    return [...habits.values()].flatMap((habit): readonly Exception[] => {
      const lacking = performers.filter((performer) => !performer.habits.has(habit.key))
      if (lacking.length === 0 || performers.length - lacking.length < least) return []
      const siblings = performers.filter((performer) => performer.habits.has(habit.key)).map(({ flow }) => flow)
      const exceptions = lacking.map(({ flow, act }): Exception => ({ flow, act, habit, siblings }))
      const breaking = lacking.filter((_, i) => !hasReason(exceptions[i]!))
      const isRule = placesOf(breaking) <= 1 || (habit.kind === 'lock' && breaking.length * 4 <= siblings.length)
      return isRule && siblings.length >= Math.max(least, breaking.length + (least === 1 ? 0 : 1)) ? exceptions : []
    })
  })

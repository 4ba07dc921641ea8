/** What is done with a record only in some phase of it: by its status, or before or after a time. One function does the same at any time. */
import {
  dependsOn,
  endsInRevert,
  isCleared,
  isOpened,
  isSender,
  lockedAt,
  principalAt,
  runsOnce,
} from '../../facts/index.ts'
import {
  type Column,
  clockOf,
  columnOf,
  isForCaller,
  keptIn,
  keyOfColumn,
  keysOf,
  loweredBy,
  nameOfColumn,
  outgoingOf,
  raisedBy,
} from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  isLogical,
  isOrdering,
  type LoadOp,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { isOfNumbers, leavesOf, plain } from './habits.ts'
import type { Act, Exception } from './siblings.ts'

interface Read {
  readonly column: Column
  readonly op: LoadOp
}

/** Of state, also through a copy in memory. */
const readAt = (op: Op): Read | null => {
  if (op.kind !== 'load') return null
  const kept = keptIn(op)
  const column = kept === null ? null : columnOf(kept.place)
  return kept === null || column === null ? null : { column: { ...column, path: column.path + kept.path }, op }
}

const readsIn = (value: Op): readonly Read[] => leavesOf(value).flatMap((leaf) => readAt(leaf) ?? [])

interface Condition {
  readonly op: Op
  readonly reads: readonly Read[]
  readonly rejects: boolean
  /** The function goes on where it does not hold. */
  readonly isTurned: boolean
}

/** All that a function checks, and not only on the path to one operation: any look at a phase will do. */
const conditionsOf = (flow: Flow): readonly Condition[] => {
  const checked = flow
    .ops('assume')
    .flatMap((check) => (isOfNumbers(check) ? [] : [{ op: check.args[0], rejects: true, isTurned: false }]))
  const chosen = flow.blocks.flatMap(({ condition: op, succs }) => {
    const ends = succs.map((succ) => endsInRevert(flow, succ))
    return op === null || isOfNumbers(op) ? [] : [{ op, rejects: ends.includes(true), isTurned: ends[0] === true }]
  })
  return [...checked, ...chosen].map((each) => ({ ...each, reads: readsIn(each.op) }))
}

interface Phase {
  readonly key: string
  readonly column: Column
  readonly at: Op
  readonly isTime: boolean
  /** On which side of a comparison the clock stands: what is done before a time is another phase than what is done after it. */
  readonly sense: string
}

const isNow = (op: Op): boolean => clockOf(op) !== null

/** What a condition asks by itself, not what its numbers were worked out from. */
const testsIn = (condition: Op): readonly Op[] => {
  const seen = new Set<Op>()
  const work = [condition]
  while (work.length > 0 && seen.size < 20) {
    const op = stripCasts(work.pop()!)
    if (seen.has(op)) continue
    seen.add(op)
    const isMade = op.kind === 'un' || op.kind === 'phi' || op.kind === 'select'
    if (isMade || (op.kind === 'bin' && isLogical(op.operator))) work.push(...op.args)
  }
  return [...seen]
}

/** A time of the day comes again. */
const isRemainder = ({ kind, operator }: Op): boolean => kind === 'bin' && operator === '%'

/** `block.timestamp < lot.end`: the places that are held against the clock in a comparison. */
const timesIn = (condition: Op): readonly (Read & { readonly sense: string })[] =>
  testsIn(condition).flatMap((part) => {
    if (part.kind !== 'bin' || !isOrdering(part.operator)) return []
    const [left, right] = part.args.map((side) => leavesOf(side)) as [readonly Op[], readonly Op[]]
    const isLeft = left.some(isNow)
    if (isLeft === right.some(isNow) || [...left, ...right].some(isRemainder)) return []
    const sense = isLeft === part.operator.startsWith('<') ? 'before' : 'after'
    const bare = stripCasts(part.args[isLeft ? 1 : 0]!)
    return (isLeft ? right : left).flatMap((leaf) => {
      const read = readAt(leaf)
      // What is added to a time of a record is a span, and no time.
      return read === null || (read.op.location.depth === 0 && read.op !== bare) ? [] : [{ ...read, sense }]
    })
  })

const isStatus = (flow: Flow, { op, column }: Read): boolean => {
  const kind = flow.typeOf(op)?.kind
  return kind === 'enum' || (kind === 'bool' && column.path !== '')
}

/** Whether the caller is a member is a right and no phase. */
const isOfSender = ({ op }: Read): boolean => keysOf(op.location).some(isSender)

const phasesOf = (flow: Flow): readonly Phase[] => flow.answer(findPhases)

const findPhases = (flow: Flow): readonly Phase[] => {
  const found = new Map<string, Phase>()
  for (const { op, reads, rejects, isTurned } of conditionsOf(flow)) {
    if (!rejects) continue
    const note = ({ column }: Read, isTime: boolean, sense: string): void => {
      const key = keyOfColumn(column)
      if (!found.has(key)) found.set(key, { key, column, at: op, isTime, sense })
    }
    for (const read of reads) if (isStatus(flow, read) && !isOfSender(read)) note(read, false, '')
    for (const read of timesIn(op))
      if (flow.typeOf(read.op)?.kind === 'int') note(read, true, `${read.sense}${isTurned}`)
  }
  return [...found.values()]
}

/** Any look at it, also one that only chooses a branch. */
const looksAt = (flow: Flow, { key }: Phase): boolean =>
  conditionsOf(flow).some(({ reads }) => reads.some(({ column }) => keyOfColumn(column) === key))

const kindOf = (store: StoreOp): string =>
  raisedBy(store) !== null ? 'raise' : loweredBy(store) !== null ? 'lower' : 'write'

const note = (acts: Map<string, Act & { ops: Op[] }>, key: string, words: string, op: Op): void => {
  const known = acts.get(key) ?? { key, words, ops: [], isNarrow: true, column: null, settlement: null }
  acts.set(key, known)
  known.ops.push(op)
}

/** What is done with the fields of a record; to open one comes before all phases. */
const usesOf = (flow: Flow): ReadonlyMap<string, Act> => flow.answer(findUses)

const findUses = (flow: Flow): ReadonlyMap<string, Act> => {
  const acts = new Map<string, Act & { ops: Op[] }>()
  for (const op of flow.stateStores()) {
    const column = columnOf(op.location)
    if (column === null || op.location.depth === 0 || isOpened(flow, op.location) || runsOnce(flow, op)) continue
    const key = keyOfColumn(column)
    note(acts, `${kindOf(op)} ${key}`, `${kindOf(op)} \`${nameOfColumn(column)}\``, op)
    if (principalAt(flow, op) === 'anyone') note(acts, `use ${key}`, `use \`${nameOfColumn(column)}\``, op)
  }
  for (const payment of outgoingOf(flow)) {
    if (isForCaller(payment)) continue
    dependsOn(flow, payment.amount, (part) => {
      const read = readAt(part)
      if (read !== null && flow.typeOf(part)?.kind === 'int')
        note(acts, `use ${keyOfColumn(read.column)}`, `use \`${nameOfColumn(read.column)}\``, payment.op)
      return false
    })
  }
  const [effect] = [...flow.externalCalls().filter(({ call }) => !call.isStatic), ...flow.stateStores()]
  if (effect !== undefined)
    for (const { reads, rejects } of conditionsOf(flow))
      for (const { column, op } of reads)
        if (rejects && flow.typeOf(op)?.kind === 'int' && column.path !== '')
          note(acts, `use ${keyOfColumn(column)}`, `use \`${nameOfColumn(column)}\``, effect)
  return acts
}

/** Flags that the function sets itself say only that this was not done before. */
const ownMarks = (flow: Flow): ReadonlySet<string> =>
  new Set(
    flow.stateStores().flatMap(({ location, args }) => {
      const isMark = location.type?.kind === 'bool' && stripCasts(args[0]).kind === 'const'
      const column = isMark ? columnOf(location) : null
      return column === null ? [] : [keyOfColumn(column)]
    }),
  )

const isInSomePhase = (flow: Flow): boolean => {
  const own = flow.answer(ownMarks)
  return phasesOf(flow).some(({ key }) => !own.has(key)) || flow.answer(readsMode)
}

/** `require(live == 0)`, `require(closed)`: the contract as a whole is in another state then. */
const readsMode = (flow: Flow): boolean => {
  const locks = new Set(flow.externalCalls().map((call) => lockedAt(flow, call)?.variable))
  const isMode = (side: Op): boolean => {
    const read = stripCasts(side)
    if (read.kind !== 'load' || read.location.space !== 'state' || read.location.depth > 0) return false
    const { variable } = read.location
    return variable !== null && !variable.isConstant && !variable.isImmutable && !locks.has(variable)
  }
  return conditionsOf(flow).some(({ op, rejects }) => {
    const sides = op.kind === 'bin' || op.kind === 'un' ? op.args : [op]
    const isOfConstant = op.kind !== 'bin' || op.args.some((side) => stripCasts(side).kind === 'const')
    return rejects && isOfConstant && sides.some(isMode)
  })
}

/** Of the same record, or a time of the whole contract. */
const governs = ({ column, isTime }: Phase, act: Act): boolean => {
  const variable = act.ops[0]!.location?.variable ?? null
  const isOfContract = column.variable.type.kind !== 'mapping' && column.variable.type.kind !== 'array'
  return isOfContract && column.path === '' ? isTime : variable === null || variable === column.variable
}

/** What is used is a field of the record that has the time. */
const isOfRecord = (key: string, { column }: Phase): boolean => key.startsWith(`use ${column.variable.span.start}.`)

const isOwn = (flow: Flow, { ops }: Act): boolean =>
  ops.some(({ location }) => {
    for (let at = location; at != null; at = at.parent) if (at.index !== null && isSender(at.index)) return true
    return false
  }) || principalAt(flow, ops[0]!) !== 'anyone'

const senseIn = (flow: Flow, { key }: Phase): string | undefined =>
  phasesOf(flow).find((phase) => phase.key === key)?.sense

/** A new record, or a new time for it: its phase begins here. */
const opens = (flow: Flow, { column, isTime }: Phase): boolean =>
  flow.stateStores().some((store) => {
    const written = columnOf(store.location)
    if (written?.variable !== column.variable) return false
    if (written.path === column.path) return isTime && stripCasts(store.args[0]).kind !== 'const'
    return column.path.startsWith(written.path) && !isCleared(store)
  })

/** It acts on what stands in the record, and does not begin it. */
const readsRecord = (flow: Flow, { key, column }: Phase): boolean =>
  flow.ops('load').some((op) => {
    const read = readAt(op)
    return (
      read !== null &&
      read.column.variable === column.variable &&
      read.column.path !== '' &&
      keyOfColumn(read.column) !== key
    )
  })

export const phaseExceptions = (contractFlow: ContractFlow): readonly Exception[] => {
  const flows = contractFlow.entryPoints.filter(
    ({ fn, isPartial }) => !isPartial && fn?.mutability !== 'view' && fn?.mutability !== 'pure',
  )
  const phases = new Map<string, { phase: Phase; flows: Flow[] }>()
  for (const flow of flows)
    for (const phase of phasesOf(flow)) {
      const known = phases.get(phase.key) ?? { phase, flows: [] }
      phases.set(phase.key, known)
      known.flows.push(flow)
    }
  const acts = new Map<string, Map<Flow, Act>>()
  for (const flow of phases.size === 0 ? [] : flows)
    for (const [key, act] of usesOf(flow)) {
      const known = acts.get(key) ?? new Map<Flow, Act>()
      acts.set(key, known)
      known.set(flow, act)
    }
  return [...phases.values()].flatMap(({ phase, flows: testers }) =>
    testers.length < 2
      ? []
      : [...acts].flatMap(([key, performers]): readonly Exception[] => {
          if (performers.size < 2 || ![...performers].some(([, act]) => governs(phase, act))) return []
          const siblings = [...performers.keys()].filter((flow) => testers.includes(flow))
          const rest = [...performers].filter(([flow]) => !testers.includes(flow) && !looksAt(flow, phase))
          if (siblings.length === 0 || rest.length !== 1) return []
          const [flow, act] = rest[0]!
          if (isInSomePhase(flow) || opens(flow, phase) || !(phase.isTime || readsRecord(flow, phase))) return []
          if (key.startsWith('use')) {
            if (!phase.isTime || !isOfRecord(key, phase) || isOwn(flow, act)) return []
          } else if (siblings.some((sibling) => senseIn(sibling, phase) !== senseIn(siblings[0]!, phase))) return []
          const words = `check \`${nameOfColumn(phase.column)}\``
          return [{ flow, act, siblings, habit: { ...plain, kind: 'phase', key: phase.key, words, at: phase.at } }]
        }),
  )
}

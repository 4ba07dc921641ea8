/** Functions of one contract that perform the same act, and who may call them. */
import { authorityAt, runsOnce } from '../../facts/index.ts'
import { type Act, actsOf } from '../../idioms/index.ts'
import type { ContractFlow, Flow } from '../../ir/index.ts'

interface Performer {
  readonly flow: Flow
  readonly act: Act
  readonly access: 'open' | 'role' | 'other'
}

/** Guarded functions that show what the protocol demands for an act. */
export interface Siblings {
  readonly act: Act
  readonly guarded: readonly Flow[]
}

/** So many functions make a rule: of those that write the same state two, of those that only resemble each other three. */
const fewest: Readonly<Record<Act['kind'], number>> = { column: 2, callee: 2, setting: 3, change: 3 }

const accessAt = (flow: Flow, { op }: Act): Performer['access'] => {
  const authority = authorityAt(flow, op)
  if (authority === null) return runsOnce(flow, op) ? 'other' : 'open'
  return authority === 'role' ? 'role' : 'other'
}

const performersOf = ({ entryPoints }: ContractFlow): ReadonlyMap<string, readonly Performer[]> => {
  const found = new Map<string, Performer[]>()
  for (const flow of entryPoints)
    for (const act of actsOf(flow)) {
      const performer = { flow, act, access: accessAt(flow, act) }
      const known = found.get(act.key)
      if (known === undefined) found.set(act.key, [performer])
      else known.push(performer)
    }
  return found
}

const distinct = (performers: readonly Performer[]): readonly Flow[] => [...new Set(performers.map(({ flow }) => flow))]

/** For each act that anybody may perform by this function: the others, if all of them ask for a role. */
export function* guardedSiblings(flow: Flow): Iterable<Siblings> {
  const performers = flow.contractFlow.answer(performersOf)
  for (const act of actsOf(flow)) {
    if (!act.isChosen || accessAt(flow, act) !== 'open') continue
    const others = performers.get(act.key)!.filter((performer) => performer.flow !== flow)
    const guarded = distinct(others.filter(({ access }) => access === 'role'))
    const isOpenElsewhere = others.some(
      (other) => other.access === 'open' && (act.kind !== 'setting' || other.act.isChosen),
    )
    if (guarded.length >= fewest[act.kind] && !isOpenElsewhere) yield { act, guarded }
  }
}

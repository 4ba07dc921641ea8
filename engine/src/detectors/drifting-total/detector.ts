import { dependsOn, isCleared, isProtected } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  type Entry,
  entriesOf,
  firstThatFits,
  isInColumn,
  listReaders,
  loweredBy,
  nameOfColumn,
  raisedBy,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, holding, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** A total, and the entries that it is the sum of: wherever entries go one way, it goes with them. */
interface Bond {
  readonly total: VariableModel
  readonly parts: Column
  /** The way in which they always go together. */
  readonly isRaised: boolean
  readonly at: Op
}

interface Drift {
  readonly flow: Flow
  readonly entry: Entry
  readonly bond: Bond
}

/** Entries that change here: what is moved from one account to another of the same column is in the sum as before. */
const netEntries = (flow: Flow): readonly Entry[] => {
  const entries = entriesOf(flow)
  const raised = entries.filter(({ isRaised }) => isRaised)
  const lowered = entries.filter(({ isRaised }) => !isRaised)
  const isMovedTo = (entry: Entry, other: Entry): boolean =>
    other.op.location.variable === entry.op.location.variable && sameValue(other.amount, entry.amount)
  return entries.filter((entry) => !(entry.isRaised ? lowered : raised).some((other) => isMovedTo(entry, other)))
}

/** A variable by itself goes up or down. */
interface TotalMove {
  readonly variable: VariableModel
  readonly amount: Op
  readonly isRaised: boolean
}

const totalMoves = (flow: Flow): readonly TotalMove[] =>
  flow.stateStores().flatMap((store) => {
    const { variable, part } = store.location
    if (variable === null || part !== 'root') return []
    const [up, down] = [raisedBy(store), loweredBy(store)]
    return [
      ...(up === null ? [] : [{ variable, amount: up, isRaised: true }]),
      ...(down === null ? [] : [{ variable, amount: down, isRaised: false }]),
    ]
  })

interface Move {
  readonly entry: Entry
  readonly parts: Column
  /** Variables that go the same way by the same amount. */
  readonly totals: readonly VariableModel[]
}

const movesIn = (flow: Flow): readonly Move[] => {
  const totals = totalMoves(flow)
  return netEntries(flow).flatMap((entry) => {
    const parts = columnOf(entry.op.location)
    const isWith = ({ amount, isRaised }: TotalMove): boolean =>
      isRaised === entry.isRaised && sameValue(amount, entry.amount)
    return parts === null ? [] : [{ entry, parts, totals: totals.filter(isWith).map(({ variable }) => variable) }]
  })
}

/** What goes with every move of the column in one direction. */
const bondsOf = ({ entryPoints }: ContractFlow): readonly Bond[] => {
  const groups: { readonly first: Move; totals: readonly VariableModel[] }[] = []
  for (const move of entryPoints.flatMap(movesIn)) {
    const { entry } = move
    const group = groups.find(
      ({ first }) => first.entry.isRaised === entry.isRaised && isInColumn(entry.op.location, first.parts),
    )
    if (group === undefined) groups.push({ first: move, totals: move.totals })
    else group.totals = group.totals.filter((total) => move.totals.includes(total))
  }
  return groups.flatMap(({ first: { entry, parts }, totals }) =>
    totals.map((total) => ({ total, parts, isRaised: entry.isRaised, at: entry.op })),
  )
}

/** An entry goes the other way, and the total stays. Where several go with it, as of two sums at once, none of them moves. */
function* leftBehind(flow: Flow): Iterable<Drift> {
  const bonds = flow.contractFlow.answer(bondsOf)
  if (bonds.length === 0) return
  const written = new Set(flow.stateStores().map(({ location }) => location.variable))
  for (const entry of netEntries(flow)) {
    const own = bonds.filter(
      ({ parts, isRaised }) => isRaised !== entry.isRaised && isInColumn(entry.op.location, parts),
    )
    const [bond] = own
    if (bond !== undefined && !own.some(({ total }) => written.has(total))) yield { flow, entry, bond }
  }
}

/** The total never goes back and nothing is worked out from it: it counts what ever came in, and need not say what is there. */
const onlyCounts = ({ flow: { contractFlow }, bond: { total, isRaised } }: Drift): boolean =>
  !contractFlow.writersOf(total).some(({ op }) => (isRaised ? loweredBy(op) : raisedBy(op)) !== null) &&
  !contractFlow.flows.some((flow) => flow.ops('bin').some((op) => isPart(op) && dependsOn(flow, op, isLoadOf(total))))

const isPart = ({ operator }: Op): boolean => operator === '*' || operator === '/'

const isLoadOf =
  (variable: VariableModel) =>
  ({ kind, location }: Op): boolean =>
    kind === 'load' && location.variable === variable

/** Another column moves with the total in the direction in which this one does not: it is that column which the total sums. */
const isTotalOfOthers = ({ flow: { contractFlow }, bond }: Drift): boolean =>
  contractFlow.entryPoints.some((other) =>
    movesIn(other).some(
      ({ entry, totals }) =>
        entry.isRaised !== bond.isRaised && totals.includes(bond.total) && !isInColumn(entry.op.location, bond.parts),
    ),
  )

/** As much is added to another account of the contract, which the total may cover too. */
const isMoved = ({ flow, entry }: Drift): boolean =>
  flow.stateStores().some((store) => {
    if (store === entry.op) return false
    const by = entry.isRaised ? loweredBy(store) : raisedBy(store)
    if (by !== null && sameValue(by, stripCasts(entry.amount))) return true
    const { location } = store
    // `a.sum += b.sum; b.sum = 0`, and an entry that is written again after all.
    const isEmptied = entry.isRaised && isCleared(store) && stripCasts(entry.amount).location === location
    return isEmptied || (location === entry.op.location && flow.canFollow(entry.op, store))
  })

const messageOf = ({ flow, entry, bond: { parts, total } }: Drift): string => {
  const [move, size] = entry.isRaised ? ['increases', 'small'] : ['decreases', 'large']
  const defect = `\`${flow.name}()\` ${move} \`${nameOfColumn(parts)}\` but not its total \`${total.name}\`, which the other functions change with it`
  const readers = listReaders(flow, total)
  const read = readers === null ? '' : ` read by ${readers}`
  return firstThatFits(
    `${defect}. The total${read} is then too ${size}, and what is computed from it wrong.`,
    `${defect}. The total is then too ${size}, and what is computed from it wrong.`,
    `${defect}.`,
  )
}

export default defineDetector<Drift>({
  id: 'drifting-total',
  swc: null,
  title: 'Total not updated',
  aliases: { owasp: ['SC03:2025'], words: ['total supply out of sync', 'stale total'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A total and the entries it sums normally change together, but here an entry changes and the total does not. Prices, shares and limits derived from the total become wrong, and the last users may be unable to withdraw.',
  recommendation: 'Update the total by the same amount in the same function, or change both in one internal function.',
  references: ['https://cwe.mitre.org/data/definitions/682.html'],
  cwe: ['CWE-682'],
  yieldsTo: ['access-control', 'missing-state-update'],

  needs: [holding.entryWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* leftBehind(flow)
    }
  },
  excuses: [
    excuse('only-counts', 'the total never decreases and nothing depends on it', onlyCounts),
    excuse('moved', 'the same amount goes to another record that the total may cover', isMoved),
    excuse('total-of-others', 'the total sums entries of another kind', isTotalOfOthers),
    excuse('protected', 'only privileged accounts get there', ({ flow, entry }) => isProtected(flow, entry.op)),
  ],
  finding: ({ flow, entry, bond }) => ({
    at: entry.op,
    message: messageOf({ flow, entry, bond }),
    trace: [
      ...flow.trace(entry.op),
      { at: bond.at, message: `\`${nameOfColumn(bond.parts)}\` and \`${bond.total.name}\` change together here.` },
    ],
  }),
})

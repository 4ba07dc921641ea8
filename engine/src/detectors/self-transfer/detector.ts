import { dependsOn, guardsAt, isProtected } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import {
  describeValue,
  type Flow,
  holding,
  isBefore,
  type Location,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { firstPast } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly first: StoreOp
  readonly second: StoreOp
  readonly from: Op
  readonly to: Op
}

/** The account in `balances[account]`, `vaults[account]`. */
const keyOf = (place: Location): Op | null => (place.part === 'index' ? stripCasts(place.index!) : null)

/** Reads of the place itself that what is written there was worked out from. */
const readsOfOwn = (flow: Flow, { args, location }: StoreOp): readonly Op[] => {
  const reads: Op[] = []
  dependsOn(flow, args[0], (op) => {
    if (op.kind === 'load' && op.location === location) reads.push(op)
    return false
  })
  return reads
}

const isLowering = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'bin' && op.operator === '-'
}

const isRaising = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'bin' && op.operator === '+'
}

/** Writes to the accounts of one mapping that can be a half of a move: taken from, given to, or replaced as a whole record. */
interface Halves {
  readonly taken: StoreOp[]
  readonly given: StoreOp[]
  readonly replaced: StoreOp[]
}

const halvesOf = (flow: Flow): Iterable<Halves> => {
  const byMapping = new Map<Location, Halves>()
  for (const store of flow.stateStores()) {
    const key = keyOf(store.location)
    const mapping = store.location.parent
    if (store.flag || key === null || key.kind === 'const' || mapping === null) continue
    const halves = byMapping.get(mapping) ?? { taken: [], given: [], replaced: [] }
    byMapping.set(mapping, halves)
    const value = store.args[0]
    if (isLowering(value)) halves.taken.push(store)
    else if (isRaising(value)) halves.given.push(store)
    else if (stripCasts(value).kind === 'load') halves.replaced.push(store)
  }
  return byMapping.values()
}

function* movesIn(flow: Flow, { taken, given, replaced }: Halves): Generator<Candidate, void, boolean> {
  // The other way round what is left is what was taken: anyone who does that to themselves loses it.
  for (const second of given) yield* movesInto(flow, taken, second)
  for (const second of replaced) yield* movesInto(flow, replaced, second)
}

/** Writes of one half that stand between what was read for the other and its own write; reported at the latter, one will do. */
function* movesInto(flow: Flow, firsts: readonly StoreOp[], second: StoreOp): Generator<Candidate, void, boolean> {
  if (firsts.length === 0 || !isBefore(firsts[0]!, second)) return
  const reads = readsOfOwn(flow, second)
  const to = keyOf(second.location)!
  for (let i = firstPast(firsts, (first) => reads.some((read) => isBefore(read, first))); i < firsts.length; i++) {
    const first = firsts[i]!
    if (!isBefore(first, second)) return
    const from = keyOf(first.location)!
    if (first.location === second.location || sameValue(from, to)) continue
    if (!reads.some((read) => isBefore(read, first) && flow.dominates(read, first))) continue
    if (yield { flow, first, second, from, to }) return
  }
}

/** `require(from != to)` */
const areDistinguished = ({ flow, second, from, to }: Candidate): boolean =>
  guardsAt(flow, second).some(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || condition.operator !== (polarity ? '!=' : '==')) return false
    const [left, right] = condition.args as [Op, Op]
    return (sameValue(left, from) && sameValue(right, to)) || (sameValue(left, to) && sameValue(right, from))
  })

const placeOf = (flow: Flow, { location }: StoreOp): string => `\`${flow.describe(location)}\``

/** `from` and `to`, if they have names. */
const keysNamedIn = ({ flow, from, to }: Candidate): string => {
  const names = [from, to].map((key) => describeValue(flow.model, key))
  return names.includes('…') ? 'the two keys' : `\`${names[0]}\` and \`${names[1]}\``
}

const messageOf = (candidate: Candidate): string => {
  const { flow, first, second } = candidate
  const defect = `If ${keysNamedIn(candidate)} are equal in \`${flow.name}()\`, the credit to ${placeOf(flow, second)} overwrites the debit of ${placeOf(flow, first)}, so an account that transfers to itself gains the amount for free.`
  return defect
}

export default defineDetector<Candidate>({
  id: 'self-transfer',
  swc: null,
  title: 'Self-transfer: credit overwrites the debit',
  aliases: { owasp: ['SC03:2025'], words: ['transfer to self', 'infinite mint', 'cached balances'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'Two entries of a mapping are read before either is written. If both keys are equal, the second write overwrites the first, so the amount is added without being subtracted.',
  recommendation: 'Revert if the two keys are equal, or read the second entry after writing the first.',
  references: ['https://cwe.mitre.org/data/definitions/682.html'],
  cwe: ['CWE-682'],

  needs: [holding.severalWrites],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) for (const halves of halvesOf(flow)) yield* movesIn(flow, halves)
  },

  excuses: [excuse('must-differ', 'the two accounts must differ', areDistinguished)],
  finding: (candidate) => {
    const { flow, first, second } = candidate
    return {
      at: second,
      message: messageOf(candidate),
      ...(isProtected(flow, second)
        ? { unproven: 'it is not known whether its privileged caller forwards user input' }
        : {}),
      trace: [
        witnessStep(flow, second, `passes equal values for ${keysNamedIn(candidate)}`),
        ...flow.trace(second),
        {
          at: { start: first.start, end: first.end },
          message: `${placeOf(flow, first)} is written here, after both were read.`,
        },
        { at: second, message: `${placeOf(flow, second)} is written from the old value.` },
      ],
    }
  },
})

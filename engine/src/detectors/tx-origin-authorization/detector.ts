import {
  endsInRevert,
  isForOne,
  isOrigin,
  isPassedIn,
  isProtected,
  isSender,
  reaches,
  type SenderGuard,
} from '../../facts/index.ts'
import { isNobody, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type LoadOp, type Location, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { isOnlyShare } from './share.ts'
import { namedByCallers } from './told-by-callers.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  /** What the origin is compared with; null where it is the key of what is looked up. */
  readonly other: Op | null
}

/** What the origin is compared with. */
const comparedWith = ({ operator, args }: Op): Op | null => {
  if (operator !== '==' && operator !== '!=') return null
  const [left, right] = args as [Op, Op]
  if (isOrigin(left)) return right
  return isOrigin(right) ? left : null
}

/** Also where a helper finds it, one that chooses between two ways or that a missing base is known for. */
const isCaller = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'phi' || op.kind === 'select') return op.args.some((arg) => isSender(arg))
  return (
    isSender(op) ||
    (op.kind === 'call' && op.call.name === '_msgSender' && op.args.every(({ kind }) => kind === 'unknown'))
  )
}

/** A field of a struct that was handed in. */
const isOfMessage = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'load' && op.location.space === 'memory' && op.location.part === 'field'
}

/** A modifier of a missing file may ask about anything else. */
const isRead = ({ against }: SenderGuard): boolean => against !== 'unknown'

/** Where the origin is the key. */
const keyedByOrigin = (op: Op): Location | null => {
  for (let place: Location | null = op.location; place !== null; place = place.parent)
    if (place.index !== null && isOrigin(place.index)) return place
  return null
}

/** State looked up by the origin, and the answer decides a branch or a `require`. */
const decides = (flow: Flow, load: LoadOp): boolean =>
  reaches(flow, load, {
    through: ({ kind }) => kind === 'bin' || kind === 'un' || kind === 'cast' || kind === 'phi',
    until: ({ user, branch }) => branch !== null || user.kind === 'assume',
  })

/**
 * `if (failed && tx.origin == ESTIMATOR) revert();`, `require(tx.origin != guardian)`, `require(!listed[tx.origin])`: nobody can do more
 * for being the one. All that is made of the answer must be such conditions: what is kept, paid or told by it may be a right.
 */
const isOnlyRefused = (flow: Flow, op: Op): boolean => {
  // When this holds, the origin is the one; each `!` on the way turns it round.
  const work: [value: Op, isTheOne: boolean][] = [[op, op.operator !== '!=']]
  const seen = new Set<Op>()
  let isAsked = false
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const [value, isTheOne] = at
    if (seen.has(value)) return false
    seen.add(value)
    const branches = flow.blocks.filter(({ condition }) => condition === value)
    // The way on which it is the one, or may be, has to end in a revert.
    if (branches.some(({ succs }) => !endsInRevert(flow, succs[isTheOne ? 0 : 1]!))) return false
    isAsked ||= branches.length > 0
    for (const user of flow.usersOf(value)) {
      if (user.kind === 'assume') {
        if (isTheOne) return false
        isAsked = true
      } else if (user.kind === 'un' && user.operator === '!') work.push([user, !isTheOne])
      else if (user.kind === 'bin' && (user.operator === '&&' || user.operator === '||')) work.push([user, isTheOne])
      else return false
    }
  }
  return isAsked
}

/** Where one contract alone may call, whom it names as the one to be the origin; null where anybody may. */
const whomRoleNames = ({ flow, op, other }: Candidate): ReturnType<typeof namedByCallers> | null => {
  const named = other === null ? null : stripCasts(other)
  if (named === null || !isPassedIn(named) || !isForOne(flow, op) || !isProtected(flow, op, isRead)) return null
  return namedByCallers(flow, flow.params.indexOf(named))
}

export default defineDetector<Candidate>({
  id: 'tx-origin-authorization',
  swc: 'SWC-115',
  title: 'Authorization via tx.origin',
  severity: 'high',
  confidence: 'high',
  description:
    '`tx.origin` is the account that started the transaction, not the one that calls. A privileged user who is lured into calling any malicious contract lends it every right that is granted by `tx.origin`.',
  recommendation: 'Compare `msg.sender`, the account that really calls.',
  references: [
    'https://swcregistry.io/docs/SWC-115',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#tx-origin',
  ],
  cwe: ['CWE-477', 'CWE-863'],

  needs: [holding.origin],
  *candidates({ functions }) {
    for (const flow of functions) {
      if (flow.isConstructor || !flow.usesEnvironment('tx.origin')) continue
      for (const op of flow.ops('bin')) {
        const other = comparedWith(op)
        if (other !== null) yield { flow, op, other }
      }
      for (const op of flow.ops('load'))
        if (keyedByOrigin(op) !== null && decides(flow, op)) yield { flow, op, other: null }
    }
  },

  excuses: [
    excuse(
      'against-the-caller',
      'it is compared with the caller, which asks whether a contract is in between',
      ({ other }) => other !== null && isCaller(other),
    ),
    excuse(
      'nobodys-origin',
      'it is compared with an address that starts no transaction: it asks whether a node only simulates',
      ({ other }) => other !== null && isNobody(other),
    ),
    excuse(
      'refused',
      'whoever it is gets less than others: where the two are the same every path reverts',
      ({ flow, op }) => isOnlyRefused(flow, op),
    ),
    excuse(
      'named-by-a-role',
      'a contract of the scan that alone may call says who called it, and nobody stands between the two',
      (candidate) => whomRoleNames(candidate) === 'their caller',
    ),
    excuse('bringer-of-a-message', 'it says who may bring a message that others have written', ({ op, other }) => {
      const named = other ?? keyedByOrigin(op)?.parent?.index ?? null
      return named !== null && isOfMessage(named)
    }),
  ],

  finding: ({ flow, op, other }) => ({
    at: op,
    grounds: {
      decidedBy: whomRoleNames({ flow, op, other }) === 'unread' ? 'governed' : 'outsider',
      doubts: [
        ...(other !== null && !flow.isEntryPoint && isPassedIn(other)
          ? ['it is compared with somebody whom functions that were not followed say']
          : []),
        ...(isOnlyShare(flow, op) ? ['both ways pay the same, but for a share that is kept back'] : []),
      ],
    },
    message:
      op.kind === 'load'
        ? `What the caller may do is decided by \`${flow.describe(op.location)}\` here.`
        : 'What the caller may do is decided by `tx.origin` here.',
    trace: [
      witnessStep(flow, op, 'a contract that the privileged one was lured into calling does so in their name'),
      ...flow.trace(op),
    ],
  }),
})

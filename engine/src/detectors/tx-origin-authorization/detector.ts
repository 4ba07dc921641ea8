import { isPassedIn, isProtected, isSender, reaches, type SenderGuard } from '../../facts/index.ts'
import { isNobody, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type LoadOp, type Location, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  /** What the origin is compared with; null where it is the key of what is looked up. */
  readonly other: Op | null
}

const isOrigin = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'tx.origin'
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
 * for being the one, in whichever condition it is asked.
 */
const isOnlyRefused = (flow: Flow, op: Op): boolean => {
  const sign = op.operator === '!=' ? 1 : -1
  const branches = flow.blocks.filter(({ condition }) => condition !== null && signIn(condition, op) !== 0)
  const demands = flow.ops('assume').filter(({ args }) => signIn(args[0], op) !== 0)
  if (branches.length + demands.length === 0) return false
  const isReverting = (block: number): boolean => flow.blocks[block]!.ops.at(-1)?.kind === 'revert'
  return (
    demands.every(({ args }) => signIn(args[0], op) === sign) &&
    branches.every(({ condition, succs }) => isReverting(succs[signIn(condition!, op) === sign ? 1 : 0]!))
  )
}

/** 1: a condition holds rather if this part of it does; -1: rather if it does not; 0: it is no part of it, or both. */
const signIn = (condition: Op, part: Op): -1 | 0 | 1 => {
  if (condition === part) return 1
  if (condition.kind === 'un' && condition.operator === '!') return -signIn(condition.args[0], part) as -1 | 0 | 1
  if (condition.kind !== 'bin' || (condition.operator !== '&&' && condition.operator !== '||')) return 0
  const [left, right] = condition.args.map((side) => signIn(side, part)) as [-1 | 0 | 1, -1 | 0 | 1]
  return left === -right ? 0 : left === 0 ? right : left
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
      'a contract that alone may call says who called it, and nobody stands between the two',
      ({ flow, op, other }) => other !== null && isPassedIn(other) && isProtected(flow, op, isRead),
    ),
    excuse('bringer-of-a-message', 'it says who may bring a message that others have written', ({ op, other }) => {
      const named = other ?? keyedByOrigin(op)?.parent?.index ?? null
      return named !== null && isOfMessage(named)
    }),
  ],

  finding: ({ flow, op, other }) => ({
    at: op,
    grounds: {
      doubts:
        other !== null && !flow.isEntryPoint && isPassedIn(other)
          ? ['it is compared with somebody whom functions that were not followed say']
          : [],
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

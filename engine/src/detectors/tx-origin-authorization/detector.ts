import {
  dependsOn,
  endsInRevert,
  isKeyedBySender,
  isOrigin,
  isPassedIn,
  isSender,
  parametersIn,
  reaches,
  readsState,
  recoversSigner,
  runsOnce,
  writesState,
} from '../../facts/index.ts'
import {
  isMessageValue,
  isUnownedAddress,
  keysOf,
  outgoingOf,
  paymentsOf,
  paysOut,
  provenStep,
  witnessStep,
} from '../../idioms/index.ts'
import {
  alternativesOf,
  type CallOp,
  type Flow,
  holding,
  type LoadOp,
  type Location,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { isOnlyShare } from './share.ts'

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
  return (
    isSender(op) ||
    alternativesOf(op).some((arg) => isSender(arg)) ||
    (op.kind === 'call' && op.call.name === '_msgSender' && op.args.every(({ kind }) => kind === 'unknown'))
  )
}

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
 * for being the one. All that is made of the answer must be such conditions: a value stored, paid or reported by it may be a right.
 */
const isOnlyRefused = (flow: Flow, op: Op): boolean => {
  // When this holds, the origin is the one; each `!` on the path turns it round.
  const work: [value: Op, isTheOne: boolean][] = [[op, op.operator !== '!=']]
  const seen = new Set<Op>()
  let isCompared = false
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const [value, isTheOne] = at
    if (seen.has(value)) return false
    seen.add(value)
    const branches = flow.blocks.filter(({ condition }) => condition === value)
    // The way on which it is the one, or may be, has to end in a revert.
    if (branches.some(({ succs }) => !endsInRevert(flow, succs[isTheOne ? 0 : 1]!))) return false
    isCompared ||= branches.length > 0
    for (const user of flow.usersOf(value)) {
      if (user.kind === 'assume') {
        if (isTheOne) return false
        isCompared = true
      } else if (user.kind === 'un' && user.operator === '!') work.push([user, !isTheOne])
      else if (user.kind === 'bin' && (user.operator === '&&' || user.operator === '||')) work.push([user, isTheOne])
      else return false
    }
  }
  return isCompared
}

/** `require(tx.origin == who)` with a `who` that the caller passes. */
const isOpen = ({ flow, other }: Candidate): boolean =>
  flow.isEntryPoint && other !== null && stripCasts(other).kind === 'param'

/** Nothing is required of the answer, and neither way of a branch on it ends in a revert. */
const refusesNoCaller = (flow: Flow, op: Op): boolean =>
  !flow.usersOf(op).some(({ kind }) => kind === 'assume') &&
  flow.branchesOn(op).every(({ succs }) => !succs.some((next) => endsInRevert(flow, next)))

/** The rights of an account that state names; what the caller passes, or a list of those who agreed to it, names nobody who loses. */
const lossOf = ({ flow, other }: Candidate): string | undefined => {
  const op = other === null ? null : stripCasts(other)
  const variable = op?.kind === 'load' && op.location.part === 'root' ? op.location.variable : null
  const hasEffect = paysOut(flow) || (writesState(flow) && !keepsState(flow))
  return variable !== null && hasEffect ? `what only \`${variable.name}\` may do` : undefined
}

const isOnlyAnswer = (flow: Flow): boolean => !writesState(flow) && flow.externalCalls().length === 0

/** `require(tx.origin == who)` as a whole, for others to ask. */
const isDeclaredView = (candidate: Candidate): boolean => isOpen(candidate) && candidate.flow.fn?.mutability === 'view'

/** What it writes is put back before it ends, as a lock is. */
const keepsState = (flow: Flow): boolean => {
  const stores = flow.stateStores()
  return (
    stores.length > 0 &&
    stores.every((store) => isConstant(store) && stores.some((other) => isPutBack(flow, store, other)))
  )
}

const isConstant = ({ args }: StoreOp): boolean => stripCasts(args[0]).kind === 'const'

/** Two constants that are written to one place, the one whenever the other is. */
const isPutBack = (flow: Flow, one: StoreOp, other: StoreOp): boolean =>
  one !== other &&
  one.location === other.location &&
  isConstant(other) &&
  !sameValue(one.args[0], other.args[0]) &&
  (flow.isFollowedBy(one, other) || flow.isFollowedBy(other, one))

/** Nothing follows from it but what is set up once, what is done to the account that calls, or an answer: the origin lends its right and loses nothing. */
const leadsNowhere = (candidate: Candidate): string | null => {
  const { flow, op, other } = candidate
  if (isNamedBySigner(candidate)) return 'who signed the message names who may submit it'
  if (outgoingOf(flow).some(({ amount }) => !dependsOn(flow, amount, isMessageValue))) return null
  const stores = flow.stateStores()
  if (stores.length > 0 && stores.every((store) => runsOnce(flow, store))) return 'it guards a set-up that works once'
  const calls = flow.externalCalls().filter(({ call }) => !call.isStatic)
  if (isOnlyAnswer(flow) && (isDeclaredView(candidate) || !flow.isEntryPoint))
    return 'no action that it guards was found'
  if (other !== null && isSimulation(flow, other, calls)) return 'it only answers with the outcome of a call'
  const isOfSender = (call: CallOp): boolean => call.args.some((arg) => dependsOn(flow, arg, isCaller))
  const isForSender =
    other === null &&
    op.kind === 'load' &&
    calls.length > 0 &&
    calls.every(isOfSender) &&
    stores.every(({ location }) => isKeyedBySender(location))
  return isForSender ? 'what it admits to is done in the name of `msg.sender`' : null
}

/** For an account that is fixed at deployment it makes calls, keeps nothing and answers with what came of them. */
const isSimulation = (flow: Flow, other: Op, calls: readonly CallOp[]): boolean => {
  const account = stripCasts(other)
  const variable = account.kind === 'load' && account.location.part === 'root' ? account.location.variable : null
  return (
    variable?.isImmutable === true &&
    calls.length > 0 &&
    (!writesState(flow) || keepsState(flow)) &&
    calls.every((call) => flow.ops('return').some((end) => dependsOn(flow, end, (part) => part === call)))
  )
}

/** A part of what the caller hands in, or a record of it, while a signature is checked and the origin pays nothing. */
const isNamedBySigner = ({ flow, op, other }: Candidate): boolean => {
  const named = other ?? keysOf(op.location!).find((key) => !isOrigin(key))
  return (
    named !== undefined &&
    recoversSigner(flow) &&
    parametersIn(flow, named).size > 0 &&
    !readsState(flow, named) &&
    !paymentsOf(flow).some(({ from }) => from !== null && isOrigin(from))
  )
}

const messageOf = (candidate: Candidate): string => {
  if (isOpen(candidate))
    return `\`${candidate.flow.name}()\` compares \`tx.origin\` with an argument, so any caller passes the check by passing their own address.`
  return `\`${candidate.flow.name}()\` checks \`tx.origin\` instead of \`msg.sender\`: when the privileged user calls a malicious contract (phishing), that contract can call \`${candidate.flow.name}()\` with their rights.`
}

export default defineDetector<Candidate>({
  id: 'tx-origin-authorization',
  swc: 'SWC-115',
  title: 'Authorization through tx.origin',
  aliases: {
    slither: ['tx-origin'],
    aderyn: ['tx-origin-used-for-auth'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-018'],
    words: ['tx.origin', 'phishing', 'tx.origin phishing'],
  },
  severity: 'high',
  confidence: 'high',
  description:
    '`tx.origin` is the account that started the transaction, not the caller. If a privileged user calls a malicious contract (phishing), that contract acts with their `tx.origin` rights.',
  recommendation: 'Use `msg.sender` for authorization.',
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
      'it is compared with `msg.sender` to detect contracts',
      ({ other }) => other !== null && isCaller(other),
    ),
    excuse(
      'simulation-check',
      'it is compared with an address that never sends transactions, to detect a simulation',
      ({ other }) => other !== null && isUnownedAddress(other),
    ),
    excuse('refused', 'the match is penalized: every path for it reverts', ({ flow, op }) => isOnlyRefused(flow, op)),
  ],

  finding: (candidate) => {
    const { flow, op, other } = candidate
    return {
      at: op,
      factors: {
        loss: lossOf(candidate),
        impact: leadsNowhere(candidate) === null ? 'assets' : 'none',
        counterEvidence: [
          ...[leadsNowhere(candidate) ?? []].flat(),
          ...(flow.isEntryPoint && isOnlyAnswer(flow)
            ? ['the function only answers; no contract that relies on the answer was found']
            : []),
          ...(other !== null && !flow.isEntryPoint && isPassedIn(other)
            ? ['it is compared with an account from functions that were not analyzed']
            : []),
          ...(isOpen(candidate) && refusesNoCaller(flow, op)
            ? ['nobody is refused, and an argument names nobody who loses by it']
            : []),
          ...(isOnlyShare(flow, op) ? ['both paths pay the same, except for a fee'] : []),
        ],
      },
      message:
        op.kind === 'load'
          ? `\`${flow.describe(op.location)}\` authorizes by \`tx.origin\`: when that user calls a malicious contract, it can call \`${flow.name}()\` with their rights.`
          : messageOf(candidate),
      ...(isOpen(candidate)
        ? { recommendation: 'Compare `msg.sender` with an account in storage, not with an argument.' }
        : {}),
      trace: [
        isOpen(candidate)
          ? provenStep(flow, op, 'passes their own address')
          : witnessStep(flow, op, 'acts as `tx.origin`', 'An attacker’s contract, called by a privileged user,'),
        ...flow.trace(op),
      ],
    }
  },
})

import {
  type Argument,
  argumentsIn,
  dependsOn,
  type Fact,
  fieldsOfArgument,
  includesArgument,
  isCleared,
  isMetOnEachPath,
  isSender,
  type Recovery,
  recoveriesOf,
  someFactAt,
} from '../../facts/index.ts'
import { isAssembly, isHash, keysOf, proofsAt } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Location, type Op, stripCasts } from '../../ir/index.ts'

/** What lets a call through, and what it says. */
export interface Authorization {
  readonly kind: 'signature' | 'proof'
  /** The signer is recovered here, or the proof holds here. */
  readonly op: Op
  /** What was signed; null where it is not put together here. */
  readonly digest: Op | null
  /** What was signed or proven, and by which signature or path. */
  readonly parts: readonly Op[]
}

/** All that an operation rests on. */
export const authorizationsAt = (flow: Flow, effect: Op): readonly Authorization[] => [
  ...flow.answer(signaturesIn).filter(({ op }) => letsThrough(flow, op, effect)),
  ...proofsAt(flow, effect)
    .filter(({ condition }) => !isOfRecord(flow, condition))
    .map((fact) => flow.remember(proofFrom, fact, () => proofFrom(fact))),
]

/** `require(requests[id] == keccak256(abi.encode(request)))`, where the contract hashed the same data itself: it names a record, and permits nothing. */
const isOfRecord = (flow: Flow, condition: Op): boolean =>
  stripCasts(condition).args.some((side) => {
    const kept = stripCasts(side)
    return (
      kept.kind === 'load' &&
      kept.location.space === 'state' &&
      flow.contractFlow.answerAt(kept.location, holdsOwnHashes)
    )
  })

const holdsOwnHashes = (contractFlow: ContractFlow, place: Location): boolean => {
  const writers = contractFlow.writersTo(place)
  return writers.length > 0 && writers.every(({ op }) => isCleared(op) || isHash(stripCasts(op.args[0])))
}

/** A caller without it does not reach the effect; of many signatures that a loop asks for, each is one. */
const letsThrough = (flow: Flow, op: Op, effect: Op): boolean => {
  if (!flow.canFollow(op, effect)) return false
  const loop = flow.loopMarkAround(op)
  return (
    flow.dominates(op, effect) ||
    (loop !== null && flow.blockDominates(loop.header, effect.block)) ||
    someFactAt(flow, effect, flow.answerAbout(op, restingOn))
  )
}

const restingOn =
  (_: Flow, signer: Op) =>
  (flow: Flow, { condition }: Fact): boolean =>
    dependsOn(flow, condition, (op) => op === signer)

const signaturesIn = (flow: Flow): readonly Authorization[] =>
  [...recoveriesOf(flow), ...confirmationsIn(flow)].map(({ op, digest, signature }) => {
    const hash = stripCasts(digest)
    return {
      kind: 'signature',
      op,
      digest: isHash(hash) && !isAssembly(hash) ? hash : null,
      parts: [digest, ...signature],
    }
  })

/** `wallet.isValidSignature(hash, signature)`: ERC-1271, where the signer is a contract. */
const confirmationsIn = (flow: Flow): readonly Recovery[] =>
  flow
    .externalCalls()
    .filter(({ call: { name, isStatic }, args }) => isStatic && name === 'isValidSignature' && args.length === 2)
    .map((op) => ({ op, digest: op.args[0]!, signature: op.args.slice(1) }))

const proofFrom = ({ op, condition }: Fact): Authorization => ({ kind: 'proof', op, digest: null, parts: [condition] })

/** All of the arguments that were signed or proven. */
export const coveredBy = (flow: Flow, all: readonly Authorization[]): readonly Argument[] =>
  all.flatMap(({ parts }) => parts.flatMap((part) => argumentsIn(flow, part, 'keys')))

/** Also a struct of which every field is. */
export const isCovered = (argument: Argument, covered: readonly Argument[]): boolean =>
  covered.some((whole) => includesArgument(whole, argument)) || isCoveredByField(argument, covered)

const isCoveredByField = (argument: Argument, covered: readonly Argument[]): boolean => {
  const fields = fieldsOfArgument(argument)
  return fields.length > 0 && fields.every((field) => isCovered(field, covered))
}

/**
 * Code that is missing, or assembly, puts the message together: it may hold anything. A proof ends in hashes of hashes, in
 * assembly as often as not, and what is proven came before.
 */
export const isUnreadable = (flow: Flow, { kind, parts }: Authorization): boolean =>
  dependsOn(
    flow,
    parts[0]!,
    (op) =>
      op.kind === 'unknown' ||
      op.kind === 'opaque' ||
      op.operator === 'msg.data' ||
      (op.kind === 'builtin' && isAssembly(op) && kind === 'signature') ||
      (op.kind === 'call' && !op.call.inlined && op.call.kind === 'internal'),
  )

/** The caller hands in the hash: what it says is the affair of `missing-signature-check`. */
export const isGivenByCaller = (flow: Flow, { kind, parts }: Authorization): boolean => {
  const said = argumentsIn(flow, parts[0]!, 'keys')
  return kind === 'signature' && said.length === 1 && flow.typeOf(said[0]!.param)?.kind === 'fixedBytes'
}

/** The message or leaf names who submits it: nobody else can. */
export const namesSender = (flow: Flow, authorization: Authorization, effect: Op): boolean =>
  authorization.parts.some((part) => dependsOn(flow, part, isSender)) ||
  someFactAt(
    flow,
    effect,
    flow.remember(namesSender, authorization, () => equalSenderTo(authorization)),
  )

/** `require(account == msg.sender || operators[account][msg.sender])` of an account in the message, or of the one who signed. */
const equalSenderTo = ({ op: signer, parts }: Authorization) => {
  const isNamed = (flow: Flow, account: Op): boolean => {
    if (dependsOn(flow, account, (op) => op === signer)) return true
    const named = argumentsIn(flow, account, 'data')
    return (
      named.length > 0 && named.every((one) => parts.some((part) => isCovered(one, argumentsIn(flow, part, 'keys'))))
    )
  }
  const actsForNamed = (flow: Flow, { condition, polarity }: Fact): boolean => {
    if (condition.kind === 'load') {
      const keys = polarity ? keysOf(condition.location) : []
      return keys.some(isSender) && keys.some((key) => !isSender(key) && isNamed(flow, key))
    }
    if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
    const [left, right] = condition.args.map(stripCasts) as [Op, Op]
    const account = isSender(left) ? right : isSender(right) ? left : null
    return account !== null && isNamed(flow, account)
  }
  return (flow: Flow, fact: Fact): boolean => isMetOnEachPath(flow, fact, actsForNamed)
}

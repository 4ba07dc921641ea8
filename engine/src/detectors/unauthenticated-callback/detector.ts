import { dependsOn, guardsAt, isSender, isUntrusted, outsiderCanSetPlace, principalAt } from '../../facts/index.ts'
import { isSelf, keysOf, outgoingOf, provenStep, raisedBy, tokenCallOf, tokenCalls } from '../../idioms/index.ts'
import {
  type CallOp,
  describeCall,
  type Flow,
  holding,
  isEquality,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { callbackOf, initiatorOf, type KnownCallback } from '../../knowledge/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  /** Who requested the loan of the lender, where nothing checks that. */
  readonly initiator?: Op
  /** Nothing but the fee is lost by a loan that anyone takes in the name of the contract. */
  readonly isFee?: true
}

/** Bytes that the caller brings along: what a callback is handed back, to know what it was called for. */
const isData = (flow: Flow, value: Op): boolean => value.kind === 'param' && flow.typeOf(value)?.kind === 'bytes'

/** What a user who is not the lender would like to have done: tokens handed out or approved, foreign code run. A call of their own contract is none. */
const isDeed = (flow: Flow, op: CallOp): boolean => {
  const info = op.call
  if (info.target !== null && info.kind !== 'delegate' && isSender(info.target)) return false
  const token = tokenCallOf(op)
  if (token !== null) return token.from === null || !isSender(token.from)
  if (info.kind === 'delegate') return true
  if (info.kind !== 'lowlevel' && info.kind !== 'external') return false
  return info.target !== null && !info.isStatic && !isSelf(info.target) && isUntrusted(flow, info.target, op)
}

/** Something is noted as received from an account that the caller names. */
const isReceipt = (flow: Flow, { location, args }: StoreOp): boolean => {
  const isNamed = (value: Op): boolean => value.kind === 'param' && flow.typeOf(value)?.kind === 'address'
  const keys = keysOf(location)
  return !keys.some(isSender) && (keys.some(isNamed) || dependsOn(flow, args[0], isNamed))
}

/** As much as the caller says is paid to the caller, or to the contract that was handed data to call back with. */
const isPaidOnRequest = (flow: Flow, op: Op): boolean => {
  const token = tokenCallOf(op)
  if (token === null || token.name === 'approve' || (token.from !== null && isSender(token.from))) return false
  if (!dependsOn(flow, token.amount, isParam) || dependsOn(flow, token.amount, ({ kind }) => kind === 'load'))
    return false
  const said = [
    token.amount,
    ...(token.token === null ? [] : [token.token]),
    ...(token.from === null ? [] : [token.from]),
  ]
  if (isSender(token.to)) return said.some((value) => dependsOn(flow, value, (part) => isData(flow, part)))
  return isCalledWithData(flow, stripCasts(token.to))
}

const isParam = ({ kind }: Op): boolean => kind === 'param'

/** Elsewhere this contract calls the payee and hands it data: that is who should call back. */
const isCalledWithData = (flow: Flow, payee: Op): boolean => {
  if (payee.kind !== 'load' || payee.location.variable === null) return false
  return flow.contractFlow.entryPoints.some(
    (caller) =>
      caller !== flow &&
      caller.externalCalls().some((call) => {
        const target = call.call.target === null ? null : stripCasts(call.call.target)
        const isPayee = target?.kind === 'load' && target.location.variable === payee.location.variable
        return isPayee && !call.call.isStatic && call.args.some((arg) => caller.typeOf(arg)?.kind === 'bytes')
      }),
  )
}

const standardOf = ({ fn }: Flow): KnownCallback | undefined => (fn === null ? undefined : callbackOf(fn.signature))

const isStandard = (flow: Flow): boolean => standardOf(flow) !== undefined

/** It is a callback by a standard, or is handed data like one. */
const takesData = (flow: Flow): boolean => isStandard(flow) || flow.params.some((param) => isData(flow, param))

function* deeds(flow: Flow): Iterable<Candidate> {
  if (!takesData(flow)) return
  for (const op of flow.ops('call'))
    if (isStandard(flow) ? isDeed(flow, op) : isPaidOnRequest(flow, op)) yield { flow, op }
  if (isStandard(flow)) for (const op of flow.stateStores()) if (isReceipt(flow, op)) yield { flow, op }
}

/**
 * `require(origin == remote)`: an argument says who sent the message, and is held against an account that no outsider can replace.
 * That is worth something only from a messenger; what the data says is then done.
 */
function* forgedMessages(flow: Flow): Iterable<Candidate> {
  if (isStandard(flow)) return
  const isOrdered = (value: Op): boolean => dependsOn(flow, value, (part) => isData(flow, part))
  const isDone = (op: CallOp): boolean => {
    const token = tokenCallOf(op)
    if (token !== null) return isDeed(flow, op) && (isOrdered(token.to) || isOrdered(token.amount))
    return isDeed(flow, op) && op.call.target !== null && isOrdered(op.call.target)
  }
  const isCredit = (op: StoreOp): boolean => {
    const amount = raisedBy(op)
    return amount !== null && isOrdered(amount) && keysOf(op.location).some(isOrdered)
  }
  for (const op of [...flow.ops('call').filter(isDone), ...flow.stateStores().filter(isCredit)])
    if (guardsAt(flow, op).some(({ condition }) => namesRemote(flow, condition))) yield { flow, op }
}

/** The remote account is kept as an address, or as 32 bytes. */
const namesRemote = (flow: Flow, { kind, operator, args }: Op): boolean => {
  if (kind !== 'bin' || !isEquality(operator)) return false
  const [one, other] = args.map(stripCasts) as [Op, Op]
  return [[one, other] as const, [other, one] as const].some(([said, kept]) => isSaid(flow, said) && isKept(flow, kept))
}

const isSaid = (flow: Flow, said: Op): boolean => {
  const type = flow.typeOf(said)?.kind
  return said.kind === 'param' && (type === 'address' || type === 'fixedBytes')
}

const isKept = (flow: Flow, kept: Op): boolean =>
  dependsOn(
    flow,
    kept,
    (part) =>
      part.kind === 'load' &&
      part.location.space === 'state' &&
      part.location.variable !== null &&
      !outsiderCanSetPlace(flow.contractFlow, part.location),
  ) && !dependsOn(flow, kept, isSender, { keys: true })

/** Paid to whom the data says: anyone who had the lender call wrote that. Or else the fee, for loans that nobody here wanted. */
function* orderedThroughLender(flow: Flow): Iterable<Candidate> {
  const standard = standardOf(flow)
  const place = standard === undefined ? undefined : initiatorOf(standard)
  const initiator = place === undefined ? undefined : flow.params[place]
  if (initiator === undefined) return
  const ordered = outgoingOf(flow).filter(({ to }) => to !== null && dependsOn(flow, to, (part) => isData(flow, part)))
  for (const { op } of ordered) yield { flow, op, initiator }
  if (ordered.length > 0) return
  for (const { op, amount, to } of tokenCalls(flow))
    if (isRepaid(flow, to, op) && isWithFee(flow, amount)) yield { flow, op, initiator, isFee: true }
}

/** The lender takes it: it is the sender, or an account that the contract has on record. */
const isRepaid = (flow: Flow, to: Op, op: Op): boolean => isSender(to) || !isUntrusted(flow, to, op)

/** `amount + fee`: a sum of two numbers that the lender says. */
const isWithFee = (flow: Flow, amount: Op): boolean =>
  dependsOn(
    flow,
    amount,
    (part) =>
      part.kind === 'bin' && part.operator === '+' && part.args.every((side) => dependsOn(flow, side, isNumberSaid)),
  )

/** A number among the arguments, or an element of one. */
const isNumberSaid = (op: Op): boolean => op.kind === 'param' && op.operator !== ''

/** `require(initiator == address(this))`: the lender passes on who requested the loan, but so does any pretender. */
const isSenderLookedUp = ({ flow, op, initiator }: Candidate): boolean => {
  const hasCheckOf = (is: (part: Op) => boolean): boolean =>
    guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, is, { keys: true }))
  if (initiator !== undefined) return hasCheckOf((part) => part === initiator)
  return principalAt(flow, op) !== 'anyone' || hasCheckOf(isSender)
}

/** A condition holds the data against a hash, a signature or what another contract says. */
const isVerified = ({ flow, op, initiator }: Candidate): boolean =>
  guardsAt(flow, op).some(({ condition }) => {
    // With what was lent something is done on the path, and that it worked verifies nothing.
    const verifies = ({ kind, operator, call }: Op): boolean =>
      (kind === 'call' && (initiator === undefined || call.isStatic)) ||
      (kind === 'builtin' && (operator === 'keccak256' || operator === 'ecrecover'))
    return (
      dependsOn(flow, condition, (part) => isData(flow, part), { keys: true }) &&
      dependsOn(flow, condition, (part) => verifies(part), { keys: true })
    )
  })

/** What is checked instead of the caller: `require(initiator == address(this))`. */
const checkOf = (flow: Flow, op: Op): string => {
  const guards = guardsAt(flow, op)
  const supplied = flow.params.find(
    (param) =>
      param.operator !== '' && guards.some(({ condition }) => dependsOn(flow, condition, (part) => part === param)),
  )
  if (supplied === undefined) return ''
  const isOnly = guards.every(({ condition }) => dependsOn(flow, condition, isParam))
  return `${isOnly ? ', only' : ', but'} \`${supplied.operator}\`, which the caller supplies`
}

/** `that msg.sender is the pool (Uniswap V3)` */
const callerOf = (flow: Flow): string => {
  const standard = standardOf(flow)
  if (standard === undefined) return '`msg.sender`'
  return `that \`msg.sender\` is ${standard.caller} (${standard.protocol.name})`
}

const deedOf = (flow: Flow, op: Op): string => {
  if (op.kind === 'call') return `call \`${describeCall(flow.model, op)}\``
  return op.kind === 'store' ? `write \`${flow.describe(op.location)}\`` : 'act'
}

const messageOf = (flow: Flow, op: Op, initiator: Op | undefined, isFee = false): string => {
  if (isFee)
    return `Anyone can take flash loans in the name of this contract, which pays their fee, because \`${flow.name}()\` does not check the loan’s \`initiator\`.`
  return initiator === undefined
    ? `The callback \`${flow.name}()\` does not check ${callerOf(flow)}${checkOf(flow, op)}, so anyone can make the contract ${deedOf(flow, op)} with forged arguments.`
    : `Anyone can make the lender call \`${flow.name}()\` with their own data, because the loan’s \`initiator\` is not checked.`
}

export default defineDetector<Candidate>({
  id: 'unauthenticated-callback',
  swc: null,
  title: 'Unauthenticated callback',
  aliases: {
    owasp: ['SC01:2025', 'SC04:2025'],
    words: ['flash loan callback', 'initiator', 'onFlashLoan', 'uniswapV3SwapCallback', 'fake callback'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A callback meant for a token, flash lender or pool does not check its caller. An attacker calls it directly with their own arguments and makes the contract pay, approve, call or record as if a transfer, swap or loan were in progress.',
  recommendation:
    'Check that `msg.sender` is the expected token, lender or pool and that such a call is in progress; for flash loans also check `initiator`.',
  references: ['https://docs.uniswap.org/contracts/v3/guides/flash-integrations/flash-callback'],
  cwe: ['CWE-862'],
  yieldsTo: [
    'unprotected-ether-withdrawal',
    'unprotected-token-withdrawal',
    'arbitrary-transfer-from',
    'access-control',
  ],
  isPerFunction: true,

  needs: [holding.effect, takesData],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* deeds(flow)
      yield* forgedMessages(flow)
      yield* orderedThroughLender(flow)
    }
  },
  excuses: [
    excuse('knows-the-caller', '`msg.sender` is compared with the expected caller', isSenderLookedUp),
    excuse('data-verified', 'the data is verified by a hash, a signature or another contract', isVerified),
  ],
  finding: ({ flow, op, initiator, isFee }) => ({
    at: stripCasts(op),
    message: messageOf(flow, op, initiator, isFee),
    ...(isFee ? { severity: 'medium' } : {}),
    trace: [
      {
        ...provenStep(flow, op, `makes it ${deedOf(flow, op)} with forged arguments`),
        ...(initiator === undefined
          ? {}
          : {
              message: `An attacker makes the lender call \`${flow.name}()\` with ${isFee ? 'an unwanted loan' : 'forged data'}.`,
            }),
      },
      ...flow.trace(op),
    ],
  }),
})

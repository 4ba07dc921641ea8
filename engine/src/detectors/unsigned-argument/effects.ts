import { encodedCallOf, guardsAt, isKeyedBySender, isSender } from '../../facts/index.ts'
import { entriesOf, keysOf, type Payment, paymentsOf, requiredUnset, tokenCalls } from '../../idioms/index.ts'
import { type Flow, isZero, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'

/** A value that decides what is done. */
export interface Decision {
  readonly effect: Op
  readonly value: Op
  /** After "decides". */
  readonly words: string
  readonly role: 'recipient' | 'asset' | 'amount' | 'call' | 'record' | 'other'
  /** The payment that it is part of. */
  readonly payment: Payment | null
}

export const decisionsIn = (flow: Flow): readonly Decision[] => flow.answer(findDecisions)

const findDecisions = (flow: Flow): readonly Decision[] => [
  ...paymentsOf(flow).flatMap(decisionsOfPayment),
  ...allowancesIn(flow),
  ...flow.externalCalls().flatMap((call) => decisionsOfCall(flow, call)),
  ...entriesOf(flow).flatMap(({ op, account, amount }) => [
    ...(isSender(account) ? [] : [decide(op, account, 'record', 'whose balance changes')]),
    decide(op, amount, 'amount', 'the amount'),
  ]),
  ...decisionsOfStores(flow),
]

const decide = (
  effect: Op,
  value: Op,
  role: Decision['role'],
  words: string,
  payment: Payment | null = null,
): Decision => ({ effect, value, words, role, payment })

const decisionsOfPayment = (payment: Payment): readonly Decision[] => {
  const { op, to, token, amount, asset } = payment
  return [
    ...(to === null
      ? []
      : [decide(op, to, 'recipient', `who receives the ${asset === 'ether' ? 'ETH' : 'tokens'}`, payment)]),
    ...(token === null ? [] : [decide(op, token, 'asset', 'which token is paid', payment)]),
    decide(op, amount, 'amount', 'the amount', payment),
  ]
}

const allowancesIn = (flow: Flow): readonly Decision[] =>
  tokenCalls(flow)
    .filter(({ name }) => name === 'approve')
    .flatMap(({ op, to, amount }) => [
      decide(op, to, 'recipient', 'who may spend the tokens'),
      decide(op, amount, 'amount', 'the allowance'),
    ])

const opaqueCalls: ReadonlySet<string> = new Set(['lowlevel', 'delegate', 'callcode'])

/** Which contract is called, and with what data; a function of another contract may do anything with what it is given. */
const decisionsOfCall = (flow: Flow, op: Op): readonly Decision[] => {
  const { call, args } = op
  if (call === null || call.isStatic || tokenCalls(flow).some((known) => known.op === op)) return []
  if (!opaqueCalls.has(call.kind) || encodedCallOf(args[0]) !== null) return []
  return [
    ...(call.target === null ? [] : [decide(op, call.target, 'call', 'which contract is called')]),
    ...(args[0] === undefined ? [] : [decide(op, args[0], 'call', 'what is called')]),
  ]
}

/** What is written into the record of another than the caller. */
const decisionsOfStores = (flow: Flow): readonly Decision[] => {
  const counted = new Set<Op>(entriesOf(flow).map(({ op }) => op))
  return flow
    .stateStores()
    .filter((op) => !counted.has(op) && !isKeyedBySender(op.location))
    .flatMap((op) => [
      decide(op, op.args[0], 'other', `what is stored in \`${flow.describe(op.location)}\``),
      // That a mark is kept under a key of the submitter's choice lets the whole call repeat, which other detectors report.
      ...(isMark(flow, op) ? [] : keysOf(op.location)).map((key) =>
        decide(op, key, 'other', `which entry of \`${op.location.variable?.name ?? 'storage'}\` is written`),
      ),
    ])
}

/** `require(!claimed[id]); claimed[id] = true` */
const isMark = (flow: Flow, store: StoreOp): boolean =>
  !isZero(stripCasts(store.args[0])) &&
  guardsAt(flow, store).some(
    ({ condition, polarity }) => requiredUnset(condition, polarity)?.location.variable === store.location.variable,
  )

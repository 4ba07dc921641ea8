import { dependsOn, isUntrusted } from '../../facts/index.ts'
import {
  incomingOf,
  isForCaller,
  isHash,
  isPaidFrom,
  keysOf,
  loweredBy,
  outgoingOf,
  type Payment,
} from '../../idioms/index.ts'
import { type Flow, holding, type Location, type Op, sameValue } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly product: Op
}

const isGasPrice = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'tx.gasprice'

/** Kept under a key, as what an account is owed is, or paid from elsewhere. */
const isClaim = (flow: Flow, location: Location): boolean =>
  keysOf(location).length > 0 || (location.variable !== null && isPaidFrom(flow, location.variable))

/** Ether, tokens or a claim are worked out from it. */
const isPaid = (flow: Flow, product: Op): boolean => {
  const depends = (value: Op | null | undefined): boolean =>
    value != null && dependsOn(flow, value, (op) => op === product)
  // What the caller has to pay in, and what is passed on of that, is the caller's own.
  const isPassedOn = (amount: Op): boolean => incomingOf(flow).some((paid) => sameValue(paid.amount, amount))
  // A fee that goes to an account of the contract's choice is nothing that the caller gains.
  const isGain = (payment: Payment): boolean =>
    isForCaller(payment) ||
    (payment.to !== null && isUntrusted(flow, payment.to, payment.op) && !dependsOn(flow, payment.to, isHash))
  if (outgoingOf(flow).some((payment) => depends(payment.amount) && isGain(payment) && !isPassedOn(payment.amount)))
    return true
  // What is taken from a record is a charge, not a payment.
  return flow
    .stateStores()
    .some((store) => loweredBy(store) === null && isClaim(flow, store.location) && depends(store.args[0]))
}

/** `min(tx.gasprice, limit)`: a comparison with the price decides. */
const isCapped = ({ flow }: Candidate): boolean =>
  flow
    .ops('bin')
    .some(({ operator, args }) => /^[<>]=?$/.test(operator) && args.some((arg) => dependsOn(flow, arg, isGasPrice)))

export default defineDetector<Candidate>({
  id: 'gas-price',
  swc: null,
  title: 'Gas refund based on tx.gasprice',
  aliases: { words: ['tx.gasprice', 'gas refund abuse'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A payout is computed from `tx.gasprice`, which the caller chooses. A caller who colludes with the block builder sets a huge gas price, has it refunded by the contract and splits the profit.',
  recommendation: 'Cap the refunded gas price, for example at `block.basefee` plus a fixed tip.',
  references: ['https://docs.soliditylang.org/en/latest/units-and-global-variables.html'],
  cwe: ['CWE-682'],

  needs: [holding.gasPrice],
  *candidates({ functions }) {
    for (const flow of functions) {
      if (!flow.usesEnvironment('tx.gasprice')) continue
      for (const product of flow.ops('bin'))
        if (product.operator === '*' && dependsOn(flow, product, isGasPrice) && isPaid(flow, product))
          yield { flow, product }
    }
  },
  excuses: [excuse('capped', 'the gas price is compared with a limit', isCapped)],
  finding: ({ flow, product }) => ({
    at: product,
    message: `\`${flow.name}()\` pays or credits an amount computed from \`tx.gasprice\`, which the sender of the transaction chooses: with a huge gas price they take as much as the contract holds.`,
    trace: flow.trace(product),
  }),
})

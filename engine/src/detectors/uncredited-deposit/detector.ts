import { dependsOn, isProtected, stateReadsOf } from '../../facts/index.ts'
import {
  columnOf,
  entriesOf,
  isMessageValue,
  isNeverRaised,
  keyOfColumn,
  keysOf,
  outgoingOf,
  witnessStep,
} from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type LoadOp, type Op, type StoreOp, sameValue } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** The condition on the payment. */
  readonly check: Op
  /** What payouts are computed from, and where. */
  readonly paid: LoadOp | StoreOp
  readonly payer: Flow
}

/** `balances[from] -= amount` before the amount is paid. */
const takenOff = (payer: Flow, amount: Op): readonly StoreOp[] =>
  entriesOf(payer)
    .filter((entry) => !entry.isRaised && sameValue(entry.amount, amount))
    .map(({ op }) => op)

/** Balances of accounts that payouts are computed from, and that no function raises. */
const emptyBalances = (
  contractFlow: ContractFlow,
): readonly { readonly paid: LoadOp | StoreOp; readonly payer: Flow }[] => {
  const found = new Map<string, { paid: LoadOp | StoreOp; payer: Flow }>()
  for (const payer of contractFlow.entryPoints)
    for (const { amount } of outgoingOf(payer))
      for (const paid of [...stateReadsOf(payer, amount), ...takenOff(payer, amount)]) {
        const column = columnOf(paid.location)
        if (column === null || keysOf(paid.location).length === 0 || paid.location.type?.kind !== 'int') continue
        if (isNeverRaised(contractFlow, paid.location)) found.set(keyOfColumn(column), { paid, payer })
      }
  return [...found.values()]
}

const takesPayment = (flow: Flow): boolean => flow.isPayable && flow.usesEnvironment('msg.value')

export default defineDetector<Candidate>({
  id: 'uncredited-deposit',
  swc: null,
  title: 'Payment never credited to the account that paid',
  aliases: {
    owasp: ['SC03:2025'],
    words: ['deposit not credited', 'balance never increased', 'lost deposit', 'missing accounting'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A function takes a payment, and payouts are computed from the balance of an account, but no function ever increases that balance. Payers get nothing back, and what they paid stays in the contract.',
  recommendation: 'Add the payment to the balance of the account that paid.',
  references: ['https://cwe.mitre.org/data/definitions/682.html'],
  cwe: ['CWE-682'],

  needs: [takesPayment],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (!takesPayment(flow) || flow.contract?.hasUnresolvedBase) continue
      const check = flow.ops('assume').find(({ args: [condition] }) => dependsOn(flow, condition, isMessageValue))
      if (check === undefined) continue
      for (const { paid, payer } of flow.contractFlow.answer(emptyBalances)) yield { flow, check, paid, payer }
    }
  },
  excuses: [excuse('protected', 'only privileged accounts pay there', ({ flow, check }) => isProtected(flow, check))],
  finding({ flow, check, paid, payer }) {
    const balance = payer.describe(paid.location)
    return {
      at: flow.inEntry(check),
      cause: [paid],
      message: `\`${flow.name}()\` takes a payment, but no function ever increases \`${balance}\`, from which \`${payer.name}()\` computes the payout.`,
      trace: [
        witnessStep(flow, check, 'pays and is not credited'),
        { at: paid, message: `\`${payer.name}()\` computes the payout from \`${balance}\` here.` },
      ],
    }
  },
})

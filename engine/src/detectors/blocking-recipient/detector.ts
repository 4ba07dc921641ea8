import { guardsAt, isProtected, isSender, revertsOnFailure } from '../../facts/index.ts'
import { isForCaller, outgoingOf, paysOut, witnessStep } from '../../idioms/index.ts'
import { type CallOp, type ContractFlow, type Flow, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly payment: CallOp
  /** What others wait for, and only this function sets; null where a batch is stopped. */
  readonly gate: VariableModel | null
}

/** A fixed account, which may be a contract that refuses. */
const isFixedAccount = (flow: Flow, target: Op): boolean => {
  const account = stripCasts(target)
  if (account.kind !== 'load' || account.location.variable === null || account.location.depth > 0) return false
  return flow.contractFlow.writersOf(account.location.variable).every(({ flow: writer }) => writer.isConstructor)
}

/** Switches that some function demands before it pays people out. */
const gates = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of entryPoints)
    for (const { op: payment } of outgoingOf(flow).filter(isForCaller)) {
      for (const { condition, polarity } of guardsAt(flow, payment))
        if (polarity && condition.kind === 'load' && condition.location.depth === 0 && condition.location.variable)
          found.add(condition.location.variable)
    }
  return found
}

/** Fields of records in which callers note themselves. */
const ownFields = ({ entryPoints }: ContractFlow): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const flow of entryPoints) {
    for (const { location, args } of flow.stateStores())
      if (location.part === 'field' && isSender(args[0])) found.add(location.name)
    for (const record of flow.ops('make')) {
      const type = flow.typeOf(record)
      const field =
        type?.kind === 'struct' ? type.struct.fields[record.args.findIndex((arg) => isSender(arg))] : undefined
      if (field !== undefined) found.add(field.name)
    }
  }
  return found
}

/** Several are paid in one go, each must accept, and who they are they noted themselves. */
const isBatch = (flow: Flow, payment: CallOp): boolean => {
  const target = payment.call.target === null ? null : stripCasts(payment.call.target)
  if (target?.kind !== 'load' || target.location.part !== 'field') return false
  return flow.loopMarkAround(payment) !== null && flow.contractFlow.answer(ownFields).has(target.location.name)
}

export default defineDetector<Candidate>({
  id: 'blocking-recipient',
  swc: 'SWC-113',
  title: 'Denial of service by a reverting recipient',
  aliases: {
    slither: ['calls-loop'],
    owasp: ['SC10:2025'],
    words: ['push over pull', 'reverting recipient', 'griefing'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'Users can withdraw only after a payment to a fixed account succeeds, or are paid in one batch with others. If that account is a contract that rejects ETH, the payment always reverts and the funds of everyone are locked.',
  recommendation:
    'Use pull payments: record the amount owed and let the account withdraw it, or continue when the payment fails.',
  references: ['https://swcregistry.io/docs/SWC-113'],
  cwe: ['CWE-703'],
  yieldsTo: ['dos-failed-call'],

  needs: [paysOut],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { op: payment, asset, to: target } of outgoingOf(flow)) {
        if (asset !== 'ether' || target === null || !revertsOnFailure(flow, payment)) continue
        if (isBatch(flow, payment)) yield { flow, payment, gate: null }
        if (!isFixedAccount(flow, target)) continue
        for (const store of flow.stateStores()) {
          const gate = store.location.depth === 0 ? store.location.variable : null
          if (gate === null || !flow.contractFlow.answer(gates).has(gate)) continue
          if (flow.contractFlow.writersOf(gate).every(({ flow: writer }) => writer === flow || writer.isConstructor))
            yield { flow, payment, gate }
        }
      }
  },
  excuses: [
    excuse(
      'pays-its-caller',
      'only the account itself can take the step',
      ({ flow, payment, gate }) => gate !== null && isProtected(flow, payment),
    ),
  ],
  finding: ({ flow, payment, gate }) => ({
    at: payment,
    message:
      gate === null
        ? 'If one recipient reverts, the whole batch reverts, so nobody in it is paid.'
        : `If this recipient reverts, \`${gate.name}\` is never set, so the withdrawals that require it are blocked.`,
    trace: [
      witnessStep(flow, payment, 'the recipient rejects it, which blocks everyone', 'A user'),
      ...flow.trace(payment),
    ],
    grounds: gate === null ? { doubts: ['the caller who selects the batch can leave out one account and retry'] } : {},
  }),
})

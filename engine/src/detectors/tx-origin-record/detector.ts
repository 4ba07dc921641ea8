import { guardsAt, isOrigin, isSender } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { bothWays, type ContractFlow, type Flow, holding, type Op } from '../../ir/index.ts'
import type { StructModel, VariableModel } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly record: Op
  readonly field: VariableModel
}

/** Fields that decide who may do something: the sender is compared with them. */
const decidingFields = ({ entryPoints }: ContractFlow): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const flow of entryPoints)
    for (const op of [...flow.stateStores(), ...flow.externalCalls()])
      for (const { condition } of guardsAt(flow, op)) {
        if (condition.kind !== 'bin') continue
        for (const [a, b] of bothWays(condition))
          if (isSender(a) && b.kind === 'load' && b.location.part === 'field') found.add(b.location.name)
      }
  return found
}

const structOf = (flow: Flow, op: Op): StructModel | null => {
  const type = flow.typeOf(op)
  return type?.kind === 'struct' ? type.struct : null
}

export default defineDetector<Candidate>({
  id: 'tx-origin-record',
  swc: 'SWC-115',
  title: 'tx.origin recorded as owner',
  aliases: {
    slither: ['tx-origin'],
    aderyn: ['tx-origin-used-for-auth'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-018'],
    words: ['tx.origin', 'phishing', 'wallet contract'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A record stores `tx.origin` as its owner, and later the owner must be `msg.sender`. If the user acts through a contract (a wallet or router), the record belongs to the account that started the transaction, which may be a phishing victim.',
  recommendation: 'Store `msg.sender`.',
  references: ['https://swcregistry.io/docs/SWC-115'],
  cwe: ['CWE-477'],
  yieldsTo: ['tx-origin-authorization', 'tx-origin-identity'],

  needs: [holding.origin],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (!flow.usesEnvironment('tx.origin')) continue
      for (const record of flow.ops('make')) {
        const at = record.args.findIndex(isOrigin)
        const field = at < 0 ? undefined : structOf(flow, record)?.fields[at]
        if (field !== undefined && flow.contractFlow.answer(decidingFields).has(field.name))
          yield { flow, record, field }
      }
    }
  },
  finding: ({ flow, record, field }) => ({
    at: record,
    message: `\`tx.origin\` is stored as \`${field.name}\`, which is later compared with \`msg.sender\`, so the caller may not own the record.`,
    trace: [witnessStep(flow, record, 'makes a phished user the owner of the record'), ...flow.trace(record)],
  }),
})

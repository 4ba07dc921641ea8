import { dependsOn, guardsAt } from '../../facts/index.ts'
import { incomingOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { permittingArgument } from '../../knowledge/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  /** What the permit is for: it would go through with the allowance alone. */
  readonly pull: Op
}

/** Whose tokens a signature allows to be taken: ERC-2612, or Permit2. */
const permittedBy = ({ call, args }: CallOp): Op | null => {
  const place = call.kind === 'external' && !call.isTried ? permittingArgument(call.name, args.length) : undefined
  return place === undefined ? null : stripCasts(args[place]!)
}

const isAllowanceChecked = ({ flow, op }: Candidate): boolean =>
  guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, ({ call }) => call?.name === 'allowance'))

export default defineDetector<Candidate>({
  id: 'forestalled-permit',
  swc: null,
  title: 'Permit front-running DoS',
  aliases: { owasp: ['SC10:2025'], words: ['permit dos', 'ERC-2612', 'permit griefing'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'An attacker copies a signed ERC-2612 permit from the mempool and submits it first. The second `permit` reverts because the nonce is used, and the whole transaction with it, although the allowance is in place.',
  recommendation: 'Wrap `permit` in `try/catch` and continue if the allowance is sufficient.',
  references: ['https://eips.ethereum.org/EIPS/eip-2612#security-considerations'],
  cwe: ['CWE-362'],

  needs: [holding.typedCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const op of flow.externalCalls()) {
        const owner = permittedBy(op)
        if (owner === null) continue
        const pull = incomingOf(flow).find(
          ({ op: taken, from }) => from !== null && stripCasts(from) === owner && flow.canFollow(op, taken),
        )
        if (pull !== undefined) yield { flow, op, pull: pull.op }
      }
  },
  excuses: [excuse('allowance-checked', '`permit` is called only if the allowance is too small', isAllowanceChecked)],
  finding: ({ flow, op, pull }) => ({
    at: op,
    message: `The signature that \`${flow.name}()\` passes to \`permit\` is visible in the mempool: an attacker can submit it first, so this \`permit\` reverts and the user’s call fails.`,
    trace: [...flow.trace(op), { at: pull, message: 'The allowance that the first `permit` set would suffice here.' }],
  }),
})

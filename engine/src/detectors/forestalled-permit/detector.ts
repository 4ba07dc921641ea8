import { dependsOn, guardsAt } from '../../facts/index.ts'
import { incomingOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  /** What the permit is for: it would go through with the allowance alone. */
  readonly pull: Op
}

/** ERC-2612 has seven parameters; the older form of one token has eight. */
const isPermit = ({ call, args }: CallOp): boolean =>
  call.kind === 'external' && call.name === 'permit' && (args.length === 7 || args.length === 8)

const isAllowanceAsked = ({ flow, op }: Candidate): boolean =>
  guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, ({ call }) => call?.name === 'allowance'))

export default defineDetector<Candidate>({
  id: 'forestalled-permit',
  swc: null,
  title: 'A permit that somebody else has handed in makes the call fail',
  severity: 'medium',
  confidence: 'medium',
  description:
    'Anybody who sees a signed permit can hand it in to the token themselves. It is used up then, the second `permit` reverts, and with it the whole call, although the allowance is there.',
  recommendation: 'Put `permit` into a `try` and go on if the allowance is large enough.',
  references: ['https://eips.ethereum.org/EIPS/eip-2612#security-considerations'],
  cwe: ['CWE-362'],

  needs: [holding.typedCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const op of flow.externalCalls()) {
        if (!isPermit(op) || op.call.isTried) continue
        const owner = stripCasts(op.args[0]!)
        const pull = incomingOf(flow).find(
          ({ op: taken, from }) => from !== null && stripCasts(from) === owner && flow.canFollow(op, taken),
        )
        if (pull !== undefined) yield { flow, op, pull: pull.op }
      }
  },
  excuses: [excuse('allowance-asked', 'it is called only where the allowance does not do', isAllowanceAsked)],
  finding: ({ flow, op, pull }) => ({
    at: op,
    message: 'Whoever hands this permit in before makes the call revert, again and again at little cost.',
    trace: [...flow.trace(op), { at: pull, message: 'The allowance alone would do for this.' }],
  }),
})

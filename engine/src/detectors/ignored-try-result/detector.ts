import { isProtected } from '../../facts/index.ts'
import { callsToken, isBorneByCaller, tokenCalls, witnessStep } from '../../idioms/index.ts'
import type { CallOp, Flow } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly call: CallOp
}

export default defineDetector<Candidate>({
  id: 'ignored-try-result',
  swc: 'SWC-104',
  title: 'A transfer that answers false is taken for one that worked',
  severity: 'high',
  confidence: 'medium',
  description:
    '`try token.transfer(…) {} catch {}` catches a revert and nothing else. Tokens that answer `false` instead of reverting pass as if they had paid, and what was owed is gone.',
  recommendation: 'Take the result, `returns (bool ok)`, and handle `false` like a revert.',
  references: ['https://swcregistry.io/docs/SWC-104'],
  cwe: ['CWE-252'],
  yieldsTo: ['unchecked-call-return-value'],

  needs: [callsToken],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { op, isSafe } of tokenCalls(flow)) {
        const { isTried, definition } = op.call
        const isBoolean = definition?.returns.length === 1 && definition.returns[0]!.type.kind === 'bool'
        if (!isTried || isSafe || !isBoolean) continue
        const isUsed = flow.usersOf(op).some(({ kind, operator }) => kind !== 'extract' || operator !== 'success')
        if (!isUsed) yield { flow, call: op }
      }
  },
  excuses: [
    excuse('only-roles', 'only holders of a role get here, and can repeat it', ({ flow, call }) =>
      isProtected(flow, call),
    ),
  ],
  finding: ({ flow, call }) => ({
    at: call,
    message: 'Nobody looks at the result: a token that answers false passes as if it had paid.',
    trace: [witnessStep(flow, call, 'the payment fails, and is booked as made'), ...flow.trace(call)],
    ...(isBorneByCaller(flow, call) && {
      grounds: { stake: 'none', doubts: ['the caller names the token, and nothing is booked'] },
    }),
  }),
})

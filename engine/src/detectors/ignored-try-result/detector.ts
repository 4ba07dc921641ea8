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
  title: 'Ignored return value of transfer in try/catch',
  aliases: {
    slither: ['unused-return', 'unchecked-transfer'],
    aderyn: ['unchecked-return'],
    owasp: ['SC06:2025'],
    scwe: ['SCWE-048'],
    words: ['try catch', 'transfer returns false'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    '`try token.transfer(…) {} catch {}` only catches reverts. A token that returns `false` instead of reverting looks like a success, and the payment is lost.',
  recommendation:
    'Read the result with `returns (bool ok)`, and where it is `false` revert or record the payment as still due.',
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
    excuse('only-roles', 'only privileged accounts get here and can retry', ({ flow, call }) =>
      isProtected(flow, call),
    ),
  ],
  finding: ({ flow, call }) => {
    const isRecorded = !isBorneByCaller(flow, call)
    const loss = isRecorded ? 'the recipient is recorded as paid but gets nothing' : 'the transfer fails unnoticed'
    const step = isRecorded ? 'the failed payment is recorded as made' : 'the failed transfer goes unnoticed'
    return {
      at: call,
      message: `\`${flow.name}()\` ignores the boolean that this \`try\` call returns, so with a token that returns \`false\` instead of reverting ${loss}.`,
      trace: [witnessStep(flow, call, step, 'A user'), ...flow.trace(call)],
      ...(!isRecorded && {
        factors: { impact: 'none', counterEvidence: ['the caller names the token and nothing is recorded'] },
      }),
    }
  },
})

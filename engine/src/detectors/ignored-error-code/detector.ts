import { isUntrusted, neverAnswersCode, principalAt } from '../../facts/index.ts'
import { type DroppedResult, droppedResults, isReplaceable, witnessStep } from '../../idioms/index.ts'
import { describeCall, holding } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** Anyone who is in charge of the market sees what it returns and can replace it. */
const deciderOf = ({ flow, op }: DroppedResult): 'outsider' | 'governed' => {
  const market = op.call.target
  if (market === null || (isUntrusted(flow, market, op) && principalAt(flow, op) !== 'unread')) return 'outsider'
  return isReplaceable(flow, market) ? 'governed' : 'outsider'
}

export default defineDetector<DroppedResult>({
  id: 'ignored-error-code',
  formerly: 'unchecked-call-return-value',
  swc: 'SWC-104',
  title: 'Ignored error code of a money market',
  aliases: {
    slither: ['unused-return'],
    aderyn: ['unchecked-return'],
    owasp: ['SC06:2025'],
    scwe: ['SCWE-048'],
    words: ['Compound', 'cToken', 'error code', 'ignored return value'],
  },
  severity: 'high',
  confidence: 'high',
  description:
    'Compound-style markets return an error code instead of reverting. If it is ignored, the contract records a deposit, redemption or repayment that never happened.',
  recommendation: 'Require that the returned code is 0.',
  references: ['https://swcregistry.io/docs/SWC-104', 'https://docs.compound.finance/v2/ctokens/#error-codes'],
  cwe: ['CWE-252'],

  needs: [holding.externalCall],
  candidates: (context) => droppedResults(context, 'code'),
  excuses: [
    excuse('never-fails', 'the market is a contract of the same project that reverts on failure', ({ flow, op }) =>
      neverAnswersCode(flow, op.call.definition!),
    ),
  ],
  finding(dropped) {
    const { flow, op, at } = dropped
    const call = describeCall(flow.model, op)
    return {
      at,
      cause: op,
      message: `\`${flow.name}()\` does not check the error code that \`${call}\` returns, so if the market refuses, execution continues as if it had succeeded.`,
      // What a helper ignores it ignores for every caller: it takes no transaction that starts there.
      trace: [
        { ...witnessStep(flow, op, 'the failed call is treated as successful', 'A user'), isEntry: true },
        ...flow.trace(op),
      ],
      factors: { controlledBy: deciderOf(dropped), impact: 'assets' },
    }
  },
})

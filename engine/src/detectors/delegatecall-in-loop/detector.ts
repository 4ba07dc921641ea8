import { guardsAt, isProtected, type Loop, loopAround } from '../../facts/index.ts'
import {
  isNothingPaid,
  isPaymentCounted,
  isSelf,
  lossAt,
  recordedEther,
  runsForOthers,
  witnessStep,
} from '../../idioms/index.ts'
import { type CallOp, type Flow, holding } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  readonly loop: Loop
}

/** The contract runs its own functions, and all of them are there to be read. */
const runsItself = ({ flow, op }: Candidate): boolean => {
  const { target } = op.call
  return target !== null && isSelf(target) && flow.contract?.hasUnresolvedBase === false
}

/** None of its functions compares or notes what was paid: seen twice, nothing is credited twice. What is sent on has to be there. */
const isUncounted = (candidate: Candidate): boolean =>
  runsItself(candidate) && !isPaymentCounted(candidate.flow.contractFlow)

/** None of them asks what was paid, nor hands over to code that may; a derived contract that is not here might. */
const isUnread = (candidate: Candidate): boolean => {
  const { contract, contractFlow } = candidate.flow
  return runsItself(candidate) && contract?.contractKind !== 'abstract' && contractFlow.flows.every(ignoresPayment)
}

const ignoresPayment = (flow: Flow): boolean =>
  !flow.usesEnvironment('msg.value') &&
  !flow.ops('call').some(({ call }) => call.kind === 'delegate' && !(call.target !== null && isSelf(call.target)))

export default defineDetector<Candidate>({
  id: 'delegatecall-in-loop',
  swc: null,
  title: 'Payable function uses delegatecall in a loop',
  aliases: {
    slither: ['delegatecall-loop'],
    aderyn: ['delegatecall-in-loop'],
    owasp: ['SC03:2025'],
    words: ['multicall msg.value', 'batch payable'],
  },
  severity: 'high',
  confidence: 'high',
  description:
    '`delegatecall` preserves `msg.value`. In a payable function that delegates in a loop, each iteration sees the same payment, so one payment is credited many times.',
  recommendation: 'Make batch functions non-payable, or reject functions that use `msg.value` inside a batch.',
  references: [
    'https://github.com/crytic/slither/wiki/Detector-Documentation#payable-functions-using-delegatecall-inside-a-loop',
  ],
  cwe: ['CWE-837'],
  yieldsTo: ['delegatecall-to-untrusted-callee'],

  needs: [holding.delegateCall, holding.loop],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const op of flow.ops('call')) {
        const loop = op.call.kind === 'delegate' ? loopAround(flow, op) : null
        if (loop) yield { flow, op, loop }
      }
  },

  excuses: [
    runsForOthers,
    excuse('not-payable', 'the function is not payable', ({ flow }) => !flow.isPayable),
    excuse('protected', 'only privileged accounts can call it', ({ flow, op }) => isProtected(flow, op)),
    excuse('msg-value-must-be-zero', 'it continues only if `msg.value` is zero', ({ flow, op }) =>
      guardsAt(flow, op).some(isNothingPaid),
    ),
    excuse('msg-value-not-read', 'it runs functions of this contract, none of which reads `msg.value`', isUnread),
  ],

  finding: ({ flow, op, loop }) => ({
    at: op,
    message: `Every call of this loop in \`${flow.name}()\` sees the same \`msg.value\`, so a function that credits \`msg.value\` can credit one payment several times.`,
    trace: [
      witnessStep(flow, op, 'has one payment credited once per call in the batch'),
      { at: loop, message: 'The loop starts here.' },
    ],
    factors: {
      loss: runsItself({ flow, op, loop }) ? lossAt(flow, op, recordedEther(flow)) : undefined,
      ...(isUncounted({ flow, op, loop })
        ? { impact: 'none' as const, counterEvidence: ['no function here reads `msg.value`'] }
        : {}),
    },
  }),
})

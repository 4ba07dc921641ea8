import { encodedCallOf, guardsAt, isProtected, keepsNothing, type Loop, loopAround } from '../../facts/index.ts'
import {
  isNothingPaid,
  isPaymentCounted,
  isSelf,
  lossAt,
  recordedEther,
  runsForOthers,
  witnessStep,
} from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  readonly loop: Loop
}

/** The contract runs its own functions, and all of them are there to be read. */
const runsItself = ({ flow, op }: Candidate): boolean => {
  const { target } = op.call
  return target !== null && isOwnCode(flow, target) && flow.contract?.hasUnresolvedBase === false
}

/** Its own address, also as an immutable that it was put into. */
const isOwnCode = ({ contractFlow }: Flow, target: Op): boolean => {
  const { kind, location } = stripCasts(target)
  const kept = kind === 'load' && location.variable?.isImmutable ? contractFlow.writersOf(location.variable) : []
  return isSelf(target) || (kept.length > 0 && kept.every(({ op }) => isSelf(stripCasts(op.args[0]))))
}

/** Those of its functions that the data names, or any where they come with the call. */
const delegatedTo = ({ flow, op }: Candidate): readonly Flow[] => {
  const { entryPoints, flows } = flow.contractFlow
  const called = encodedCallOf(op.args[0])
  return called === null ? flows : entryPoints.filter(({ name }) => name === called.name)
}

/** Nothing is written down, or none of its functions compares or notes what was paid: seen twice, nothing is credited twice. What is sent on has to be there. */
const isUncounted = (candidate: Candidate): boolean => {
  const { contractFlow } = candidate.flow
  return runsItself(candidate) && (!isPaymentCounted(contractFlow) || keepsNothing(contractFlow))
}

/** None of them asks what was paid, nor hands over to code that may, or it always reverts; a derived contract that is not here might. */
const isUnread = (candidate: Candidate): boolean => {
  const called = delegatedTo(candidate)
  const isHarmless = (flow: Flow): boolean => flow.ir.exits.length === 0 || ignoresPayment(flow)
  return (
    runsItself(candidate) &&
    candidate.flow.contract?.contractKind !== 'abstract' &&
    called.length > 0 &&
    called.every(isHarmless)
  )
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
    excuse(
      'msg-value-not-read',
      'the functions of this contract that it runs do not read `msg.value`, or always revert',
      isUnread,
    ),
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
        ? { impact: 'none' as const, counterEvidence: ['no function here credits `msg.value`'] }
        : {}),
    },
  }),
})

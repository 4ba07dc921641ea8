import { dependsOn, guardsAt, runsOnce } from '../../facts/index.ts'
import { callsToken, tokenCalls } from '../../idioms/index.ts'
import { type CallOp, describeValue, type Flow, isBefore, isZero, type Op, sameValueOrPlace } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  readonly spender: Op
}

/** The allowance was set back to nothing on every path here. */
const isClearedBefore = ({ flow, op, spender }: Candidate): boolean =>
  tokenCalls(flow).some(
    (other) =>
      other.name === 'approve' &&
      isZero(other.amount) &&
      isBefore(other.op, op) &&
      sameValueOrPlace(other.to, spender) &&
      flow.dominates(other.op, op),
  )

const isAllowanceQuery = (op: Op): boolean => op.kind === 'call' && op.call.name === 'allowance'

/** Runs in the body of the call. */
const isWithin = ({ site }: Op, call: Op): boolean => {
  for (let at = site; at !== null; at = at.parent) if (at.call === call) return true
  return false
}

/** A function of that name which is given here and does not look at the allowance, such as Uniswap's `TransferHelper`, replaces it. */
const isPlainApproval = (flow: Flow, op: CallOp): boolean =>
  op.call.inlined &&
  op.call.definition?.isStub === false &&
  !flow.ops('call').some((query) => isAllowanceQuery(query) && isWithin(query, op))

const forSpender = (flow: Flow, spender: Op): string => {
  const name = describeValue(flow.model, spender)
  return name === '…' ? '' : ` for \`${name}\``
}

export default defineDetector<Candidate>({
  id: 'safe-approve',
  swc: null,
  title: 'safeApprove reverts on nonzero allowance',
  aliases: {
    aderyn: ['deprecated-oz-function'],
    owasp: ['SC10:2025'],
    words: ['safeApprove', 'forceApprove', 'nonzero allowance'],
  },
  severity: 'low',
  confidence: 'medium',
  description:
    '`safeApprove` reverts if both the old and the new allowance are nonzero. If the spender ever uses less than approved, every later call reverts and funds are locked.',
  recommendation: 'Use `forceApprove` or `safeIncreaseAllowance`, or set the allowance to zero first.',
  references: ['https://docs.openzeppelin.com/contracts/4.x/api/token/erc20#SafeERC20'],
  cwe: ['CWE-703'],

  needs: [callsToken],
  *candidates({ functions }) {
    for (const flow of functions) {
      if (flow.isConstructor) continue
      for (const { op, to, amount } of tokenCalls(flow))
        if (op.call.name === 'safeApprove' && !isZero(amount)) yield { flow, op, spender: to }
    }
  },
  excuses: [
    excuse('plain-approval', 'the function called sets the allowance without looking at the old one', ({ flow, op }) =>
      isPlainApproval(flow, op),
    ),
    excuse('cleared-before', 'the allowance is set to zero on the path', isClearedBefore),
    excuse('allowance-checked', 'the current allowance decides whether it runs', ({ flow, op }) =>
      guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isAllowanceQuery)),
    ),
    excuse('runs-once', 'it runs once, when nothing was approved yet', ({ flow, op }) => runsOnce(flow, op)),
  ],
  finding: ({ flow, op, spender }) => ({
    at: op,
    message: `If any earlier allowance${forSpender(flow, spender)} is left unspent, \`safeApprove()\` reverts, and with it every later call of \`${flow.name}()\` for this token, so the tokens it should move are locked.`,
    trace: flow.trace(op),
  }),
})

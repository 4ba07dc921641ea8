import { dependsOn, guardsAt, isSender, isUntrusted, senderGuardsAt } from '../../facts/index.ts'
import { tokenCallOf } from '../../idioms/index.ts'
import { type Flow, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
}

/** Functions that a lender or an exchange calls back: anybody else can call them too. */
const callbacks = new Set([
  'executeOperation',
  'onFlashLoan',
  'receiveFlashLoan',
  'callFunction',
  'uniswapV2Call',
  'pancakeCall',
  'uniswapV3SwapCallback',
  'uniswapV3MintCallback',
  'uniswapV3FlashCallback',
  'pancakeV3SwapCallback',
  'algebraSwapCallback',
  'unlockCallback',
  'lockAcquired',
  'SwapCallback',
])

/** What somebody who is not the lender would like to have done: tokens handed out or approved, foreign code run. */
const isDeed = (flow: Flow, op: Op): boolean => {
  const info = op.call!
  const token = tokenCallOf(op)
  if (token !== null) return token.from === null || !isSender(token.from)
  if (info.kind === 'delegate') return true
  return (
    (info.kind === 'lowlevel' || info.kind === 'external') &&
    info.target !== null &&
    isUntrusted(flow, info.target, op) &&
    !info.isStatic
  )
}

/** `require(initiator == address(this))`: the lender passes on who asked for the loan, but so does any pretender. */
const isPlaceAskedAbout = (flow: Flow, op: Op): boolean =>
  guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, (part) => isSender(part), { keys: true }))

export default defineDetector<Candidate>({
  id: 'unauthenticated-callback',
  swc: null,
  title: 'Callback that anyone can call',
  severity: 'high',
  confidence: 'medium',
  description:
    'A function meant to be called back by a lender or an exchange does not ask who calls it. Anybody calls it with arguments of their own and has the contract pay, approve or call as if a trade or a loan were under way.',
  recommendation:
    'Compare `msg.sender` with the lender or the pool that this contract called, and check that such a call is under way.',
  references: ['https://docs.uniswap.org/contracts/v3/guides/flash-integrations/flash-callback'],
  cwe: ['CWE-862'],
  yieldsTo: ['unprotected-ether-withdrawal', 'unprotected-token-withdrawal', 'arbitrary-transfer-from'],

  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      if (flow.fn !== null && callbacks.has(flow.fn.name))
        for (const op of flow.ops('call')) if (isDeed(flow, op)) yield { flow, op }
  },
  excuses: [
    excuse(
      'knows-the-caller',
      'the sender is compared with the one who is expected',
      ({ flow, op }) => senderGuardsAt(flow, op).length > 0 || isPlaceAskedAbout(flow, op),
    ),
  ],
  finding: ({ flow, op }) => ({
    at: stripCasts(op),
    message: `Anyone can call \`${flow.name}\` and have this done with arguments of their own.`,
    trace: flow.trace(op),
  }),
})

import { guardsAt, type Loop, loopAround } from '../../facts/index.ts'
import { runsForOthers, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly loop: Loop
}

/** `msg.value == 0`, also as what remains when more was refused. */
const isNothingPaid = (condition: Op, polarity: boolean): boolean => {
  if (condition.kind !== 'bin') return false
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const isPaid = (side: Op): boolean => side.kind === 'env' && side.operator === 'msg.value'
  const isZero = (side: Op): boolean => side.kind === 'const' && side.constant === 0n
  if (condition.operator === (polarity ? '==' : '!='))
    return (isPaid(left) && isZero(right)) || (isZero(left) && isPaid(right))
  return !polarity && condition.operator === '>' && isPaid(left) && isZero(right)
}

export default defineDetector<Candidate>({
  id: 'delegatecall-in-loop',
  swc: null,
  title: 'Payable function delegates in a loop',
  severity: 'high',
  confidence: 'high',
  description:
    'A `delegatecall` keeps `msg.value`. In a payable function that delegates in a loop, one payment counts in every round, so a batch of purchases costs the price of one.',
  recommendation: 'Make batch functions non-payable, or refuse functions that use `msg.value` inside a batch.',
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
    excuse('not-payable', 'the function takes no ether', ({ flow }) => !flow.isPayable),
    excuse('nothing-paid', 'it goes on only when nothing was paid', ({ flow, op }) =>
      guardsAt(flow, op).some(({ condition, polarity }) => isNothingPaid(condition, polarity)),
    ),
  ],

  finding: ({ flow, op, loop }) => ({
    at: op,
    message: 'Each round runs code that sees the same `msg.value`, though it was paid once.',
    trace: [
      witnessStep(flow, op, 'what was paid once is credited to them once for each round'),
      { at: loop, message: 'The loop.' },
    ],
  }),
})

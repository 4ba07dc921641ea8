import { dependsOn } from '../../facts/index.ts'
import { etherOfUsers, isMessageValue, recordedEther, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, isZero, type LoopMark, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly mark: LoopMark
  /** What happens to the whole of `msg.value`, in words. */
  readonly what: Use
}

type Use = 'sent' | 'credited' | 'checked'

const outcomes: Readonly<Record<Use, readonly [harm: string, act: string]>> = {
  sent: ['a caller who pays once spends ETH of other users from the second iteration on', 'spends ETH of the contract'],
  credited: ['a caller who pays once is credited once per iteration', 'has one payment credited once per iteration'],
  checked: ['a caller pays for one item and gets all of them', 'pays once for all iterations'],
}

const isValue = (value: Op | null): boolean => value !== null && isMessageValue(stripCasts(value))

/** What the operation does with the whole of `msg.value`, in words. */
const misuse = (flow: Flow, op: Op): Use | null => {
  if (op.kind === 'call' && isValue(op.call.value)) return 'sent'
  if (op.kind === 'store' && op.location.space !== 'memory' && isValue(op.args[0])) return 'credited'
  if (op.kind !== 'bin' || !op.args.some(isValue)) return null
  const isStored = flow.usersOf(op).some((user) => user.kind === 'store' && user.location.space !== 'memory')
  if (op.operator === '+' && isStored) return 'credited'
  return ['==', '!=', '<', '<=', '>', '>='].includes(op.operator) ? 'checked' : null
}

/** What `msg.value` is compared with. */
const weight = ({ op, what }: Candidate): Op | undefined =>
  what === 'checked' ? op.args.find((arg) => !isValue(arg)) : undefined

/** What is sent is sent again: of other users' ether, of ether that nobody has written down, or of none. */
const severityOf = ({ flow, what }: Candidate): 'high' | 'medium' | 'low' => {
  const isSent =
    what === 'sent' || (what === 'checked' && flow.externalCalls().some(({ call }) => isPassedOn(call.value)))
  if (!isSent || flow.kind === 'internal' || recordedEther(flow) !== null) return 'high'
  return etherOfUsers(flow) === null ? 'low' : 'medium'
}

const isPassedOn = (value: Op | null): boolean => value !== null && !isZero(value)

export default defineDetector<Candidate>({
  id: 'msg-value-in-loop',
  swc: null,
  title: 'msg.value in a loop',
  aliases: {
    slither: ['msg-value-loop'],
    aderyn: ['msg-value-in-loop'],
    owasp: ['SC03:2025'],
    words: ['payable multicall', 'reused msg.value'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    '`msg.value` stays the same during the call. In a loop every iteration sees the full amount, so one payment is credited, checked or sent many times.',
  recommendation:
    'Track the remaining amount in a local variable and subtract in each iteration, or require the sum before the loop.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#msgvalue-inside-a-loop'],
  cwe: ['CWE-837'],

  needs: [holding.loop],
  *candidates({ functions }) {
    for (const flow of functions) {
      if (!flow.isPayable && flow.kind !== 'internal') continue
      for (const mark of flow.ir.loops)
        for (const op of flow.bodyOf(mark)) {
          const what = op.block === mark.test && op.kind === 'bin' ? null : misuse(flow, op)
          if (what !== null) yield { flow, op, mark, what }
        }
    }
  },

  excuses: [
    excuse('against-nothing', 'it only checks whether anything was paid', (candidate) => {
      const other = weight(candidate)
      return other !== undefined && isZero(other)
    }),
    excuse('against-a-sum', 'it is checked against a running sum', (candidate) => {
      const { flow, mark } = candidate
      const other = weight(candidate)
      if (other === undefined) return false
      return dependsOn(flow, other, (op) => op.kind === 'phi' && op.block === mark.header && op.args.length > 1)
    }),
  ],

  finding: (candidate) => {
    const { flow, op, mark, what } = candidate
    const severity = severityOf(candidate)
    const isDry = severity === 'low'
    const [harm, act] = isDry ? ['a second payment reverts for lack of ETH', 'pays once for two sends'] : outcomes[what]
    return {
      at: op,
      severity,
      message: `\`${flow.name}()\` has the same \`msg.value\` ${what} again in every iteration of this loop, so ${harm}.`,
      trace: [
        witnessStep(flow, op, act),
        { at: { start: mark.start, end: mark.end }, message: 'The loop starts here.' },
      ],
    }
  },
})

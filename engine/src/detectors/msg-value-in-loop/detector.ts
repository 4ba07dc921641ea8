import { dependsOn } from '../../facts/index.ts'
import { isMessageValue, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, isZero, type LoopMark, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly mark: LoopMark
  /** What happens to the whole of `msg.value`, in words. */
  readonly what: string
}

const isValue = (value: Op | null): boolean => value !== null && isMessageValue(stripCasts(value))

/** What the operation does with the whole of `msg.value`, in words. */
const misuse = (flow: Flow, op: Op): string | null => {
  if (op.kind === 'call' && isValue(op.call.value)) return 'is sent'
  if (op.kind === 'store' && op.location.space !== 'memory' && isValue(op.args[0])) return 'is credited'
  if (op.kind !== 'bin' || !op.args.some(isValue)) return null
  const isStored = flow.usersOf(op).some((user) => user.kind === 'store' && user.location.space !== 'memory')
  if (op.operator === '+' && isStored) return 'is credited'
  return ['==', '!=', '<', '<=', '>', '>='].includes(op.operator) ? 'is tested' : null
}

/** What `msg.value` is compared with. */
const weight = ({ op, what }: Candidate): Op | undefined =>
  what === 'is tested' ? op.args.find((arg) => !isValue(arg)) : undefined

export default defineDetector<Candidate>({
  id: 'msg-value-in-loop',
  swc: null,
  title: '`msg.value` is spent in every round of a loop',
  severity: 'high',
  confidence: 'medium',
  description:
    '`msg.value` does not shrink when it is used. In a loop each round sees the full amount, so one payment is credited, tested or sent many times.',
  recommendation:
    'Keep the rest in a local variable and subtract from it in every round, or demand the sum before the loop.',
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
    excuse('against-nothing', 'it is only asked whether anything was paid', (candidate) => {
      const other = weight(candidate)
      return other !== undefined && isZero(other)
    }),
    excuse('against-a-sum', 'it is tested against a sum over the rounds so far', (candidate) => {
      const { flow, mark } = candidate
      const other = weight(candidate)
      if (other === undefined) return false
      return dependsOn(flow, other, (op) => op.kind === 'phi' && op.block === mark.header && op.args.length > 1)
    }),
  ],

  finding: ({ flow, op, mark, what }) => ({
    at: op,
    message: `The same \`msg.value\` ${what} again in every round of this loop, though it was paid once.`,
    trace: [
      witnessStep(flow, op, 'what they pay once counts once for each round, at the cost of what others paid in'),
      { at: { start: mark.start, end: mark.end }, message: 'The loop.' },
    ],
  }),
})

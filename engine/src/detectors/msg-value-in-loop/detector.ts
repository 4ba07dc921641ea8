import { dependsOn } from '../../facts/index.ts'
import { type Flow, type LoopMark, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const isValue = (value: Op | null): boolean => {
  if (value === null) return false
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'msg.value'
}

/** A sum over the rounds so far: comparing with it is the right way. */
const growsWithRounds = (flow: Flow, value: Op, mark: LoopMark): boolean =>
  dependsOn(flow, value, (op) => op.kind === 'phi' && op.block === mark.header && op.args.length > 1)

/** What the operation does with the whole of `msg.value`, in words; null when it is harmless. */
const misuse = (flow: Flow, op: Op, mark: LoopMark): string | null => {
  if (op.kind === 'call' && isValue(op.call!.value)) return 'is sent'
  if (op.kind === 'store' && op.location!.space !== 'memory' && isValue(op.args[0]!)) return 'is credited'
  if (op.kind !== 'bin' || !op.args.some(isValue)) return null
  const other = op.args.find((arg) => !isValue(arg))
  if (!other) return null
  if (
    op.operator === '+' &&
    flow.usersOf(op).some((user) => user.kind === 'store' && user.location!.space !== 'memory')
  )
    return 'is credited'
  const isTest = ['==', '!=', '<', '<=', '>', '>='].includes(op.operator)
  if (isTest && stripCasts(other).kind !== 'const' && !growsWithRounds(flow, other, mark)) return 'is tested'
  return null
}

const findMisuses = (flow: Flow, mark: LoopMark, hits: Hit[]): void => {
  for (const op of flow.bodyOf(mark)) {
    if (op.block === mark.test && op.kind === 'bin') continue
    const what = misuse(flow, op, mark)
    if (what === null) continue
    hits.push({
      at: op,
      message: `The same \`msg.value\` ${what} again in every round of this loop, though it was paid once.`,
      trace: [{ at: { start: mark.start, end: mark.end }, message: 'The loop.' }],
    })
  }
}

export default defineDetector({
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

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.functions) {
      if (flow.ir.loops.length === 0 || (!flow.isPayable && flow.kind !== 'internal')) continue
      for (const mark of flow.ir.loops) findMisuses(flow, mark, hits)
    }
    return oncePerPlace(hits)
  },
})

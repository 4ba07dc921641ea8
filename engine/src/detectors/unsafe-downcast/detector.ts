import { chosenByCaller, comparisonsOf, dependsOn, intervalOf, rangeOf, Source, taintOf } from '../../facts/index.ts'
import { type Context, type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import type { IntType, Type } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const asInt = (type: Type | null): IntType | null => (type?.kind === 'int' ? type : null)

/** Times fit into 40 bits until long after us; hashes are cut on purpose. */
const isCutOnPurpose = (flow: Flow, value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'builtin' || op.kind === 'env') return true
  if (op.kind === 'bin' && ['>>', '&', '%', '^', '|'].includes(op.operator)) return true
  return dependsOn(flow, op, (part) => part.kind === 'builtin' && part.operator.startsWith('keccak'))
}

/** The cut value is kept or decides about money. */
const isKept = (flow: Flow, cast: Op): boolean => {
  const work = [cast]
  const seen = new Set<Op>()
  while (work.length > 0 && seen.size < 50) {
    const op = work.pop()!
    if (seen.has(op)) continue
    seen.add(op)
    for (const user of flow.usersOf(op)) {
      if (user.kind === 'store' && user.location!.space !== 'memory') return true
      if (user.kind === 'call' && !user.call!.inlined) return true
      if (['bin', 'cast', 'phi', 'select'].includes(user.kind)) work.push(user)
    }
  }
  return false
}

/** Somebody compares the cut value with the whole one, or the whole one with the largest that fits. */
const isVerified = (flow: Flow, cast: Op): boolean => {
  const whole = stripCasts(cast.args[0]!)
  return comparisonsOf(flow, whole).some(({ args }) =>
    args.every((arg) => stripCasts(arg) === whole || stripCasts(arg).kind === 'const'),
  )
}

const findCasts = ({ entryPoints }: Context): Hit[] => {
  const hits: Hit[] = []
  for (const flow of entryPoints) for (const op of flow.ops('cast')) addCut(flow, op, hits)
  return hits
}

const addCut = (flow: Flow, op: Op, hits: Hit[]): void => {
  if (!(flow.writtenIn(op)?.file.versions.isAtLeast(8) ?? false)) return
  const value = op.args[0]
  const to = asInt(flow.typeOf(op))
  const from = value && to !== null ? asInt(flow.typeOf(value)) : null
  if (!value || !to || !from || to.bits >= from.bits) return
  const taint = taintOf(flow, value)
  if ((taint & chosenByCaller) === 0 || (taint & Source.time) !== 0 || isCutOnPurpose(flow, value)) return
  const bounds = intervalOf(flow, value, op)
  const range = rangeOf(to)
  if (bounds && bounds.min >= range.min && bounds.max <= range.max) return
  if (!isKept(flow, op) || isVerified(flow, op)) return
  hits.push({
    at: op,
    message: `A value of ${from.bits} bits that the caller influences is cut to ${to.bits} bits without a test.`,
    trace: flow.trace(op),
  })
}

export default defineDetector({
  id: 'unsafe-downcast',
  swc: null,
  title: 'Number is cut to a smaller type without a test',
  severity: 'low',
  confidence: 'medium',
  description:
    'Conversions to a smaller integer type drop the upper bits silently, also from Solidity 0.8 on. A large amount becomes a small one, and the books no longer agree with what moved.',
  recommendation: 'Use `SafeCast`, or require that the value fits before converting it.',
  references: ['https://docs.openzeppelin.com/contracts/5.x/api/utils#SafeCast'],
  cwe: ['CWE-197'],
  yieldsTo: ['integer-overflow'],

  run: (context) => oncePerPlace(findCasts(context)),
})

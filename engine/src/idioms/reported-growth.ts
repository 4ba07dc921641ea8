/** Growth of a running total that another contract reports: by what it is now more than when it was last noted. */
import { contentOf, dependsOn, valuesFor } from '../facts/index.ts'
import {
  type BinaryOp,
  type CallOp,
  type ContractFlow,
  type Flow,
  type Location,
  type Op,
  stripCasts,
} from '../ir/index.ts'
import { keysOf } from './entries.ts'

/** It counts with such growth, or with records that nothing else raises. */
export const restsOnReportedGrowth = (flow: Flow, op: BinaryOp): boolean =>
  dependsOn(flow, op, (part) => isReportedGrowth(flow, part)) ||
  op.args
    .map(stripCasts)
    .some(
      (part) =>
        part.kind === 'load' &&
        part.location.space === 'state' &&
        keysOf(part.location).length > 0 &&
        flow.contractFlow.answerAt(part.location, isRaisedByGrowth),
    )

const isRaisedByGrowth = (contractFlow: ContractFlow, place: Location): boolean => {
  const raises = contractFlow.writersTo(place).filter(({ flow, op }) => flow.isEntryPoint && !op.flag)
  return (
    raises.length > 0 &&
    raises.every(({ flow, op }) => dependsOn(flow, op.args[0], (part) => isReportedGrowth(flow, part)))
  )
}

/** `pool.total() - stakes[id].total`, where nothing but earlier answers of `total()` was noted. */
const isReportedGrowth = (flow: Flow, value: Op): boolean => {
  if (value.kind !== 'bin' || value.operator !== '-') return false
  const [now, before] = value.args.map(stripCasts) as [Op, Op]
  const report = reportIn(now)
  if (report === null || before.kind !== 'load') return false
  const places = before.location.space === 'state' ? [before.location] : contentOf(flow, before.location)?.copies
  return places?.some((place) => flow.contractFlow.answerAt(place, reportsNotedAt).has(report.call.name)) ?? false
}

const reportIn = (value: Op): CallOp | null => {
  const op = stripCasts(value)
  const call = op.kind === 'extract' ? op.args[0] : op
  return call.kind === 'call' && call.call.kind === 'external' && call.call.isStatic ? call : null
}

/** The function whose answers alone are noted there, by name; empty where anything else is. */
const reportsNotedAt = (contractFlow: ContractFlow, place: Location): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const { flow, op } of contractFlow.writersTo(place)) {
    if (op.flag) continue
    for (const value of valuesFor(flow, op, place) ?? [op.args[0]]) names.add(reportIn(value)?.call.name ?? '')
  }
  return names.size === 1 && !names.has('') ? names : none
}

const none: ReadonlySet<string> = new Set()

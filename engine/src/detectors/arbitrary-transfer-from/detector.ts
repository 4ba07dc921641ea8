import { dependsOn, guardsAt, isSender, Source, senderGuardsAt, taintOf } from '../../facts/index.ts'
import { isSelf, tokenCalls } from '../../idioms/index.ts'
import { type Flow, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const isLowLevel = (condition: Op): boolean => {
  const op = stripCasts(condition)
  return (op.kind === 'extract' ? op.args[0]! : op).call?.kind === 'lowlevel'
}

/** Something on the way ties the two together: an allowance, an approval, a signature, an equality. */
const isTiedToCaller = (flow: Flow, from: Op, call: Op): boolean => {
  const isFrom = (op: Op): boolean => stripCasts(op) === from
  const concerns = (value: Op): boolean => dependsOn(flow, value, isFrom, { keys: true })
  const isOutcome = (condition: Op): boolean =>
    stripCasts(condition).kind === 'extract' || stripCasts(condition).kind === 'call'
  // That a low-level call went through proves nothing: what a contract does not know it may swallow.
  if (
    guardsAt(flow, call).some(
      ({ condition }) => !(isOutcome(condition) && isLowLevel(condition)) && concerns(condition),
    )
  )
    return true
  const places = [...flow.stateStores(), ...flow.stateLoads()]
  return places.some(({ location }) => {
    let sender = false
    let owner = false
    for (let at = location; at !== null; at = at.parent) {
      if (at.index === null) continue
      sender ||= isSender(at.index)
      owner ||= isFrom(at.index)
    }
    return owner && (sender || location!.depth === 1)
  })
}

export default defineDetector({
  id: 'arbitrary-transfer-from',
  swc: null,
  title: 'Anyone can move tokens that others have approved',
  severity: 'high',
  confidence: 'medium',
  description:
    'The caller chooses whose tokens `transferFrom` takes. Everybody who has approved this contract can be robbed by a stranger who names them as the source.',
  recommendation:
    'Take tokens from `msg.sender` only, or demand an allowance or a signature of the owner for this caller before moving them.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#arbitrary-from-in-transferfrom'],
  cwe: ['CWE-862'],
  yieldsTo: ['unprotected-ether-withdrawal'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints) {
      for (const { op, from: owner, to } of tokenCalls(flow)) {
        if (owner === null || (op.call!.target !== null && isSelf(op.call!.target))) continue
        const from = stripCasts(owner)
        const isChosen = from.kind === 'param' || (from.kind === 'load' && (taintOf(flow, from) & Source.param) !== 0)
        if (!isChosen || isSender(from) || isSelf(from) || stripCasts(to) === from) continue
        if (senderGuardsAt(flow, op).length > 0 || isTiedToCaller(flow, from, op)) continue
        hits.push({
          at: op,
          message: `The caller of \`${flow.name}\` chooses whose tokens are taken here.`,
          trace: flow.trace(op),
        })
      }
    }
    return hits
  },
})

import { isProtected, writesState } from '../../facts/index.ts'
import { type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly call: Op
  readonly test: Op
}

/** The list, in memory, that a loop's end is the length of. */
const answeredList = (value: Op): Op | null => {
  const end = stripCasts(value)
  if (end.kind !== 'load' || end.location.part !== 'length' || end.location.space !== 'memory') return null
  const list = end.location.base === null ? null : stripCasts(end.location.base)
  const call = list?.kind === 'extract' ? stripCasts(list.args[0]) : list
  return call?.kind === 'call' && call.call.kind === 'external' ? call : null
}

export default defineDetector<Candidate>({
  id: 'answer-bounds-loop',
  swc: 'SWC-128',
  title: 'Loop over a list that another contract keeps',
  severity: 'low',
  confidence: 'low',
  description:
    'A transaction goes through a list that another contract answers with. Whoever can make that list long makes the loop cost more gas than a block has, and what stands behind it is out of reach.',
  recommendation:
    'Let callers say which part of the list to go through, or keep a running total there instead of a list.',
  references: ['https://swcregistry.io/docs/SWC-128'],
  cwe: ['CWE-400'],
  yieldsTo: ['dos-block-gas-limit', 'unexpected-gas-usage'],

  needs: [holding.loop],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (!writesState(flow)) continue
      for (const { test } of flow.ir.loops) {
        const condition = test === -1 ? null : flow.blocks[test]!.condition
        if (condition?.kind !== 'bin') continue
        const call = condition.args.map(answeredList).find((each) => each !== null)
        if (call) yield { flow, call, test: condition }
      }
    }
  },
  excuses: [excuse('only-roles', 'only holders of a role need it', ({ flow, test }) => isProtected(flow, test))],
  finding: ({ flow, call, test }) => ({
    at: test,
    message: 'How often this runs is decided by a list in another contract.',
    trace: [{ at: { start: call.start, end: call.end }, message: 'The list is asked for here.' }, ...flow.trace(test)],
  }),
})

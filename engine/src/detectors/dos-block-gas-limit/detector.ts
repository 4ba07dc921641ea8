import { grownBy, loopsOf } from '../../facts/index.ts'
import type { Flow, Op } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

export default defineDetector({
  id: 'dos-block-gas-limit',
  swc: 'SWC-128',
  title: 'Outsiders can grow a loop past the gas limit',
  severity: 'low',
  confidence: 'medium',
  description:
    'The work of this function grows with a list that anybody can lengthen. Once it needs more gas than a block holds, the function can never run again.',
  recommendation:
    'Bound the list, process it in pages whose size the caller chooses, or let each member act for itself.',
  references: [
    'https://swcregistry.io/docs/SWC-128',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#gas-limit-and-loops',
  ],
  cwe: ['CWE-400'],

  run({ functions }) {
    const hits: Hit[] = []
    const seen = new Set<number>()
    for (const flow of functions) {
      if (flow.isConstructor) continue
      for (const loop of loopsOf(flow)) {
        if (loop.grownBy !== 'anyone' || seen.has(loop.start)) continue
        seen.add(loop.start)
        hits.push({
          at: { start: loop.start, end: headEnd(flow, loop.start, loop.condition) },
          message: `This loop runs over \`${loop.variable?.name ?? 'a list'}\`, which anybody can make longer.`,
        })
      }
      for (const store of clearedLists(flow)) {
        if (seen.has(store.start)) continue
        seen.add(store.start)
        hits.push({
          at: { start: store.start, end: store.end },
          message: `Clearing \`${store.location!.variable!.name}\` costs gas for every element, and anybody can add elements.`,
        })
      }
    }
    return hits
  },
})

/** The head of the loop stands for the whole: a finding over a long body would say little. */
const headEnd = (flow: Flow, start: number, condition: Op | null): number => {
  const end = condition === null ? start + 3 : condition.end
  return end > start && flow.model.fileAt(start) === flow.model.fileAt(end) ? end : start + 3
}

/** `delete list` and `list = new T[](0)` write every element to zero. */
const clearedLists = (flow: Flow): Op[] =>
  flow.stateStores().filter((store) => {
    const variable = store.location!.variable
    if (variable === null || store.location!.part !== 'root') return false
    const type = variable.type
    if (type.kind !== 'array' || type.length !== null) return false
    const value = store.args[0]!
    const clears = store.flag || (value.kind === 'make' && value.operator === 'new')
    return clears && grownBy(flow.whole, variable, true, '.length', clearable) === 'anyone'
  })

/** So many elements that clearing them, some 5,000 gas each, still takes a small part of a block. */
const clearable = 512n

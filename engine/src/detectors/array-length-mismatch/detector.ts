import { loopsOf } from '../../facts/index.ts'
import { type Context, type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** The array parameter whose length a value is. */
const lengthOf = (value: Op): Op | null => {
  const op = stripCasts(value)
  if (op.kind !== 'load' || op.location!.part !== 'length') return null
  const base = op.location!.base ?? op.location!.parent?.base ?? null
  return base?.kind === 'param' ? base : null
}

/** Array parameters that are read by index inside the loop. */
const indexedIn = (flow: Flow, header: number, last: number): Set<Op> => {
  const found = new Set<Op>()
  for (const op of flow.ops('load')) {
    if (op.block < header || op.block > last || op.location!.part !== 'index') continue
    let root = op.location!
    while (root.parent !== null) root = root.parent
    if (root.base?.kind === 'param') found.add(root.base)
  }
  return found
}

/** Some condition speaks of this array's length. */
const isMeasured = (flow: Flow, array: Op, loopTest: Op): boolean =>
  flow.ops('bin').some((op) => op !== loopTest && op.args.some((arg) => lengthOf(arg) === array))

const findLoops = ({ entryPoints }: Context): Hit[] => {
  const hits: Hit[] = []
  for (const flow of entryPoints) {
    // Two arrays at least, or there is nothing to compare.
    if (flow.ir.loops.length === 0 || flow.params.length < 2) continue
    for (const { bound, condition, mark } of loopsOf(flow)) {
      const driver = bound ? lengthOf(bound) : null
      if (!driver || !condition) continue
      const others = [...indexedIn(flow, mark.header, mark.last)].filter((array) => array !== driver)
      const loose = others.find((array) => !isMeasured(flow, array, condition) && !isMeasured(flow, driver, condition))
      if (!loose) continue
      if (flow.stateStores().length === 0 && flow.externalCalls().length === 0) continue
      hits.push({
        at: condition,
        message: `\`${loose.operator}\` is read along with \`${driver.operator}\`, and nobody looks whether they are equally long: what is too much is silently left out.`,
      })
    }
  }
  return hits
}

export default defineDetector({
  id: 'array-length-mismatch',
  swc: null,
  title: 'Two lists are read together without comparing their lengths',
  severity: 'info',
  confidence: 'medium',
  description:
    'A loop runs over one list and reads another by the same index. If the other is longer, its rest is dropped without a word, and a batch does less than its sender believes.',
  recommendation: 'Require that the lengths are equal before the loop.',
  references: ['https://docs.soliditylang.org/en/latest/types.html#arrays'],
  cwe: ['CWE-130'],

  run: (context) => oncePerPlace(findLoops(context)),
})

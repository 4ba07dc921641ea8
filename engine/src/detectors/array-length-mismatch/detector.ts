import { loopsOf } from '../../facts/index.ts'
import { type Flow, holding, type LoopMark, type Op, rootOf, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** The test of the loop, which the length of `driver` bounds; `other` is read by the same index. */
  readonly condition: Op
  readonly driver: Op
  readonly other: Op
}

/** The array parameter whose length a value is. */
const lengthOf = (value: Op): Op | null => {
  const op = stripCasts(value)
  if (op.kind !== 'load' || op.location.part !== 'length') return null
  const base = op.location.base ?? op.location.parent?.base ?? null
  return base?.kind === 'param' ? base : null
}

/** Array parameters that are read by index inside the loop. */
const indexedIn = (flow: Flow, loop: LoopMark): Set<Op> => {
  const found = new Set<Op>()
  for (const op of flow.within(loop, flow.ops('load'))) {
    if (op.location.part !== 'index') continue
    const { base } = rootOf(op.location)
    if (base?.kind === 'param') found.add(base)
  }
  return found
}

/** Some condition speaks of this array's length. */
const isMeasured = (flow: Flow, array: Op, loopTest: Op): boolean =>
  flow.ops('bin').some((op) => op !== loopTest && op.args.some((arg) => lengthOf(arg) === array))

export default defineDetector<Candidate>({
  id: 'array-length-mismatch',
  swc: null,
  title: 'Array length mismatch',
  aliases: { owasp: ['SC04:2025'], words: ['missing length check', 'batch arrays'] },
  severity: 'info',
  confidence: 'medium',
  description:
    'A loop iterates over one array and reads another by the same index. If the second array is longer, its surplus elements are silently ignored, so a batch does less than the caller expects.',
  recommendation: 'Require equal lengths before the loop.',
  references: ['https://docs.soliditylang.org/en/latest/types.html#arrays'],
  cwe: ['CWE-130'],

  needs: [holding.loop],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { bound, condition, mark } of loopsOf(flow)) {
        const driver = bound ? lengthOf(bound) : null
        if (driver === null || condition === null) continue
        for (const other of indexedIn(flow, mark)) if (other !== driver) yield { flow, condition, driver, other }
      }
  },

  excuses: [
    excuse(
      'measured',
      'the length of one of the arrays is checked',
      ({ flow, condition, driver, other }) => isMeasured(flow, other, condition) || isMeasured(flow, driver, condition),
    ),
    excuse(
      'without-effect',
      'the function neither writes state nor makes calls',
      ({ flow }) => flow.stateStores().length === 0 && flow.externalCalls().length === 0,
    ),
  ],

  finding: ({ flow, condition, driver, other }) => ({
    at: condition,
    message: `\`${flow.name}()\` loops over \`${driver.operator}\` and reads \`${other.operator}\` by the same index without comparing their lengths: if \`${other.operator}\` is longer, its surplus elements are silently left out.`,
  }),
})

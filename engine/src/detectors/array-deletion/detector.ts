import { type Flow, holding, type StoreOp } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly store: StoreOp
}

/** `delete list[i]` on a list that can grow. */
const isHole = ({ flag, location }: StoreOp): boolean => {
  if (!flag || location.part !== 'index' || location.space !== 'state') return false
  const type = location.parent?.type
  return type?.kind === 'array' && (type.length === null || type.length === undefined)
}

/** The list gets shorter in the same call, or someone moves the last element here. */
const isClosed = ({ flow, store }: Candidate): boolean =>
  flow
    .stateStores()
    .some(
      (other) => other !== store && other.location.part === 'length' && other.location.parent === store.location.parent,
    )

const nameOf = (flow: Flow, { location: { parent } }: StoreOp): string =>
  parent === null ? 'the array' : flow.describe(parent)

export default defineDetector<Candidate>({
  id: 'array-deletion',
  swc: null,
  title: 'Array element deleted without shrinking the array',
  aliases: { scwe: ['SCWE-053'], words: ['delete array element', 'array gap'] },
  severity: 'low',
  confidence: 'medium',
  description:
    '`delete` sets an array element to zero but keeps the array length. Later loops read an empty element, and `length` overstates the number of entries.',
  recommendation: 'Move the last element into the gap and call `pop()`, or shift the remaining elements.',
  references: ['https://docs.soliditylang.org/en/latest/types.html#delete'],
  cwe: ['CWE-682'],

  needs: [holding.deletion],
  *candidates({ functions }) {
    for (const flow of functions) for (const store of flow.stateStores()) if (isHole(store)) yield { flow, store }
  },
  excuses: [excuse('closed', 'the array is shortened in the same call', isClosed)],
  finding: ({ flow, store }) => ({
    at: store,
    message: `\`${flow.name}()\` uses \`delete\` on an element of \`${nameOf(flow, store)}\`, which only sets it to zero: the length stays, so the array keeps an empty element that loops and counts still include.`,
    trace: flow.trace(store),
  }),
})

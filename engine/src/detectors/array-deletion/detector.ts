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

/** The list gets shorter in the same call, or somebody moves the last element here. */
const isClosed = ({ flow, store }: Candidate): boolean =>
  flow
    .stateStores()
    .some(
      (other) => other !== store && other.location.part === 'length' && other.location.parent === store.location.parent,
    )

export default defineDetector<Candidate>({
  id: 'array-deletion',
  swc: null,
  title: 'Deleting an element leaves a hole',
  severity: 'low',
  confidence: 'medium',
  description:
    '`delete` sets an element of a list to zero; the list keeps its length. Whoever walks the list finds an empty element, and its length no longer says how many there are.',
  recommendation: 'Move the last element to the place and `pop()`, or shift the rest.',
  references: ['https://docs.soliditylang.org/en/latest/types.html#delete'],
  cwe: ['CWE-682'],

  needs: [holding.deletion],
  *candidates({ functions }) {
    for (const flow of functions) for (const store of flow.stateStores()) if (isHole(store)) yield { flow, store }
  },
  excuses: [excuse('closed', 'the list is made shorter in the same call', isClosed)],
  finding: ({ flow, store }) => ({
    at: store,
    message: 'The element becomes zero, but the list keeps its length.',
    trace: flow.trace(store),
  }),
})

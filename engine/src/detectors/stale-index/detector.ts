import { dependsOn } from '../../facts/index.ts'
import { keysOf } from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  holding,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** The last element of a list takes the place of another. */
  readonly move: StoreOp
  /** Says where each element stands. */
  readonly places: VariableModel
}

const isLengthOf = (list: Location, op: Op): boolean =>
  op.kind === 'load' && op.location.part === 'length' && op.location.parent?.variable === list.variable

/** `list[i] = list[list.length - 1]; list.pop()`: gives the list. */
const listMovedBy = (flow: Flow, { location, args }: StoreOp): Location | null => {
  const value = stripCasts(args[0])
  if (location.part !== 'index' || value.kind !== 'load' || value.location.part !== 'index') return null
  const list = location.parent
  if (list === null || list.variable === null || value.location.parent !== list) return null
  return flow.stateStores().some((store) => store.location.part === 'length' && store.location.parent === list)
    ? list
    : null
}

/** Where it is written down, beside every new element of the list, at which place it stands. */
const placesIn = ({ flows }: ContractFlow, list: Location): ReadonlySet<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of flows)
    for (const { location, args } of flow.stateStores())
      if (location.variable !== null && keysOf(location).length > 0 && location.part !== 'length')
        if (dependsOn(flow, args[0], (op) => isLengthOf(list, op))) found.add(location.variable)
  return found
}

/** It is written down where the moved element stands now. */
const isUpdated = ({ flow, places }: Candidate): boolean =>
  flow.stateStores().some(({ location, args }) => {
    const value = stripCasts(args[0])
    return location.variable === places && (value.kind !== 'const' || value.constant !== 0n)
  })

export default defineDetector<Candidate>({
  id: 'stale-index',
  swc: null,
  title: 'Stale index after swap-and-pop',
  aliases: { owasp: ['SC03:2025'], words: ['swap and pop', 'wrong index', 'enumerable set'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'The last element moves into the slot of a removed one, but its stored index still points to the old slot. The next lookup finds a different element or none.',
  recommendation: 'Update the stored index of the moved element in the same call.',
  references: ['https://cwe.mitre.org/data/definitions/682.html'],
  cwe: ['CWE-682'],

  needs: [holding.entryWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const move of flow.stateStores()) {
        const list = listMovedBy(flow, move)
        if (list === null) continue
        for (const places of flow.contractFlow.answerAt(list, placesIn))
          if (dependsOn(flow, move.location.index!, (op) => op.kind === 'load' && op.location.variable === places))
            yield { flow, move, places }
      }
  },
  excuses: [excuse('updated', 'the index of the moved element is updated', isUpdated)],
  finding: ({ flow, move, places }) => ({
    at: move,
    message: `The last element moves into this slot but \`${places.name}\` keeps its old index, so later lookups find the wrong element.`,
    trace: flow.trace(move),
  }),
})

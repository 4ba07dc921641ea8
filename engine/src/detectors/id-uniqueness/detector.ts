import { dependsOn, guardsAt } from '../../facts/index.ts'
import { incomingOf, isHash, isPaidFrom, keysOf, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, mayOverlap, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** A whole record is written under an id that the caller names, for something that was just paid in. */
interface Candidate {
  readonly flow: Flow
  readonly store: StoreOp
  readonly id: Op
}

/** All of a record, and not something added to it. */
const isWhole = ({ location, args }: StoreOp): boolean =>
  location.part === 'index' && location.type?.kind === 'struct' && stripCasts(args[0]).kind === 'make'

/** The caller names the id, or everything that it is a hash of: others can name the same. */
const isNamed = (flow: Flow, id: Op): boolean =>
  id.kind === 'param' || (isHash(id) && !dependsOn(flow, id, isNotNamed, { keys: true }))

const isNotNamed = ({ kind }: Op): boolean => kind === 'env' || kind === 'load' || kind === 'call' || kind === 'unknown'

/** Somebody looks at what is there before it is replaced, be it in a condition or in what replaces it. */
const isLookedUp = ({ flow, store }: Candidate): boolean =>
  flow.stateLoads().some((load) => mayOverlap(load.location, store.location) && flow.canFollow(load, store))

/** It asks another place under the same id: a list of ids in use, the owner of the token of that id. */
const isTestedElsewhere = ({ flow, store, id }: Candidate): boolean =>
  guardsAt(flow, store).some(({ condition }) => {
    const sides = condition.kind === 'bin' || condition.kind === 'un' ? condition.args : [condition]
    return sides.map(stripCasts).some((side) => {
      if (side.kind === 'load') return keysOf(side.location).includes(id) && !mayOverlap(side.location, store.location)
      return side.kind === 'call' && side.args.some((arg) => stripCasts(arg) === id)
    })
  })

const takesPayment = (flow: Flow): boolean => flow.isPayable || incomingOf(flow).length > 0

export default defineDetector<Candidate>({
  id: 'id-uniqueness',
  swc: null,
  title: 'A record is replaced while it still holds somebody’s money',
  severity: 'high',
  confidence: 'medium',
  description:
    'What is paid in is written down under an id that the caller names, and nobody asks whether something is on record there already. A second payment under the same id replaces the first, and whoever made that can never get it back.',
  recommendation: 'Demand that nothing is on record under the id, or let the contract count the ids itself.',
  references: ['https://cwe.mitre.org/data/definitions/694.html'],
  cwe: ['CWE-694'],

  needs: [holding.entryWrite, takesPayment],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (!takesPayment(flow)) continue
      for (const store of flow.stateStores()) {
        const [id, ...outer] = isWhole(store) ? keysOf(store.location) : []
        if (id === undefined || !isNamed(flow, id) || outer.length > 0 || store.location.variable === null) continue
        if (isPaidFrom(flow, store.location.variable)) yield { flow, store, id }
      }
    }
  },

  excuses: [
    excuse('looked-up', 'what is on record there is looked at before', isLookedUp),
    excuse('asked-elsewhere', 'another record or contract is asked about the same id', isTestedElsewhere),
  ],

  finding: ({ flow, store }) => ({
    at: store,
    message: `Whatever \`${flow.describe(store.location)}\` holds for somebody is replaced here, and what they paid in is lost.`,
    trace: [
      witnessStep(
        flow,
        store,
        'with the id of another they put themselves into the record, and the other loses what was paid in',
      ),
      ...flow.trace(store),
    ],
  }),
})

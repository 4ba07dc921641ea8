import { dependsOn } from '../../facts/index.ts'
import { incomingOf, isHash, isPaidFrom, keysOf, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, mayOverlap, type Op, type StoreOp, sameValue, stripCasts } from '../../ir/index.ts'
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

/** The old value is read before it is replaced, in a condition or in the new value. */
const isLookedUp = ({ flow, store }: Candidate): boolean =>
  flow.stateLoads().some((load) => mayOverlap(load.location, store.location) && flow.canFollow(load, store))

/** `nft.transferFrom(from, address(this), id)`: as long as the contract holds it, nobody can bring it again. */
const isTokenTakenIn = ({ flow, store, id }: Candidate): boolean =>
  incomingOf(flow).some(({ op, amount }) => sameValue(amount, id) && flow.dominates(op, store))

const takesPayment = (flow: Flow): boolean => flow.isPayable || incomingOf(flow).length > 0

export default defineDetector<Candidate>({
  id: 'id-uniqueness',
  swc: null,
  title: 'Overwritable record ID (deposit lost)',
  aliases: { owasp: ['SC04:2025'], words: ['duplicate id', 'overwritten deposit', 'id collision'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'A deposit is stored under an ID that the caller chooses, without checking that the ID is unused. A second deposit with the same ID overwrites the first, and its owner loses the funds.',
  recommendation: 'Require that the ID is unused, or let the contract assign IDs with a counter.',
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
    excuse('looked-up', 'the existing record is checked first', isLookedUp),
    excuse('token-taken-in', 'the ID is that of the token that comes in, which exists once', isTokenTakenIn),
  ],

  finding: ({ flow, store }) => ({
    at: store,
    message: `\`${flow.name}()\` overwrites \`${flow.describe(store.location)}\` without checking that the ID is unused, so an earlier deposit recorded under the same ID is lost.`,
    trace: [witnessStep(flow, store, 'overwrites the record of an earlier deposit'), ...flow.trace(store)],
  }),
})

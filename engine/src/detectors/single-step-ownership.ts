import { type Context, oncePerPlace, stripCasts } from '../flow/index.ts'
import { isPendingRight, privilegedState } from '../flow/privileged-state.ts'
import { defineDetector, type Hit } from './detector.ts'

function* findHandovers({ contracts }: Context): Generator<Hit> {
  for (const whole of contracts) {
    const privileged = privilegedState(whole)
    if (privileged.size === 0) continue
    for (const flow of whole.entryPoints) {
      for (const store of flow.stateStores()) {
        const variable = store.location!.part === 'root' ? store.location!.variable : null
        if (
          variable?.type.kind !== 'address' ||
          !privileged.has(variable) ||
          stripCasts(store.args[0]!).kind !== 'param'
        )
          continue
        // Only the holder's own hand-over: another role that replaces it can also repair a mistake.
        if (!flow.senderGuardsAt(store).some(({ variables }) => variables.includes(variable))) continue
        if (isPendingRight(whole, variable)) continue
        yield {
          at: store,
          message: `\`${flow.name}\` gives \`${variable.name}\` away at once; a mistyped address cannot be taken back.`,
        }
      }
    }
  }
}

export default defineDetector({
  id: 'single-step-ownership',
  swc: null,
  title: 'Ownership moves in one step',
  severity: 'info',
  confidence: 'high',
  description:
    'The holder of a right hands it to another address in a single transaction. If that address is wrong or nobody has its key, the right is lost for good.',
  recommendation: 'Let the holder propose and the new one accept (`Ownable2Step`).',
  references: ['https://docs.openzeppelin.com/contracts/5.x/api/access#Ownable2Step'],
  cwe: ['CWE-284'],

  *run(context) {
    yield* oncePerPlace(findHandovers(context))
  },
})

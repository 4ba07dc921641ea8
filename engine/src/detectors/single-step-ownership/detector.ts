import { isPendingRight, privilegedState, senderGuardsAt } from '../../facts/index.ts'
import { type ContractFlow, type Flow, oncePerPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const findHandovers = (whole: ContractFlow, flow: Flow, hits: Hit[]): void => {
  for (const store of flow.stateStores()) {
    const { part, variable } = store.location!
    if (part !== 'root' || variable === null || stripCasts(store.args[0]!).kind !== 'param') continue
    if (variable.type.kind !== 'address' || !privilegedState(whole).has(variable)) continue
    // Only the holder's own hand-over: another role that replaces it can also repair a mistake.
    if (!senderGuardsAt(flow, store).some(({ variables }) => variables.includes(variable))) continue
    if (isPendingRight(whole, variable)) continue
    hits.push({
      at: store,
      message: `\`${flow.name}\` gives \`${variable.name}\` away at once; a mistyped address cannot be taken back.`,
    })
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

  run({ contracts }) {
    const hits: Hit[] = []
    for (const whole of contracts) for (const flow of whole.entryPoints) findHandovers(whole, flow, hits)
    return oncePerPlace(hits)
  },
})

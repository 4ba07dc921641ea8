import {
  chosenByCaller,
  dependsOn,
  guardsAt,
  isPassedIn,
  privilegedState,
  runsOnce,
  senderGuardsAt,
  taintOf,
} from '../../facts/index.ts'
import { type ContractFlow, type Flow, type Op, oncePerPlace } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** Bought, taken while nobody holds it, or tied to a flag that this function sets: a rule, not a forgotten guard. */
const isEarned = (flow: Flow, store: Op): boolean => {
  const written = new Set(flow.stateStores().map(({ location }) => location!.variable))
  const decides = (op: Op): boolean =>
    (op.kind === 'env' && op.operator === 'msg.value') ||
    (op.kind === 'load' && op.location!.variable !== null && written.has(op.location!.variable))
  return guardsAt(flow, store).some(({ condition }) => dependsOn(flow, condition, decides))
}

const isChosen = (flow: Flow, value: Op): boolean => isPassedIn(value) || (taintOf(flow, value) & chosenByCaller) !== 0

const findTakeovers = (whole: ContractFlow, flow: Flow, hits: Hit[]): void => {
  for (const store of flow.stateStores()) {
    const { variable, part } = store.location!
    if (variable === null || part !== 'root' || store.args[0]!.kind === 'const') continue
    if (senderGuardsAt(flow, store).length > 0 || !isChosen(flow, store.args[0]!)) continue
    if (!privilegedState(whole).has(variable) || runsOnce(flow, store) || isEarned(flow, store)) continue
    hits.push({
      at: store,
      message: `Anyone can call \`${flow.name}\` at any time and set \`${variable.name}\`, which decides who is privileged.`,
      trace: flow.trace(store),
    })
  }
}

export default defineDetector({
  id: 'unprotected-initializer',
  swc: null,
  title: 'Anyone can make themselves privileged',
  severity: 'critical',
  confidence: 'high',
  description:
    'A function that outsiders can call sets the address that guards privileged functions, tests nobody and can be called again. A stranger becomes the owner.',
  recommendation:
    'Set it in the constructor, let an initializer run once (`initializer`), or restrict the function to the present owner.',
  references: ['https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers'],
  cwe: ['CWE-284', 'CWE-665'],
  yieldsTo: ['incorrect-constructor-name', 'unprotected-ether-withdrawal'],

  run({ contracts }) {
    const hits: Hit[] = []
    for (const whole of contracts) for (const flow of whole.entryPoints) findTakeovers(whole, flow, hits)
    return oncePerPlace(hits)
  },
})

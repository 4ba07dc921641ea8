import { chosenByCaller, type Flow, type Op, oncePerPlace, runsOnce } from '../flow/index.ts'
import { privilegedState } from '../flow/privileged-state.ts'
import type { VariableModel } from '../model/index.ts'
import { defineDetector, type Hit } from './detector.ts'

/** Bought, taken while nobody holds it, or tied to a flag that this function sets: a rule, not a forgotten guard. */
const isEarned = (flow: Flow, store: Op): boolean => {
  const written = new Set(flow.stateStores().map(({ location }) => location!.variable))
  const decides = (op: Op): boolean =>
    (op.kind === 'env' && op.operator === 'msg.value') ||
    (op.kind === 'load' && op.location!.variable !== null && written.has(op.location!.variable))
  return flow.guardsAt(store).some(({ condition }) => flow.dependsOn(condition, decides))
}

const findTakeovers = (flow: Flow, privileged: ReadonlySet<VariableModel>, hits: Hit[]): void => {
  for (const store of flow.stateStores()) {
    const { variable, part } = store.location!
    if (variable === null || part !== 'root' || !privileged.has(variable)) continue
    if ((flow.taint(store.args[0]!) & chosenByCaller) === 0) continue
    if (flow.senderGuardsAt(store).length > 0 || runsOnce(flow, store) || isEarned(flow, store)) continue
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

  run({ contracts }) {
    const hits: Hit[] = []
    for (const whole of contracts) {
      const privileged = privilegedState(whole)
      if (privileged.size > 0) for (const flow of whole.entryPoints) findTakeovers(flow, privileged, hits)
    }
    return oncePerPlace(hits)
  },
})

import { isPassedIn, privilegedState, senderGuardsAt, taintOf } from '../../facts/index.ts'
import { type Context, type Flow, type Op, oncePerPlace } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** The change that others should be able to watch: who is privileged, or a number that other functions work with. */
const findSilentChange = (flow: Flow): Op | undefined => {
  const stores = flow.stateStores()
  if (stores.length === 0 || flow.has('emit') || flow.isPartial) return undefined
  return stores.find((store) => isWatched(flow, store))
}

const isWatched = (flow: Flow, store: Op): boolean => {
  const { location } = store
  if (!location?.variable || location.part !== 'root') return false
  const { variable } = location
  const isRight = variable.type.kind === 'address'
  if (!isRight && variable.type.kind !== 'int') return false
  const guards = senderGuardsAt(flow, store)
  if (guards.length === 0 || guards.every(({ against }) => against === 'unknown')) return false
  if (!isPassedIn(store.args[0]!) && taintOf(flow, store.args[0]!) === 0) return false
  return isRight ? privilegedState(flow.whole).has(variable) : isReliedOn(flow, variable)
}

const noneYet = (): Map<VariableModel, ReadonlySet<Flow>> => new Map()

/** Functions that anybody may call and that work with the variable. */
const reliantOn = (flow: Flow, variable: VariableModel): ReadonlySet<Flow> => {
  const reliant = flow.whole.answer(noneYet)
  const cached = reliant.get(variable)
  if (cached) return cached
  const found = new Set<Flow>()
  for (const read of flow.whole.readersOf(variable))
    if (read.flow.isEntryPoint && changesState(read.flow) && senderGuardsAt(read.flow, read.op).length === 0)
      found.add(read.flow)
  reliant.set(variable, found)
  return found
}

const isReliedOn = (flow: Flow, variable: VariableModel): boolean => {
  const flows = reliantOn(flow, variable)
  return flows.size > (flows.has(flow) ? 1 : 0)
}

const changesState = (flow: Flow): boolean => flow.stateStores().length > 0 || flow.sends().length > 0

const findSilentFunctions = ({ entryPoints }: Context): Hit[] => {
  const hits: Hit[] = []
  for (const flow of entryPoints) {
    const store = findSilentChange(flow)
    const at = flow.fn?.node.name
    if (!store || !at) continue
    hits.push({
      at,
      message: `\`${flow.name}\` changes \`${store.location!.variable!.name}\`, on which others depend, without an event.`,
      trace: [{ at: store, message: 'Changed here.' }],
    })
  }
  return hits
}

export default defineDetector({
  id: 'missing-privileged-event',
  swc: null,
  title: 'Privileged change without an event',
  severity: 'info',
  confidence: 'medium',
  description:
    'A privileged caller changes who holds rights, or a number that everybody’s transactions depend on, and no event tells. Users and monitors learn of it too late.',
  recommendation: 'Emit an event with the old and the new value.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#missing-events-access-control'],
  cwe: ['CWE-778'],

  run: (context) => oncePerPlace(findSilentFunctions(context)),
})

import { isPassedIn, isRole, principalAt, privilegedState, senderGuardsAt, taintOf } from '../../facts/index.ts'
import { type Access, type Flow, holding, type Op, type StoreOp } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly store: Op
  readonly variable: VariableModel
}

const changesState = (flow: Flow): boolean => flow.stateStores().length > 0 || flow.sends().length > 0

/** Functions that anyone may call and that work with the variable. */
const reliantOn = ({ contractFlow }: Flow, variable: VariableModel): ReadonlySet<Flow> => {
  const isReliant = ({ flow, op }: Access<'load'>): boolean =>
    flow.isEntryPoint && changesState(flow) && principalAt(flow, op) === 'anyone'
  const find = () =>
    contractFlow
      .readersOf(variable)
      .filter(isReliant)
      .map(({ flow }) => flow)
  return contractFlow.remember(reliantOn, variable, () => new Set(find()))
}

const isReliedOn = (flow: Flow, variable: VariableModel): boolean => {
  const flows = reliantOn(flow, variable)
  return flows.size > (flows.has(flow) ? 1 : 0)
}

/** Who is privileged, or a number that functions for everybody work with. */
const isWatched = (flow: Flow, variable: VariableModel): boolean =>
  variable.type.kind === 'address'
    ? privilegedState(flow.contractFlow).has(variable)
    : variable.type.kind === 'int' && isReliedOn(flow, variable)

/** The change that others should be able to watch, made by someone privileged. */
const watchedChange = (flow: Flow): StoreOp | undefined =>
  flow.stateStores().find((store) => {
    const { variable, part } = store.location
    if (variable === null || part !== 'root') return false
    const guards = senderGuardsAt(flow, store)
    if (guards.length === 0 || guards.every(({ against }) => against === 'unknown')) return false
    // `shares[msg.sender] > 0` asks what someone has, and anyone who has it is not privileged.
    if (!guards.some((guard) => isRole(flow, guard))) return false
    if (!isPassedIn(store.args[0]) && taintOf(flow, store.args[0]) === 0) return false
    // What a modifier counts, such as the entries of a lock, is not what the function is called for.
    if (flow.writtenIn(store)?.kind === 'modifier') return false
    return isWatched(flow, variable)
  })

export default defineDetector<Candidate>({
  id: 'missing-privileged-event',
  swc: null,
  title: 'Missing event for privileged change',
  aliases: {
    slither: ['events-access', 'events-maths'],
    aderyn: ['state-change-without-event'],
    scwe: ['SCWE-063'],
    words: ['missing event', 'admin event'],
  },
  severity: 'info',
  confidence: 'high',
  description:
    'A privileged caller changes a role or a parameter that users depend on without emitting an event, so users and monitoring learn of it too late.',
  recommendation: 'Emit an event with the old and the new value.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#missing-events-access-control'],
  cwe: ['CWE-778'],

  needs: [holding.rootWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      const store = flow.fn?.node.name ? watchedChange(flow) : undefined
      if (store) yield { flow, store, variable: store.location.variable! }
    }
  },

  excuses: [excuse('emits', 'the function emits an event', ({ flow }) => flow.has('emit') || flow.isPartial)],

  finding: ({ flow, store, variable }) => ({
    at: flow.fn!.node.name!,
    message: `\`${flow.name}()\` changes \`${variable.name}\`, which users depend on, without emitting an event, so monitoring cannot notice it.`,
    trace: [{ at: store, message: 'The value is changed here.' }],
  }),
})

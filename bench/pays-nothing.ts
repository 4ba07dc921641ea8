/**
 * Calls whose payment can only ever be nothing, proven by induction over all transactions: the entries of a mapping are zero at
 * first, and every write in the program keeps them so, because it writes zero or takes away no more than is there. What pays such
 * an entry, or an amount that was compared with one, pays nothing in any execution, so no attack on it can take anything.
 * Written as a rule of a user's own; a scan with it reports these calls.
 */
import { defineDetector } from '../engine/src/detectors/define-detector.ts'
import { isAtLeast } from '../engine/src/facts/index.ts'
import {
  type CallOp,
  type ContractFlow,
  type Flow,
  type LoadOp,
  type Op,
  type StoreOp,
  stripCasts,
} from '../engine/src/ir/index.ts'
import type { VariableModel } from '../engine/src/model/index.ts'

export const paysNothingId = 'pays-nothing'

/** Code that may write any slot: nothing is proven about a contract with it. */
const writesAnywhere = ({ entryPoints }: ContractFlow): boolean =>
  entryPoints.some(
    (flow) =>
      flow.has('opaque') ||
      flow.hasCall('delegate') ||
      flow.hasCall('callcode') ||
      flow.stateStores().some(({ location }) => location.variable === null),
  )

const keepsZero = (writer: Flow, store: StoreOp): boolean => {
  const value = stripCasts(store.args[0])
  if (store.flag || (value.kind === 'const' && value.constant === 0n)) return true
  if (value.kind !== 'bin' || value.operator !== '-') return false
  const [have, taken] = value.args
  const { variable } = store.location
  const held = stripCasts(have)
  if (held.kind !== 'load' || held.location.variable !== variable) return false
  // Compared with an entry at any earlier moment: that one was zero, too, no matter who called back in between.
  const isCovered = (load: LoadOp): boolean =>
    load.location.variable === variable && isAtLeast(writer, load, taken, value)
  return value.flag || writer.stateLoads().some(isCovered)
}

/** In every contract that may hold it: a derived contract may fill what its base only empties. */
type Program = readonly ContractFlow[]

const staysZero = (program: Program, variable: VariableModel | null): boolean =>
  variable !== null &&
  program.every(
    (contract) =>
      contract.writersOf(variable).every(({ flow, op }) => keepsZero(flow, op)) && !writesAnywhere(contract),
  )

const isZeroEntry = (program: Program, op: Op): boolean => {
  const value = stripCasts(op)
  return (
    value.kind === 'load' &&
    value.location.space !== 'memory' &&
    value.location.depth > 0 &&
    staysZero(program, value.location.variable)
  )
}

const paysNothing = (program: Program, flow: Flow, call: CallOp): boolean => {
  const amount = call.call.value
  if (amount === null) return false
  if (isZeroEntry(program, amount)) return true
  return flow.stateLoads().some((load) => isZeroEntry(program, load) && isAtLeast(flow, load, amount, call))
}

export const paysNothingRule = defineDetector<CallOp>({
  id: paysNothingId,
  swc: null,
  title: 'A payment that is always nothing',
  severity: 'info',
  confidence: 'high',
  description: 'No execution pays anything here.',
  recommendation: 'Fill what is paid out, or remove the payment.',
  references: [],
  cwe: [],
  /** A function may run in several contracts; the payment must be nothing in all of them. */
  *candidates({ functions }) {
    const program = [...new Set(functions.map(({ contractFlow }) => contractFlow))]
    const places = new Map<string, { call: CallOp; isProven: boolean }>()
    for (const flow of functions)
      for (const call of flow.externalCalls()) {
        const key = `${call.start}:${call.end}`
        const before = places.get(key)?.isProven ?? true
        places.set(key, { call, isProven: before && paysNothing(program, flow, call) })
      }
    for (const { call, isProven } of places.values()) if (isProven) yield call
  },
  finding: (call) => ({ at: call, message: 'This payment is nothing in every execution.' }),
})

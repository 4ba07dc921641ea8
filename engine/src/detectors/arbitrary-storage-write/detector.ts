import { canOverflow, isProtected, Source, taintOf } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  type Location,
  type Op,
  rootOf,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface ArbitraryWrite {
  readonly flow: Flow
  readonly store: StoreOp
  /** An array whose length got out of hand, and where; null when the slot itself is chosen. */
  readonly array: { readonly variable: VariableModel; readonly length: Op } | null
  /** All contracts of the scan that write to slots. */
  readonly contracts: readonly ContractFlow[]
}

const caller = Source.param | Source.data

const isChosen = (flow: Flow, value: Op): boolean => (taintOf(flow, value) & caller) !== 0

/** The slot itself comes from the caller: not hashed, so it can be any slot. */
const isChosenSlot = (flow: Flow, slot: Op): boolean => flow.answer(chosenSlots)(stripCasts(slot))

/** Each value is judged once, however often it is used. */
const chosenSlots = (flow: Flow): ((op: Op) => boolean) => {
  const known = new Map<Op, boolean>()
  return (op) => {
    const isChosen = known.get(op) ?? isChosenPlace(flow, op)
    known.set(op, isChosen)
    return isChosen
  }
}

const isChosenPlace = (flow: Flow, op: Op): boolean => {
  if (op.kind === 'param') return true
  if (op.kind === 'bin') return op.args.some((arg) => isChosenSlot(flow, arg))
  return (
    (op.kind === 'load' && op.location.space === 'memory' && isChosen(flow, op)) ||
    (op.kind === 'builtin' && op.operator === 'calldataload')
  )
}

/** Arrays that anyone can give a length as large as the storage, as compilers before 0.6 let them: by choosing it, or by stepping below zero. */
const corruptedLengths = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel, Op> => {
  const found = new Map<VariableModel, Op>()
  for (const flow of entryPoints)
    for (const store of flow.stateStores()) {
      const { part, parent, variable } = store.location
      if (part === 'length' && parent?.part === 'root' && variable !== null && canCorruptLength(flow, store))
        found.set(variable, store)
    }
  return found
}

const canCorruptLength = (flow: Flow, store: StoreOp): boolean => {
  if (isProtected(flow, store)) return false
  const value = stripCasts(store.args[0])
  return value.kind === 'bin' && value.operator === '-' ? canOverflow(flow, value) : isChosen(flow, value)
}

/** `array[i] = v` with an index that the caller chooses. */
const isChosenElement = (flow: Flow, location: Location): boolean => {
  let at: Location | null = location
  while (at !== null && !(at.part === 'index' && at.parent?.part === 'root')) at = at.parent
  return at?.index != null && isChosen(flow, at.index)
}

/** Only slots and lengths that code chooses by itself lead astray. */
const mayStray = (flow: Flow): boolean =>
  flow.stateStores().some(({ location }) => location.part === 'length' || rootOf(location).base !== null)

export default defineDetector<ArbitraryWrite>({
  id: 'arbitrary-storage-write',
  swc: 'SWC-124',
  title: 'Arbitrary storage write',
  aliases: {
    slither: ['controlled-array-length'],
    aderyn: ['dynamic-array-length-assignment'],
    owasp: ['SC04:2025'],
    scwe: ['SCWE-057'],
    words: ['storage overwrite', 'array length underflow', 'sstore'],
  },
  severity: 'high',
  confidence: 'high',
  description:
    'An attacker chooses which storage slot is written, through an assembly slot or an index into an array whose length can underflow. They can overwrite the owner or balances.',
  recommendation: 'Do not let callers choose storage slots: derive the slot from a fixed hash, or use a mapping.',
  references: ['https://swcregistry.io/docs/SWC-124'],
  cwe: ['CWE-123'],

  needs: [mayStray],
  *candidates({ contracts }) {
    for (const contractFlow of contracts) {
      const lengths = corruptedLengths(contractFlow)
      for (const flow of contractFlow.entryPoints)
        for (const store of flow.stateStores()) {
          const { space, base, variable } = rootOf(store.location)
          if (space === 'slot' && base !== null && isChosenSlot(flow, base))
            yield { flow, store, array: null, contracts }
          const length = variable === null ? undefined : lengths.get(variable)
          if (variable !== null && length !== undefined && isChosenElement(flow, store.location))
            yield { flow, store, array: { variable, length }, contracts }
        }
    }
  },

  excuses: [
    excuse('protected', 'only privileged accounts reach the write', ({ flow, store }) => isProtected(flow, store)),
  ],

  finding: ({ flow, store, array }) =>
    array === null
      ? {
          at: store,
          message: `\`${flow.name}()\` writes to a storage slot that the caller chooses, so an attacker can overwrite any variable of the contract, such as the owner or a balance.`,
          trace: [witnessStep(flow, store, 'overwrites a storage slot of their choice'), ...flow.trace(store)],
        }
      : {
          at: store,
          message: `The length of \`${array.variable.name}\` can underflow; then \`${flow.name}()\` writes to any storage slot by this index, and an attacker can overwrite any variable, such as the owner.`,
          recommendation: 'Check that the length is not zero before decreasing it, and do not let callers set it.',
          trace: [
            witnessStep(flow, store, 'overwrites a storage slot of their choice'),
            { at: array.length, message: `The length of \`${array.variable.name}\` can underflow here.` },
          ],
        },
})

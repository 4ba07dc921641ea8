import { canOverflow, isProtected, Source, taintOf } from '../../facts/index.ts'
import { type ContractFlow, type Flow, type Location, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const caller = Source.param | Source.data

const rootOf = (location: Location): Location => {
  let root = location
  while (root.parent !== null) root = root.parent
  return root
}

const isLengthOf = (location: Location): boolean =>
  location.part === 'length' &&
  location.parent !== null &&
  location.parent.part === 'root' &&
  location.variable !== null

/** Anybody can give the array a length as large as the storage: by choosing it, or by stepping below zero. */
const canCorruptLength = (flow: Flow, store: Op): boolean => {
  if (isProtected(flow, store)) return false
  const value = stripCasts(store.args[0]!)
  if (value.kind === 'bin' && value.operator === '-' && !value.flag) return canOverflow(flow, value)
  return (taintOf(flow, value) & caller) !== 0 && !isLengthPlusOne(value)
}

const isLengthPlusOne = (value: Op): boolean =>
  value.kind === 'bin' &&
  value.operator === '+' &&
  value.args.some((arg) => arg.kind === 'load' && arg.location!.part === 'length')

const noLengths: ReadonlyMap<VariableModel, Op> = new Map()

const corruptedLengths = (whole: ContractFlow): ReadonlyMap<VariableModel, Op> => {
  // From 0.6 on nobody can set a length.
  if (whole.contract?.file.versions.isAtLeast(6)) return noLengths
  let found: Map<VariableModel, Op> | null = null
  for (const flow of whole.entryPoints)
    for (const store of flow.stateStores()) {
      const location = store.location!
      // A `push` or `pop` of today reverts by itself; only older compilers let the length be set.
      if (!isLengthOf(location) || store.flag || location.variable!.file.versions.isAtLeast(6)) continue
      if (found?.has(location.variable!) || !canCorruptLength(flow, store)) continue
      found ??= new Map()
      found.set(location.variable!, store)
    }
  return found ?? noLengths
}

/** `array[i] = v` with an index that the caller chooses. */
const isChosenElement = (flow: Flow, store: Op): boolean => {
  let at: Location | null = store.location
  while (at !== null && !(at.part === 'index' && at.parent?.part === 'root')) at = at.parent
  return at?.index != null && (taintOf(flow, at.index) & caller) !== 0
}

/** The slot itself comes from the caller: not hashed, so it can be any slot. */
const isChosenSlot = (flow: Flow, slot: Op): boolean => {
  const op = stripCasts(slot)
  if (op.kind === 'param') return true
  if (op.kind === 'bin') return op.args.some((arg) => isChosenSlot(flow, arg))
  return (op.kind === 'load' && op.location!.space === 'memory' && (taintOf(flow, op) & caller) !== 0) || isCalldata(op)
}

const isCalldata = (op: Op): boolean => op.kind === 'builtin' && op.operator === 'calldataload'

const findWrites = (whole: ContractFlow): Hit[] => {
  const hits: Hit[] = []
  const corrupted = corruptedLengths(whole)
  for (const flow of whole.entryPoints)
    for (const store of flow.stateStores()) {
      const root = rootOf(store.location!)
      if (root.space !== 'slot' && corrupted.size === 0) continue
      if (root.space === 'slot' && root.base !== null && isChosenSlot(flow, root.base) && !isProtected(flow, store)) {
        hits.push({ at: store, message: 'The caller chooses which storage slot is written.', trace: flow.trace(store) })
        continue
      }
      const length = root.variable === null ? undefined : corrupted.get(root.variable)
      if (length === undefined || isProtected(flow, store) || !isChosenElement(flow, store)) continue
      hits.push({
        at: store,
        message: `The length of \`${root.variable!.name}\` can be made as large as the whole storage, so this index reaches every variable.`,
        trace: [{ at: length, message: 'The length gets out of hand here.' }],
      })
    }
  return hits
}

export default defineDetector({
  id: 'arbitrary-storage-write',
  swc: 'SWC-124',
  title: 'Write to any storage slot',
  severity: 'high',
  confidence: 'high',
  description:
    'An outsider chooses where in the storage a value is written: by an assembly slot, or by an index into an array whose length can be made to span the whole storage. Owners and balances can be overwritten.',
  recommendation: 'Do not let callers set array lengths or slots; check that a length is not zero before lowering it.',
  references: ['https://swcregistry.io/docs/SWC-124'],
  cwe: ['CWE-123'],

  run(context) {
    const hits: Hit[] = []
    for (const whole of context.contracts) for (const hit of oncePerPlace(findWrites(whole))) hits.push(hit)
    return hits
  },
})

/** Records that are only loaded for their owner: `vault = vaults[id]; require(vault.owner == msg.sender)`. */
import { anyChoice, isSender } from '../../facts/index.ts'
import { bothOrders, type Flow, fieldPath, isEquality, type LoadOp, type Op, stripCasts } from '../../ir/index.ts'

/** A field of a record in memory: which field, and of which record. */
const fieldOf = (value: Op): { readonly path: string; readonly record: Op } | null => {
  const op = stripCasts(value)
  if (op.kind !== 'load' || op.location.space !== 'memory' || op.location.part !== 'field') return null
  const { base } = (op as LoadOp).location
  const record = base ?? op.location.parent?.base ?? null
  return record === null ? null : { path: fieldPath(op.location), record: stripCasts(record) }
}

/** Records of which this field was compared with the sender. */
const checkedRecords = (flow: Flow): ReadonlyMap<string, ReadonlySet<Op>> => {
  const found = new Map<string, Set<Op>>()
  for (const comparison of flow.ops('bin')) {
    if (!isEquality(comparison.operator)) continue
    for (const [one, other] of bothOrders(comparison)) {
      const field = isSender(other) ? fieldOf(one) : null
      if (field !== null) found.set(field.path, (found.get(field.path) ?? new Set()).add(field.record))
    }
  }
  return found
}

/**
 * One of the records that the value may be taken from is checked to be the sender’s, and the others are empty or come from a call that
 * changes them, such as `vault = registry.tweak(id)`: none is looked up for anyone who names it.
 */
export const isOfCallersRecord = (flow: Flow, from: Op): boolean => {
  const field = fieldOf(from)
  const checked = field === null ? undefined : flow.answer(checkedRecords).get(field.path)
  if (field === null || checked === undefined) return false
  const isUnchecked = (op: Op): boolean => {
    if (op.kind === 'phi' || op.kind === 'select' || op.kind === 'make' || op.kind === 'const') return false
    return !checked.has(op) && !(op.kind === 'call' && op.call.kind === 'external' && !op.call.isStatic)
  }
  return anyChoice(field.record, (op) => checked.has(op)) && !anyChoice(field.record, isUnchecked)
}

/** For a message: what a wrong number does. Followed forward through arithmetic, the effect that costs most is named. */
import { loopsOf, usesOf } from '../facts/index.ts'
import { describeCall, type Flow, isComparison, type Location, type Op } from '../ir/index.ts'
import { columnOf, nameOfColumn } from './columns.ts'
import { outgoingOf } from './ledger.ts'

const passing: ReadonlySet<Op['kind']> = new Set(['bin', 'un', 'cast', 'phi', 'select', 'make', 'extract'])

/** `balances[to] += amount`, `pay(amount)`, `require(amount < limit)`: from the worst to the mildest. */
interface Effects {
  paid?: Op
  stored?: string
  passed?: string
  compared?: 'a check' | 'a loop'
  returned?: true
}

const effectsOf = (flow: Flow, value: Op): Effects => {
  const payments = outgoingOf(flow)
  const found: Effects = {}
  const through = (user: Op): boolean =>
    (passing.has(user.kind) && !(user.kind === 'bin' && isComparison(user.operator))) ||
    (user.kind === 'call' && user.call.inlined)
  for (const { value: part, user } of usesOf(flow, value, through)) {
    if (user === null) continue
    if (payments.some(({ op, amount }) => op === user && amount === part)) found.paid ??= user
    else if (user.kind === 'store' && user.location.space === 'state') found.stored ??= nameOfPlace(flow, user.location)
    else if (user.kind === 'call' && !user.call.inlined) found.passed ??= describeCall(flow.model, user)
    else if (user.kind === 'return') found.returned = true
    else if (user.kind === 'bin' && isComparison(user.operator))
      found.compared ??= isOfLoop(flow, user) ? 'a loop' : 'a check'
  }
  return found
}

/** With its keys, if they are written in a few words; else the field alone: `accounts.debt`. */
const nameOfPlace = (flow: Flow, place: Location): string => {
  const written = flow.describe(place)
  const column = written.includes('…') || written.length > 50 ? columnOf(place) : null
  return column === null ? written : nameOfColumn(column)
}

/** It says how often a loop runs. */
const isOfLoop = (flow: Flow, test: Op): boolean => loopsOf(flow).some(({ condition }) => condition === test)

/** The number, or what is computed from it, is stored or paid; a check alone may also refuse. */
export const isRecorded = (flow: Flow, value: Op): boolean => {
  const { paid, stored } = effectsOf(flow, value)
  return paid !== undefined || stored !== undefined
}

/** "the amount that `withdraw()` pays out", "`balances[to]`": a noun that stands before "is wrong"; null where nothing follows. */
export const affectedResult = (flow: Flow, value: Op): string | null => {
  const { paid, stored, passed, compared, returned } = effectsOf(flow, value)
  if (paid !== undefined) return `the amount that \`${flow.name}()\` pays out`
  if (stored !== undefined) return `\`${stored}\``
  if (passed !== undefined) return `the number passed to \`${passed}\``
  if (returned) return `the result of \`${flow.name}()\``
  return compared === undefined ? null : `${compared} in \`${flow.name}()\``
}

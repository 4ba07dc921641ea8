/** Who may change the state of a contract, as far as advice is concerned. */
import { isProtected, lockedAt } from '../facts/index.ts'
import type { Flow, StoreOp } from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'

/** Taken before the call and given back after it: a lock is no state that anyone cares for. What stays set is no lock. */
const lockOf = (flow: Flow): VariableModel | null => {
  const stores = flow.stateStores()
  const isWrittenAgain = (variable: VariableModel): boolean =>
    stores.filter(({ location }) => location.variable === variable).length > 1
  // Few variables are written twice, and only for those the locks are computed.
  if (!stores.some(({ location: { variable } }) => variable !== null && isWrittenAgain(variable))) return null
  for (const store of stores) {
    const variable = lockedAt(flow, store)?.variable ?? null
    if (variable !== null && isWrittenAgain(variable)) return variable
  }
  return null
}

const isOfLock = (flow: Flow, store: StoreOp): boolean => {
  const variable = store.location.variable
  const writer = flow.writtenIn(store)
  return (
    (writer?.kind === 'modifier' && writer.effect === 'lock') || (variable !== null && variable === flow.answer(lockOf))
  )
}

const findChanges = (flow: Flow): readonly StoreOp[] => flow.stateStores().filter((store) => !isOfLock(flow, store))

/** Writes of state, locks aside. */
export const changesOf = (flow: Flow): readonly StoreOp[] => flow.answer(findChanges)

/** Outsiders can call it, and it changes state. */
export const isWriter = (flow: Flow): boolean => flow.isEntryPoint && changesOf(flow).length > 0

const areAllProtected = (flow: Flow): boolean => changesOf(flow).every((store) => isProtected(flow, store))

/** Whatever it changes, only known accounts can make it do so. */
export const isRestricted = (flow: Flow): boolean => flow.answer(areAllProtected)

const findPrivileged = (flow: Flow): boolean =>
  flow.isEntryPoint && changesOf(flow).some((store) => isProtected(flow, store))

/** Some of what it changes only known accounts can change. */
export const isPrivileged = (flow: Flow): boolean => flow.answer(findPrivileged)

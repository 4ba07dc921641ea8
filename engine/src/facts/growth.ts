/** Who can make a list longer or a number larger. */
import {
  alternativesOf,
  budget,
  type ContractFlow,
  type Flow,
  fieldPath,
  isBefore,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { intervalOf } from './arithmetic.ts'
import { relationsAt } from './guards.ts'
import { runsOnce } from './initializers.ts'
import { isProtected } from './principals.ts'
import { isRefill } from './refills.ts'
import { isSender } from './sender-conditions.ts'

export type GrownBy = 'anyone' | 'privileged' | 'self' | 'none'

/** Who can make an array longer (beyond `few` elements), or a number larger; `path` tells a list in a struct from its neighbours. */
export const grownBy = (
  contractFlow: ContractFlow,
  variable: VariableModel,
  isLength: boolean,
  path: string | null = null,
  few = fewElements,
): GrownBy => {
  let grown: GrownBy = 'none'
  for (const { flow, op } of contractFlow.writersOf(variable)) {
    if (flow.isConstructor || !grows(op, isLength)) continue
    // An initializer brings as much as one call can.
    if (flow.isEntryPoint && runsOnce(flow, op)) continue
    if (path !== null && isElsewhere(op.location, path, isLength)) continue
    if (isCapped(flow, op, few) || (!isLength && intervalOf(flow, op.args[0], op).max <= few)) continue
    const isSetting = !isLength && !isIncrement(op)
    // Inner functions that nothing here calls wait for a derived contract, which decides who may call them.
    if (!flow.isEntryPoint || isProtected(flow, op)) {
      if (grown === 'none' && !isSetting && !(isLength && isRefill(flow, op))) grown = 'privileged'
    } else if (isKeyedBySender(op.location)) grown = 'self'
    else return 'anyone'
  }
  return grown
}

const grows = (store: StoreOp, isLength: boolean): boolean => {
  if (store.flag) return false
  const value = stripCasts(store.args[0])
  if (value.kind === 'const' && value.constant === 0n) return false
  if (isLength) {
    if (store.location.part === 'length') return !(value.kind === 'bin' && value.operator === '-')
    // A whole array assigned.
    return store.location.part === 'root' && value.kind !== 'const'
  }
  return !(value.kind === 'bin' && (value.operator === '-' || value.operator === '/'))
}

/** A list, or a number, in another field. */
const isElsewhere = (written: Location, path: string, isLength: boolean): boolean => {
  const at = fieldPath(written)
  return isLength ? written.part === 'length' && at !== path : !path.startsWith(at)
}

/** So few that even some 200,000 gas for each fit into a block. */
const fewElements = 64n

/** `require(list.length < MAX)` on the path to each new element, with a limit written into the code. */
const isCapped = (flow: Flow, store: StoreOp, few: bigint): boolean => {
  const place = store.location
  for (const { greater, smaller, strict } of relationsAt(flow, store)) {
    const counted = stripCasts(smaller)
    const isCount = counted.kind === 'load' && counted.location === place
    const isSum = counted.kind === 'bin' && counted.operator === '+' && isRaised(counted, place)
    if (!isCount && !isSum) continue
    if ((isCount && !strict && !isRaised(stripCasts(store.args[0]), place)) || !isFew(stripCasts(greater), few))
      continue
    // One check before a loop does not hold for what the loop adds.
    if (flow.loopMarkAround(counted) === flow.loopMarkAround(store)) return true
  }
  return false
}

const isFew = ({ kind, constant }: Op, few: bigint): boolean => kind === 'const' && constant !== null && constant <= few

const isRaised = (sum: Op, place: Location): boolean =>
  sum.args.some((arg) => {
    const part = stripCasts(arg)
    return part.kind === 'load' && part.location === place
  })

/** `n += x`, `n++`, also through a local copy that a loop counts up. */
const isIncrement = (store: StoreOp): boolean => addsTo(stripCasts(store.args[0]), store.location.variable, 0)

const addsTo = (value: Op, variable: VariableModel | null, depth: number): boolean => {
  if (value.kind === 'call') return true
  if (depth > budget.depth.addends) return false
  if (alternativesOf(value).some((arg) => isBefore(arg, value) && isCopy(stripCasts(arg), variable, depth + 1)))
    return true
  return (
    value.kind === 'bin' &&
    value.operator === '+' &&
    value.args.some((arg) => isCopy(stripCasts(arg), variable, depth + 1))
  )
}

const isCopy = (value: Op, variable: VariableModel | null, depth: number): boolean =>
  value.kind === 'load' ? value.location.variable === variable : addsTo(value, variable, depth)

/** The caller's own entry. */
export const isKeyedBySender = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent)
    if (at.index !== null && isSender(at.index)) return true
  return false
}

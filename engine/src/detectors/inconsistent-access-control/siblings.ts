/** Functions of one contract that perform the same act, and who may call them. */
import { dependsOn, isRolePrincipal, isSender, principalAt, runsOnce } from '../../facts/index.ts'
import { type Act, actsOf, keysOf } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Op, stripCasts } from '../../ir/index.ts'

type Access = 'open' | 'role' | 'other'

interface Performer {
  readonly flow: Flow
  readonly act: Act
}

/** Guarded functions that show what the protocol demands for an act. */
export interface Siblings {
  readonly act: Act
  readonly guarded: readonly Flow[]
}

/** So many functions make a rule: of those that write the same state or pay two, of those that only resemble each other three. */
const fewest: Readonly<Record<Act['kind'], number>> = {
  column: 2,
  callee: 2,
  payment: 2,
  setting: 3,
  change: 3,
}

/**
 * One variable for the whole contract is no user's entry: two other setters that ask for a role are enough. So are two functions where
 * anyone is paid what they name, and one where the role's own switch is turned back.
 */
const fewestFor = (contractFlow: ContractFlow, { kind, op }: Act): number => {
  if (kind === 'column' && (isSwitch(op) || isAdministered(contractFlow))) return 1
  const isOfContract = kind === 'setting' && op.kind === 'store' && op.location.depth === 0
  return isOfContract || (kind === 'change' && op.kind === 'call') ? 2 : fewest[kind]
}

/** At least three functions ask for a role: then the one other function that writes the same state shows for whom it is. */
const isAdministered = (contractFlow: ContractFlow): boolean => contractFlow.answer(countRoles) >= fewest.setting

const countRoles = ({ entryPoints }: ContractFlow): number =>
  entryPoints.filter((flow) => flow.stateStores().some((store) => isRolePrincipal(principalAt(flow, store)))).length

/** `paused = false`: one flag for the whole contract. */
export const isSwitch = (op: Op): boolean =>
  op.kind === 'store' &&
  op.location.depth === 0 &&
  op.location.type?.kind === 'bool' &&
  stripCasts(op.args[0]).kind === 'const'

const accessAt = (flow: Flow, { op }: Act): Access => {
  const principal = principalAt(flow, op)
  if (principal === 'anyone') return runsOnce(flow, op) ? 'other' : 'open'
  return isRolePrincipal(principal) ? 'role' : 'other'
}

const performersOf = ({ entryPoints }: ContractFlow): ReadonlyMap<string, readonly Performer[]> => {
  const found = new Map<string, Performer[]>()
  for (const flow of entryPoints)
    for (const act of actsOf(flow)) {
      const known = found.get(act.key)
      if (known === undefined) found.set(act.key, [{ flow, act }])
      else known.push({ flow, act })
    }
  return found
}

/** One function performs an act for anyone, and all others that perform it ask for a role. */
interface Exception {
  readonly flow: Flow
  readonly places: ReadonlySet<Act['op']>
  readonly guarded: readonly Flow[]
}

/** Ends at the second open function: then there is no rule. */
const exceptionOf = (performers: readonly Performer[]): Exception | null => {
  const places = new Set<Act['op']>()
  const guarded = new Set<Flow>()
  let open: Flow | null = null
  for (const { flow, act } of performers) {
    const access = accessAt(flow, act)
    if (access === 'role') guarded.add(flow)
    if (access !== 'open' || (act.kind === 'setting' && !act.isChosen)) continue
    if (open !== null && open !== flow) return null
    open = flow
    places.add(act.op)
  }
  if (open === null) return null
  guarded.delete(open)
  return { flow: open, places, guarded: [...guarded] }
}

const exceptionsOf = (contractFlow: ContractFlow): ReadonlyMap<string, Exception> => {
  const found = new Map<string, Exception>()
  for (const [key, performers] of performersOf(contractFlow)) {
    if (performers.length < 2) continue
    const exception = exceptionOf(performers)
    if (exception === null || exception.guarded.length === 0) continue
    if (performers.length > Math.min(...performers.map(({ act }) => fewestFor(contractFlow, act))))
      found.set(key, exception)
  }
  return found
}

/** Anyone who may do something else there may be taking what they deposited. */
export const isOnlyOpen = (flow: Flow): boolean =>
  flow.contractFlow.entryPoints.every(
    (other) =>
      other === flow ||
      [...other.stateStores(), ...other.externalCalls()].every(
        (op) => isRolePrincipal(principalAt(other, op)) || runsOnce(other, op),
      ),
  )

/** Some condition is about the sender: not everybody gets there at any time, and one other function says too little. */
const checksCaller = (flow: Flow): boolean =>
  [...flow.blocks.map(({ condition }) => condition), ...flow.ops('assume').map(({ args }) => args[0])].some(
    (condition) => condition != null && dependsOn(flow, condition, isSender, { keys: true }),
  )

/** What is stored there is what the caller gives: nobody collects for a treasury, registers what they made, or pays a fee by it. */
const isGiven = ({ op }: Act): boolean => op.kind === 'store' && stripCasts(op.args[0]).kind === 'param'

/** `addresses[keccak256("owner")]`: an element under a fixed key is a place of its own. */
const hasFixedKey = (flow: Flow, { op }: Act): boolean =>
  op.kind === 'store' &&
  keysOf(op.location).some((key) => !dependsOn(flow, key, ({ kind }) => kind === 'param', { keys: true }))

/** For each act that anyone may perform by this function: the others, if all of them ask for a role. */
export function* guardedSiblings(flow: Flow): Iterable<Siblings> {
  const exceptions = flow.contractFlow.answer(exceptionsOf)
  for (const act of actsOf(flow)) {
    const exception = exceptions.get(act.key)
    if (!act.isChosen || exception?.flow !== flow || !exception.places.has(act.op)) continue
    if (act.kind === 'change' && act.op.kind === 'call' && !isOnlyOpen(flow)) continue
    const isOneEnough = isSwitch(act.op) || (isGiven(act) && !hasFixedKey(flow, act) && !flow.answer(checksCaller))
    if (exception.guarded.length === 1 && !isOneEnough) continue
    if (exception.guarded.length >= fewestFor(flow.contractFlow, act)) yield { act, guarded: exception.guarded }
  }
}

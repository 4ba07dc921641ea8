/**
 * Which state an outsider can set: what unguarded functions write; then what functions write whose guard rests on such state;
 * and so on, to the least fixpoint.
 */

import {
  budget,
  type ContractFlow,
  type Flow,
  fieldPath,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import type { ContractModel, FunctionModel, VariableModel } from '../model/index.ts'
import { implementedBy } from './answers.ts'
import { isCleared } from './cleared.ts'
import type { Fact } from './conditions.ts'
import { dependsOn, stateReadsOf } from './dependencies.ts'
import { canOnlyRefuse, guardsAtEnd } from './guards.ts'
import { factsOnEdge, runsOnce } from './initialisers.ts'
import { canHoldWithin } from './outcomes.ts'
import type { Interval } from './ranges.ts'
import { isSender, type SenderGuard } from './sender-conditions.ts'
import { senderGuardsAt } from './senders.ts'
import { guardsAfterSetUp, isOnePlace } from './set-up.ts'

/** Some function lets anybody write this variable or a part of it (not counting functions that work only once, or only while the contract is being set up). */
export const outsiderCanSet = (contractFlow: ContractFlow, variable: VariableModel): boolean =>
  !variable.isConstant && !variable.isImmutable && contractFlow.answer(settableState).settable.has(variable)

/** The same for one place: fields of a struct are told apart, elements are not. */
export const outsiderCanSetPlace = (contractFlow: ContractFlow, place: Location): boolean => {
  const variable = place.variable
  if (variable === null || variable.isConstant || variable.isImmutable) return false
  return isSettable(contractFlow.answer(settableState).settable, variable, fieldPath(place))
}

/** The same for a part of a copy in memory of what is stored at `copied`: other parts of the record are others' to set. */
export const outsiderCanSetCopied = (contractFlow: ContractFlow, copied: Location, part: Location): boolean => {
  const variable = copied.variable
  if (variable === null || variable.isConstant || variable.isImmutable) return false
  return isSettable(contractFlow.answer(settableState).settable, variable, fieldPath(copied) + fieldPath(part))
}

/** The same, not counting those who can only clear it. */
export const outsiderCanFillPlace = (contractFlow: ContractFlow, place: Location): boolean => {
  const variable = place.variable
  if (variable === null || variable.isConstant || variable.isImmutable) return false
  return isSettable(contractFlow.answer(settableState).grantable, variable, fieldPath(place))
}

/** The guard rests on state that an outsider can set, so it guards nothing. */
export const isBroken = (contractFlow: ContractFlow, guard: SenderGuard): boolean =>
  (guard.places.length > 0 && restsOn(guard, contractFlow.answer(settableState))) || isAskedInVain(contractFlow, guard)

/** `gate.check(msg.sender)`, where the scan holds the gate and it lets everybody pass, or everybody who helps themselves to a place in it. */
const isAskedInVain = (contractFlow: ContractFlow, { op }: SenderGuard): boolean => {
  if (op.kind !== 'call' || !canOnlyRefuse(op)) return false
  const asked = op.call.definition!
  const place = op.args.findIndex(isSender)
  const known = contractFlow.shared.answer(createRefusals)
  let answer = known.get(asked)
  if (answer === undefined) {
    // Two that ask each other.
    known.set(asked, false)
    const behind = asked.isImplemented ? [asked] : implementedBy(contractFlow, asked)
    answer = behind.some((fn) => !refusesStrangers(contractFlow, fn, place))
    known.set(asked, answer)
  }
  return answer
}

const createRefusals = (): Map<FunctionModel, boolean> => new Map()

/** Whoever comes to an end had something on record that no outsider can put there. What asks further is not followed. */
const refusesStrangers = (asking: ContractFlow, fn: FunctionModel, place: number): boolean => {
  const flow = asking.follow(fn)
  if (flow.isPartial || flow.externalCalls().length > 0) return true
  const isAsked = ({ kind, constant }: Op): boolean => kind === 'param' && Number(constant) === place
  const isRefusal = ({ condition, polarity }: Fact): boolean => {
    if (!dependsOn(flow, condition, isAsked, { keys: true })) return false
    const reads = stateReadsOf(flow, condition)
    return (
      reads.length > 0 &&
      !canHoldWithin(boundsOnRecord, condition, polarity) &&
      !reads.some(({ location }) => isOpenIn(asking, fn.contract, location.variable))
    )
  }
  return flow.ir.exits.every((exit) => isPassedBy(flow, exit, isRefusal, budget.depth.refusal))
}

/** Every way to the end of a block comes past such a condition. */
const isPassedBy = (flow: Flow, block: number, isMet: (fact: Fact) => boolean, depth: number): boolean => {
  if (guardsAtEnd(flow, block).some(isMet)) return true
  const { preds } = flow.blocks[block]!
  return (
    depth > 0 &&
    preds.length > 0 &&
    preds.every(
      (pred) =>
        pred < block && (factsOnEdge(flow, pred, block).some(isMet) || isPassedBy(flow, pred, isMet, depth - 1)),
    )
  )
}

/** Nothing stands there of a stranger. */
const boundsOnRecord = (value: Op): Interval | null => {
  const { kind, constant } = stripCasts(value)
  if (kind === 'load') return nothing
  return constant === null ? null : { min: constant, max: constant }
}

const nothing: Interval = { min: 0n, max: 0n }

/** Some function of the contract writes there and asks nobody. */
const isOpenIn = (asking: ContractFlow, contract: ContractModel | null, variable: VariableModel | null): boolean =>
  contract !== null &&
  variable !== null &&
  contract.allFunctions.some((fn) => {
    if (!fn.isImplemented || fn.role === 'constructor') return false
    if (fn.visibility !== 'public' && fn.visibility !== 'external') return false
    if (fn.mutability === 'view' || fn.mutability === 'pure') return false
    const flow = asking.follow(fn, contract)
    return flow
      .stateStores()
      .some((op) => op.location.variable === variable && !isCleared(op) && senderGuardsAt(flow, op).length === 0)
  })

/** The condition that keeps strangers from reaching `op`; one that holds if there is one, else a broken one. */
export const senderGuardAt = (flow: Flow, op: Op): SenderGuard | null => {
  const guards = senderGuardsAt(flow, op)
  return guards.find((guard) => !isBroken(flow.contractFlow, guard)) ?? guards[0] ?? null
}

/** Field paths (`.owner`, `.terms.rate`; empty for all) that outsiders can write, per variable. */
type Paths = Map<VariableModel, string[]>

interface SettableState {
  readonly settable: Paths
  /** Of these, what an outsider can set to more than nothing. */
  readonly grantable: Paths
}

const settableState = (contractFlow: ContractFlow): SettableState => {
  const state: SettableState = { settable: new Map(), grantable: new Map() }
  let open = writesOfEntryPoints(contractFlow)
  for (let changed = true; changed; ) {
    changed = false
    const rest: typeof open = []
    for (const write of open) {
      const variable = write.place.variable!
      const path = fieldPath(write.place)
      const paths = isCleared(write.op) || isOwnAddress(write.op) ? state.settable : state.grantable
      if (paths.get(variable)?.includes(path)) continue
      const guards = senderGuardsAt(write.flow, write.op)
      if (
        guards.some((guard) => !restsOn(guard, state) && !isAskedInVain(contractFlow, guard)) ||
        runsOnce(write.flow, write.op) ||
        isSetUp(write.flow, write.op, state) ||
        isKeptAnswer(write.flow, write.op, state) ||
        isMovedOn(write.flow, write.op, state)
      )
        rest.push(write)
      else {
        addPath(paths, variable, path)
        if (paths === state.grantable) addPath(state.settable, variable, path)
        changed = true
      }
    }
    open = rest
  }
  return state
}

/** `owner = address(this)`: nobody is let in by that; under a key it may mark whom the key names. */
const isOwnAddress = ({ args, location }: StoreOp): boolean => {
  const { kind, operator } = stripCasts(args[0])
  return kind === 'env' && operator === 'this' && isOnePlace(location)
}

/** `vault = nextVault`, also with more beside it in a struct: whoever sets it off, those who named the next one chose it. */
const isMovedOn = (flow: Flow, { args, location }: StoreOp, { grantable }: SettableState): boolean => {
  const named = stripCasts(args[0])
  if (named.kind !== 'load' || named.location.space !== 'state' || named.location.variable === null) return false
  if (!isMovable(location) || isSettable(grantable, named.location.variable, fieldPath(named.location))) return false
  return !restsOnCaller(flow, named)
}

const movable: ReadonlySet<string> = new Set(['address', 'contract', 'struct', 'unknown'])

/** An address, alone or in a struct; also of a type that a missing file declares, which is mostly a contract. */
const isMovable = ({ type }: Location): boolean => movable.has(type?.kind ?? '')

const restsOnCaller = (flow: Flow, value: Op): boolean =>
  dependsOn(flow, value, ({ kind, operator }) => kind === 'param' || (kind === 'env' && operator !== 'this'), {
    keys: true,
  })

/** Part of a set-up that is not kept for each caller: who comes when it has ended needs more than an outsider has. */
const isSetUp = (flow: Flow, op: StoreOp, state: SettableState): boolean =>
  isOnePlace(op.location) && guardsAfterSetUp(flow, op).some((guard) => !restsOn(guard, state))

/** `cache[name] = registry.addressOf(name)`: anybody may renew it, and what it becomes is for the registry to say, of which no outsider chooses which it is. */
const isKeptAnswer = (flow: Flow, { args }: StoreOp, state: SettableState): boolean =>
  isAnswered(flow, args[0], state, budget.depth.keptAnswer)

/** What a contract answers that no outsider chooses, of itself: one that is kept here, or that such a one names. */
const isAnswered = (flow: Flow, given: Op, state: SettableState, depth: number): boolean => {
  const value = stripCasts(given)
  const answer = value.kind === 'extract' ? value.args[0] : value
  if (answer.kind !== 'call' || answer.call.kind !== 'external' || answer.call.target === null) return false
  const { mutability } = answer.call.definition ?? {}
  if (mutability !== 'view' && mutability !== 'pure') return false
  if (answer.args.some((arg) => restsOnCaller(flow, arg))) return false
  const asked = stripCasts(answer.call.target)
  if (asked.kind !== 'load') return depth > 0 && isAnswered(flow, asked, state, depth - 1)
  const { space, variable } = asked.location
  return space === 'state' && variable !== null && !isSettable(state.grantable, variable, fieldPath(asked.location))
}

const writesOfEntryPoints = ({ entryPoints }: ContractFlow): { place: Location; flow: Flow; op: StoreOp }[] =>
  entryPoints.flatMap((flow) =>
    flow
      .stateStores()
      .filter((op) => op.location.variable !== null)
      .map((op) => ({ place: op.location, flow, op })),
  )

/** Writing the whole writes each part, and writing a part changes the whole. */
const isSettable = (settable: Paths, variable: VariableModel, path: string): boolean => {
  const paths = settable.get(variable)
  if (paths === undefined) return false
  for (let i = 0; i < paths.length; i++) {
    const written = paths[i]!
    if (written === path || isInside(written, path) || isInside(path, written)) return true
  }
  return false
}

const isInside = (outer: string, inner: string): boolean =>
  inner.length > outer.length && inner.startsWith(outer) && inner[outer.length] === '.'

const addPath = (settable: Paths, variable: VariableModel, path: string): void => {
  const paths = settable.get(variable)
  if (paths === undefined) settable.set(variable, [path])
  else if (!paths.includes(path)) paths.push(path)
}

/** Nobody passes because an entry was taken out; but a signature that is none may be by nobody. */
const restsOn = (guard: SenderGuard, { settable, grantable }: SettableState): boolean => {
  const paths = guard.against === 'signature' ? settable : grantable
  return guard.places.some((place) => place.variable !== null && isSettable(paths, place.variable, fieldPath(place)))
}

/**
 * The weakest principal that can cause something: one lattice for operations (`principalAt`: whose call gets there) and for places
 * (`outsiderCanSetPlace`: whose call writes there); `chosen-values.ts` asks the same of values. "Is this owner-only?" is
 * `roleAt(flow, op) !== null`; `isProtected(flow, op)` is "no outsider gets there".
 *
 * An operation is as protected as the strongest check of the sender that guards it, and a check is as strong as the state it rests
 * on: `msg.sender == owner` is worth nothing where an outsider can write `owner`. A place is as open as its weakest writer.
 * Both together are the least fixpoint in `findOpenPlaces`.
 */

import {
  budget,
  type CallOp,
  type ContractFlow,
  type Flow,
  fieldPath,
  type Interval,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import type { ContractModel, FunctionModel, VariableModel } from '../model/index.ts'
import { implementedBy } from './answers.ts'
import { isCleared } from './cleared.ts'
import type { Fact } from './conditions.ts'
import { dependsOn, parametersIn, stateReadsOf } from './dependencies.ts'
import { canOnlyRefuse, guardsAtEnd } from './guards.ts'
import { runsOnce } from './initializers.ts'
import { contentOf, partFor } from './memory-values.ts'
import { canHoldWithin } from './outcomes.ts'
import { factsOnEdge } from './paths.ts'
import { senderGuardsAt } from './sender-checks.ts'
import { isOnePlace, isSender, type SenderGuard } from './sender-conditions.ts'
import { guardsAfterSetUp } from './set-up-checks.ts'

/**
 * From the weakest to the strongest. anyone · holder: of a record that anyone can open for themselves · later: anyone until a set-up
 * has ended, then one of the following · unread: a function whose
 * source is missing may refuse · granted: holds what only a role hands out · consent: has the signature of a role · role: some
 * that no outsider can become · one: a single account.
 */
const principals = ['anyone', 'holder', 'later', 'unread', 'granted', 'consent', 'role', 'one'] as const

export type Principal = (typeof principals)[number]

const strongerOf = (a: Principal, b: Principal): Principal => (principals.indexOf(a) < principals.indexOf(b) ? b : a)

/** Some or one that no outsider can become. */
export const isRolePrincipal = (principal: Principal): boolean => principal === 'role' || principal === 'one'

/** Which checks of the sender are to count: a signature does not protect the check of that signature. */
type Counts = (guard: SenderGuard) => boolean

const allCount: Counts = () => true

// Operations

/** The weakest principal that gets to `op`. */
export const principalAt = (flow: Flow, op: Op, counts: Counts = allCount): Principal => {
  const guards = senderGuardsAt(flow, op)
  const { principal } = judge(flow, counts === allCount ? guards : guards.filter(counts))
  if (principal !== 'anyone') return principal
  const isClosedLater = guardsAfterSetUp(flow, op).some((guard) => counts(guard) && !isBroken(flow.contractFlow, guard))
  return isClosedLater ? 'later' : 'anyone'
}

/** No outsider gets to `op`, not by opening a record either. */
export const isProtected = (flow: Flow, op: Op, counts: Counts = allCount): boolean =>
  !outsiders.has(principalAt(flow, op, counts))

const outsiders: ReadonlySet<Principal> = new Set(['anyone', 'holder', 'later'])

/** The sender is checked, now and for everyone: the holder of a record will do. */
export const isCallerChecked = (flow: Flow, op: Op, counts: Counts = allCount): boolean =>
  !unchecked.has(principalAt(flow, op, counts))

const unchecked: ReadonlySet<Principal> = new Set(['anyone', 'later'])

/** Only one account gets to `op`: no list of members, nor those whom another contract admits. */
export const isForOne = (flow: Flow, op: Op): boolean => principalAt(flow, op) === 'one'

/** The check that lets only a role pass to `op`: one that no outsider can satisfy or change. */
export const roleAt = (flow: Flow, op: Op): SenderGuard | null => judge(flow, senderGuardsAt(flow, op)).role

interface Judgement {
  readonly principal: Principal
  readonly role: SenderGuard | null
}

const openToAll: Judgement = { principal: 'anyone', role: null }

/** All points between two conditions share their list of checks, and many ask about them. */
const judge = (flow: Flow, guards: readonly SenderGuard[]): Judgement => {
  if (guards.length === 0) return openToAll
  return flow.remember(judge, guards, () => {
    const found = guards.map((guard) => principalOf(flow, guard))
    const role = guards.find((_, i) => isRolePrincipal(found[i]!)) ?? null
    return { principal: found.reduce(strongerOf), role }
  })
}

/** Tokens and records of other contracts can be bought: that a role hands them out is only known of state that is in view. */
const notRole: Partial<Record<SenderGuard['against'], Principal>> = { unknown: 'unread', external: 'holder' }

/** The weakest principal that passes one check. */
const principalOf = (flow: Flow, guard: SenderGuard): Principal => {
  const { against, places } = guard
  if (isBroken(flow.contractFlow, guard)) return isOfRecord(flow, guard) ? 'holder' : 'anyone'
  if (against === 'signature') return 'consent'
  if (!isRole(flow, guard)) return notRole[against] ?? 'granted'
  const isOfMany = against === 'keyed' || against === 'external' || places.some(isOneOfMany)
  return isOfMany ? 'role' : 'one'
}

const isOneOfMany = ({ index, type }: Location): boolean => index !== null || type?.kind === 'array'

/** `lots[id].seller == msg.sender`, `shares[msg.sender] > 0`: what someone has entered for themselves, and no list of members. */
const isOfRecord = (flow: Flow, { against, places }: SenderGuard): boolean => {
  if (against === 'keyed') return !places.every((place) => isMembership(flow, place))
  return against === 'state' && places.every(({ index, parent }) => index !== null || parent !== null)
}

/** The guard asks for a role, whether or not an outsider can come by it: not for an amount, nor for what someone owns. */
export const isRole = (flow: Flow, { against, places, op }: SenderGuard): boolean => {
  switch (against) {
    case 'keyed':
      return places.every((place) => isMembership(flow, place))
    case 'external':
      return !isAmountChecked(flow, op) && !isOwnershipChecked(flow, op)
    case 'unknown':
      // Of a function that is not among the files nothing is known; a modifier is there to keep someone out.
      return op.operator === 'modifier'
    default:
      return true
  }
}

/** Yes or no, not how much: everything that is ever written there marks someone as in or out. */
const isMembership = (flow: Flow, place: Location): boolean => {
  if (place.type?.kind === 'bool') return true
  return flow.contractFlow.answerAt(place, holdsMarks)
}

const holdsMarks = (contractFlow: ContractFlow, place: Location): boolean => {
  const writes = contractFlow.writersTo(place)
  const known = new Map<Op, boolean>()
  return writes.length > 0 && writes.every(({ op }) => isMark(place.variable!, stripCasts(partFor(place, op)), known))
}

/** A constant, or where the entry stands in a list: the length that it was added at, or the place of another that was moved there. */
const isMark = (variable: VariableModel, value: Op, known: Map<Op, boolean>): boolean => {
  if (value.kind === 'const') return true
  if (value.kind === 'load') return value.location.part === 'length' || value.location.variable === variable
  if (value.kind !== 'bin' || (value.operator !== '+' && value.operator !== '-')) return false
  let answer = known.get(value)
  if (answer === undefined) {
    answer = value.args.every((side) => isMark(variable, stripCasts(side), known))
    known.set(value, answer)
  }
  return answer
}

/** `require(token.balanceOf(msg.sender) > n)`: anyone who holds enough. */
const isAmountChecked = (flow: Flow, check: Op): boolean => {
  const condition = check.kind === 'assume' ? stripCasts(check.args[0]) : check
  if (condition.kind !== 'bin') return false
  return condition.args.some((side) => {
    const value = stripCasts(side)
    return (value.kind === 'call' || value.kind === 'extract') && flow.typeOf(value)?.kind === 'int'
  })
}

/** `require(nft.ownerOf(id) == msg.sender)`, `require(nft.isOwner(msg.sender, id))`: anyone who owns the record that the caller names. */
const isOwnershipChecked = (flow: Flow, check: Op): boolean => {
  const condition = check.kind === 'assume' ? stripCasts(check.args[0]) : check
  const sides = condition.kind === 'bin' ? condition.args : [condition]
  return sides.some((side) => {
    const value = stripCasts(side)
    const queriedValue = value.kind === 'extract' ? value.args[0] : value
    if (queriedValue.kind !== 'call' || queriedValue.call.kind !== 'external') return false
    return queriedValue.args.some((arg) => parametersIn(flow, arg).size > 0)
  })
}

/** `IVault(msg.sender).owner()`: a question to the sender itself, which answers what it likes. */
export const queriesCaller = ({ kind, call }: Op): boolean =>
  kind === 'call' && call.kind === 'external' && call.target !== null && isCaller(call.target)

/** The sender, also converted to an interface whose file is missing. */
const isCaller = (value: Op): boolean => {
  const op = stripCasts(value)
  if (isSender(op)) return true
  if (op.kind !== 'call' || op.call.definition !== null || op.call.target !== null) return false
  const [converted, ...others] = op.args
  return converted !== undefined && others.length === 0 && isSender(converted)
}

/**
 * The number itself is chosen by a role, not only the moment. A contract of the same protocol that this one calls too
 * passes on what outsiders tell it, so its numbers are theirs.
 */
export const isChosenByRole = (flow: Flow, at: Op): boolean => {
  const role = roleAt(flow, at)
  return role !== null && !role.places.some((place) => isContractVariable(flow, place))
}

/** State that holds a contract which is called somewhere: its type says so, or a call does. */
const isContractVariable = (flow: Flow, place: Location): boolean => {
  if (place.type?.kind === 'contract') return true
  if (place.depth > 0 || place.variable === null) return false
  return flow.contractFlow.answer(calledVariables).has(place.variable)
}

const calledVariables = ({ flows }: Flow['contractFlow']): ReadonlySet<object> => {
  const called = new Set<object>()
  for (const flow of flows)
    for (const { call } of flow.externalCalls()) {
      const target = call.target === null ? null : stripCasts(call.target)
      if (call.kind === 'external' && target?.kind === 'load' && target.location.variable !== null)
        called.add(target.location.variable)
    }
  return called
}

/** Only known accounts get to the call, and a callee that calls back is another. */
export const isReserved = (flow: Flow, call: CallOp): boolean => {
  const role = roleAt(flow, call)
  // One of many on a list may be the callee itself.
  return role !== null && (role.against !== 'keyed' || !isForSender(call))
}

/** The member itself may be called, as the one who gets ether or tokens. */
const isForSender = ({ call, args }: CallOp): boolean =>
  call.value !== null || (call.target !== null && isSender(call.target)) || args.some(isSender)

/** State that decides who is privileged, such as an owner: the sender must equal it before state changes or a call goes out. */
export const privilegedState = (contractFlow: ContractFlow): ReadonlySet<VariableModel> =>
  contractFlow.answer(findPrivilegedState)

const findPrivilegedState = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel> =>
  new Set(
    entryPoints.flatMap((flow) =>
      [...flow.stateStores(), ...flow.externalCalls(), ...flow.builtins('selfdestruct')].flatMap((op) =>
        senderGuardsAt(flow, op).flatMap(({ against, places }) =>
          against === 'state' ? places.map(({ variable }) => variable!) : [],
        ),
      ),
    ),
  )

const collectPending = (contractFlow: ContractFlow): Set<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of contractFlow.entryPoints) {
    for (const store of flow.stateStores()) {
      const value = stripCasts(store.args[0])
      const target = store.location.variable
      const source = value.kind === 'load' ? value.location.variable : null
      if (target === null) continue
      if (source !== null && source !== target) found.add(source)
      if (!isSender(value)) continue
      for (const { places } of senderGuardsAt(flow, store))
        for (const { variable } of places) if (variable !== null && variable !== target) found.add(variable)
    }
  }
  return found
}

/** The account named here must still act before a right moves: the first of two steps. */
export const isPendingRight = (contractFlow: ContractFlow, variable: VariableModel): boolean =>
  contractFlow.answer(collectPending).has(variable)

// Places

/** Some function lets an outsider write this place, initializers and set-ups aside. Fields of a struct are distinguished, elements are not. */
export const outsiderCanSetPlace = (contractFlow: ContractFlow, place: Location): boolean =>
  isOpen(contractFlow.answer(findOpenPlaces), place.variable, fieldPath(place))

/** The same for a part of a copy in memory of what is stored at `copied`: other parts of the record may be closed. */
export const outsiderCanSetCopied = (contractFlow: ContractFlow, copied: Location, part: Location): boolean =>
  isOpen(contractFlow.answer(findOpenPlaces), copied.variable, fieldPath(copied) + fieldPath(part))

/** The same, not counting writes that only clear it. */
export const outsiderCanFillPlace = (contractFlow: ContractFlow, place: Location): boolean =>
  isOpen(contractFlow.answer(findOpenPlaces), place.variable, fieldPath(place), true)

/** Field paths (`.owner`, `.terms.rate`; empty for all) that outsiders can write, per variable; true: with more than zero. */
type OpenPlaces = Map<VariableModel, Map<string, boolean>>

/** What unguarded functions write; then what functions write whose check rests on that; and so on, to the least fixpoint. */
const findOpenPlaces = ({ entryPoints }: ContractFlow): OpenPlaces => {
  const open: OpenPlaces = new Map()
  let closed = entryPoints.flatMap((flow) => flow.stateStores().map((op) => ({ flow, op })))
  for (let before = -1; before !== closed.length; ) {
    before = closed.length
    closed = closed.filter(({ flow, op }) => {
      const { variable } = op.location
      if (variable === null || variable.isConstant || variable.isImmutable) return false
      const paths = open.get(variable)
      const path = fieldPath(op.location)
      const isFilled = !isCleared(op) && !isOwnAddress(op)
      const known = paths?.get(path)
      if (known === true || (known === false && !isFilled)) return false
      if (isClosed(flow, op, open)) return true
      if (paths === undefined) open.set(variable, new Map([[path, isFilled]]))
      else paths.set(path, isFilled)
      return false
    })
  }
  return open
}

/** No outsider decides what is written here, as far as places are known to be open. */
const isClosed = (flow: Flow, op: StoreOp, open: OpenPlaces): boolean => {
  const isHeld = (guard: SenderGuard): boolean => !isBrokenBy(flow.contractFlow, guard, open)
  return (
    senderGuardsAt(flow, op).some(isHeld) ||
    runsOnce(flow, op) ||
    (isOnePlace(op.location) && guardsAfterSetUp(flow, op).some(isHeld)) ||
    isAnswered(flow, op.args[0], open, budget.depth.keptAnswer) ||
    isMovedOn(flow, op, open)
  )
}

/** The check rests on state that an outsider can write, so it guards nothing. */
export const isBroken = (contractFlow: ContractFlow, guard: SenderGuard): boolean =>
  isBrokenBy(contractFlow, guard, contractFlow.answer(findOpenPlaces))

/** Nobody passes because an entry was taken out; but a signature that is invalid may be by the zero address. */
const isBrokenBy = (contractFlow: ContractFlow, guard: SenderGuard, open: OpenPlaces): boolean =>
  guard.places.some((place) => isOpen(open, place.variable, fieldPath(place), guard.against !== 'signature')) ||
  isCheckedInVain(contractFlow, guard)

/** Writing the whole writes each part, and writing a part changes the whole. */
const isOpen = (open: OpenPlaces, variable: VariableModel | null, path: string, needsMore = false): boolean => {
  const paths = variable === null ? undefined : open.get(variable)
  if (paths === undefined) return false
  for (const [written, isFilled] of paths) {
    if (needsMore && !isFilled) continue
    if (written === path || isInside(written, path) || isInside(path, written)) return true
  }
  return false
}

const isInside = (outer: string, inner: string): boolean =>
  inner.length > outer.length && inner.startsWith(outer) && inner[outer.length] === '.'

/** `owner = address(this)`: nobody is let in by that; under a key it may mark the account that the key names. */
const isOwnAddress = ({ args, location }: StoreOp): boolean => {
  const { kind, operator } = stripCasts(args[0])
  return kind === 'env' && operator === 'this' && isOnePlace(location)
}

/** `vault = nextVault`, also with more beside it in a struct: anyone may start it, but those who named the next one chose it. */
const isMovedOn = (flow: Flow, { args, location }: StoreOp, open: OpenPlaces): boolean => {
  const named = stripCasts(args[0])
  const places = named.kind === 'load' ? recordedAt(flow, named.location) : []
  if (places.length === 0 || !movable.has(location.type?.kind ?? '')) return false
  return (
    !places.some((place) => isOpen(open, place.variable, fieldPath(place), true)) &&
    !places.some(({ variable }) => variable === null) &&
    !restsOnCaller(flow, named)
  )
}

/** Where in state a value was kept, also if the record around it was copied to memory first; none where it may be another value. */
const recordedAt = (flow: Flow, place: Location): readonly Location[] => {
  if (place.space === 'state') return [place]
  const content = contentOf(flow, place)
  return content === null || content.values.length > 0 ? [] : content.copies
}

/** An address, alone or in a struct; also of a type that a missing file declares, which is mostly a contract. */
const movable: ReadonlySet<string> = new Set(['address', 'contract', 'struct', 'unknown'])

const restsOnCaller = (flow: Flow, value: Op): boolean =>
  dependsOn(flow, value, ({ kind, operator }) => kind === 'param' || (kind === 'env' && operator !== 'this'), {
    keys: true,
  })

/**
 * `cache[name] = registry.addressOf(name)`: anyone may renew it, but it becomes what a contract answers that no outsider chooses: one
 * that is stored here, or that such a one names.
 */
const isAnswered = (flow: Flow, given: Op, open: OpenPlaces, depth: number): boolean => {
  const value = stripCasts(given)
  const answer = value.kind === 'extract' ? value.args[0] : value
  if (answer.kind !== 'call' || answer.call.kind !== 'external' || answer.call.target === null) return false
  const { mutability } = answer.call.definition ?? {}
  if (mutability !== 'view' && mutability !== 'pure') return false
  if (answer.args.some((arg) => restsOnCaller(flow, arg))) return false
  const queriedValue = stripCasts(answer.call.target)
  if (queriedValue.kind !== 'load') return depth > 0 && isAnswered(flow, queriedValue, open, depth - 1)
  const { space, variable } = queriedValue.location
  return space === 'state' && variable !== null && !isOpen(open, variable, fieldPath(queriedValue.location), true)
}

/** `gate.check(msg.sender)`, where the scan holds the gate and it lets everybody pass, or everybody who helps themselves to a place in it. */
const isCheckedInVain = (contractFlow: ContractFlow, { op }: SenderGuard): boolean => {
  if (op.kind !== 'call' || !canOnlyRefuse(op)) return false
  const queriedValue = op.call.definition!
  const place = op.args.findIndex(isSender)
  if (place < 0) return false
  const isVain = (): boolean => {
    const behind = queriedValue.isImplemented ? [queriedValue] : implementedBy(contractFlow, queriedValue)
    return behind.some((fn) => !refusesOutsiders(contractFlow, fn, place))
  }
  return contractFlow.shared.remember(isCheckedInVain, queriedValue, isVain, false)
}

/** Anyone who comes to an end had something on record that no outsider can put there. What asks further is not followed. */
const refusesOutsiders = (caller: ContractFlow, fn: FunctionModel, place: number): boolean => {
  const flow = caller.follow(fn)
  if (flow.isPartial || flow.externalCalls().length > 0) return true
  const isParameter = ({ kind, constant }: Op): boolean => kind === 'param' && Number(constant) === place
  const isRefusal = ({ condition, polarity }: Fact): boolean => {
    if (!dependsOn(flow, condition, isParameter, { keys: true })) return false
    const reads = stateReadsOf(flow, condition)
    return (
      reads.length > 0 &&
      !canHoldWithin(flow, boundsOnRecord, condition, polarity) &&
      !reads.some(({ location }) => isOpenIn(caller, fn.contract, location.variable))
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

/** Nothing stands there of an outsider. */
const boundsOnRecord = (value: Op): Interval | null => {
  const { kind, constant } = stripCasts(value)
  if (kind === 'load') return nothing
  return constant === null ? null : { min: constant, max: constant }
}

const nothing: Interval = { min: 0n, max: 0n }

/** Some function of the contract writes there and asks nobody. */
const isOpenIn = (caller: ContractFlow, contract: ContractModel | null, variable: VariableModel | null): boolean =>
  contract !== null &&
  variable !== null &&
  contract.allFunctions.some((fn) => {
    if (!fn.isImplemented || fn.role === 'constructor') return false
    if (fn.visibility !== 'public' && fn.visibility !== 'external') return false
    if (fn.mutability === 'view' || fn.mutability === 'pure') return false
    const flow = caller.follow(fn, contract)
    return flow
      .stateStores()
      .some((op) => op.location.variable === variable && !isCleared(op) && senderGuardsAt(flow, op).length === 0)
  })

/** The check that keeps outsiders from reaching `op`; one that holds if there is one, else a broken one. */
export const senderGuardAt = (flow: Flow, op: Op): SenderGuard | null => {
  const guards = senderGuardsAt(flow, op)
  return guards.find((guard) => !isBroken(flow.contractFlow, guard)) ?? guards[0] ?? null
}

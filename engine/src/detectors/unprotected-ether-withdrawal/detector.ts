import {
  dependsOn,
  findDependency,
  guardCallsAt,
  guardsAt,
  isAtLeast,
  isBroken,
  isProtected,
  isReachable,
  isSender,
  isUndone,
  lockedAt,
  outsiderCanSet,
  runsElsewhere,
  runsOnce,
  type SenderGuard,
  Source,
  senderGuardAt,
  senderGuardsAt,
  taintOf,
  writesAfter,
} from '../../facts/index.ts'
import { isOwnTokenBalance, isSelf, tokenCalls } from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  isOrdering,
  type Location,
  mayOverlap,
  mayOverlapAcross,
  type Op,
  oncePerPlace,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const mayBeStranger = (flow: Flow, target: Op): boolean => {
  const op = stripCasts(target)
  if (op.kind === 'param' || isSender(op)) return true
  if (op.kind !== 'load' || op.location!.part !== 'root') return false
  const { variable } = op.location!
  return variable !== null && outsiderCanSet(flow.whole, variable)
}

/** Whom the ether goes to, if it is somebody a stranger can be. */
const strangerIn = (flow: Flow, target: Op): string | null => {
  const op = stripCasts(target)
  if (isSender(op)) return 'the caller'
  if (op.kind === 'param') return 'an address of the caller’s choice'
  if (op.kind !== 'load' || op.location!.part !== 'root') return null
  const { variable } = op.location!
  return variable !== null && outsiderCanSet(flow.whole, variable) ? `\`${variable.name}\`, which anyone can set` : null
}

const isPayment = (op: Op): boolean => op.kind === 'env' && op.operator === 'msg.value'
const isStateLoad = (op: Op): boolean => op.kind === 'load' && op.location!.space !== 'memory'
const isIndexed = (op: Op): boolean => isStateLoad(op) && op.location!.depth > 0 && hasIndex(op.location!)

/** Also a slot that assembly computes. */
const hasIndex = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent) {
    if (at.part === 'index' || (at.space === 'slot' && at.base !== null && at.base.kind === 'builtin')) return true
  }
  return false
}

const isKeyedBySender = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent) {
    if (at.index !== null && isSender(at.index)) return true
  }
  return false
}

const writes = (flow: Flow, place: Location): boolean =>
  flow.stateStores().some((store) => mayOverlap(store.location!, place))

/** The amount is written down for somebody, and the note is changed when it is paid. */
const isOwed = (flow: Flow, note: Op | undefined): boolean => note !== undefined && !isSelfMade(flow, note.location!)

/** The entry of the books that the amount comes from, if this call changes it. */
const noteOf = (flow: Flow, amount: Op): Op | undefined =>
  findDependency(flow, amount, (op) => isIndexed(op) && writes(flow, op.location!), { keys: false })

/** The caller names any entry of the books and any receiver, and nothing connects the two. */
const isOfAnother = (flow: Flow, note: Op, target: Op, send: Op): boolean => {
  const receiver = stripCasts(target)
  if (
    (receiver.kind !== 'param' && !isSender(receiver)) ||
    senderGuardsAt(flow, send).length > 0 ||
    guardCallsAt(flow, send).length > 0
  )
    return false
  for (let at: Location | null = note.location; at !== null; at = at.parent) {
    if (at.index === null) continue
    const key = stripCasts(at.index)
    if (key.kind !== 'param' || key === receiver) return false
  }
  const { variable } = note.location!
  const isReason = (op: Op): boolean =>
    op === receiver ||
    op.kind === 'env' ||
    op.kind === 'builtin' ||
    op.kind === 'call' ||
    (isStateLoad(op) && op.location!.variable !== variable)
  return !guardsAt(flow, send).some(({ condition }) => dependsOn(flow, condition, isReason, { keys: true }))
}

/** Whoever wants writes any number of his own there: nothing is paid for it, and nobody is asked. */
const isSelfMade = (flow: Flow, place: Location): boolean =>
  place.variable !== null &&
  flow.whole.writersOf(place.variable).some(({ flow: writer, op }) => {
    if (!writer.isEntryPoint || writer.isPayable || !mayOverlapAcross(op.location!, place)) return false
    const value = stripCasts(op.args[0]!)
    const given = value.kind === 'bin' && value.operator === '+' ? stripCasts(value.args[1]!) : value
    if (given.kind !== 'param' || writer.externalCalls().length > 0 || guardCallsAt(writer, op).length > 0) return false
    return guardsAt(writer, op).every(({ condition }) => taintOf(writer, condition) === Source.param)
  })

/** The amount follows from a parameter, and as much is taken from what the caller has: checked, so it cannot be more. */
const isTakenFromCaller = (flow: Flow, amount: Op, send: Op): boolean => {
  const param = findDependency(flow, amount, (op) => op.kind === 'param')
  if (param === undefined) return false
  const concerns = (value: Op): boolean => dependsOn(flow, value, (op) => op === param)
  for (const store of flow.stateStores()) {
    if (!hasIndex(store.location!)) continue
    const change = stripCasts(store.args[0]!)
    if (change.kind !== 'bin' || change.operator !== '-' || !concerns(change.args[1]!)) continue
    const [have, taken] = change.args as [Op, Op]
    if (change.flag || isAtLeast(flow, have, taken, store) || isAtLeast(flow, have, taken, send)) return true
  }
  // Tokens are taken, burnt or unwrapped by the contract that keeps them, as many as are paid out.
  return flow
    .ops('call')
    .some(
      (call) =>
        call !== send &&
        !call.call!.inlined &&
        !call.call!.isStatic &&
        call.args.some((arg) => sameValue(arg, amount) || concerns(arg)) &&
        flow.dominates(call, send),
    )
}

/** What makes up the sum is added only where the caller was compared with somebody on record. */
const isCounted = (flow: Flow, amount: Op, send: Op): boolean => {
  const around = senderGuardsAt(flow, send).length
  return dependsOn(flow, amount, (op) => op.kind === 'bin' && senderGuardsAt(flow, op).length > around)
}

/** Some rule decides who is paid: a price, a riddle, another contract, or a right that this very call uses up. */
const isRuled = (flow: Flow, send: Op, amount: Op): boolean => {
  const lock = releasedLock(flow, send)
  const isGuarded = senderGuardsAt(flow, send).length > 0
  // State that belongs to nobody in particular entitles nobody, but whoever comes first may use it up.
  const isUsedUp = (op: Op): boolean =>
    !isGuarded && isStateLoad(op) && op.location!.variable !== lock && writes(flow, op.location!)
  const isReason = (op: Op): boolean => isRule(flow, op) || isUsedUp(op)
  return guardsAt(flow, send)
    .filter(
      ({ condition, polarity }) =>
        !leavesAmountOpen(flow, condition, polarity, amount) &&
        !isMereAbsence(flow, condition, polarity) &&
        !isFreshName(condition, polarity, amount) &&
        !isCommonLimit(condition, amount),
    )
    .some(({ condition }) =>
      [condition, ...chosenBy(flow, condition)].some((part) => dependsOn(flow, part, isReason, { keys: true })),
    )
}

/** A reentrancy lock is open again afterwards, so it uses nothing up. */
const releasedLock = (flow: Flow, send: Op): VariableModel | null => {
  const variable = lockedAt(flow, send)?.variable ?? null
  return writesAfter(flow, send).some((write) => write.variable === variable) ? variable : null
}

/** Conditions that choose between the values a condition is made of. */
const chosenBy = (flow: Flow, condition: Op): Op[] => {
  const phi = findDependency(flow, condition, (op) => op.kind === 'phi')
  if (phi === undefined) return []
  const from = flow.idom[phi.block]!
  return flow.blocks.slice(from, phi.block).flatMap((block) => (block.condition === null ? [] : [block.condition]))
}

const riddles = new Set(['keccak256', 'ecrecover', 'sha256', 'ripemd160'])

const isRule = (flow: Flow, op: Op): boolean => {
  if (isPayment(op)) return true
  if (op.kind === 'builtin') return riddles.has(op.operator)
  if (op.kind === 'call') return !op.call!.inlined && op.call!.kind !== 'send' && op.call!.kind !== 'lowlevel'
  if (!isIndexed(op)) return false
  return writes(flow, op.location!) || (isKeyedBySender(op.location!) && isBought(flow, op.location!))
}

/**
 * `require(amount <= total)`, `require(total - amount >= 0)`: the caller asks for as much as there is, and the total belongs
 * to nobody in particular.
 */
const isCommonLimit = (condition: Op, amount: Op): boolean => {
  if (condition.kind !== 'bin' || !isOrdering(condition.operator) || stripCasts(amount).kind !== 'param') return false
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const total = sameValue(left, amount) ? right : sameValue(right, amount) ? left : totalOfRest(left, right, amount)
  return total !== null && isStateLoad(total) && total.location!.part === 'root'
}

/** What `total - amount` is taken off, where the rest is held against a constant. */
const totalOfRest = (left: Op, right: Op, amount: Op): Op | null => {
  const rest = right.kind === 'const' ? left : left.kind === 'const' ? right : null
  if (rest?.kind !== 'bin' || rest.operator !== '-' || !sameValue(rest.args[1]!, amount)) return null
  return stripCasts(rest.args[0]!)
}

/** `require(!used[id])`: the caller names an id that was never used, and the amount as well. */
const isFreshName = (condition: Op, polarity: boolean, amount: Op): boolean => {
  const op = stripCasts(condition)
  if (polarity || !isIndexed(op) || op.location!.part !== 'index' || stripCasts(amount).kind !== 'param') return false
  for (let at: Location | null = op.location!; at !== null; at = at.parent)
    if (at.index !== null && stripCasts(at.index).kind !== 'param') return false
  return true
}

/** `require(!banned[msg.sender])`: everybody who is on no list passes, and this call puts nobody on it. */
const isMereAbsence = (flow: Flow, condition: Op, polarity: boolean): boolean => {
  const op = stripCasts(condition)
  return !polarity && isIndexed(op) && !writes(flow, op.location!)
}

/** `require(amount >= balances[msg.sender])`: the wrong way round, so the amount may be anything. */
const leavesAmountOpen = (flow: Flow, condition: Op, polarity: boolean, amount: Op): boolean => {
  if (condition.kind !== 'bin' || !isOrdering(condition.operator)) return false
  const isGreater = (condition.operator[0] === '>') === polarity
  const greater = stripCasts(condition.args[isGreater ? 0 : 1]!)
  return greater.kind === 'param' && dependsOn(flow, amount, (op) => op === greater)
}

/** A right that has to be paid for. */
const isBought = (flow: Flow, place: Location): boolean => {
  if (place.variable === null) return false
  const free = flow.whole.writersOf(place.variable).filter(({ flow: writer, op }) => {
    if (writer.isConstructor || isProtected(writer, op)) return false
    const paid = [op.args[0]!, ...guardsAt(writer, op).map(({ condition }) => condition)]
    return !paid.some((value) => dependsOn(writer, value, isPayment))
  })
  return free.length === 0
}

/** Payer and sum are noted together when the sum comes in: a deposit given back. */
const isDeposit = (flow: Flow, amount: Op, target: Op): boolean => {
  const receiver = variableOf(target)
  if (receiver === null) return false
  const sum = findDependency(flow, amount, (op) => isStateLoad(op) && op.location!.part === 'root')
  const noted = sum === undefined ? null : variableOf(sum)
  if (noted === null) return false
  return flow.whole
    .writersOf(noted)
    .some(
      ({ flow: writer, op }) =>
        dependsOn(writer, op.args[0]!, isPayment) &&
        writer.stateStores().some((store) => store.location!.variable === receiver),
    )
}

const variableOf = (value: Op): VariableModel | null => {
  const op = stripCasts(value)
  return op.kind === 'load' ? op.location!.variable : null
}

/** A loan within the transaction: afterwards the balance is required to be what it was before, or more. */
const isPaidBack = (flow: Flow, send: Op): boolean => {
  const balances = flow.has('builtin') ? flow.builtins('balance') : []
  if (!balances.some(({ id }) => id > send.id)) return false
  return flow.ops('assume').some((check) => {
    const condition = stripCasts(check.args[0]!)
    if (check.id < send.id || condition.kind !== 'bin' || !flow.isFollowedBy(send, check)) return false
    const [a, b] = condition.args as [Op, Op]
    const isThen = (op: Op): boolean => op.kind === 'builtin' && op.operator === 'balance' && op.id < send.id
    const isNow = (op: Op): boolean => op.kind === 'builtin' && op.operator === 'balance' && op.id > send.id
    return (
      (dependsOn(flow, a, isNow) && dependsOn(flow, b, isThen)) ||
      (dependsOn(flow, b, isNow) && dependsOn(flow, a, isThen))
    )
  })
}

const isEarned = (flow: Flow, send: Op, amount: Op, target: Op): boolean => {
  if (dependsOn(flow, amount, isPayment) || isPaidBack(flow, send)) return true
  const note = noteOf(flow, amount)
  const isGiven = note === undefined || !isOfAnother(flow, note, target, send)
  return (
    (isGiven && isOwed(flow, note)) ||
    isCounted(flow, amount, send) ||
    isTakenFromCaller(flow, amount, send) ||
    isDeposit(flow, amount, target) ||
    (isGiven && isRuled(flow, send, amount))
  )
}

const setterOf = (flow: Flow, guard: SenderGuard): { at: Op; name: string } | null => {
  for (const variable of guard.variables) {
    const writer = flow.whole
      .writersOf(variable)
      .find(({ flow: other, op }) => !other.isConstructor && !isProtected(other, op))
    if (writer !== undefined) return { at: writer.op, name: writer.flow.name }
  }
  return null
}

const explain = (flow: Flow, send: Op, guard: SenderGuard | null): Pick<Hit, 'message' | 'trace'> => {
  const stranger = strangerIn(flow, send.call!.target!)
  const setter = guard === null ? null : setterOf(flow, guard)
  if (guard === null || setter === null) {
    return { message: `Anyone can call \`${flow.name}\` and have ether sent to ${stranger}.`, trace: flow.trace(send) }
  }
  return {
    message: `\`${flow.name}\` tests the caller against \`${guard.variables[0]?.name}\`, which anyone can set through \`${setter.name}\`, and sends ether to ${stranger}.`,
    trace: [
      { at: { start: setter.at.start, end: setter.at.end }, message: 'Anyone can write what the guard rests on.' },
      { at: { start: guard.op.start, end: guard.op.end }, message: 'So anyone passes this test.' },
      ...flow.trace(send),
    ],
  }
}

const addWithdrawals = (flow: Flow, hits: Hit[]): void => {
  for (const send of flow.sends()) {
    const { kind, target, value } = send.call!
    if (kind === 'create' || target === null || value === null) continue
    if (!mayBeStranger(flow, target)) continue
    const guard = senderGuardAt(flow, send)
    if (guard !== null && (!isBroken(flow.whole, guard) || guard.places.every((place) => isBought(flow, place))))
      continue
    if (isEarned(flow, send, value, target) || !isReachable(flow, send)) continue
    if (isUndone(flow, send) || runsElsewhere(flow, send)) continue
    hits.push({ at: send, ...explain(flow, send, guard) })
    if (guard !== null) addTakeovers(flow, send, guard, hits)
  }
}

/** Where anyone gives the right to withdraw to an account of his choice: the test is missing there. */
const addTakeovers = ({ whole, name }: Flow, send: Op, guard: SenderGuard, hits: Hit[]): void => {
  for (const place of guard.places) {
    if (place.variable === null) continue
    for (const { flow, op } of whole.writersOf(place.variable)) {
      if (!flow.isEntryPoint || !mayOverlapAcross(op.location!, place) || senderGuardsAt(flow, op).length > 0) continue
      if (runsOnce(flow, op) || !isGivenAway(flow, op)) continue
      hits.push({
        at: flow.inEntry(op),
        message: `Anyone can decide through \`${flow.name}\` who counts for \`${place.variable.name}\`, and those may withdraw ether through \`${name}\`.`,
        trace: [...flow.trace(op), { at: { start: send.start, end: send.end }, message: 'The ether leaves here.' }],
      })
    }
  }
}

/** An address from the caller is stored, or something is stored under it. */
const isGivenAway = (flow: Flow, store: Op): boolean => {
  const isGiven = (value: Op): boolean => dependsOn(flow, value, (op) => op.kind === 'param')
  const index = store.location!.index
  return index === null ? isGiven(store.args[0]!) : !isSender(index) && isGiven(index)
}

// Tokens that anybody may take

/** Hands as many tokens as the caller likes to whom the caller likes, and the contract keeps tokens for others. */
const addSweeps = (flow: Flow, hits: Hit[]): void => {
  if (flow.stateStores().length > 0) return
  for (const { op, name, token, to, amount } of tokenCalls(flow)) {
    if (name !== 'transfer' || token === null || !isStranger(to) || !isAnyAmount(amount)) continue
    if (isProtected(flow, op) || guardCallsAt(flow, op).length > 0 || !isOnlyDeed(flow, op)) continue
    if (isAskedAbout(flow, op) || !flow.whole.answer(keepsTokens)) continue
    hits.push({
      at: op,
      confidence: 'medium',
      message: `Anyone can call \`${flow.name}\` and have tokens that the contract keeps for others sent to ${strangerIn(flow, to)}.`,
      trace: flow.trace(op),
    })
  }
}

const isStranger = (target: Op): boolean => isSender(target) || stripCasts(target).kind === 'param'

const isAnyAmount = (amount: Op): boolean => stripCasts(amount).kind === 'param' || isOwnTokenBalance(amount)

/** Nothing else is called that could have brought the tokens in, or taken something else for them. */
const isOnlyDeed = (flow: Flow, deed: Op): boolean =>
  flow.externalCalls().every((call) => call.start === deed.start || call.call!.isStatic || isOwnTokenBalance(call))

/** Some condition holds: which token it may be, who receives, when. A mere limit of the amount is none. */
const isAskedAbout = (flow: Flow, deed: Op): boolean =>
  guardsAt(flow, deed).some(({ condition }) =>
    dependsOn(flow, condition, (op) => isStateLoad(op) || (op.kind === 'env' && op.operator !== 'this'), {
      keys: true,
    }),
  )

/** Tokens come in from callers, and it is written down for whom. */
const keepsTokens = ({ flows }: ContractFlow): boolean =>
  flows.some(
    (flow) =>
      flow.stateStores().some(({ location }) => hasIndex(location!)) &&
      tokenCalls(flow).some(({ name, from, to }) => name === 'transferFrom' && isSender(from!) && isSelf(to)),
  )

// What was paid is counted, but the count never moves

/** `paid[msg.sender] < due[msg.sender]`, then a payment, and nothing in the contract ever raises `paid`. */
const addForgotten = (flow: Flow, hits: Hit[]): void => {
  if (flow.contract?.contractKind !== 'contract' || flow.stateLoads().length === 0) return
  for (const op of flow.sends()) {
    const { target, value } = op.call!
    if (target !== null && value !== null && isSender(target)) addUncounted(flow, op, value, hits)
  }
  for (const { op, name, to, amount } of tokenCalls(flow))
    if (name === 'transfer' && isSender(to)) addUncounted(flow, op, amount, hits)
}

const addUncounted = (flow: Flow, op: Op, amount: Op, hits: Hit[]): void => {
  const reasons = [amount, ...guardsAt(flow, op).map(({ condition }) => condition)]
  let count: Op | undefined
  for (let i = 0; i < reasons.length && count === undefined; i++) count = countIn(flow, reasons[i]!)
  if (count === undefined || isSettled(flow, op, reasons) || !isReachable(flow, op)) return
  hits.push({
    at: op,
    confidence: 'medium',
    message: `Nothing ever raises \`${flow.describe(count.location!)}\`, which says how much was paid already: the caller is paid again and again.`,
    trace: [{ at: { start: count.start, end: count.end }, message: 'The count is used here.' }, ...flow.trace(op)],
  })
}

/** What the caller already had: taken off something, or held against it. */
const countIn = (flow: Flow, reason: Op): Op | undefined => {
  const isCount = (op: Op): boolean =>
    isStateLoad(op) &&
    isKeyedBySender(op.location!) &&
    op.location!.type?.kind === 'int' &&
    neverMoves(flow, op.location!)
  let found: Op | undefined
  dependsOn(flow, reason, (op) => {
    if (op.kind !== 'bin' || (op.operator !== '-' && op.operator !== '<')) return false
    const so = stripCasts(op.args[op.operator === '-' ? 1 : 0]!)
    if (!isCount(so)) return false
    found = so
    return true
  })
  return found
}

/** Every function that writes it writes zero. */
const neverMoves = (flow: Flow, place: Location): boolean => {
  if (place.variable === null) return false
  return flow.whole.writersOf(place.variable).every(({ op }) => {
    if (!mayOverlapAcross(op.location!, place)) return true
    const value = partOf(stripCasts(op.args[0]!), op.location!, place)
    return value !== null && value.kind === 'const' && value.constant === 0n
  })
}

/** The value that a store of a place, or of the struct around it, leaves in the place. */
const partOf = (value: Op, stored: Location, place: Location): Op | null => {
  if (stored.depth === place.depth) return value
  if (stored.depth !== place.depth - 1 || place.part !== 'field' || value.kind !== 'make') return null
  const fields = stored.type?.kind === 'struct' ? stored.type.struct.fields : []
  const index = fields.findIndex(({ name }) => name === place.name)
  return index >= 0 && value.args.length === fields.length ? stripCasts(value.args[index]!) : null
}

/** The payment uses something up that it rests on. A time that is noted only puts the next payment off. */
const isSettled = (flow: Flow, payment: Op, reasons: readonly Op[]): boolean =>
  flow
    .stateStores()
    .filter(({ args }) => (taintOf(flow, args[0]!) & Source.time) === 0)
    .filter((store) => flow.dominates(store, payment) || flow.isFollowedBy(payment, store))
    .some((store) =>
      reasons.some((reason) =>
        dependsOn(flow, reason, (op) => isStateLoad(op) && mayOverlap(store.location!, op.location!), { keys: false }),
      ),
    )

export default defineDetector({
  id: 'unprotected-ether-withdrawal',
  swc: 'SWC-105',
  title: 'Unprotected ether withdrawal',
  severity: 'critical',
  confidence: 'high',
  description:
    'A stranger can make the contract pay out what is not theirs: nothing tests who is calling (or the test can be passed by anyone), and nothing they own or owe is reduced in turn.',
  recommendation:
    'Let only privileged accounts withdraw, or pay each caller no more than what is recorded for them and reduce that record.',
  references: ['https://swcregistry.io/docs/SWC-105'],
  cwe: ['CWE-284'],
  yieldsTo: ['unprotected-selfdestruct'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints) addWithdrawals(flow, hits)
    for (const flow of context.entryPoints) addForgotten(flow, hits)
    for (const flow of context.entryPoints) addSweeps(flow, hits)
    return oncePerPlace(hits)
  },
})

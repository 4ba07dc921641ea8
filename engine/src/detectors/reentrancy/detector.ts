import {
  dependsOn,
  guardsAt,
  isBroken,
  isProtected,
  isSender,
  isUntrusted,
  type Lock,
  lockedAt,
  mayWrite,
  parametersCalledBy,
  senderGuardsAt,
  type Write,
  writesAfter,
} from '../../facts/index.ts'
import { type HookWindow, hookWindow, notifiedBy, tokenCallOf } from '../../idioms/index.ts'
import {
  type Flow,
  type Location,
  mayOverlap,
  mayOverlapAcross,
  type Op,
  oncePerStart,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

export default defineDetector({
  id: 'reentrancy',
  swc: 'SWC-107',
  title: 'State changes after an external call',
  severity: 'critical',
  confidence: 'high',
  description:
    'An external call hands control to another contract before this one has finished its bookkeeping. The callee can call back, find the old state and repeat what it has already been granted.',
  recommendation:
    'Check first, then write state, then call (checks, effects, interactions), or hold a lock that every function sharing the state tests.',
  references: [
    'https://swcregistry.io/docs/SWC-107',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#reentrancy',
  ],
  cwe: ['CWE-841'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.functions) if (!flow.isConstructor && flow.has('call')) addHits(flow, hits)
    return oncePerStart(hits)
  },
})

const addHits = (flow: Flow, hits: Hit[]): void => {
  const before = hits.length
  for (const call of flow.externalCalls()) {
    if (!canWriteAfter(flow, call) || !handsOverControl(flow, call)) continue
    const lock = lockedAt(flow, call)
    if (lock !== null && !isReleased(flow, call, lock)) continue
    if (!isReserved(flow, call)) addStaleState(flow, call, lock, hits)
  }
  if (flow.stateStores().length > 0)
    for (const call of flow.ops('call')) if (isSafeMint(flow, call)) addStaleState(flow, call, null, hits)
  if (hits.length > before) return
  const opening = hookWindow(flow, (call) => !isReserved(flow, call))
  if (opening !== null) hits.push(upsetByHook(flow, opening))
}

/** `_safeMint(to, …)` of a base whose file is missing: every NFT that has one asks its recipient. */
const isSafeMint = (flow: Flow, call: Op): boolean => {
  const { name, kind, definition } = call.call!
  if (name !== '_safeMint' || kind !== 'internal' || definition !== null) return false
  if (call.args.length !== 2 && call.args.length !== 3) return false
  const to = call.args[0]!
  return isUntrusted(flow, to, call) && lockedAt(flow, call) === null && !isReserved(flow, call)
}

/** A first, cheap answer: without any write there is nothing that could come too late. */
const canWriteAfter = (flow: Flow, call: Op): boolean => call.call!.target !== null && mayWrite(flow)

const upsets: Readonly<Record<HookWindow['kind'], string>> = {
  measured: 'what comes in is measured from before this transfer to after it, so that a nested entry counts twice',
  kept: 'a sum begun before this transfer is stored after it, and what is booked meanwhile is lost',
  priced: 'an amount computed from balances before this transfer is handed out after it',
  tracked: 'tokens move here before they are booked, and another function takes what is not booked as new',
  split: 'one part of the books is settled before this transfer and the other after it',
  quoted: 'what another contract answered before this transfer decides what it is told after it',
}

/** The token is trusted, but it may let the one who pays or receives run code. */
const upsetByHook = (flow: Flow, { call, before, after, kind }: HookWindow): Hit => ({
  at: flow.inCommonCaller(call, after),
  confidence: 'low',
  message: `A token may let the one who pays or receives run code, and no lock is held: ${upsets[kind]}.`,
  trace: [
    ...(before === call
      ? []
      : [{ at: { start: before.start, end: before.end }, message: 'This is looked up before.' }]),
    ...flow.trace(call),
    { at: { start: call.start, end: call.end }, message: 'The tokens move here, and others may run.' },
    { at: { start: after.start, end: after.end }, message: 'This relies on it after the transfer.' },
  ],
})

/** Only known accounts get here, and a callee that calls back is another. */
const isReserved = (flow: Flow, call: Op): boolean =>
  senderGuardsAt(flow, call).some((guard) =>
    guard.against === 'state' ||
    guard.against === 'constant' ||
    guard.against === 'known' ||
    (guard.against === 'keyed' && guard.places.every(isMark) && !isForSender(call))
      ? !isBroken(flow.whole, guard)
      : guard.against === 'unknown' && guard.op.operator === 'modifier',
  )

/** Membership: yes or no, and not how much. */
const isMark = ({ type }: Location): boolean => type?.kind === 'bool'

/** The member itself may be called, as the one who gets ether or tokens. */
const isForSender = ({ call, args }: Op): boolean =>
  call!.value !== null || (call!.target !== null && isSender(call!.target)) || args.some(isSender)

/** The callee runs code that an outsider chose, with enough gas to call back. */
const handsOverControl = (flow: Flow, call: Op): boolean => {
  const info = call.call!
  if (info.gasKind === 'stipend' || info.isStatic || info.kind === 'create' || info.kind === 'delegate') return false
  if (info.target === null) return false
  if (isUnresolved(flow, info.target) && isQuery(flow, call) && !isToldWho(flow, call)) return false
  if (isUntrusted(flow, info.target, call)) return true
  const definition = info.definition
  if (definition?.isImplemented && !definition.isStub) {
    return parametersCalledBy(flow.whole, definition).some(
      (i) => call.args[i] !== undefined && isUntrusted(flow, call.args[i], call),
    )
  }
  return paysRecorded(flow, call) || paysOut(flow, call)
}

/** Whoever is on record somewhere gets ether from anybody's call: the privileged who wrote it down chose whom to pay, not what it runs. */
const paysRecorded = (flow: Flow, call: Op): boolean => {
  const { kind, value, target } = call.call!
  if (kind !== 'lowlevel' || value === null) return false
  const recorded = stripCasts(target!)
  return recorded.kind === 'load' && hasKey(recorded.location!) && !isProtected(flow, call)
}

const hasKey = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent) if (at.index !== null) return true
  return false
}

/** `IVault`, `files.IVault`: an interface by its name, so that a contract answers. */
const interfaceName = /^(?:\w+\.)*I[A-Z][a-z]/

/** A name of a missing base, a field of its structs, or a type of a missing file, which may be a number with a library's functions as well as a contract. */
const isUnresolved = (flow: Flow, target: Op): boolean => {
  const op = stripCasts(target)
  const type = flow.typeOf(op)
  if (type?.kind === 'unknown') return !interfaceName.test(type.reason)
  // Nothing has a library as its type: another of that name is meant.
  if (type?.kind === 'contract' && type.contract.contractKind === 'library') return true
  if (op.kind === 'load' && isFieldOfMissing(flow, op.location!)) return true
  return (op.kind === 'load' ? (op.location!.base ?? op) : op).kind === 'unknown'
}

/** It was handed in as a value and is told of an account: neither a number nor a list, so a contract. */
const isToldWho = (flow: Flow, { call, args }: Op): boolean => {
  const callee = stripCasts(call!.target!)
  const variable = callee.kind === 'load' && callee.location!.part === 'root' ? callee.location!.variable : null
  if (variable === null || !args.some((arg) => isAccount(flow, arg))) return false
  return flow.whole
    .writersOf(variable)
    .some(({ op }) => op.kind === 'store' && stripCasts(op.args[0]!).kind === 'param')
}

/** A field of a struct that is declared in a missing file. */
const isFieldOfMissing = (flow: Flow, { part, parent }: Location): boolean => {
  if (part !== 'field' || parent === null) return false
  const type = parent.type ?? (parent.base === null ? null : flow.typeOf(stripCasts(parent.base)))
  return type?.kind === 'unknown'
}

/** Something read before the call decides about it and is written only after it. */
const addStaleState = (flow: Flow, call: Op, lock: Lock | null, hits: Hit[]): void => {
  let reads: Op[] | null = null
  for (const write of writesAfter(flow, call)) {
    if (lock !== null && (write.location === null || write.location === lock.location)) continue
    if (isDoneBefore(flow, call, write) || undoesFailure(flow, call, write) || restores(flow, call, write)) continue
    if (isTestedAgain(flow, call, write) || isOwnRecord(flow, call, write) || isCleared(write.op)) continue
    reads ??= decidingReads(flow, call)
    const same = reads.filter((load) => isSameState(load, write))
    const read = same[0] ?? keptRead(flow, call, write)
    if (read === undefined || isRenewed(flow, call, [read, ...same], write)) continue
    if (isOfNextRound(flow, call, write) || isKeyedByCallee(flow, call, write) || isOfAllowance(call, write)) continue
    if (isUnchangedSince(flow, call, write) || isFlagAround(flow, call, write)) continue
    if (lock !== null && (isCheckedAnew(call, write) || !isOpenElsewhere(flow, lock, write))) continue
    const name = write.location === null ? (write.variable?.name ?? 'state') : flow.describe(write.location)
    hits.push({
      at: flow.inCommonCaller(call, write.op),
      ...(isOfOutsider(flow, call) && takesAway(write.op, 0) ? {} : { confidence: 'low' as const }),
      message: `\`${name}\` is read before this external call and written after it: a callee that calls back finds the old value.`,
      trace: [
        { at: { start: read.start, end: read.end }, message: 'The state is read here.' },
        ...flow.trace(call),
        { at: { start: call.start, end: call.end }, message: 'Control passes to the callee here.' },
        { at: { start: write.start, end: write.end }, message: 'The state is written here, after the call.' },
      ],
    })
  }
}

/** The write lowers, clears or replaces what was granted; one that only adds grants nothing twice by coming late. */
const takesAway = (op: Op, depth: number): boolean => {
  if (op.kind !== 'store') return true
  return op.flag || isTaken(stripCasts(op.args[0]!), depth)
}

const isTaken = (value: Op, depth: number): boolean => {
  if (value.kind === 'phi' || value.kind === 'select')
    return depth < 3 && value.args.some((arg) => arg.id < value.id && isTaken(stripCasts(arg), depth + 1))
  return value.kind !== 'bin' || !additive.has(value.operator)
}

const additive = new Set(['+', '*', '/', '**', '<<', '>>'])

const isOfOutsider = (flow: Flow, call: Op): boolean =>
  call.call!.target !== null && isUntrusted(flow, call.call!.target, call)

/** A lock for the time of the call, of the whole contract: one that is never opened again ends the function for good. */
const isReleased = (flow: Flow, call: Op, { variable, location }: Lock): boolean => {
  if (call.call!.value === null || !isUntrusted(flow, call.call!.target!, call)) return false
  if (location === null) return true
  return location.part === 'root' && writesAfter(flow, call).some((write) => write.variable === variable)
}

/** Another function moves what lies there from the caller to somebody else, and asks for no such lock. */
const isOpenElsewhere = (flow: Flow, lock: Lock, { location, variable }: Write): boolean =>
  variable !== null &&
  flow.whole.writersOf(variable).some(({ flow: other, op }) => {
    if (other === flow || !other.isEntryPoint || !mayOverlapAcross(op.location!, location!)) return false
    if (!isLowered(op) || !isKeyedBySender(op.location!) || isProtected(other, op)) return false
    return lockedAt(other, op)?.variable !== lock.variable
  })

/** Taken off what is there after the call, by arithmetic that fails when it is no longer enough. */
const isCheckedAnew = (call: Op, { op }: Write): boolean => {
  const value = op.kind === 'store' ? stripCasts(op.args[0]!) : null
  return value !== null && value.kind === 'bin' && value.flag && stripCasts(value.args[0]!).id > call.id
}

const isLowered = ({ args }: Op): boolean => {
  const value = stripCasts(args[0]!)
  return value.kind === 'bin' && value.operator === '-'
}

const isKeyedBySender = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent)
    if (at.index !== null && isSender(at.index)) return true
  return false
}

const isSameState = (load: Op, write: Write): boolean =>
  write.location === null
    ? load.location!.variable === write.variable
    : mayOverlap(load.location!, write.location) && isTransient(load) === isTransient(write.op)

/** Storage that lasts for a transaction, which lies elsewhere. */
const isTransient = ({ node }: Op): boolean => {
  const { kind, name } = (node ?? {}) as { kind?: string; name?: { name: string } }
  return kind === 'YulCall' && (name!.name === 'tload' || name!.name === 'tstore')
}

/** Put back to what every transaction begins with, as a lock is when it is opened. */
const isCleared = (op: Op): boolean => {
  if (op.kind !== 'store' || !isTransient(op)) return false
  const value = stripCasts(op.args[0]!)
  return value.kind === 'const' && value.constant === 0n
}

/** Reads before the call on which it depends: a condition on the way to it, its amount, its arguments. */
const decidingReads = (flow: Flow, call: Op): Op[] => {
  const reads = new Set<Op>()
  for (const root of decidersOf(flow, call)) {
    dependsOn(flow, root, (op) => {
      if (op.kind === 'load' && op.location!.space !== 'memory' && flow.canFollow(op, call)) reads.add(op)
      return false
    })
  }
  return [...reads]
}

const decidersOf = (flow: Flow, call: Op): Op[] => {
  const deciders: Op[] = [...call.args, ...guardsAt(flow, call).map((fact) => fact.condition)]
  if (call.call!.value !== null) deciders.push(call.call!.value)
  return deciders
}

/** The new value is computed from what the place held before the call: what a callee did to it meanwhile is lost. */
const keptRead = (flow: Flow, call: Op, write: Write): Op | undefined => {
  if (write.op.kind !== 'store' || !isOfOutsider(flow, call)) return undefined
  const value = stripCasts(write.op.args[0]!)
  if (value.kind !== 'bin') return undefined
  return value.args
    .map(stripCasts)
    .find((part) => part.kind === 'load' && part.location === write.location && flow.dominates(part, call))
}

/** Tokens come in, and the record belongs to that very token: one that calls back deceives nobody but its own holders. */
const isOwnRecord = (flow: Flow, call: Op, { location }: Write): boolean => {
  const token = location === null ? null : tokenCallOf(call)
  if (token === null || token.token === null || token.from === null || !isThis(token.to)) return false
  const callee = stripCasts(token.token)
  if (callee.kind !== 'param') return false
  for (let at = location; at !== null; at = at.parent)
    if (at.index !== null && dependsOn(flow, at.index, (op) => op === callee)) return true
  return false
}

/** The record is kept under a hash of what names the callee: one that calls back upsets what is kept of itself. */
const isKeyedByCallee = (flow: Flow, call: Op, { location }: Write): boolean => {
  if (location === null || !hasKey(location) || call.call!.kind !== 'external') return false
  const callee = stripCasts(call.call!.target!)
  const given = callee.kind === 'load' && callee.location!.space === 'memory' ? callee.location!.base : null
  if (given === null) return false
  for (let at: Location | null = location; at !== null; at = at.parent) {
    const key = at.index === null ? null : stripCasts(at.index)
    if (key?.kind === 'builtin' && key.operator === 'keccak256' && dependsOn(flow, key, (op) => op === given))
      return true
  }
  return false
}

/** Of a loop in which each round has a place of its own, written before the call: the next round reads and writes another. */
const isOfNextRound = (flow: Flow, call: Op, { op, location }: Write): boolean => {
  if (location === null || op.id > call.id) return false
  const mark = flow.loopMarkAround(call)
  if (mark === null || op.block < mark.header || op.block > mark.last) return false
  const isCounter = (part: Op): boolean => part.kind === 'phi' && part.block === mark.header
  for (let at: Location | null = location; at !== null; at = at.parent)
    if (at.index !== null && dependsOn(flow, at.index, isCounter, { keys: true })) return true
  return false
}

/** The place is set to a mark only when a test of it, read anew after the call, still holds: of two that nest, one fails. */
const isTestedAgain = (flow: Flow, call: Op, write: Write): boolean => {
  const place = write.location
  if (place === null || write.op.kind !== 'store' || !isMarking(stripCasts(write.op.args[0]!))) return false
  return guardsAt(flow, write.op).some(({ condition }) =>
    dependsOn(
      flow,
      condition,
      (op) => op.kind === 'load' && op.location === place && op.id > call.id && flow.dominates(op, write.op),
    ),
  )
}

/** `require(count == before)` with `count` read anew: whoever came back and changed it made this fail. */
const isUnchangedSince = (flow: Flow, call: Op, { location }: Write): boolean =>
  location !== null &&
  flow.answer(comparedWithItself).some(({ check, first, second }) => {
    if (check.id < call.id || first.location !== location) return false
    return first.id < call.id !== second.id < call.id && flow.isFollowedBy(call, check) && isRequired(flow, check)
  })

/** Comparisons of what a place holds with what it held before. */
const comparedWithItself = (flow: Flow): readonly { check: Op; first: Op; second: Op }[] => {
  const found: { check: Op; first: Op; second: Op }[] = []
  for (const check of flow.ops('bin')) {
    if (check.operator !== '==' && check.operator !== '!=') continue
    const first = stripCasts(check.args[0]!)
    const second = stripCasts(check.args[1]!)
    if (first.kind === 'load' && second.kind === 'load' && first.location === second.location)
      found.push({ check, first, second })
  }
  return found
}

/** Two values must be the same to go on. */
const isRequired = (flow: Flow, check: Op): boolean => {
  if (check.operator === '==' && flow.usersOf(check).some(({ kind }) => kind === 'assume')) return true
  return flow.branchesOn(check).some(({ succs }) => {
    const differs = flow.blocks[succs[check.operator === '!=' ? 0 : 1]!]!.ops
    return differs[differs.length - 1]?.kind === 'revert'
  })
}

/** A flag that is set for the call and put back after it, such as a lock that is opened for a time. */
const isFlagAround = (flow: Flow, call: Op, { op, location }: Write): boolean => {
  if (location === null || location.part !== 'root' || location.type?.kind !== 'bool' || !isConstantStore(op))
    return false
  return flow
    .stateStores()
    .some(
      (store) =>
        store.location === location && store.id < call.id && isConstantStore(store) && flow.dominates(store, call),
    )
}

const isConstantStore = ({ kind, args }: Op): boolean => kind === 'store' && stripCasts(args[0]!).kind === 'const'

/** That a token was approved is noted under the token: one that calls back is approved once more. */
const isOfAllowance = (call: Op, { location }: Write): boolean => {
  const token = location === null ? null : tokenCallOf(call)
  if (token?.name !== 'approve' || token.token === null) return false
  for (let at = location; at !== null; at = at.parent)
    if (at.index !== null && sameValue(at.index, token.token)) return true
  return false
}

const isMarking = ({ kind, operator, args }: Op): boolean =>
  kind === 'const' || (kind === 'bin' && operator === '|' && args.some((arg) => stripCasts(arg).kind === 'const'))

/**
 * The place got another value between the last of these reads and the call, as when a loan is booked before it is handed
 * out: a callee that calls back finds that one, and not the one on which the decision was made.
 */
const isRenewed = (flow: Flow, call: Op, reads: readonly Op[], write: Write): boolean => {
  const place = write.location
  if (place === null) return false
  const renewal = flow
    .stateStores()
    .findLast((store) => store.location === place && store.id < call.id && flow.dominates(store, call))
  if (renewal === undefined || reads.some((read) => read.id > renewal.id)) return false
  // What was stored may itself be what decides: `count++; if (count == 2) …`.
  const stored = renewal.args[0]!
  return !decidersOf(flow, call).some((root) => dependsOn(flow, root, (op) => op === stored))
}

/** Written on every way to the call: it comes after it only on the next round of a loop, and then again before the next call. */
const isDoneBefore = (flow: Flow, call: Op, write: Write): boolean =>
  write.op.id < call.id && flow.dominates(write.op, call)

/** Puts back what the state was before the call. */
const restores = (flow: Flow, call: Op, write: Write): boolean => {
  const value = write.op.kind === 'store' ? stripCasts(write.op.args[0]!) : null
  return value !== null && value.kind === 'load' && value.location === write.location && flow.dominates(value, call)
}

/** Runs only when the call failed: nothing was handed out then. */
const undoesFailure = (flow: Flow, call: Op, write: Write): boolean =>
  guardsAt(flow, write.op).some((fact) => !fact.polarity && isOutcomeOf(fact.condition, call))

const isOutcomeOf = (value: Op, call: Op): boolean =>
  value === call ||
  (value.kind === 'extract' && value.args[0] === call && (value.constant === 0n || value.operator === 'success'))

/**
 * A trusted contract, most often a token, is told to hand something to an account that an outsider chose: many tokens let
 * the recipient run code then. What comes in from outside is no such moment, since nothing has been given yet.
 */
const paysOut = (flow: Flow, call: Op): boolean => {
  if (call.call!.kind !== 'external') return false
  const notified = notifiedBy(call)
  if (notified !== null) return !isThis(notified) && isAccount(flow, notified) && isUntrusted(flow, notified, call)
  const token = tokenCallOf(call)
  if (token?.from && isThis(token.from)) return isAccount(flow, token.to) && isUntrusted(flow, token.to, call)
  if (call.args.some(isThis) || isQuery(flow, call)) return false
  if (token === null && call.call!.definition !== null) return false
  return call.args.some((arg) => isAccount(flow, arg) && isUntrusted(flow, arg, call))
}

const answered = new Set(['bin', 'store', 'cast', 'call', 'phi', 'select', 'builtin', 'make'])

/** Of a function that is not among the files: its answer is counted with, so it was asked and not told. */
const isQuery = (flow: Flow, call: Op): boolean => {
  if (call.call!.definition !== null) return false
  if (flow.isIndex(call) || flow.usersOf(call).some(({ kind }) => answered.has(kind))) return true
  return tokenCallOf(call) === null && isAsked(flow, call)
}

/** Its answer decides a branch. */
const isAsked = (flow: Flow, call: Op): boolean =>
  flow.isCondition(call) || flow.usersOf(call).some((user) => user.kind === 'un' && flow.isCondition(user))

const isThis = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'this'
}

const isAccount = (flow: Flow, value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'env') return op.operator === 'msg.sender'
  const kind = flow.typeOf(op)?.kind
  return kind === 'address' || kind === 'contract'
}

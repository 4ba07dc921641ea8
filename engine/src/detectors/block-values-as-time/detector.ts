import { dependsOn, isBroken, isSender, partFor, Source, senderGuardsAt, taintOf } from '../../facts/index.ts'
import {
  clockOf,
  isAppointed,
  isBlockNumber,
  isBlockOrder,
  isCooldown,
  keptIn,
  storedBehind,
} from '../../idioms/index.ts'
import {
  addendsOf,
  type Flow,
  isAmong,
  isComparison,
  type Location,
  mayOverlapAcross,
  type Op,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

export default defineDetector({
  id: 'block-values-as-time',
  swc: 'SWC-116',
  title: 'A block value stands for time',
  severity: 'medium',
  confidence: 'medium',
  description:
    'Whether state changes or ether moves depends on `block.timestamp` or `block.number`. Validators choose the timestamp within limits, and the pace of blocks changes, so whoever builds the block can push the decision.',
  recommendation:
    'Let decisions tolerate an error of minutes, never compare for equality, and do not derive durations from block numbers.',
  references: [
    'https://swcregistry.io/docs/SWC-116',
    'https://docs.soliditylang.org/en/latest/units-and-global-variables.html#block-and-transaction-properties',
  ],
  cwe: ['CWE-829'],

  run(context) {
    const hits: Hit[] = []
    const seen = new Set<number>()
    for (const flow of context.functions) addComparisons(flow, seen, hits)
    return hits
  },
})

const isArithmetic = (operator: string): boolean =>
  operator === '+' || operator === '-' || operator === '*' || operator === '/' || operator === '%'

const addComparisons = (flow: Flow, seen: Set<number>, hits: Hit[]): void => {
  if (!flow.usesEnvironment('block.timestamp') && !flow.usesEnvironment('block.number')) return
  for (const op of flow.ops('bin')) {
    if (!isComparison(op.operator) || (taintOf(flow, op) & Source.time) === 0 || isLibraryCode(flow, op)) continue
    const [left, right] = op.args as [Op, Op]
    const time = isMoment(flow, left) ? left : isMoment(flow, right) ? right : null
    if (time === null) continue
    const other = time === left ? right : left
    if (isLot(flow, stripCasts(time)) || isSumCheck(stripCasts(time), other)) continue
    if (isAnyTime(time, other) || !isFixed(flow, op, other) || !decides(flow, op)) continue
    if (isOrder(op) && isLenient(flow, op, stripCasts(time), other)) continue
    if (isOwnSchedule(flow, op, other) || isFitCheck(flow, stripCasts(time), other)) continue
    if (isForOwner(flow, op) || isCooldown(flow, stripCasts(time), stripCasts(other))) continue
    if (isBlockOrder(flow, op, stripCasts(time), stripCasts(other)) || isRound(flow, op)) continue
    if (isSameBlock(flow, op, stripCasts(time), other) || isFreshness(time, other)) continue
    const at = deadlineOf(flow, other) ?? op
    // The beginning and the end of one window make one finding.
    const line = lineStart(flow, at.start)
    if (seen.has(line)) continue
    seen.add(line)
    hits.push({
      at: { start: at.start, end: at.end },
      message:
        at === op
          ? 'This comparison with a block value decides whether state changes or ether moves.'
          : 'A moment counted in block values is stored here and later decides whether state changes or ether moves.',
      trace: [...flow.trace(op), { at: { start: op.start, end: op.end }, message: 'The block value decides here.' }],
    })
  }
}

/** A few seconds more or less are worth nothing to anybody. */
const isLenient = (flow: Flow, comparison: Op, time: Op, other: Op): boolean =>
  isTimelock(flow, time, other) ||
  isCallersSpan(flow, time) ||
  isCap(flow, comparison) ||
  (clockOf(time) !== null && isAppointed(flow, stripCasts(other)))

/** Where the line begins, or the function if it begins later. */
const lineStart = (flow: Flow, place: number): number => {
  const file = flow.model.fileAt(place)
  if (file === undefined) return place
  const line = file.base + file.text.lastIndexOf('\n', place - file.base) + 1
  return Math.max(line, flow.model.functionAt(place)?.node.start ?? 0)
}

/** `block.number % 2` where ether moves: a draw, not a moment. */
const isLot = (flow: Flow, { kind, operator, args }: Op): boolean =>
  kind === 'bin' && operator === '%' && isBlockNumber(stripCasts(args[0]!)) && flow.sends().length > 0

/** `require((z = x + y) >= x)`: whether the sum fits, not what time it is. */
const isSumCheck = (time: Op, other: Op): boolean =>
  time.kind === 'bin' && time.operator === '+' && isAmong(addendsOf(other), addendsOf(time))

/** `now - moment < 1 hours` where the caller names the moment. */
const isCallersSpan = (flow: Flow, { kind, operator, args }: Op): boolean =>
  kind === 'bin' &&
  operator === '-' &&
  args.some((arg) => stripCasts(arg).kind === 'env') &&
  args.some((arg) => (taintOf(flow, arg) & (Source.param | Source.state)) === Source.param)

/** `now > moment && now - moment > span`: whether the difference can be taken; what it is compared with decides. */
const isFitCheck = (flow: Flow, time: Op, other: Op): boolean => {
  const clock = clockOf(time)
  if (clock === null) return false
  const moment = stripCasts(other)
  return flow
    .usersOf(moment)
    .slice(0, fewUses)
    .some(
      (user) =>
        user.kind === 'bin' &&
        user.operator === '-' &&
        stripCasts(user.args[1]!) === moment &&
        clockOf(stripCasts(user.args[0]!)) === clock &&
        flow.usersOf(user).some(({ kind, operator }) => kind === 'bin' && isComparison(operator)),
    )
}

/** The earlier or the later of the two: what follows from it grows second by second, whatever the block says. */
const isCap = (flow: Flow, comparison: Op): boolean => {
  const sides = comparison.args.map(stripCasts)
  const isChoice = (op: Op): boolean => {
    const values = (op.kind === 'select' ? op.args.slice(1) : op.args).map(stripCasts)
    return values.length === 2 && values.every((value) => sides.some((side) => sameValue(side, value)))
  }
  const branches = flow.branchesOn(comparison)
  const users = flow.usersOf(comparison)
  if (users.length + branches.length !== 1) return false
  if (users.length === 1) return users[0]!.kind === 'select' && isChoice(users[0]!)
  const [yes, no] = branches[0]!.succs.map((id) => flow.blocks[id]!)
  if (yes === undefined || no === undefined) return false
  const join = yes.succs[0] === no.id ? no.id : yes.succs[0]
  return join !== undefined && (no.id === join || no.succs[0] === join) && flow.blocks[join]!.phis.some(isChoice)
}

const fewUses = 32

/** What is not due yet of the caller's own is passed over, and is there the next time. */
const isOwnSchedule = (flow: Flow, comparison: Op, other: Op): boolean => {
  for (let at = keptIn(stripCasts(other))?.place ?? null; at !== null; at = at.parent)
    if (at.index !== null && isSender(at.index)) return !isRequired(flow, comparison)
  return false
}

/**
 * One known account alone comes here, or can do what follows: whoever builds the block has nothing to gain, and the account
 * is in no hurry.
 */
const isForOwner = (flow: Flow, op: Op): boolean => {
  if (isOwners(flow, op)) return true
  const isAfter = (effect: Op): boolean => flow.canFollow(op, effect)
  return flow.answer(effectsOf).some(isAfter) && !flow.answer(openEffects).some(isAfter)
}

/** What others than known accounts can do here. */
const openEffects = (flow: Flow): readonly Op[] => flow.answer(effectsOf).filter((effect) => !isOwners(flow, effect))

const isOwners = (flow: Flow, op: Op): boolean =>
  senderGuardsAt(flow, op).some(
    (guard) =>
      (guard.against === 'state' ||
        guard.against === 'constant' ||
        guard.against === 'known' ||
        (guard.against === 'unknown' && guard.op.operator === 'modifier')) &&
      guard.places.every(({ index }) => index === null) &&
      !isBroken(flow.whole, guard),
  )

/** A helper's own checks (ranges of numbers, sorted lists) are not about time. */
const isLibraryCode = (flow: Flow, op: Op): boolean =>
  op.site !== null && flow.writtenIn(op)?.contract?.contractKind === 'library'

/** Computed from the time or number of the block, without a hash (that is chance, not time) and not from storage. */
const isMoment = (flow: Flow, value: Op): boolean =>
  (taintOf(flow, value) & Source.time) !== 0 && isClock(stripCasts(value), 0)

const isClock = (op: Op, depth: number): boolean => {
  if (op.kind === 'env') return op.operator === 'block.timestamp' || op.operator === 'block.number'
  if (depth > 6) return false
  const isSum = op.kind === 'bin' && isArithmetic(op.operator)
  if (!isSum && op.kind !== 'phi' && op.kind !== 'select') return false
  // An amount that grows with time is no moment.
  if (op.operator === '*' && op.args.every((arg) => stripCasts(arg).kind !== 'const')) return false
  return op.args.some((arg) => arg.id < op.id && isClock(stripCasts(arg), depth + 1))
}

/** A name that nothing here declares, or a part of what it holds: state or a constant of a missing base. */
const isInherited = (value: Op): boolean => {
  let op = stripCasts(value)
  for (let depth = 0; depth < 6 && op.kind === 'load' && op.location!.space === 'memory'; depth++) {
    if (op.location!.base === null) return false
    op = stripCasts(op.location!.base)
  }
  return op.kind === 'unknown' && (op.node as { kind?: string } | null)?.kind === 'Identifier'
}

/** Stored or constant. A caller's own deadline is fine, unless it must be hit exactly. */
const isFixed = (flow: Flow, comparison: Op, other: Op): boolean => {
  const sources = taintOf(flow, other)
  if (isTypeLimit(other)) return false
  if ((sources & Source.unknown) !== 0) return isInherited(other)
  if ((sources & (Source.param | Source.data)) === 0) return true
  return comparison.operator === '==' || comparison.operator === '!='
}

/** More seconds than there will ever be, or the end of a type: a check of range. */
const isTypeLimit = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind !== 'const' || op.constant === null || op.constant < typeEnds[0]!) return false
  return op.constant > 1n << 40n || typeEnds.includes(op.constant)
}

const typeEnds = [(1n << 32n) - 1n, 1n << 32n, (1n << 40n) - 1n, 1n << 40n]

/** `elapsed > 0` where the elapsed time is a difference, or `eta != 0` where it is a moment: whether there is one at all. */
const isAnyTime = (time: Op, other: Op): boolean => {
  const op = stripCasts(other)
  return op.kind === 'const' && op.constant === 0n && isMomentOrSpan(stripCasts(time), 0)
}

const isMomentOrSpan = (op: Op, depth: number): boolean => {
  if (op.kind === 'bin') return op.operator === '-' || op.operator === '+'
  if (op.kind !== 'phi' && op.kind !== 'select') return false
  return depth < 3 && op.args.some((arg) => arg.id < op.id && isMomentOrSpan(stripCasts(arg), depth + 1))
}

/**
 * Compared with a block noted before, and nothing added: whether this still is the same one. Nobody gains by choosing that,
 * unless a stamp that is chosen lets the caller pass or not.
 */
const isSameBlock = (flow: Flow, comparison: Op, time: Op, other: Op): boolean => {
  const load = stripCasts(other)
  const clock = clockOf(time)
  if (clock === null) return false
  // Behind a pointer, or from another contract: nothing is added to it, and nobody is turned away.
  if (load.location?.variable == null)
    return (load.kind === 'load' || load.kind === 'extract') && !isOrder(comparison) && !isRequired(flow, comparison)
  const stores = flow.whole
    .writersOf(load.location!.variable)
    .filter(({ op }) => mayOverlapAcross(op.location!, load.location!) && !isZero(op.args[0]!))
  if (stores.length === 0 || !stores.every(({ op }) => isNoted(stripCasts(partFor(load.location!, op)), clock)))
    return false
  return clock === 'block.number' || !isRequired(flow, comparison)
}

/** The block's own value, or at least it. */
const isNoted = (value: Op, clock: string): boolean => {
  if (value.kind === 'env') return value.operator === clock
  if (value.kind !== 'select' && value.kind !== 'phi') return false
  return value.args.some(
    (arg) => arg.id < value.id && stripCasts(arg).kind === 'env' && isNoted(stripCasts(arg), clock),
  )
}

const isRequired = (flow: Flow, comparison: Op): boolean => {
  if (flow.usersOf(comparison).some(({ kind }) => kind === 'assume')) return true
  return flow.branchesOn(comparison).some(({ succs }) =>
    succs.some((succ) => {
      const { ops } = flow.blocks[succ]!
      return ops[ops.length - 1]?.kind === 'revert'
    }),
  )
}

/** The end of a loop that counts up to it. */
const isRound = (flow: Flow, comparison: Op): boolean =>
  comparison.args.some((arg) => stripCasts(arg).kind === 'phi') &&
  flow.ir.loops.some(({ test }) => flow.blocks[test]?.condition === comparison)

/** How old another contract's answer may be: it is judged by its own stamp. */
const isFreshness = (time: Op, other: Op): boolean =>
  isAge(stripCasts(time), 0) || (isClock(stripCasts(time), 0) && isStamp(stripCasts(other), 0))

const isAge = (op: Op, depth: number): boolean =>
  op.kind === 'bin' && op.operator === '-' && depth < 2 && isStamp(stripCasts(op.args[1]!), depth + 1)

const isStamp = (op: Op, depth: number): boolean => {
  if (op.kind === 'bin' && op.operator === '+' && depth < 2) {
    return op.args.some((arg) => isStamp(stripCasts(arg), depth + 1))
  }
  const call = op.kind === 'extract' ? op.args[0]! : null
  return call?.call?.kind === 'external' && call.call.isStatic
}

const isOrder = ({ operator }: Op): boolean => operator !== '==' && operator !== '!='

/**
 * An operation (not an account's own lock) waits until a moment that was noted when it was requested: the time of then
 * and a delay that is configured, not written into the code. Such delays are meant for people to react, and a few seconds
 * at their end are worth nothing to anybody.
 */
const isTimelock = (flow: Flow, time: Op, other: Op): boolean => {
  if (time.kind !== 'env' || time.operator !== 'block.timestamp') return false
  const load = momentIn(stripCasts(other))
  if (load === null) return false
  const place = load.location!
  if (place.space === 'slot') {
    const set = storedBehind(flow, load)
    return set.length > 0 && set.every(({ value, flow: writer }) => isDelayed(writer, value, 0))
  }
  if (place.space !== 'state' || place.variable === null || !isKeyedByNumber(flow, place)) return false
  const stores = flow.whole.writersOf(place.variable).filter(({ op }) => mayOverlapAcross(op.location!, place))
  const set = stores.filter(({ op }) => !isZero(op.args[0]!))
  return set.length > 0 && set.every(({ op, flow: writer }) => isDelayed(writer, stripCasts(op.args[0]!), 0))
}

/** The stored moment, alone or with something added to it. */
const momentIn = (op: Op): Op | null => {
  if (op.kind === 'load') return op
  if (op.kind !== 'bin' || op.operator !== '+') return null
  return op.args.map(stripCasts).find(({ kind }) => kind === 'load') ?? null
}

const isZero = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'const' && op.constant === 0n
}

const isKeyedByNumber = (flow: Flow, place: Location): boolean => {
  let isKeyed = false
  for (let at: Location | null = place; at !== null; at = at.parent) {
    if (at.index === null) continue
    const kind = flow.typeOf(stripCasts(at.index))?.kind
    if (kind === 'address' || kind === 'contract' || isSender(at.index)) return false
    isKeyed = true
  }
  return isKeyed
}

/** `now + delay` with a delay from state or another contract, or the later of that and what the caller asks for. */
const isDelayed = (flow: Flow, value: Op, depth: number): boolean => {
  if (depth > 6) return false
  const isChoice = value.kind === 'phi' || value.kind === 'select'
  if (isChoice) {
    const parts = value.kind === 'select' ? value.args.slice(1) : value.args.filter((arg) => arg.id < value.id)
    return parts.some((part) => isDelayed(flow, stripCasts(part), depth + 1))
  }
  if (value.kind !== 'bin') return false
  if (value.operator !== '+') return value.args.some((arg) => isDelayed(flow, stripCasts(arg), depth + 1))
  const [a, b] = value.args.map(stripCasts) as [Op, Op]
  const delay = isClock(a, 0) ? b : isClock(b, 0) ? a : null
  return delay !== null && (taintOf(flow, delay) & (Source.state | Source.call)) !== 0
}

/** A store, a transfer or the end of the contract depends on the comparison, or it is handed out as an answer. */
const decides = (flow: Flow, comparison: Op): boolean => {
  if (comparison.args.some(isFixedMoment))
    return flow.usersOf(comparison).length > 0 || flow.branchesOn(comparison).length > 0
  const effects = flow.answer(effectsOf)
  if (effects.length === 0) return false
  const seen = new Set<Op>()
  const work: Op[] = [comparison]
  while (work.length > 0 && seen.size < 60) {
    const value = work.pop()!
    if (seen.has(value)) continue
    seen.add(value)
    for (const block of flow.branchesOn(value)) if (isWeighty(flow, effects, block.id)) return true
    for (const user of flow.usersOf(value)) {
      if (user.kind === 'assume') {
        if (effects.some((effect) => flow.canFollow(user, effect))) return true
      } else if (user.kind === 'bin' || user.kind === 'un' || user.kind === 'phi' || user.kind === 'select')
        work.push(user)
    }
  }
  return false
}

/** `block.timestamp >= 1546300800`: a moment written into the code, which whatever asks relies on. */
const isFixedMoment = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'const' && op.constant !== null && op.constant > 1_000_000_000n && !isTypeLimit(op)
}

const effectsOf = (flow: Flow): Op[] => [
  ...flow.stateStores(),
  ...flow.externalCalls().filter((op) => !op.call!.isStatic),
  ...flow.builtins('selfdestruct'),
]

const isWeighty = (flow: Flow, effects: readonly Op[], block: number): boolean => {
  const [yes, no] = flow.blocks[block]!.succs
  return effects.some(
    (op) =>
      (yes !== undefined && isOnlyAfter(flow, yes, op)) || (no !== undefined && isOnlyAfter(flow, no, op)) || false,
  )
}

const isOnlyAfter = (flow: Flow, block: number, op: Op): boolean =>
  flow.blocks[block]!.preds.length === 1 && flow.blockDominates(block, op.block)

/** The deadline was computed from a block number when it was stored: that is where time became blocks. */
const deadlineOf = (flow: Flow, other: Op): Op | null => {
  const load = stripCasts(other)
  if (load.kind !== 'load' || load.location!.variable === null) return null
  for (const { op, flow: writer } of flow.whole.writersOf(load.location!.variable)) {
    if (!mayOverlapAcross(op.location!, load.location!)) continue
    const value = stripCasts(op.args[0]!)
    if (value.kind !== 'bin' || !dependsOn(writer, value, isBlockNumber)) continue
    if (value.args.some((arg) => stripCasts(arg).kind === 'bin')) return op
  }
  return null
}

import {
  type ContractFlow,
  chosenByCaller,
  exactBounds,
  type Flow,
  isAtLeast,
  isPassedIn,
  type Location,
  mayOverlap,
  mayOverlapAcross,
  type Op,
  rangeOf,
  Source,
  sameValue,
  stripCasts,
  Trait,
} from '../flow/index.ts'
import { isOrdering } from '../flow/operators.ts'
import { relationsAt } from '../flow/relations.ts'
import { partFor } from '../flow/state-limits.ts'
import type { Expression } from '../syntax/index.ts'
import { defineDetector, type Hit } from './detector.ts'

export default defineDetector({
  id: 'integer-overflow',
  swc: 'SWC-101',
  title: 'Arithmetic can wrap around',
  severity: 'critical',
  confidence: 'medium',
  description:
    'The result of this operation can leave the range of its type and silently wrap around. With values that a caller can influence, a small balance becomes a huge one, a lock ends early or a check passes that should not.',
  recommendation:
    'Compile with 0.8 or later outside `unchecked`, use checked arithmetic, or require the operands to be in range before the operation.',
  references: [
    'https://swcregistry.io/docs/SWC-101',
    'https://docs.soliditylang.org/en/latest/080-breaking-changes.html',
  ],
  cwe: ['CWE-682', 'CWE-190'],
  needs: Trait.binary,

  run(context) {
    const hits: Hit[] = []
    let seen: Set<number> | null = null
    for (const flow of context.functions) {
      if (flow.isConstructor || !isOpen(flow) || isOnlyShown(flow)) continue
      for (const op of flow.ops('bin')) {
        if (op.flag || !isArithmetic(op) || seen?.has(op.start)) continue
        const reason = weakness(flow, op)
        if (reason === null) continue
        seen ??= new Set()
        seen.add(op.start)
        hits.push({
          at: { start: op.start, end: op.end },
          message: reason,
          trace: flow.trace(op),
          ...(isDeliberate(flow, op) || isAnswered(flow, op) ? { confidence: 'low' as const } : {}),
        })
      }
    }
    return hits
  },
})

/** Inner functions of libraries are judged where they are called, with the arguments they get there. */
const isOpen = (flow: Flow): boolean =>
  flow.kind !== 'library' || flow.fn?.visibility === 'public' || flow.fn?.visibility === 'external'

/** Reads, and answers with text: nobody counts with it. */
const isOnlyShown = ({ isEntryPoint, kind, fn }: Flow): boolean => {
  if ((!isEntryPoint && kind !== 'library') || fn === null || (fn.mutability !== 'view' && fn.mutability !== 'pure'))
    return false
  return fn.returns.length > 0 && fn.returns.every(({ type }) => type.kind === 'string' || type.kind === 'bytes')
}

const isArithmetic = (op: Op): boolean =>
  op.operator === '+' || op.operator === '-' || op.operator === '*' || op.operator === '**'

const weakness = (flow: Flow, op: Op): string | null => {
  if (isDeliberate(flow, op)) return deliberateWeakness(flow, op)
  const isFixed = isConstant(op.args[0]!) && isConstant(op.args[1]!)
  // Whether it can overflow is the dear question: asked last, of what would matter if it could.
  const matters = isFixed || (isInfluenced(flow, op) && flow.isUsed(op))
  if (isEndless(flow, op))
    return 'This counter is too small for what it counts up to: it wraps around and the loop never ends.'
  if ((!matters && !isNarrowSum(flow, op)) || isTimeWeighted(flow, op)) return null
  if (!flow.canOverflow(op)) {
    return isNarrowSum(flow, op) && op.args.some(isConstant)
      ? `A caller's number is added in a type too small for the sum of two such numbers.`
      : null
  }
  if (isFixed) return wrapsAlways(flow, op) ? `This ${verbOf(op)}s on every execution.` : null
  if (!matters || isConserved(flow, op) || isTestedBeforeCall(flow, op)) return null
  if (isMeantToWrap(flow, op) || isCountOfOwned(flow, op) || isHarmless(flow, op)) return null
  return `This can ${verbOf(op)}: nothing on the way here keeps the operands in range.`
}

/**
 * Nothing follows from it: it is told in an error, asks for so much gas, is the size of a list that nobody could pay for, or
 * turns the sign; and what a token says of itself as an exponent harms whoever chose the token.
 */
const isHarmless = (flow: Flow, op: Op): boolean => {
  const by = stripCasts(op.args[1]!)
  if (op.operator === '*' && by.kind === 'const' && by.constant === -1n) return true
  if (op.operator === '**' && by.kind === 'call') return true
  if (op.operator === '-' && isSize(flow, op)) return true
  if (flow.has('builtin') && op.operator === '+' && op.args.some((arg) => isAddress(flow, arg, 0))) return true
  return isPacking(op) || flow.isToldInError(op) || isGasLimit(flow, op, 0)
}

/** A place in memory: assembly reads what lies there, or it is counted from where something in memory begins. */
const isAddress = (flow: Flow, value: Op, depth: number): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'const' || depth > 3) return false
  if (flow.usersOf(op).some((user) => user.kind === 'builtin' && user.operator === 'mload' && user.args[0] === op))
    return true
  if (op.kind === 'phi') return op.args.some((arg) => arg.id < op.id && isAddress(flow, arg, depth + 1))
  return (
    op.kind === 'bin' &&
    op.operator === '+' &&
    (isPointerSum(flow, op) || op.args.some((arg) => isAddress(flow, arg, depth + 1)))
  )
}

const isSize = (flow: Flow, op: Op): boolean => {
  const users = flow.usersOf(op)
  return users.length > 0 && users.every(({ kind, operator }) => kind === 'make' && operator === 'new')
}

/** `(a << 224) + (b << 112) + c`: several numbers side by side in one. */
const isPacking = ({ kind, operator, args }: Op): boolean =>
  kind === 'bin' &&
  operator === '+' &&
  args.some((arg) => {
    const part = stripCasts(arg)
    return isPacking(part) || (part.kind === 'bin' && part.operator === '<<' && (unitOf(part) ?? 0n) >= 1n << 32n)
  })

/** Compared with the gas that is left, and nothing else. */
const isGasLimit = (flow: Flow, op: Op, depth: number): boolean => {
  const users = flow.usersOf(op)
  return (
    users.length > 0 &&
    depth < 6 &&
    users.every((user) => {
      if (user.kind === 'call' && user.call!.inlined) return true
      if (user.kind === 'bin' && isOrdering(user.operator))
        return user.args.some((side) => isGasLeft(stripCasts(side))) || isChoice(flow, user)
      const isPassedOn = user.kind === 'bin' || user.kind === 'cast' || user.kind === 'phi' || user.kind === 'select'
      return (isPassedOn || isUnseen(user)) && isGasLimit(flow, user, depth + 1)
    })
  )
}

/** The larger or the smaller of two is taken. */
const isChoice = (flow: Flow, comparison: Op): boolean =>
  !flow.isCondition(comparison) && flow.usersOf(comparison).every(({ kind }) => kind === 'select')

const isGasLeft = ({ kind, operator }: Op): boolean => kind === 'builtin' && operator === 'gasleft'

const isUnseen = ({ kind, call }: Op): boolean => kind === 'call' && call!.definition === null

/**
 * Arithmetic that is right although it wraps: numbers of twice the width (whose high half comes from `mulmod`), a clock cut
 * to fewer bits, the growth of a total since it was last noted; and the last index of a list, which when the list is empty
 * is none of its elements.
 */
const isMeantToWrap = (flow: Flow, op: Op): boolean =>
  isWide(flow, op) ||
  isShortClock(flow, op, 0) ||
  (op.operator === '-'
    ? isSinceNoted(flow, op) || isLastIndex(flow, op) || isPosition(flow, op)
    : isNotedTotal(flow, op))

const isWide = (flow: Flow, op: Op): boolean => {
  if (!flow.has('builtin')) return false
  const within = flow.writtenIn(op)
  return flow.builtins('mulmod').some((wide) => flow.writtenIn(wide) === within)
}

/** `uint32(block.timestamp) - last`, and what is weighted with it in a struct that is put together here. */
const isShortClock = (flow: Flow, value: Op, depth: number): boolean => {
  const op = stripCasts(value)
  if (op.kind !== 'bin' || depth > 3) return false
  if (op.operator === '-') {
    const type = flow.typeOf(op)
    return type?.kind === 'int' && type.bits <= 64 && isNow(stripCasts(op.args[0]!))
  }
  if (depth === 0 && !isPutTogether(flow, op, 0)) return false
  return op.args.some((arg) => arg.id < op.id && isShortClock(flow, arg, depth + 1))
}

const isPutTogether = (flow: Flow, op: Op, depth: number): boolean => {
  const users = flow.usersOf(op)
  return (
    users.length > 0 &&
    depth < 4 &&
    users.every(
      (user) =>
        user.kind === 'make' || ((user.kind === 'bin' || user.kind === 'cast') && isPutTogether(flow, user, depth + 1)),
    )
  )
}

/** `total - noted[who]`, where only what the total was at some time is ever noted, and the total only grows. */
const isSinceNoted = (flow: Flow, { args }: Op): boolean => {
  const [total, noted] = args.map(stripCasts) as [Op, Op]
  return isPlace(total) && isPlace(noted) && isNoteOf(flow, noted.location!, total.location!)
}

/** Beyond that nobody goes through all accesses for each of them. */
const fewAccesses = 200

const isPlace = (op: Op): boolean =>
  op.kind === 'load' && op.location!.space === 'state' && op.location!.variable !== null

const isNoteOf = (flow: Flow, note: Location, total: Location): boolean => {
  if (note.variable === total.variable && note.name === total.name) return false
  if (flow.whole.writersOf(total.variable!).length > fewAccesses) return false
  if (flow.whole.writersOf(note.variable!).length > fewAccesses) return false
  const notes = flow.whole.writersOf(note.variable!).filter(({ op }) => mayOverlapAcross(op.location!, note))
  const isFormer = (store: Op): boolean => {
    const value = stripCasts(partFor(note, store))
    if (value.kind === 'const') return value.constant === 0n
    return isPlace(value) ? isSamePart(value.location!, total) : isGrowth(value, total)
  }
  return (
    notes.some(({ op }) => stripCasts(partFor(note, op)).kind !== 'const') &&
    notes.every(({ op }) => isFormer(op)) &&
    flow.whole
      .writersOf(total.variable!)
      .every(
        ({ flow: writer, op }) =>
          writer.isConstructor ||
          !mayOverlapAcross(op.location!, total) ||
          isGrowth(stripCasts(partFor(total, op)), total),
      )
  )
}

const isSamePart = (a: Location, b: Location): boolean =>
  a.variable === b.variable && a.part === b.part && a.name === b.name && a.depth === b.depth

/** `total + x`. */
const isGrowth = (value: Op, total: Location): boolean =>
  value.kind === 'bin' &&
  value.operator === '+' &&
  value.args.some((arg) => {
    const part = stripCasts(arg)
    return isPlace(part) && isSamePart(part.location!, total)
  })

/** `total += x` where whoever reads the total notes it, or takes off what it was when noted. */
const isNotedTotal = (flow: Flow, op: Op): boolean => {
  if (op.operator !== '+') return false
  const load = op.args.map(stripCasts).find(isPlace)
  if (load === undefined) return false
  const total = load.location!
  if (!isComparedAnywhere(flow.whole, total) || flow.whole.readersOf(total.variable!).length > fewAccesses) return false
  const isKept = (user: Op): boolean => user.kind === 'store' || user.kind === 'emit' || user.kind === 'return'
  let isCompared = false
  const isHarmless = (reader: Flow, user: Op): boolean => {
    if (isKept(user) || isGrowth(user, total)) return true
    if (user.kind !== 'bin' || user.operator !== '-' || !isSinceNoted(reader, user)) return false
    isCompared = true
    return true
  }
  const readers = flow.whole.readersOf(total.variable!).filter((read) => isSamePart(read.op.location!, total))
  return (
    flow.usersOf(op).every((user) => isKept(user) || isHarmless(flow, user)) &&
    readers.every((read) => read.flow.usersOf(read.op).every((user) => isHarmless(read.flow, user))) &&
    isCompared
  )
}

/** Something is taken off the total somewhere: a first, cheap answer. */
const isComparedAnywhere = ({ flows }: ContractFlow, total: Location): boolean =>
  flows.some((flow) =>
    flow.ops('bin').some(({ operator, args }) => {
      if (operator !== '-') return false
      const from = stripCasts(args[0]!)
      return isPlace(from) && from.location!.variable === total.variable
    }),
  )

/** `list[positionOf[x] - 1]`: without a position it is none of the elements, and the access fails. */
const isPosition = (flow: Flow, op: Op): boolean => {
  const [noted, one] = op.args.map(stripCasts) as [Op, Op]
  if (noted.kind !== 'load' || noted.location!.space !== 'state') return false
  if (one.kind !== 'const' || one.constant !== 1n || !flow.isIndex(op)) return false
  if (flow.usersOf(op).some(({ kind }) => kind !== 'load' && kind !== 'store')) return false
  for (const { index, parent } of flow.ir.locations)
    if (index !== null && stripCasts(index) === op && parent?.type?.kind !== 'array') return false
  return true
}

/** `list[list.length - 1]`, `i < list.length - 1`: used as an index, or as the end of a loop over the list. */
const isLastIndex = (flow: Flow, op: Op): boolean => {
  const count = stripCasts(op.args[0]!)
  if (!isConstant(op.args[1]!) || count.kind !== 'load' || count.location!.part !== 'length') return false
  const list = count.location!.parent
  const isIndexed = flow.ir.locations.some(
    ({ index, parent }) => index !== null && stripCasts(index) === op && parent === list,
  )
  const users = flow.usersOf(op).filter(({ kind }) => kind !== 'load' && kind !== 'store')
  if (!isIndexed && users.length === 0) return false
  const loop = flow.loopAround(op)
  return users.every(
    (user) =>
      user.kind === 'bin' &&
      isOrdering(user.operator) &&
      loop?.condition?.kind === 'bin' &&
      isRunThrough(flow, loop.condition, list) &&
      (loop.condition === user || loop.condition.args.some((end) => isShortened(stripCasts(end), list))),
  )
}

/** `list.length - 1`, which the counter is below: there are more elements than that. */
const isShortened = ({ kind, operator, args }: Op, list: Location | null): boolean => {
  const count = kind === 'bin' && operator === '-' ? stripCasts(args[0]!) : null
  return count !== null && count.kind === 'load' && count.location!.part === 'length' && count.location!.parent === list
}

/** The counter of the loop indexes the list, so that a round too many ends in a revert. */
const isRunThrough = (flow: Flow, { args }: Op, list: Location | null): boolean =>
  flow.ir.locations.some(
    ({ index, parent }) =>
      index !== null && parent === list && args.some((side) => stripCasts(side) === stripCasts(index)),
  )

/** `count[who] -= 1` where something that was required to belong to `who` gets another owner: it was counted. */
const isCountOfOwned = (flow: Flow, { operator, args }: Op): boolean => {
  const [count, step] = args.map(stripCasts) as [Op, Op]
  if (operator !== '-' || step.kind !== 'const' || step.constant !== 1n || !isPlace(count)) return false
  const who = count.location!.index
  if (who === null) return false
  return flow.guardsAt(count).some(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || (condition.operator === '==') !== polarity) return false
    if (condition.operator !== '==' && condition.operator !== '!=') return false
    const owned = condition.args.map(stripCasts).find((side) => isPlace(side) && side.location!.index !== null)
    if (owned === undefined || !condition.args.some((side) => sameValue(side, who))) return false
    return flow.stateStores().some((store) => store.location === owned.location)
  })
}

/** Who switched the checks off meant it, as long as the numbers are not the caller's. */
const deliberateWeakness = (flow: Flow, op: Op): string | null => {
  if (!isChosen(flow, op) || flow.writtenIn(op)?.contract?.contractKind === 'library') return null
  if (isPointerSum(flow, op) || isTimeWeighted(flow, op)) return null
  if (!(flow.isAboutMoney(op) && isKeptAsGiven(flow, op)) && !isPriceOf(flow, op)) return null
  if (flow.isProtected(op) || isMultiple(op) || isPointer(flow, op, 0)) return null
  if (!flow.canOverflow(op) || isConserved(flow, op) || isTestedBeforeCall(flow, op)) return null
  return `Nothing checks this, and a caller chooses the operands: it can ${verbOf(op)}.`
}

/** The caller's own number changes state at once; what is worked out of many numbers without checks rests on limits of theirs. */
const isKeptAsGiven = (flow: Flow, op: Op): boolean =>
  op.args.some((arg) => isGiven(flow, arg, 0) || isElementGiven(arg)) && isStored(flow, op, 0)

/** `require(msg.value >= n * price)`: what the caller has to pay for the numbers that the caller names. */
const isPriceOf = (flow: Flow, op: Op): boolean =>
  op.operator !== '-' &&
  flow.usesEnvironment('msg.value') &&
  op.args.some((arg) => isGiven(flow, arg, 0) || isElementGiven(arg)) &&
  isComparedWithPayment(flow, op, 0)

/** One of a list of numbers. */
const isElementGiven = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind !== 'load' || op.location!.space !== 'memory') return false
  for (let at: Location | null = op.location; at !== null; at = at.parent)
    if (at.parent === null)
      return op.location!.index !== null && at.base !== null && stripCasts(at.base).kind === 'param'
  return false
}

const isComparedWithPayment = (flow: Flow, op: Op, depth: number): boolean =>
  flow.usersOf(op).some((user) => {
    if (user.kind === 'bin' && (isOrdering(user.operator) || user.operator === '==' || user.operator === '!='))
      return user.args.some((side) => isPayment(stripCasts(side)))
    const goesOn = user.kind === 'cast' || user.kind === 'phi' || (user.kind === 'bin' && user.operator === '+')
    return goesOn && user !== op && depth < 4 && isComparedWithPayment(flow, user, depth + 1)
  })

const isPayment = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'msg.value'

/** A number of rounds is none: nobody can pay for too many. */
const isGiven = (flow: Flow, value: Op, depth: number): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'param')
    return !flow.loops().some(({ condition }) => condition !== null && counts(flow, condition, op))
  if (op.kind !== 'phi' && op.kind !== 'select' && (op.kind !== 'bin' || op.operator !== '^')) return false
  return depth < 3 && op.args.some((arg) => arg !== op && isGiven(flow, arg, depth + 1))
}

const counts = (flow: Flow, condition: Op, given: Op): boolean => flow.dependsOn(condition, (op) => op === given)

/** Stored, or put to an account that is stored. */
const isStored = (flow: Flow, op: Op, depth: number): boolean =>
  flow.usersOf(op).some((user) => {
    if (user.kind === 'store') return user.location!.space !== 'memory'
    const goesOn = user.kind === 'cast' || user.kind === 'phi' || (user.kind === 'bin' && accountOf(user) !== null)
    return goesOn && depth < 3 && isStored(flow, user, depth + 1)
  })

/** `for { let i := shl(5, n) } i { } { i := sub(i, 0x20) … }`: counted down to nothing in steps that it is a multiple of. */
const isMultiple = (op: Op): boolean => {
  const [counter, step] = op.args.map(stripCasts) as [Op, Op]
  if (op.operator !== '-' || counter.kind !== 'phi' || step.kind !== 'const' || !step.constant) return false
  const starts = counter.args.filter((arg) => stripCasts(arg) !== op)
  return (
    starts.length < counter.args.length &&
    starts.every((start) => {
      const unit = unitOf(stripCasts(start))
      return unit !== null && unit % step.constant! === 0n
    })
  )
}

/** What a product is a multiple of. */
const unitOf = ({ kind, operator, args }: Op): bigint | null => {
  const by = kind === 'bin' ? stripCasts(args[1]!) : null
  if (by?.kind !== 'const' || by.constant === null) return null
  if (operator === '*') return by.constant
  return operator === '<<' && by.constant < 256n ? 1n << by.constant : null
}

const addressed = new Set(['mload', 'mstore', 'mstore8', 'calldataload', 'calldatacopy', 'returndatacopy', 'keccak256'])

/** A sum that assembly uses as a place in memory and for nothing else. */
const isPointer = (flow: Flow, op: Op, depth: number): boolean => {
  const users = flow.usersOf(op)
  return (
    op.operator === '+' &&
    depth < 5 &&
    users.length > 0 &&
    users.every((user) =>
      user.kind === 'builtin'
        ? addressed.has(user.operator) && user.args[0] === op && user.args[1] !== op
        : user.kind === 'bin' && isPointer(flow, user, depth + 1),
    )
  )
}

const verbOf = ({ operator }: Op): string => (operator === '-' ? 'underflow' : 'overflow')

const isConstant = (value: Op): boolean => stripCasts(value).kind === 'const'

/** Written in `unchecked` or assembly of a compiler that checks by itself. */
const isDeliberate = (flow: Flow, op: Op): boolean =>
  isAssembly(op) || (flow.writtenIn(op)?.file.versions.checkedArithmetic ?? 'never') === 'always'

/** Of all nodes only those of assembly begin with a Y: `YulCall`, `YulIdentifier`… */
const isAssembly = (op: Op): boolean => (op.node as { kind?: string } | null)?.kind?.charCodeAt(0) === 0x59

const referenceKinds = new Set(['bytes', 'string', 'array', 'struct'])

/** In assembly the name of something in memory is its address: a place, not an amount. */
const isPointerSum = (flow: Flow, op: Op): boolean =>
  isAssembly(op) && op.args.some((arg) => referenceKinds.has(flow.typeOf(stripCasts(arg))?.kind ?? ''))

/** The exact result lies outside the type whatever the operands are. */
const wrapsAlways = (flow: Flow, op: Op): boolean => {
  const a = flow.interval(op.args[0]!, op)
  const b = flow.interval(op.args[1]!, op)
  const exact = a === null || b === null ? null : exactBounds(op.operator, a, b)
  if (exact === null) return false
  const range = rangeOf(flow.typeOf(op))
  return exact.max < range.min || exact.min > range.max
}

/** A local of few bits takes up a caller's number: the next one no longer fits. */
const isNarrowSum = (flow: Flow, op: Op): boolean => {
  const node = op.node as Expression | null
  if (op.operator !== '+' || node?.kind !== 'Binary' || isDeliberate(flow, op)) return false
  const isCounted =
    (isMutableLocal(flow, node.left) && flow.taint(op.args[1]!) === Source.param) ||
    (isMutableLocal(flow, node.right) && flow.taint(op.args[0]!) === Source.param)
  if (!isCounted) return false
  const type = flow.typeOf(op)
  return type?.kind === 'int' && type.bits <= 128
}

/** `for (uint8 i = 0; i <= n; i++)` where the caller makes `n` at least as large as the type's last number. */
const isEndless = (flow: Flow, op: Op): boolean => {
  const counter = op.args[0]!
  if (op.operator !== '+' || counter.kind !== 'phi' || !isConstant(op.args[1]!) || flow.ir.loops.length === 0)
    return false
  const type = flow.typeOf(op)
  // Nobody can pay for more rounds than that.
  if (type?.kind !== 'int' || type.bits > 16) return false
  const loop = flow.loops().find(({ mark }) => mark.header === counter.block)
  const test = loop?.condition
  if (test?.kind !== 'bin' || !/^(<=?|>=?|!=)$/.test(test.operator)) return false
  const [left, right] = test.args as [Op, Op]
  const end = stripCasts(left) === counter ? right : stripCasts(right) === counter ? left : null
  if (end === null || (flow.taint(end) & (chosenByCaller | Source.outsiderState)) === 0) return false
  const last = rangeOf(type).max
  const { max } = flow.interval(end, test)
  return test.operator.endsWith('=') && test.operator !== '!=' ? max >= last : max > last
}

const isMutableLocal = (flow: Flow, e: Expression): boolean => {
  if (e.kind !== 'Identifier') return false
  const decl = flow.model.declarationOf(e)
  return decl?.kind === 'variable' && decl.role === 'local'
}

/** An outsider can make an operand large enough, or small enough. */
const isInfluenced = (flow: Flow, op: Op): boolean => {
  if (isPassedIn(op.args[0]!) || isPassedIn(op.args[1]!)) return true
  const sources = flow.taint(op.args[0]!) | flow.taint(op.args[1]!)
  if ((sources & (chosenByCaller | Source.outsiderState)) !== 0) return true
  return (sources & Source.call) !== 0 && op.operator !== '**' && !isGain(op)
}

/** Only another contract's answer could be too large or too small. */
const isAnswered = (flow: Flow, op: Op): boolean => {
  if (isPassedIn(op.args[0]!) || isPassedIn(op.args[1]!)) return false
  const sources = flow.taint(op.args[0]!) | flow.taint(op.args[1]!)
  return (sources & (chosenByCaller | Source.outsiderState)) === 0 && (sources & Source.call) !== 0
}

/** The same question asked twice (a balance before and after), or the time since a moment that another contract names. */
const isGain = ({ operator, args }: Op): boolean => {
  if (operator !== '-') return false
  const [later, earlier] = args.map(stripCasts) as [Op, Op]
  const then = earlier.kind === 'extract' ? earlier.args[0]! : earlier
  if (then.kind !== 'call') return false
  if (isNow(later)) return true
  return later.kind === 'call' && later.call!.name === then.call!.name && later.args.length === then.args.length
}

/** An operand is the caller's own number. */
const isChosen = (flow: Flow, op: Op): boolean => {
  if (!flow.isEntryPoint) return false
  const sources = flow.taint(op.args[0]!) | flow.taint(op.args[1]!)
  return (sources & Source.param) !== 0 && (sources & (Source.unknown | Source.call)) === 0
}

/**
 * The same amount leaves one account as enters another, and the one it leaves is checked: no account outgrows the total.
 * Likewise a total that is checked bounds its parts from above, and a part that is checked bounds its total from below.
 */
const isConserved = (flow: Flow, op: Op): boolean => {
  const amount = stripCasts(op.args[1]!)
  const account = accountOf(op)
  if (account === null) return false
  return flow.answer(changesOfAccounts).some((other) => {
    const partner = accountOf(other)!
    if (other === op || partner === account || !sameValue(other.args[1]!, amount)) return false
    if (!isBounding(flow, op.operator, account, other.operator, partner)) return false
    const isChecked = other.flag || !flow.canOverflow(other) || isTestedBeforeCall(flow, other)
    return isChecked && (flow.canFollow(other, op) || flow.canFollow(op, other))
  })
}

/**
 * A running total of something times the seconds that passed, as price feeds keep it. Whoever reads two such totals takes
 * their difference, which is right also when the total has wrapped around, and nothing here asks for the total itself.
 */
const isTimeWeighted = (flow: Flow, op: Op): boolean => {
  if (op.operator !== '+' && op.operator !== '*') return false
  if (!flow.usesEnvironment('block.timestamp') && !flow.usesEnvironment('block.number')) return false
  const users = flow.usersOf(op).filter(({ kind }) => kind !== 'cast')
  const sum = op.operator === '+' ? op : users.length === 1 ? users[0]! : null
  const total = sum === null ? null : totalOf(flow, sum)
  if (total === null || total.variable === null) return false
  return flow.whole
    .readersOf(total.variable)
    .every((read) =>
      read.flow
        .usersOf(read.op)
        .every((user) => user.kind === 'return' || user.kind === 'emit' || totalOf(read.flow, user) !== null),
    )
}

/** The place in `total = total + x * (now - last)`, when the sum goes nowhere else. */
const totalOf = (flow: Flow, sum: Op): Location | null => {
  if (sum.kind !== 'bin' || sum.operator !== '+') return null
  const parts = sum.args.map(stripCasts)
  const product = parts.find((part) => part.kind === 'bin' && part.operator === '*')
  const place = parts.find((part) => part !== product && part.kind === 'load')?.location ?? null
  if (place === null || place.space !== 'state' || !product?.args.some((arg) => isElapsed(stripCasts(arg)))) return null
  const users = flow.usersOf(sum)
  const isKept = users.every((user) => user.kind === 'emit' || (user.kind === 'store' && user.location === place))
  return isKept && users.length > 0 ? place : null
}

const isElapsed = (op: Op): boolean => {
  if (op.kind !== 'bin' || op.operator !== '-') return false
  const [now, last] = op.args.map(stripCasts) as [Op, Op]
  return last.kind === 'load' && last.location!.space === 'state' && isNow(now)
}

const isNow = (op: Op): boolean => {
  if (op.kind === 'env') return op.operator === 'block.timestamp' || op.operator === 'block.number'
  return op.kind === 'bin' && op.operator === '%' && isNow(stripCasts(op.args[0]!))
}

const changesOfAccounts = (flow: Flow): readonly Op[] => flow.ops('bin').filter((op) => accountOf(op) !== null)

const accountOf = (op: Op): Location | null => {
  if (op.operator !== '+' && op.operator !== '-') return null
  const load = stripCasts(op.args[0]!)
  return load.kind !== 'load' || load.location!.space === 'memory' ? null : load.location
}

const isBounding = (flow: Flow, change: string, account: Location, otherChange: string, partner: Location): boolean => {
  if (isAnyNumber(flow, partner)) return false
  if (change === '+') return otherChange === '-' || keysIn(partner) <= keysIn(account)
  return otherChange === '-' && keysIn(partner) > keysIn(account)
}

/** How many keys lead to it: the parts of a total have more than the total. */
const keysIn = (place: Location): number => {
  let count = 0
  for (let at: Location | null = place; at !== null; at = at.parent)
    if (at.part === 'index' || at.base?.operator === 'keccak256') count++
  return count
}

/** Whoever wants writes a number of his own there, as with an allowance: it measures nothing. */
const isAnyNumber = (flow: Flow, place: Location): boolean =>
  place.variable !== null &&
  flow.whole
    .writersOf(place.variable)
    .some(
      (write) =>
        write.flow.isEntryPoint && stripCasts(write.op.args[0]!).kind === 'param' && !write.flow.isProtected(write.op),
    )

/**
 * The place was tested against the same number, and since then it was only added to or an external call was made. What a
 * callee may do to it meanwhile is reentrancy, another weakness with a detector of its own.
 */
const isTestedBeforeCall = (flow: Flow, op: Op): boolean => {
  if (op.operator !== '-') return false
  const [from, taken] = op.args.map(stripCasts) as [Op, Op]
  return (
    isTestedPlace(flow, op, from, taken, true) ||
    isTestedPlace(flow, op, taken, from, false) ||
    isPartOfEarlier(flow, op, from, taken)
  )
}

/** What is taken is a part of what the place held when it was read before, as in `min(asked, held)`. */
const isPartOfEarlier = (flow: Flow, op: Op, load: Op, taken: Op): boolean => {
  if (load.kind !== 'load' || load.location!.space !== 'state') return false
  const place = load.location!
  return flow
    .stateLoads()
    .some(
      (earlier) =>
        earlier.location === place &&
        earlier.id < load.id &&
        isAtLeast(flow, earlier, taken, op) &&
        flow.dominates(earlier, op) &&
        isOnlyRaised(flow, earlier, load, true),
    )
}

/** Between two reads of a place nothing was written to it, or only more. */
const isOnlyRaised = (flow: Flow, earlier: Op, load: Op, isGreater: boolean): boolean =>
  !flow
    .stateStores()
    .some(
      (store) =>
        flow.canFollow(earlier, store) &&
        flow.canFollow(store, load) &&
        mayOverlap(store.location!, load.location!) &&
        !(isGreater && isRaise(store)),
    )

const isTestedPlace = (flow: Flow, op: Op, load: Op, number: Op, isGreater: boolean): boolean => {
  if (load.kind !== 'load' || load.location!.space === 'memory') return false
  const place = load.location!
  return relationsAt(flow, op).some(({ greater, smaller }) => {
    const tested = stripCasts(isGreater ? greater : smaller)
    if (tested.kind !== 'load' || tested.location !== place) return false
    return sameValue(isGreater ? smaller : greater, number) && isOnlyRaised(flow, tested, load, isGreater)
  })
}

/** `n += x`; whether that wraps is judged there. */
const isRaise = (store: Op): boolean => {
  const value = stripCasts(store.args[0]!)
  if (value.kind !== 'bin' || value.operator !== '+') return false
  return value.args.some((arg) => {
    const part = stripCasts(arg)
    return part.kind === 'load' && part.location === store.location
  })
}

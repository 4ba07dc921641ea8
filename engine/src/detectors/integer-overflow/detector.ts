import {
  canOverflow,
  chosenByCaller,
  dependsOn,
  exactBounds,
  guardsAt,
  intervalOf,
  isAboutMoney,
  isPassedIn,
  isProtected,
  isUsed,
  loopsOf,
  rangeOf,
  Source,
  taintOf,
} from '../../facts/index.ts'
import {
  accountOf,
  canBeMadeToWrap,
  isAssembly,
  isConserved,
  isConstant,
  isHarmless,
  isMeantToWrap,
  isNow,
  isPlace,
  isPointerSum,
  isTestedBeforeCall,
  isTimeWeighted,
  unitOf,
} from '../../idioms/index.ts'
import { type Flow, isOrdering, type Location, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import type { Expression } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

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
          ...(isLessSure(flow, op) ? { confidence: 'low' as const } : {}),
        })
      }
    }
    return hits
  },
})

/** Who wrote `unchecked` meant it; or it takes another contract's answer, a number that others set, or a caller who counts with the answer. */
const isLessSure = (flow: Flow, op: Op): boolean =>
  isDeliberate(flow, op) ||
  isAnswered(flow, op) ||
  // What wraps on every execution, or a type that is too small by itself, needs nobody to bring it about.
  (canOverflow(flow, op) &&
    !op.args.every(isConstant) &&
    (isOnlyAnswered(flow) || canBeMadeToWrap(flow, op) !== 'surely'))

/** Reads and answers: what others do with the number is not written here. */
const isOnlyAnswered = ({ fn }: Flow): boolean => fn?.mutability === 'view' || fn?.mutability === 'pure'

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
  const matters = isFixed || (isInfluenced(flow, op) && isUsed(flow, op))
  if (isEndless(flow, op))
    return 'This counter is too small for what it counts up to: it wraps around and the loop never ends.'
  if ((!matters && !isNarrowSum(flow, op)) || isTimeWeighted(flow, op)) return null
  if (!canOverflow(flow, op)) {
    return isNarrowSum(flow, op) && op.args.some(isConstant)
      ? `A caller's number is added in a type too small for the sum of two such numbers.`
      : null
  }
  if (isFixed) return wrapsAlways(flow, op) ? `This ${verbOf(op)}s on every execution.` : null
  if (!matters || isOnlyEquated(flow, op) || isConserved(flow, op) || isTestedBeforeCall(flow, op)) return null
  if (isMeantToWrap(flow, op) || isCountOfOwned(flow, op) || isHarmless(flow, op)) return null
  if (canBeMadeToWrap(flow, op) === 'no') return null
  return `This can ${verbOf(op)}: nothing on the way here keeps the operands in range.`
}

/** `index == count - 1`: whether two numbers are the same does not depend on their order. */
const isOnlyEquated = (flow: Flow, op: Op): boolean => {
  const users = flow.usersOf(op).filter(({ kind }) => kind !== 'cast')
  return (
    users.length > 0 && users.every(({ kind, operator }) => kind === 'bin' && (operator === '==' || operator === '!='))
  )
}

/** `count[who] -= 1` where something that was required to belong to `who` gets another owner: it was counted. */
const isCountOfOwned = (flow: Flow, { operator, args }: Op): boolean => {
  const [count, step] = args.map(stripCasts) as [Op, Op]
  if (operator !== '-' || step.kind !== 'const' || step.constant !== 1n || !isPlace(count)) return false
  const who = count.location!.index
  if (who === null) return false
  return guardsAt(flow, count).some(({ condition, polarity }) => {
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
  if (!(isAboutMoney(flow, op) && isKeptAsGiven(flow, op)) && !isPriceOf(flow, op)) return null
  if (isProtected(flow, op) || isMultiple(op) || isPointer(flow, op, 0)) return null
  if (!canOverflow(flow, op) || isConserved(flow, op) || isTestedBeforeCall(flow, op)) return null
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
    return !loopsOf(flow).some(({ condition }) => condition !== null && counts(flow, condition, op))
  if (op.kind !== 'phi' && op.kind !== 'select' && (op.kind !== 'bin' || op.operator !== '^')) return false
  return depth < 3 && op.args.some((arg) => arg !== op && isGiven(flow, arg, depth + 1))
}

const counts = (flow: Flow, condition: Op, given: Op): boolean => dependsOn(flow, condition, (op) => op === given)

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

/** Written in `unchecked` or assembly of a compiler that checks by itself. */
const isDeliberate = (flow: Flow, op: Op): boolean =>
  isAssembly(op) || (flow.writtenIn(op)?.file.versions.checkedArithmetic ?? 'never') === 'always'

/** The exact result lies outside the type whatever the operands are. */
const wrapsAlways = (flow: Flow, op: Op): boolean => {
  const a = intervalOf(flow, op.args[0]!, op)
  const b = intervalOf(flow, op.args[1]!, op)
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
    (isMutableLocal(flow, node.left) && taintOf(flow, op.args[1]!) === Source.param) ||
    (isMutableLocal(flow, node.right) && taintOf(flow, op.args[0]!) === Source.param)
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
  const loop = loopsOf(flow).find(({ mark }) => mark.header === counter.block)
  const test = loop?.condition
  if (test?.kind !== 'bin' || !/^(<=?|>=?|!=)$/.test(test.operator)) return false
  const [left, right] = test.args as [Op, Op]
  const end = stripCasts(left) === counter ? right : stripCasts(right) === counter ? left : null
  if (end === null || (taintOf(flow, end) & (chosenByCaller | Source.outsiderState)) === 0) return false
  const last = rangeOf(type).max
  const { max } = intervalOf(flow, end, test)
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
  const sources = taintOf(flow, op.args[0]!) | taintOf(flow, op.args[1]!)
  if ((sources & (chosenByCaller | Source.outsiderState)) !== 0) return true
  return (sources & Source.call) !== 0 && op.operator !== '**' && !isGain(op)
}

/** Only another contract's answer could be too large or too small. */
const isAnswered = (flow: Flow, op: Op): boolean => {
  if (isPassedIn(op.args[0]!) || isPassedIn(op.args[1]!)) return false
  const sources = taintOf(flow, op.args[0]!) | taintOf(flow, op.args[1]!)
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
  const sources = taintOf(flow, op.args[0]!) | taintOf(flow, op.args[1]!)
  return (sources & Source.param) !== 0 && (sources & (Source.unknown | Source.call)) === 0
}

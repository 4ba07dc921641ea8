import {
  canOverflow,
  chosenByCaller,
  dependsOn,
  intervalOf,
  isChosenByRole,
  isPassedIn,
  isSender,
  isUsed,
  parametersIn,
  principalAt,
  roleAt,
  Source,
  taintOf,
  usesOf,
} from '../../facts/index.ts'
import {
  affectedResult,
  canBeMadeToWrap,
  entriesOf,
  firstThatFits,
  holdingsOfUsers,
  impactOf,
  isAssembly,
  isConstant,
  isNow,
  isPositionInData,
  isReadOnlyService,
  isRecorded,
  keysOf,
  lossAt,
  outgoingOf,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type BinaryOp,
  exactBounds,
  type Flow,
  holding,
  isOverflowing,
  type Op,
  quoteSource,
  rangeOf,
  stripCasts,
} from '../../ir/index.ts'
import type { Expression } from '../../syntax/index.ts'
import { type ConfidenceFactors, defineDetector, type TraceStep } from '../define-detector.ts'
import { causeOf } from './cause.ts'
import { isEndless } from './endless.ts'
import { excuses } from './excuses.ts'
import type { Overflow } from './overflow.ts'
import { givenIn, isFree, isKeptAsGiven, isLimitPassed, isPriceOf } from './unchecked.ts'

/** Someone runs it after the deployment. Inner functions of libraries are judged where they are called, with what they get there. */
const isRun = ({ isConstructor, kind, fn }: Flow): boolean =>
  !isConstructor && (kind !== 'library' || fn?.visibility === 'public' || fn?.visibility === 'external')

/** Whether it can overflow is the most expensive question: answered last, for what would matter if it could. */
const flawOf = (flow: Flow, op: BinaryOp): Overflow['flaw'] | null => {
  if (isDeliberate(flow, op)) return isCallersOwn(flow, op) && canOverflow(flow, op) ? 'unchecked' : null
  if (isEndless(flow, op)) return 'endless'
  if (op.args.every(isConstant)) return canOverflow(flow, op) && wrapsAlways(flow, op) ? 'always' : null
  if (isInfluenced(flow, op) && isUsed(flow, op) && canOverflow(flow, op)) return 'open'
  return isNarrowSum(flow, op) && !canOverflow(flow, op) ? 'narrow' : null
}

/** Written in `unchecked` or assembly of a compiler that checks by itself. */
const isDeliberate = (flow: Flow, op: Op): boolean =>
  isAssembly(op) || (flow.writtenIn(op)?.file.versions.checkedArithmetic ?? 'never') === 'always'

/** Who switched the checks off meant it, as long as the numbers are not the caller's and not about money. */
const isCallersOwn = (flow: Flow, op: Op): boolean => {
  const sources = sourcesOf(flow, op)
  if (!flow.isEntryPoint || (sources & Source.param) === 0 || (sources & (Source.unknown | Source.call)) !== 0)
    return false
  return isKeptAsGiven(flow, op) || isPriceOf(flow, op) || isLimitPassed(flow, op)
}

const sourcesOf = (flow: Flow, { args }: Op): number => args.reduce((all, arg) => all | taintOf(flow, arg), 0)

/** The exact result lies outside the type whatever the operands are. */
const wrapsAlways = (flow: Flow, op: BinaryOp): boolean => {
  const exact = exactBounds(op.operator, intervalOf(flow, op.args[0], op), intervalOf(flow, op.args[1], op))
  const range = rangeOf(flow.typeOf(op))
  return exact !== null && (exact.max < range.min || exact.min > range.max)
}

/** An outsider can make an operand large enough, or small enough. */
const isInfluenced = (flow: Flow, op: BinaryOp): boolean =>
  isChosenByUser(flow, op) || (isAnswer(flow, op) && op.operator !== '**' && !isGain(op))

const isChosenByUser = (flow: Flow, op: Op): boolean =>
  op.args.some(isPassedIn) || (sourcesOf(flow, op) & (chosenByCaller | Source.outsiderState)) !== 0

const isAnswer = (flow: Flow, op: Op): boolean => (sourcesOf(flow, op) & Source.call) !== 0

/** The same call made twice (a balance before and after), or the time since a moment that another contract names. */
const isGain = ({ args }: BinaryOp): boolean => {
  const [later, earlier] = args.map(stripCasts) as [Op, Op]
  const then = earlier.kind === 'extract' ? earlier.args[0] : earlier
  if (then.kind !== 'call') return false
  return isNow(later) || (later.kind === 'call' && later.call.name === then.call.name)
}

/** A local of few bits takes up a caller's number: the next one no longer fits. */
const isNarrowSum = (flow: Flow, op: BinaryOp): boolean => {
  const node = op.node as Expression | null
  const type = flow.typeOf(op)
  if (op.operator !== '+' || node?.kind !== 'Binary' || type?.kind !== 'int' || type.bits > 128) return false
  const [left, right] = op.args
  const isTakenUp = (given: Op): boolean => taintOf(flow, given) === Source.param
  return (
    op.args.some(isConstant) &&
    ((isLocal(flow, node.left) && isTakenUp(right)) || (isLocal(flow, node.right) && isTakenUp(left)))
  )
}

const isLocal = (flow: Flow, e: Expression): boolean => {
  const decl = e.kind === 'Identifier' ? flow.model.declarationOf(e) : undefined
  return decl?.kind === 'variable' && decl.role === 'local'
}

/** Who switched the checks off knew a limit, unless an outsider's number is seen to lead out of the range. */
const factorsOf = (overflow: Overflow): ConfidenceFactors => {
  const factors = factorsOfOpen(overflow)
  return overflow.flaw === 'unchecked' && !(factors.hasWitness && factors.counterEvidence === undefined)
    ? { counterEvidence: ['`unchecked` was written on purpose'] }
    : factors
}

const onlyReturned = 'the wrong number is only returned to the caller'

const isReturned = ({ counterEvidence }: ConfidenceFactors): boolean => counterEvidence?.includes(onlyReturned) === true

const factorsOfOpen = ({ flow, op, flaw }: Overflow): ConfidenceFactors => {
  if (!isChosenByUser(flow, op) && isAnswer(flow, op))
    return { counterEvidence: ['another contract must return such a value'] }
  // What wraps on every execution, or a type that is too small by itself, needs nobody to bring it about.
  if (op.args.every(isConstant) || !canOverflow(flow, op)) return { hasWitness: flaw === 'always' }
  if (flow.fn?.mutability === 'view' || flow.fn?.mutability === 'pure') return factorsOfAnswer(flow, op)
  if (isOnlyReturnedOrLogged(flow, op)) return { counterEvidence: [onlyReturned] }
  if (isPositionInData(flow, op)) return { counterEvidence: ['it only computes an offset into given data'] }
  if (isPassedOn(flow, op)) return { counterEvidence: ['only other contracts call it, and they may limit the number'] }
  if (canBeMadeToWrap(flow, op) !== 'surely')
    return { counterEvidence: ['it needs a stored or returned number that is not zero'] }
  const hasWitness = op.args.some((arg) => isFree(flow, op, arg))
  const lost = lossBy(flow, op)
  if (!hasWitness && lost === null && !isKeptAtOnce(flow, op))
    return { counterEvidence: ['no payment or balance is known to depend on the number'] }
  if (lost === null && !isRecorded(flow, op) && !letsPass(flow, op))
    return { counterEvidence: ['no stored or paid number depends on it'] }
  return { hasWitness, loss: lossAt(flow, op, lost), impact: impactOf(flow) }
}

/** `require(supply + amount <= cap); supply += amount`: what the wrapped sum lets pass is stored or paid. */
const letsPass = (flow: Flow, op: BinaryOp): boolean => {
  const given = parametersIn(flow, op)
  const isGiven = (value: Op): boolean => [...parametersIn(flow, value)].some((each) => given.has(each))
  return (
    outgoingOf(flow).some(({ amount }) => isGiven(amount)) || flow.stateStores().some(({ args }) => isGiven(args[0]))
  )
}

/** `round += 1` in few bits: who pays for the calls starts again. Or `sums[msg.sender] = list.length - 1`. */
const isKeptAtOnce = (flow: Flow, op: BinaryOp): boolean => {
  const isSmall = rangeOf(flow.typeOf(op)).max < 1n << 32n
  return flow.stateStores().some(({ location, args }) => {
    if (stripCasts(args[0]) !== op) return false
    return isSmall || (keysOf(location).some(isSender) && stripCasts(op.args[0]).location !== location)
  })
}

/** The number that wraps is paid out, or becomes what an account has on record. */
const lossBy = (flow: Flow, op: BinaryOp): string | null => {
  const isMade = (value: Op): boolean => dependsOn(flow, value, (part) => part === op)
  if (outgoingOf(flow).some(({ amount }) => isMade(amount))) return holdingsOfUsers(flow) ?? 'what the contract holds'
  // What goes up and down by one is a count.
  const isStep = op.args.some((arg) => stripCasts(arg).kind === 'const')
  const isEntry = !isStep && entriesOf(flow).some(({ amount, op: store }) => isMade(amount) || isMade(store.args[0]))
  return isEntry ? 'balances of other accounts' : null
}

/** The number goes nowhere but into what the function answers or tells in an event. */
const isOnlyReturnedOrLogged = (flow: Flow, op: BinaryOp): boolean => {
  let isOutput = false
  const passesOn = ({ kind, operator }: Op): boolean =>
    kind === 'phi' || kind === 'cast' || (kind === 'bin' && (operator === '+' || operator === '-'))
  for (const { user, branch } of usesOf(flow, op, passesOn)) {
    if (branch !== null) return false
    if (user.kind === 'return' || user.kind === 'emit') isOutput = true
    else if (!passesOn(user) && !(user.kind === 'call' && user.call.inlined)) return false
  }
  return isOutput
}

/**
 * Only a contract of the same protocol brings the number, or the host of a library, or a contract that inherits an inner function which
 * none of the scan runs, or anyone whom a function of a missing file lets pass: what they let through is not seen here.
 */
const isPassedOn = (flow: Flow, op: BinaryOp): boolean => {
  if ((sourcesOf(flow, op) & Source.outsiderState) !== 0) return false
  if (flow.kind === 'library' || flow.kind === 'internal' || principalAt(flow, op) === 'unread') return true
  return roleAt(flow, op) !== null && !isChosenByRole(flow, op)
}

/** `duration * price`: anyone who asks a list of prices passes on what someone else wants to pay for, and charges what it hears. */
const factorsOfAnswer = (flow: Flow, op: BinaryOp): ConfidenceFactors => {
  const isPrice = op.operator === '*' && op.args.some((arg) => isFree(flow, op, arg)) && op.args.some(isKept)
  return isPrice && isReadOnlyService(flow.contractFlow) && canBeMadeToWrap(flow, op) === 'surely'
    ? { hasWitness: true, counterEvidence: ['the caller must act on the result'] }
    : { counterEvidence: [onlyReturned] }
}

/** What the contract was given before, as a price; two numbers of the caller's make a page or an area. */
const isKept = (operand: Op): boolean => {
  const value = stripCasts(operand)
  return value.kind === 'load' && value.location.space === 'state'
}

/** Signed numbers wrap around at both ends. */
const isSigned = ({ flow, op }: Overflow): boolean => {
  const type = flow.typeOf(op)
  return type?.kind === 'int' && type.signed
}

const lossOf = (overflow: Overflow): string => {
  if (isSigned(overflow)) return 'makes a signed number wrap around to the opposite sign'
  return overflow.op.operator === '-'
    ? 'makes a subtraction underflow to a huge number'
    : 'makes a number overflow to a small one'
}

/** A view without arguments gives an attacker nothing to choose: its readers get the wrong number. */
const attackStep = (overflow: Overflow): TraceStep => {
  const { flow, op } = overflow
  const step = witnessStep(flow, op, lossOf(overflow))
  if (flow.fn?.mutability !== 'view' || flow.params.length > 0) return step
  return {
    ...step,
    message: `Callers of \`${flow.name}()\` get a wrong number when it ${op.operator === '-' && !isSigned(overflow) ? 'underflows' : 'overflows'}.`,
  }
}

const names: Readonly<Record<string, string>> = { '-': 'subtraction', '+': 'addition', '*': 'multiplication' }

/** ` from \`totalSupply\``: the stored number that is changed, where there is one. */
const subjectOf = ({ flow, op: { operator, args } }: Overflow): string => {
  const value = stripCasts(args[0])
  if (value.kind !== 'load' || value.location.space !== 'state') return ''
  return `${operator === '-' ? ' from' : operator === '+' ? ' to' : ' of'} \`${flow.describe(value.location)}\``
}

/** `a - b` as it is written, or "this subtraction". */
const operationOf = (overflow: Overflow): string => {
  const written = quoteSource(overflow.flow.model, overflow.op.node)
  return written === null
    ? `this ${names[overflow.op.operator] ?? 'operation'}${subjectOf(overflow)}`
    : `\`${written}\``
}

const wrongResult = ({ flow, op }: Overflow): string => {
  const affected = affectedResult(flow, op)
  return affected === null ? '' : `, so ${affected} is wrong`
}

const messageOf = (overflow: Overflow): string => {
  const { flow, flaw } = overflow
  const isBelow = overflow.op.operator === '-' && !isSigned(overflow)
  const verb = isBelow ? 'underflow' : 'overflow'
  const wraps = isSigned(overflow)
    ? 'wrap around to the opposite sign'
    : `${verb} to ${isBelow ? 'a huge' : 'a small'} number`
  const operation = operationOf(overflow)
  const where = `In \`${flow.writtenIn(overflow.op)?.name || flow.name}()\`, `
  const wrong = wrongResult(overflow)
  const fit = (text: string): string => firstThatFits(`${text}${wrong}.`, `${text}.`)
  switch (flaw) {
    case 'always':
      return `${where}${operation} ${verb}s on every execution${wrong || ', so the result is always wrong'}.`
    case 'endless':
      return 'This loop counter is too small for its bound, so it overflows and the loop never ends.'
    case 'narrow':
      return fit(
        `${where}the caller chooses a number that ${operation} adds in a type too small for the sum: it can ${wraps}`,
      )
    case 'unchecked':
      return fit(`${where}the caller chooses the operands of ${operation}, which is unchecked: it can ${wraps}`)
    default:
      return fit(`${where}${operation} can ${wraps}, because no check limits its operands`)
  }
}

export default defineDetector<Overflow>({
  id: 'integer-overflow',
  swc: 'SWC-101',
  title: 'Integer overflow and underflow',
  aliases: {
    owasp: ['SC08:2025'],
    scwe: ['SCWE-047'],
    words: ['overflow', 'underflow', 'wrap around', 'unchecked math', 'batchOverflow'],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'The result can exceed the range of its type and silently wrap around. If a caller influences the operands, a small balance becomes a huge one, a lock ends early or a check passes that should fail.',
  recommendation:
    'Compile with Solidity 0.8 or later outside `unchecked`, use checked arithmetic (SafeMath), or require the operands to be in range.',
  references: [
    'https://swcregistry.io/docs/SWC-101',
    'https://docs.soliditylang.org/en/latest/080-breaking-changes.html',
  ],
  cwe: ['CWE-682', 'CWE-190'],

  needs: [holding.arithmetic],
  *candidates({ functions }) {
    for (const flow of functions)
      if (isRun(flow))
        for (const op of flow.ops('bin')) {
          const flaw = op.flag || !isOverflowing(op.operator) ? null : flawOf(flow, op)
          if (flaw !== null) yield { flow, op, flaw }
        }
  },

  excuses,

  finding(overflow) {
    const { flow, op, flaw } = overflow
    const factors = factorsOf(overflow)
    return {
      at: op,
      // Of a formula whose result is only returned, the limit of its arguments is what is missing.
      ...(flaw === 'open' && { cause: isReturned(factors) ? (flow.writtenIn(op)?.node ?? op) : causeOf(flow, op) }),
      ...(flaw === 'unchecked' && { cause: givenIn(op) ?? op }),
      message: messageOf(overflow),
      trace: [attackStep(overflow), ...flow.trace(op)],
      factors,
    }
  },
})

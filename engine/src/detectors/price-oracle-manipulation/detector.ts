import {
  dependsOn,
  findDependency,
  guardsAt,
  isPassedIn,
  isProtected,
  isSender,
  keepsNothing,
  parametersIn,
} from '../../facts/index.ts'
import {
  isExchange,
  isHash,
  isMessageValue,
  isMovableAnswer,
  isPoolAnswer,
  isPoolBalance,
  isPoolQuote,
  isSelf,
  isShareRate,
  outgoingOf,
  tokenCallOf,
  tradeOf,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type CallOp,
  type Context,
  describeCall,
  type Flow,
  holding,
  isBefore,
  isOrdering,
  type Op,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse, type TraceStep } from '../define-detector.ts'

interface Candidate {
  readonly context: Context
  readonly flow: Flow
  readonly price: Op
  readonly spot: Op
}

/** What one transaction can move: a pool's state of the moment, or what another contract works out from that. */
const isSpot = (context: Context, flow: Flow, op: Op): boolean =>
  isPoolAnswer(op) || (isPoolBalance(flow, op) && !isGrowth(flow, op)) || isMovableAnswer(context, flow, op)

/** Only what a balance grew by since it was last read or noted counts: that is what came in, and no price. */
const isGrowth = (flow: Flow, op: Op): boolean => {
  const users = flow.usersOf(op)
  return (
    users.some(isDifference) &&
    users.every((user) => isDifference(user) || user.kind === 'store' || isOrdering(user.operator))
  )
}

const isDifference = ({ kind, operator, args }: Op): boolean =>
  kind === 'bin' &&
  operator === '-' &&
  args.every((arg) => stripCasts(arg).kind === 'load' || isBalance(stripCasts(arg)))

/** How much of one asset someone holds for how much of another: a price that every deposit, trade and loan moves. */
const ratioOfBalances = (flow: Flow, { args }: Op): Op | null => {
  const below = stripCasts(args[1]!)
  if (!isHeld(below)) return null
  const isOther = (op: Op): boolean => isHeld(op) && isSameHolder(op, below) && !isSameAsset(op, below)
  return findDependency(flow, args[0]!, isOther) === undefined ? null : below
}

/** `token.balanceOf(holder)`, `holder.balance`. */
const isHeld = (op: Op): boolean => isBalance(op) || (op.kind === 'builtin' && op.operator === 'balance')

const isBalance = (op: Op): op is CallOp =>
  op.kind === 'call' && op.call.name === 'balanceOf' && op.args.length === 1 && op.call.target !== null

const isSameAsset = (a: Op, b: Op): boolean => (isBalance(a) && isBalance(b) ? isSameTarget(a, b) : a.kind === b.kind)

/** This contract itself, or one that it has on record; of an account that the caller names, the ratio is the caller's own. */
const isSameHolder = (a: Op, b: Op): boolean => {
  const [x, y] = [stripCasts(a.args[0]!), stripCasts(b.args[0]!)]
  if (isSelf(x) || isSelf(y)) return isSelf(x) && isSelf(y)
  return x.kind === 'load' && y.kind === 'load' && x.location === y.location
}

const findSpot = (context: Context, flow: Flow, op: Op): Op | null => {
  const found = op.args
    .map((arg) => findDependency(flow, arg, (part) => isSpot(context, flow, part)))
    .find((part) => part !== undefined)
  // Several numbers of one answer are one reading.
  if (found !== undefined) return found.kind === 'extract' ? found.args[0] : found
  return op.operator === '/' ? ratioOfBalances(flow, op) : null
}

/**
 * The number is recorded, decides what is paid or done elsewhere, or is reported to others who ask for it. What a contract of the scan
 * answers is followed to where it is acted on; who only passes it on adds nothing.
 */
const reachesValue = (flow: Flow, price: Op, spot: Op): boolean => {
  const depends = (value: Op | undefined): boolean =>
    value !== undefined && dependsOn(flow, value, (op) => op === price)
  // A hash of it is a name, not a number that counts.
  if (flow.stateStores().some((store) => !isHash(stripCasts(store.args[0])) && depends(store.args[0]))) return true
  if (flow.externalCalls().some((call) => isAct(flow, call, spot) && call.args.some(depends))) return true
  if (limitsPayment(flow, depends)) return true
  if (!isView(flow) || (price === spot && !isPoolQuote(spot))) return false
  return flow.ops('return').some(({ args }) => args.some(depends))
}

/** `require(worth >= amount)`: as much is paid as the price allows. A limit that the caller names for itself is no payment. */
const limitsPayment = (flow: Flow, depends: (value: Op) => boolean): boolean =>
  outgoingOf(flow).some(({ op, amount }) => {
    const paid = parametersIn(flow, amount)
    const isPaid = (side: Op): boolean => dependsOn(flow, side, (part) => paid.has(part))
    return guardsAt(flow, op).some(({ condition }) => {
      if (condition.kind !== 'bin' || !isOrdering(condition.operator)) return false
      const [left, right] = condition.args
      return (depends(left) && isPaid(right)) || (depends(right) && isPaid(left))
    })
  })

/** A call that changes something, and is no trade with the pool that was read: what that is given is what it has to bring. */
const isAct = (flow: Flow, op: CallOp, spot: Op): boolean =>
  !op.call.isStatic &&
  tradeOf(flow, op) === null &&
  !(spot.kind === 'call' && (isSameTarget(op, spot) || (isBalance(spot) && isCalled(op, spot.args[0]!))))

const isCalled = ({ call: { target } }: CallOp, contract: Op): boolean => {
  if (target === null) return false
  const [x, y] = [stripCasts(target), stripCasts(contract)]
  return x === y || (x.kind === 'load' && y.kind === 'load' && x.location === y.location)
}

const isSameTarget = (a: CallOp, b: CallOp): boolean => b.call.target !== null && isCalled(a, b.call.target)

const isView = ({ isEntryPoint, fn }: Flow): boolean => isEntryPoint && fn?.mutability === 'view'

/** Anyone who asks says of which pool, by its address or by the tokens from which that is worked out. */
const isCallersPool = ({ flow, spot }: Candidate): boolean => {
  const pool = spot.call?.name === 'balanceOf' ? spot.args[0] : spot.call?.target
  if (!pool || !isView(flow)) return false
  const { kind, call } = stripCasts(pool)
  // `IPair(pool)` of an interface that is missing is a call that names no receiver.
  const isConverted = kind === 'builtin' || kind === 'unknown' || (call !== null && call.target === null)
  return isPassedIn(pool) || (isConverted && dependsOn(flow, pool, isPassedIn))
}

const messageOf = (flow: Flow, spot: Op): string => {
  const state =
    spot.call?.name === 'balanceOf' ? 'a balance that trades and transfers change' : 'the current state of a pool'
  const source = spot.call ? `\`${describeCall(flow.model, spot)}\`, ${state}` : state
  return flow.fn?.mutability === 'view'
    ? `\`${flow.name}()\` returns a value computed from ${source}, so an attacker can move it with a flash loan before a contract relies on it.`
    : `\`${flow.name}()\` acts on a value computed from ${source}, so an attacker can move it with a flash loan first and profit.`
}

/** A view moves nothing: the loss is that of a contract which reads it. */
const attackStep = (flow: Flow, price: Op): TraceStep => {
  const step = witnessStep(flow, price, 'profits from the manipulated value in one transaction')
  if (flow.fn?.mutability !== 'view') return step
  return { ...step, message: `An attacker moves the value before another contract reads \`${flow.name}()\`.` }
}

export default defineDetector<Candidate>({
  id: 'price-oracle-manipulation',
  swc: null,
  title: 'Spot price manipulation',
  aliases: {
    owasp: ['SC02:2025', 'SC07:2025'],
    scwe: ['SCWE-028'],
    words: ['flash loan', 'spot price', 'getReserves', 'slot0', 'amm price', 'oracle manipulation'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A value is derived from the current reserves of a pool (for example Uniswap `getReserves()` or `slot0()`). An attacker with a flash loan moves the price, acts on it here and moves it back in one transaction.',
  recommendation:
    'Use a price that one block cannot move: a TWAP over many blocks or a Chainlink feed, with checks for age and deviation.',
  references: ['https://docs.uniswap.org/contracts/v2/concepts/core-concepts/oracles'],
  cwe: ['CWE-682', 'CWE-345'],

  needs: [holding.foreignCall],
  *candidates(context) {
    for (const flow of context.functions) {
      if (flow.isConstructor) continue
      // One reading is one cause, however often it is counted with.
      const seen = new Set<Op>()
      for (const op of flow.externalCalls()) {
        if (!isWorth(context, flow, op) || !reachesValue(flow, op, op)) continue
        seen.add(op)
        yield { context, flow, price: op, spot: op }
      }
      for (const op of flow.ops('bin')) {
        if (op.operator !== '/' && op.operator !== '*') continue
        const spot = findSpot(context, flow, op)
        if (spot === null || seen.has(spot) || !reachesValue(flow, op, spot)) continue
        seen.add(spot)
        yield { context, flow, price: op, spot }
      }
    }
  },
  excuses: [
    excuse('exchange-itself', 'the contract is the exchange itself', ({ context, flow }) => isExchange(context, flow)),
    excuse('callers-pool', 'the caller names the pool', isCallersPool),
    excuse(
      'callers-own-trade',
      'it sets what the caller pays, within the caller’s own limit, and the contract holds nothing for others',
      isOwnTrade,
    ),
    excuse('only-roles', 'only privileged accounts can act on the price', ({ flow, price }) =>
      isProtected(flow, price),
    ),
    excuse('held-against-a-feed', 'the price is checked against another source before use', isHeldAgainstAnother),
  ],
  finding: ({ context, flow, price, spot }) => ({
    at: flow.inCommonCaller(price, spot),
    message: messageOf(flow, spot),
    // A contract of the scan that acts on the answer has a finding of its own.
    factors: {
      counterEvidence: [
        ...(isView(flow) ? ['the value is only passed on to the caller'] : []),
        ...(isShareRate(spot) && !isMovableAnswer(context, flow, spot)
          ? ['only a gift to the vault raises the rate of its shares']
          : []),
        ...(isPaidBySource(flow, spot) ? ['it trades with the contract that answers, at this very rate'] : []),
      ],
    },
    trace: [
      attackStep(flow, price),
      { at: { start: spot.start, end: spot.end }, message: 'The current value is read here.' },
      ...flow.trace(price),
    ],
  }),
})

/**
 * A router: it writes nothing down, takes what the price asks for from the caller or out of the ether that came along, and fails
 * where that is beyond what the caller has named.
 */
function isOwnTrade({ flow, price }: Candidate): boolean {
  if (flow.contract?.hasUnresolvedBase !== false || !keepsNothing(flow.contractFlow)) return false
  const depends = (value: Op): boolean => dependsOn(flow, value, (op) => op === price)
  const isOwnEther = (value: Op): boolean => dependsOn(flow, value, isMessageValue)
  const isOwn = (op: CallOp): boolean => {
    const { isStatic, kind, value } = op.call
    if (isStatic) return true
    if (value !== null && depends(value) && !isOwnEther(value)) return false
    if (kind === 'transfer' || kind === 'send' || !op.args.some(depends)) return true
    return tokenCallOf(op) !== null && isCallersOrPaid(flow, op)
  }
  return flow.externalCalls().every(isOwn) && flow.ops('bin').some((op) => isCallersBound(flow, op, depends))
}

/** Tokens of the caller, or ones that were made of just as much ether by the same call. */
const isCallersOrPaid = (flow: Flow, call: CallOp): boolean => {
  const { from, token, amount } = tokenCallOf(call)!
  if (from !== null) return isSender(from)
  return (
    flow.usesEnvironment('msg.value') &&
    token !== null &&
    flow
      .externalCalls()
      .some((other) => other.call.value !== null && isCalled(other, token) && sameValue(other.call.value, amount))
  )
}

/** `require(amount >= least)`, with `least` as the caller says. */
const isCallersBound = (flow: Flow, op: Op, depends: (value: Op) => boolean): boolean => {
  if (!isOrdering(op.operator)) return false
  const [left, right] = op.args as [Op, Op]
  const isOfBoth =
    (depends(left) && stripCasts(right).kind === 'param') || (depends(right) && stripCasts(left).kind === 'param')
  return isOfBoth && flow.usersOf(op).some(({ kind }) => kind === 'assume')
}

/** The same function deposits into the vault that quotes the rate, or redeems there: the vault itself trades at that rate. */
const isPaidBySource = (flow: Flow, spot: Op): boolean =>
  spot.kind === 'call' &&
  isPoolQuote(spot) &&
  flow.externalCalls().some((op) => !op.call.isStatic && spot.call.name !== 'balanceOf' && isSameTarget(op, spot))

/** An answer that needs no more arithmetic: it says what something is worth. */
const isWorth = (context: Context, flow: Flow, op: CallOp): boolean =>
  !op.call.isTried && (isPoolQuote(op) || isMovableAnswer(context, flow, op))

/** A comparison with what another contract says that is no state of a pool and no balance: a feed, an average. */
function isHeldAgainstAnother({ context, flow, price, spot }: Candidate): boolean {
  const dependsOnSpot = (side: Op): boolean => dependsOn(flow, side, (op) => op === price || op === spot)
  const isFeed = (op: Op): boolean =>
    op.kind === 'call' &&
    op.call.kind === 'external' &&
    op.call.isStatic &&
    !isSpot(context, flow, op) &&
    !isHolding(op)
  const dependsOnFeed = (side: Op): boolean => dependsOn(flow, side, isFeed)
  return flow.ops('bin').some((check) => {
    if (!isOrdering(check.operator) || isBefore(check, spot)) return false
    const [left, right] = check.args as [Op, Op]
    return (dependsOnSpot(left) && dependsOnFeed(right)) || (dependsOnSpot(right) && dependsOnFeed(left))
  })
}

/** Questions of ERC-20, whose answers move with every transfer. */
const isHolding = ({ call }: CallOp): boolean => call.name === 'balanceOf' || call.name === 'totalSupply'

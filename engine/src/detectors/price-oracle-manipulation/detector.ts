import { dependsOn, findDependency, isProtected } from '../../facts/index.ts'
import { isSelf, tokenCallOf } from '../../idioms/index.ts'
import { type Flow, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly price: Op
  readonly spot: Op
}

/** What an exchange answers about the state of its pool right now. */
const quotes = new Set([
  'getReserves',
  'slot0',
  'getAmountsOut',
  'getAmountOut',
  'getAmountsIn',
  'getAmountIn',
  'get_dy',
  'get_dy_underlying',
  'calc_withdraw_one_coin',
  'quoteExactInputSingle',
  'getPoolTokens',
])

/** `token.balanceOf(pool)` where the holder is itself a contract that this function calls: a pool, not a person. */
const isPoolBalance = (flow: Flow, call: Op): boolean => {
  if (call.call!.name !== 'balanceOf' || call.args.length !== 1) return false
  const holder = stripCasts(call.args[0]!)
  if (isSelf(holder) || holder.kind === 'env') return false
  return flow.externalCalls().some((other) => {
    const target = other.call!.target === null ? null : stripCasts(other.call!.target)
    if (target === null || other.call!.kind !== 'external') return false
    return (
      target === holder || (target.kind === 'load' && holder.kind === 'load' && target.location === holder.location)
    )
  })
}

const isSpot = (flow: Flow, op: Op): boolean =>
  op.kind === 'call' && op.call!.kind === 'external' && (quotes.has(op.call!.name) || isPoolBalance(flow, op))

const isOwnBalance = (op: Op): boolean =>
  op.kind === 'call' && op.call!.name === 'balanceOf' && op.args.length === 1 && isSelf(op.args[0]!)

/** How much of one token this contract holds for how much of another: a price that every deposit, donation and loan moves. */
const isRatioOfOwnBalances = (flow: Flow, { args }: Op): Op | null => {
  const above = findDependency(flow, args[0]!, isOwnBalance)
  const below = stripCasts(args[1]!)
  if (above === undefined || !isOwnBalance(below) || above === below) return null
  return stripCasts(above.call!.target!) === stripCasts(below.call!.target!) ? null : below
}

const findSpot = (flow: Flow, op: Op): Op | null => {
  const found = op.args.map((arg) => findDependency(flow, arg, (part) => isSpot(flow, part))).find((part) => part)
  if (found !== undefined) return found
  return op.operator === '/' ? isRatioOfOwnBalances(flow, op) : null
}

/** The number is handed out, booked, or told to others who ask for it. */
const reachesValue = (flow: Flow, price: Op): boolean => {
  const depends = (value: Op | undefined): boolean =>
    value !== undefined && dependsOn(flow, value, (op) => op === price)
  if (flow.stateStores().some((store) => depends(store.args[0]))) return true
  if (flow.ops('call').some((call) => isMoved(call) && call.args.some(depends))) return true
  return isAsked(flow) && flow.ops('return').some(({ args }) => args.some(depends))
}

/** Tokens or shares go out, or come into being. */
const isMoved = (call: Op): boolean => {
  const token = tokenCallOf(call)
  return token !== null ? token.name === 'transfer' : /^_?(?:mint|burn|liquidate|borrow)/i.test(call.call!.name)
}

const isAsked = ({ isEntryPoint, fn }: Flow): boolean => isEntryPoint && fn?.mutability === 'view'

/** The exchange itself, which answers such questions about its own pool. */
const isExchange = ({ contract }: Flow): boolean =>
  contract?.allFunctions.some(({ name }) => quotes.has(name) && name !== 'getPoolTokens') ?? false

export default defineDetector<Candidate>({
  id: 'price-oracle-manipulation',
  swc: null,
  title: 'Price that one transaction can move',
  severity: 'high',
  confidence: 'medium',
  description:
    'A value is worked out from what a pool holds at this moment. Whoever borrows enough for one transaction moves that price, acts on it here, and moves it back.',
  recommendation:
    'Use a price that one block cannot move: a time-weighted average over many blocks, or a feed of several sources, with a check of its age and of how far it has jumped.',
  references: ['https://docs.uniswap.org/contracts/v2/concepts/core-concepts/oracles'],
  cwe: ['CWE-682', 'CWE-345'],

  *candidates({ functions }) {
    for (const flow of functions) {
      if (flow.isConstructor || !flow.has('call')) continue
      for (const op of flow.ops('bin')) {
        if (op.operator !== '/' && op.operator !== '*') continue
        const spot = findSpot(flow, op)
        if (spot !== null && reachesValue(flow, op)) yield { flow, price: op, spot }
      }
      yield* quotedAnswers(flow)
    }
  },
  excuses: [
    excuse('pool-itself', 'the contract is the exchange and speaks of its own pool', ({ flow }) => isExchange(flow)),
    excuse('only-roles', 'only holders of a role can act on the price', ({ flow, price }) => isProtected(flow, price)),
    excuse(
      'held-against-a-feed',
      'the number is compared with one from elsewhere before it is used',
      ({ flow, price, spot }) => isHeldAgainstFeed(flow, price, spot),
    ),
  ],
  finding: ({ flow, price, spot }) => ({
    at: price,
    message: 'This rests on what a pool holds at the moment, which one transaction can change.',
    trace: [
      { at: { start: spot.start, end: spot.end }, message: 'The state of the pool is read here.' },
      ...flow.trace(price),
    ],
  }),
})

/** A quote that is passed on as it is, or added to something: `held + pool.get_dy(…)`. */
function* quotedAnswers(flow: Flow): Iterable<Candidate> {
  if (!isAsked(flow)) return
  for (const { args } of flow.ops('return'))
    for (const arg of args) {
      const spot = findDependency(flow, arg, (op) => op.kind === 'call' && isSpot(flow, op) && !op.call!.isTried)
      if (spot !== undefined && /^(?:get_dy|calc_withdraw)/.test(spot.call!.name)) yield { flow, price: spot, spot }
    }
}

/** A comparison with an answer of another contract that is no quote: a feed, an average. */
const isHeldAgainstFeed = (flow: Flow, price: Op, spot: Op): boolean =>
  flow.ops('bin').some((check) => {
    if (!/^[<>]=?$/.test(check.operator) || check.id < spot.id) return false
    const dependsOnSpot = (side: Op): boolean => dependsOn(flow, side, (op) => op === price || op === spot)
    const dependsOnFeed = (side: Op): boolean =>
      dependsOn(
        flow,
        side,
        (op) =>
          op.kind === 'call' &&
          op.call!.kind === 'external' &&
          !isSpot(flow, op) &&
          /round|price|twap|consult|observe|peek|rate/i.test(op.call!.name),
      )
    const [left, right] = check.args as [Op, Op]
    return (dependsOnSpot(left) && dependsOnFeed(right)) || (dependsOnSpot(right) && dependsOnFeed(left))
  })

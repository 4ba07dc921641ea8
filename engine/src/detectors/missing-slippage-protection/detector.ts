import { dependsOn, isProtected, isSender } from '../../facts/index.ts'
import {
  givesOwnToken,
  isPoolAnswer,
  isSelf,
  paymentsOf,
  tradeOf,
  unreachable,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type CallOp,
  describeCall,
  describeValue,
  type Flow,
  holding,
  type Op,
  sameValueOrPlace,
  stripCasts,
} from '../../ir/index.ts'
import type { Expression, Span } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'
import { isOpenTrade, type OwnTrade, ownTradeIn } from './own-pool.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  readonly at: Span
  readonly own?: OwnTrade
}

/** What the interface of a Uniswap v2 pool does with tokens that were sent to it just before, and with how many arguments: type knowledge. */
const poolActions: ReadonlyMap<string, readonly number[]> = new Map([
  ['mint', [1]],
  ['burn', [1]],
  ['swap', [3, 4]],
  ['swapTo', [2]],
])

/** Tokens are sent to a pool and the pool is instructed to act, at whatever price it has by then. */
function* rawTrades(flow: Flow): Iterable<Candidate> {
  const trades = flow
    .externalCalls()
    .filter(({ args, call: { name, target } }) => target !== null && poolActions.get(name)?.includes(args.length))
  if (trades.length === 0) return
  for (const { op: sent, asset, to, amount } of paymentsOf(flow)) {
    if (asset !== 'token' || to === null || isSelf(to) || isSender(to) || isBounded(flow, amount)) continue
    for (const call of flow.following(sent, trades)) {
      const { target } = call.call
      if (!sameValueOrPlace(target!, to)) continue
      if (!isWeighed(flow, call) && !isProtected(flow, call)) yield { flow, op: call, at: call }
    }
  }
}

/** `require(amount >= amountMin)`: the caller says how much of this token may go in at the least. */
const isBounded = (flow: Flow, amount: Op): boolean =>
  flow.ops('bin').some(({ operator, args }) => {
    // `amount <= most` bounds it from above.
    const least = operator === '<=' ? args[0] : operator === '>=' ? args[1] : args.find(isParameter)
    if (!/^[<>]=?$/.test(operator) || least === undefined || !isParameter(least)) return false
    return isPartOf(flow, least === args[0] ? args[1] : args[0], amount)
  })

const isParameter = (value: Op): boolean => stripCasts(value).kind === 'param'

const isPartOf = (flow: Flow, value: Op, amount: Op): boolean => {
  const part = stripCasts(value)
  return part.kind !== 'const' && part.kind !== 'param' && dependsOn(flow, amount, (op) => op === part)
}

/** What comes back, or the balance afterwards, is compared with something; or the call says what it wants, and does not ask the pool for that. */
const isWeighed = (flow: Flow, trade: Op): boolean => {
  const isOutcome = (op: Op): boolean =>
    op === trade || (op.kind === 'call' && op.call.name === 'balanceOf' && flow.canFollow(trade, op))
  const isMadeOf = (side: Op): boolean => dependsOn(flow, side, isOutcome)
  // Whether it fits into a type, or is anything at all, says nothing about the price.
  const isHeldAgainst = (sides: readonly Op[]): boolean => sides.every((side) => stripCasts(side).kind !== 'const')
  const isChecked = flow
    .ops('bin')
    .some(({ operator, args }) => /^[<>]=?$/.test(operator) && isHeldAgainst(args) && args.some(isMadeOf))
  if (isChecked) return true
  return trade.args.length > 2 && !trade.args.some((arg) => dependsOn(flow, arg, isPoolAnswer))
}

/** A trade that is given nothing: by the function itself, or by those who call it with a zero. */
const unboundAt = (flow: Flow, op: CallOp): Span | null => {
  if (tradeOf(flow, op)?.bound !== 'none') return null
  const writer = flow.writtenIn(op)
  if (writer === flow.fn || writer?.kind !== 'function') return spanOf(op)
  return isGivenZero(flow, op) ? flow.inEntry(op) : spanOf(op)
}

/** `_swap(amount, 0)`: the helper passes on the zero that it was given. */
const isGivenZero = (flow: Flow, op: Op): boolean => {
  const call = op.node as Expression | null
  if (call?.kind !== 'Call' || call.args.values.length !== op.args.length) return false
  return call.args.values.some((written, i) => {
    const value = stripCasts(op.args[i]!)
    if (value.kind === 'make') return isGivenZero(flow, value)
    const declared = written.kind === 'Identifier' ? flow.model.declarationOf(written) : undefined
    return declared?.kind === 'variable' && declared.role === 'parameter' && value.kind === 'const'
  })
}

/** The struct where there is one, which may be put together in many lines. */
const spanOf = (op: CallOp): Span => {
  const [first] = op.args
  return first?.kind === 'make' && first.start >= op.start && first.end <= op.end ? first : op
}

/** Anyone who calls says how much the last of several trades has to bring: what is lost on the path to it counts there. */
const isOneOfSeveral = (flow: Flow, op: CallOp): boolean =>
  flow.externalCalls().some((last) => {
    if (last === op || !flow.canFollow(op, last) || flow.canFollow(last, op)) return false
    const trade = tradeOf(flow, last)
    return trade?.bound === 'given' && trade.minimums.some((least) => stripCasts(least).kind === 'param')
  })

const outputs: Readonly<Record<string, string>> = {
  add: 'fewer LP tokens',
  remove: 'fewer tokens',
  swap: 'fewer tokens',
}
const rawOutputs: Readonly<Record<string, string>> = { mint: 'fewer LP tokens' }

/** Trades with the contract itself. */
function* ownTrades(flow: Flow): Iterable<Candidate> {
  const own = ownTradeIn(flow)
  if (own !== null && isOpenTrade(flow, own)) yield { flow, op: own.op, at: flow.inEntry(own.op), own }
}

const messageOf = ({ flow, op, own }: Candidate): string => {
  if (own !== undefined)
    return `\`${flow.name}()\` computes what the caller ${own.isCharged ? 'pays' : 'receives'} from what the contract holds by then, without a ${own.isCharged ? 'maximum' : 'minimum'} from the caller: an attacker can move the price around it (sandwich).`
  const { name } = op.call
  const trade = tradeOf(flow, op)
  const attack = 'so an attacker can move the pool price around it (sandwich) and'
  if (trade?.bound === 'none')
    return `\`${name}()\` is called with \`${trade.limit.name}\` = ${describeValue(flow.model, trade.limit.value)}, ${attack} ${trade.isPooled ? 'the contract' : 'the user'} gets ${/ForETH/.test(name) ? 'less ETH' : outputs[trade.action]}.`
  return `\`${flow.name}()\` does not compare the output of \`${describeCall(flow.model, op)}\` with a minimum, ${attack} the user gets ${rawOutputs[name] ?? 'fewer tokens'}.`
}

export default defineDetector<Candidate>({
  id: 'missing-slippage-protection',
  swc: null,
  title: 'No slippage protection',
  aliases: {
    owasp: ['SC04:2025'],
    scwe: ['SCWE-090'],
    words: ['slippage', 'amountOutMin zero', 'minimum output', 'sandwich'],
  },
  severity: 'medium',
  confidence: 'high',
  description:
    'The swap or change of liquidity accepts any output. An attacker sandwiches the transaction: they move the price before it, move it back after it and keep the difference.',
  recommendation:
    'Let the caller pass a minimum output and enforce it, or compute it from a price that cannot be moved within one block (TWAP, Chainlink).',
  references: ['https://docs.uniswap.org/contracts/v2/guides/smart-contract-integration/trading-from-a-smart-contract'],
  cwe: ['CWE-682'],
  // Where the contract's own money is traded, everybody depends on who comes first.
  yieldsTo: ['sandwiched-trade'],

  needs: [holding.typedCall],
  *candidates(context) {
    for (const { flow, op } of context.opsOfKind('call')) {
      const at = unboundAt(flow, op)
      if (at !== null) yield { flow, op, at }
    }
    for (const flow of context.functions) yield* rawTrades(flow)
    for (const flow of context.entryPoints) yield* ownTrades(flow)
  },

  excuses: [unreachable],

  finding: ({ flow, op, at, own }) => ({
    at,
    message: messageOf({ flow, op, at, ...(own === undefined ? {} : { own }) }),
    ...(own === undefined ? {} : { confidence: 'medium' as const }),
    trace: [witnessStep(flow, op, 'an attacker takes part of the output', 'A user'), ...flow.trace(op)],
    factors: {
      impact: 'assets',
      counterEvidence: [
        ...(isOneOfSeveral(flow, op) ? ['the final output is bounded'] : []),
        ...(isProtected(flow, op) ? ['a privileged account chooses the time and can trade privately'] : []),
        ...(givesOwnToken(flow, op) ? ['its own tokens are swapped, and it may charge a fee on front-runners'] : []),
      ],
    },
  }),
})

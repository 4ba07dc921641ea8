/**
 * A price that is read from a pool: the attacker trades in the pool until the price is far off, uses the contract, and trades back. Both tokens of
 * the pool, and ether, are worth the same before the attack, so the sum of what the attacker owns tells whether it paid.
 */
import type { AbiValue } from '../evm/abi.ts'
import type { Outcome, Snapshot } from '../evm/machine.ts'
import { calleeOf, op } from '../evm/trace.ts'
import { changeOf, type Holdings } from '../scene/assets.ts'
import { ether } from '../scene/chain.ts'
import { marketReserve } from '../scene/protocols.ts'
import type { CallStep, Instance, Step } from '../scene/step.ts'
import { argumentLists, type ValuePool } from '../scene/values.ts'
import { type Budget, partOf } from '../search/budget.ts'
import { type Attempt, explore, runSteps } from '../search/explore.ts'
import {
  type Attack,
  allEntries,
  attackerPool,
  formatEther,
  type Proof,
  pricedGainAssertion,
  type Scene,
} from './attack.ts'
import { searchTheft } from './theft.ts'
import { reversedTrade, tokenTrades } from './token-trades.ts'

/** Moves the price by a factor of about a hundred. */
const traded = 9n * marketReserve

const maxAmounts = 8

/** What a pair gives for an amount, after its fee. */
const amountOut = (input: bigint, reserveIn: bigint, reserveOut: bigint): bigint =>
  (input * 997n * reserveOut) / (reserveIn * 1000n + input * 997n)

interface Trade {
  readonly there: readonly Step[]
  readonly back: readonly Step[]
}

const call = (to: Instance, name: string, args: readonly AbiValue[]): CallStep => {
  const fn = to.contract.functions.find((each) => each.name === name) ?? null
  return { kind: 'call', actor: 'attacker', via: null, to, fn, args, value: 0n }
}

/** In a pair: one token for the other, and the other for the one. */
const tradeInMarket = ({ chain }: Scene, isQuoteSold: boolean): Trade => {
  const market = chain.standIn('AssayMarket')
  const { attacker } = chain.actors
  const swap = (input: bigint, output: bigint, isQuoteIn: boolean): Step[] => [
    call(chain.standIn(isQuoteIn ? 'AssayQuote' : 'AssayToken'), 'transfer', [market.address, input]),
    call(market, 'swap', [isQuoteIn ? output : 0n, isQuoteIn ? 0n : output, attacker, '0x']),
  ]
  return { there: swap(traded, bought, isQuoteSold), back: swap(bought, returned, !isQuoteSold) }
}

/** In an exchange of ether and a token. */
const tradeInExchange = ({ chain }: Scene, token: Instance, isTokenSold: boolean): Trade => {
  const exchange = chain.standIn('AssayExchange')
  const sell = (amount: bigint): Step[] => [
    call(token, 'approve', [exchange.address, amount]),
    call(exchange, 'sell', [amount]),
  ]
  const buy = (value: bigint): Step[] => [{ ...call(exchange, 'buy', []), value }]
  return isTokenSold ? { there: sell(traded), back: buy(bought) } : { there: buy(traded), back: sell(bought) }
}

const bought = amountOut(traded, marketReserve, marketReserve)
const returned = amountOut(bought, marketReserve - bought, marketReserve + traded)

/** In both directions, in the pool that was opened. */
const tradesOf = (scene: Scene): Trade[] => {
  const { prologue, tokens } = scene.chain
  const opened = prologue.filter((step): step is CallStep => step.kind === 'call' && step.fn?.name === 'open')
  const directions = [true, false]
  return opened.flatMap(({ to, args }) => {
    const token = tokens.find(({ instance }) => instance.address === args[0])?.instance
    if (to.name === 'AssayMarket') return directions.map((isSold) => tradeInMarket(scene, isSold))
    return to.name === 'AssayExchange' && token ? directions.map((isSold) => tradeInExchange(scene, token, isSold)) : []
  })
}

const worth = (holdings: Holdings): bigint => holdings.reduce((sum, { own }) => sum + own, 0n)

/** The contract called the pool, or a token of it, as it does in the flagged line: arithmetic alone leaves nothing in a trace. */
const isPriceRead = ({ chain, target }: Scene, { trace }: Outcome): boolean => {
  const sources = new Set((['AssayMarket', 'AssayToken', 'AssayQuote'] as const).map((name) => chain.addressOf(name)))
  const exchange = BigInt(chain.addressOf('AssayExchange'))
  return trace.some(
    (event) =>
      event.address === target.address &&
      ((event.op === op.STATICCALL && sources.has(calleeOf(event))) ||
        (event.op === op.BALANCE && event.stack[0] === exchange)),
  )
}

/** The chain as the trade leaves it, and what trading back and forth costs. */
const moveThePrice = async (
  { chain, base }: Scene,
  { there, back }: Trade,
): Promise<{ moved: Snapshot; least: bigint } | undefined> => {
  const before = worth(chain.loot())
  const { outcome } = await runSteps(chain, base, there)
  if (!outcome.ok) return undefined
  const moved = chain.snapshot()
  const least = worth(chain.loot())
  const returned = await runSteps(chain, moved, back)
  const cost = before - worth(chain.loot())
  chain.restore(moved)
  return returned.outcome.ok ? { moved, least: least + cost } : undefined
}

const judge = async (scene: Scene, { there, back }: Trade, attempt: Attempt): Promise<Proof | undefined> => {
  const { chain, base } = scene
  if (!attempt.outcome.ok || !attempt.outcomes.some((each) => isPriceRead(scene, each))) return undefined
  const steps = [...there, ...attempt.steps, ...back]
  const run = await runSteps(chain, base, steps)
  const after = chain.loot()
  const control = await runSteps(chain, base, attempt.steps)
  const without = worth(chain.loot())
  chain.restore(base)
  const start = chain.loot()
  const profit = worth(after) - worth(start)
  const asset = start.findIndex((_, at) => changeOf(after, start, at) > 0n)
  if (!run.outcome.ok || run.outcomes.length < steps.length || profit <= 0n || asset < 0) return undefined
  if (control.outcome.ok && without > worth(start)) return undefined
  return {
    steps,
    status: 'confirmed',
    effects: [],
    harm: `the attacker moved the price of the pool, used it, and moved it back: ${formatEther(profit)} more, at the price before the attack`,
    control: {
      change: 'the same calls without the trades in the pool',
      result: control.outcome.ok ? 'the attacker gains nothing' : `the last one fails (${control.outcome.error})`,
    },
    assertion: pricedGainAssertion(scene, { asset, amount: changeOf(after, start, asset) }, { after, before: start }),
  }
}

/** What went through at the moved price may go through with more. */
const otherAmounts = (scene: Scene, { steps, outcome }: Attempt, pool: ValuePool): Step[][] => {
  const last = steps.at(-1)
  if (!outcome.ok || last?.kind !== 'call' || !isPriceRead(scene, outcome)) return []
  return argumentLists(last.fn, pool, maxAmounts).map((args) => [...steps.slice(0, -1), { ...last, args }])
}

const search = async (scene: Scene, trade: Trade, budget: Budget): Promise<Proof | undefined> => {
  const { chain, target, base } = scene
  const market = await moveThePrice(scene, trade)
  if (!market) return undefined
  const held = chain.instanceHoldings(target)
  const parts = held.flatMap((amount) => [amount / 2n, amount / 4n, amount])
  const pool = { ...attackerPool(scene), numbers: [...new Set([10n * ether, ...parts, ether, 1n])] }
  const found = await explore<Proof>(
    chain,
    {
      target,
      entries: allEntries(scene),
      caller: { actor: 'attacker', via: null },
      pool,
      values: [0n, ether],
      suggest: (attempt) => otherAmounts(scene, attempt, pool),
      async accept(attempt) {
        if (!attempt.outcome.ok || worth(chain.loot()) <= market.least) return undefined
        const proof = await judge(scene, trade, attempt)
        chain.restore(market.moved)
        return proof
      },
    },
    budget,
  )
  chain.restore(base)
  return found
}

/** The contract itself is the pool: each trade moves the price of the next one. */
const tradeInTarget = async (scene: Scene): Promise<Proof | undefined> => {
  const trades = tokenTrades(scene.chain, scene.target)
  if (trades.length === 0) return undefined
  return searchTheft(scene, {
    isGainOnly: true,
    begin: trades.map((step) => [step]),
    suggest: ({ steps, outcome }) => {
      const last = steps.at(-1)
      if (!outcome.ok || last?.kind !== 'call') return []
      return reversedTrade(scene.chain, last).map((step) => [...steps, step])
    },
  })
}

export const movedPrice: Attack = {
  detectors: ['price-oracle-manipulation'],
  tries:
    'trades that move the price of the pool before and after calls of the contract, and trades in the contract itself',
  async run(scene) {
    const trades = tradesOf(scene)
    for (const [index, trade] of trades.entries()) {
      const proof = await search(scene, trade, partOf(scene.budget, trades.length - index))
      if (proof) return proof
    }
    return tradeInTarget(scene)
  },
}

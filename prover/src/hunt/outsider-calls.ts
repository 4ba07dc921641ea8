/** Calls of an outsider, judged by general oracles: from the scene as it is, and after the outsider took part like anyone else. */
import { allEntries, attackerPool, forwardedFunctions, type Proof, unknownFunction } from '../attacks/attack.ts'
import { crafted } from '../attacks/crafted-calls.ts'
import { reversedTrade, tokenTrades } from '../attacks/token-trades.ts'
import type { AbiValue } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { calleeOf, op } from '../evm/trace.ts'
import { ether } from '../scene/chain.ts'
import { typedContracts } from '../scene/contracts-of-type.ts'
import { attackerCall, type CallStep, type Instance, type Step } from '../scene/step.ts'
import type { ValuePool } from '../scene/values.ts'
import { type Attempt, explore } from '../search/explore.ts'
import { slotsWritten } from '../search/feedback.ts'
import type { Harm } from './harm.ts'
import { asScene, calledInstances, type HuntScene } from './hunt-scene.ts'
import type { Hunter } from './hunter.ts'
import { openingsOf } from './openings.ts'
import { judge } from './oracles.ts'
import { shrink } from './shrink.ts'

const argumentListsPerEntry = 24
const huge = 10n ** 25n

const poolFor = (scene: HuntScene, target: Instance): ValuePool => {
  const { chain } = scene
  const contracts = [...chain.instances, ...chain.tokens.map(({ instance }) => instance)].map(({ address }) => address)
  const { addresses, numbers } = attackerPool(asScene(scene, target))
  const held = chain.instanceHoldings(target).filter((amount) => amount > 0n)
  return {
    addresses: [...new Set([chain.actors.attacker, chain.addressOf('AssayPayload'), ...addresses, ...contracts])],
    ...typedContracts(chain),
    numbers: [...new Set([...numbers, ...held, ...held.map((amount) => amount / 2n), huge, ...ownAddresses(scene)])],
  }
}

/** As numbers too: a library that is called by delegatecall may keep a number where the contract keeps an address. */
const ownAddresses = ({ chain }: HuntScene): bigint[] =>
  [chain.addressOf('AssayPayload'), chain.actors.attacker].map(BigInt)

/** What calls have opened is used: an allowance, code behind a proxy, a claim that pays again. */
const followUps = (scene: HuntScene, { steps, outcomes, outcome }: Attempt): Step[][] => {
  const { chain } = scene
  const last = steps.at(-1)
  if (!outcome.ok || outcomes.length < steps.length || steps.length > 3 || last?.kind !== 'call') return []
  const pulls = chain.tokens.flatMap((token) => {
    const fn = token.instance.contract.functions.find(
      ({ name, inputs }) => name === 'transferFrom' && inputs.length === 3,
    )
    return chain.instances.flatMap(({ address }) => {
      const held = chain.tokenBalance(token, address)
      return fn && held > 0n ? [attackerCall(token.instance, fn, [address, chain.actors.attacker, held])] : []
    })
  })
  const fallbacks = chain.instances
    .filter(({ contract }) => contract.hasFallback)
    .map((to) => attackerCall(to, unknownFunction))
  const again = isPaying(scene, outcome) ? [last] : []
  const isToken = chain.tokens.some(({ instance }) => instance.address === last.to.address)
  const repeated = withElementsTwice(last).map((call) => [...steps.slice(0, -1), call])
  const next = [...reversedTrade(chain, last), ...(isToken ? [] : pulls), ...again, ...fallbacks]
  return [...repeated, ...next.map((step) => [...steps, step])]
}

/** A contract sent ether to the attacker, or made a token move. */
const isPaying = ({ chain }: HuntScene, { trace }: Outcome): boolean => {
  const contracts = new Set(chain.instances.map(({ address }) => address))
  const tokens = new Set(chain.tokens.map(({ instance }) => instance.address))
  return trace.some(
    (event) =>
      event.op === op.CALL &&
      contracts.has(event.address) &&
      (tokens.has(calleeOf(event)) || ((event.stack[2] ?? 0n) > 0n && calleeOf(event) === chain.actors.attacker)),
  )
}

/** The same call with every element of its lists two and four times. */
const withElementsTwice = (step: CallStep): CallStep[] => {
  const isShort = step.args.every((value) => !Array.isArray(value) || value.length <= 1)
  const hasElement = step.args.some((value) => Array.isArray(value) && value.length === 1)
  if (!isShort || !hasElement) return []
  return [2, 4].map((times) => ({
    ...step,
    args: step.args.map((value) =>
      Array.isArray(value) ? Array.from({ length: times * value.length }, () => value[0] as AbiValue) : value,
    ),
  }))
}

/** Probes cost several calls: once for what a sequence of functions wrote. */
const createProbeFilter = () => {
  const seen = new Set<string>()
  return ({ chain }: HuntScene, { steps, outcomes }: Attempt): boolean => {
    const written = chain.instances.flatMap(({ address }) =>
      outcomes.flatMap((outcome) => [...slotsWritten(outcome, address)]),
    )
    const names = steps.map((step) => (step.kind === 'call' ? `${step.to.name}.${step.fn?.name ?? ''}` : step.kind))
    const key = `${names.join()} ${[...new Set(written)].sort().join()}`
    if (written.length === 0 || seen.has(key)) return false
    seen.add(key)
    return true
  }
}

const namesIn = (steps: readonly Step[]): string[] =>
  steps.map((step) => (step.kind === 'call' ? `${step.to.address}.${step.fn?.name ?? ''}` : step.kind))

const toProof = ({ harm, assertion, witness, control }: Harm, steps: readonly Step[]): Proof => ({
  steps: witness ? [...steps, witness] : steps,
  status: 'confirmed',
  effects: [],
  harm,
  assertion,
  control: control ?? {
    change: steps.length > 1 ? 'the same calls with any one of them left out' : 'without the call',
    result: 'nobody gains or loses, and no role changes hands',
  },
})

/** So many attempts from each opening and for each contract: there may be several openings. */
const attemptsPerOpening = 400

export const outsiderCalls: Hunter = {
  async run(scene, onCatch) {
    const known: string[][] = []
    const isProbed = createProbeFilter()
    const accept = async (attempt: Attempt): Promise<undefined> => {
      const names = namesIn(attempt.steps)
      if (known.some((each) => each.every((name) => names.includes(name)))) return undefined
      const harm = await judge(scene, attempt, isProbed(scene, attempt))
      if (!harm) return undefined
      const least = await shrink(scene, attempt.steps, harm)
      known.push(namesIn(least.steps))
      await onCatch({ oracle: harm.oracle, at: least.harm.at, proof: toProof(least.harm, least.steps) })
      return undefined
    }
    const starts: Start[] = [
      { opening: [], via: null, most: Number.POSITIVE_INFINITY },
      ...(await openingsOf(scene)).map((opening) => ({ opening, via: null, most: attemptsPerOpening })),
      // Some code asks whether the caller sent the transaction.
      { opening: [], via: 'agent', most: attemptsPerOpening },
    ]
    for (const start of starts)
      for (const target of calledInstances(scene)) await exploreFrom(scene, target, start, accept)
  },
}

interface Start {
  readonly opening: readonly CallStep[]
  readonly via: CallStep['via']
  readonly most: number
}

/** All calls of one contract, after those of an opening. */
const exploreFrom = async (
  scene: HuntScene,
  target: Instance,
  { opening, via, most }: Start,
  accept: (attempt: Attempt) => Promise<undefined>,
): Promise<void> => {
  const { chain, base, budget } = scene
  chain.restore(base)
  const opened: Outcome[] = []
  for (const step of opening) opened.push(await chain.perform(step))
  const inner = asScene(scene, target)
  const whole = ({ steps, outcomes, outcome }: Attempt): Attempt => ({
    steps: [...opening, ...steps],
    outcomes: [...opened, ...outcomes],
    outcome,
  })
  let left = most
  await explore<never>(
    chain,
    {
      target,
      begin: via ? [] : [...(await crafted(inner)), ...tokenTrades(chain, target).map((step) => [step])],
      entries: [...allEntries(inner), ...forwardedFunctions(inner)],
      caller: { actor: 'attacker', via },
      pool: poolFor(scene, target),
      ownAddresses: ownAddresses(scene),
      values: [0n, ether],
      lists: argumentListsPerEntry,
      isWide: true,
      suggest: (attempt) => followUps(scene, attempt),
      accept: (attempt) => accept(whole(attempt)),
    },
    {
      get left() {
        return Math.min(left, budget.left)
      },
      spend: () => left-- > 0 && budget.spend(),
    },
  )
  chain.restore(base)
}

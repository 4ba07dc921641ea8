/**
 * Weaknesses beyond the registry that let an outsider take something: missing access control, an initializer or an owner that anyone sets, an arbitrary
 * call, someone else's allowance, an element that counts twice. One search serves them all: after a sequence of calls that runs the flagged code
 * the attacker has more, an honest user has less, or the owner's role changed hands; without the flagged calls none of it.
 */
import type { AbiFunction, AbiValue } from '../evm/abi.ts'
import type { Outcome, Snapshot } from '../evm/machine.ts'
import { calleeOf, op } from '../evm/trace.ts'
import { gainOf, type Holdings, lossOf, profitOf } from '../scene/assets.ts'
import { type Chain, ether } from '../scene/chain.ts'
import { type Actor, attackerCall, type CallStep, type Instance, type Step } from '../scene/step.ts'
import { looksLikeAsset } from '../scene/tokens.ts'
import { argumentLists } from '../scene/values.ts'
import { partOf } from '../search/budget.ts'
import { type Attempt, explore, runSteps } from '../search/explore.ts'
import {
  type Attack,
  actorWords,
  allEntries,
  attackerPool,
  entriesOf,
  flaggedEvents,
  formatChange,
  forwardedFunctions,
  gainAssertion,
  type Proof,
  pricedGainAssertion,
  type Scene,
  tokenOf,
} from './attack.ts'
import { changedToAttacker, roleNamedOf, takenRole } from './taken-role.ts'

const honest = ['alice', 'bob', 'owner'] as const
const maxFollowUps = 10
const maxCrafted = 60

interface Standing {
  readonly loot: Holdings
  readonly people: ReadonlyMap<Actor, Holdings>
  /** Of the target. */
  readonly held: readonly bigint[]
  readonly storage: ReadonlyMap<bigint, bigint>
}

const standingOf = ({ chain, target }: Scene): Standing => ({
  loot: chain.loot(),
  people: new Map(honest.map((who) => [who, chain.holdingsOf(who)])),
  held: chain.instanceHoldings(target),
  storage: chain.machine.storageOf(target.address),
})

type Harm = Pick<Proof, 'harm' | 'assertion'>

interface Oracle {
  /** What the attacker was given for nothing counts too, because only a missing guard gives it. */
  readonly isFree?: boolean
  /** What the contract pays to nobody of the scene counts too, because nobody was to make it pay. */
  readonly isPushed?: boolean
  /** Nothing but the attacker's gain counts: trades take no role. */
  readonly isGainOnly?: boolean
}

/** The contract has less of an asset, and nobody has more of it: an outsider made it pay another contract. */
const pushedOut = (scene: Scene, after: Standing, before: Standing): Harm | undefined => {
  const totalHeld = ({ loot, people }: Standing, asset: number): bigint =>
    [loot, ...people.values()].reduce((sum, holdings) => sum + (holdings[asset]?.own ?? 0n), 0n)
  const asset = before.held.findIndex(
    (amount, at) => (after.held[at] ?? 0n) < amount && totalHeld(after, at) === totalHeld(before, at),
  )
  if (asset < 0) return undefined
  const amount = (before.held[asset] ?? 0n) - (after.held[asset] ?? 0n)
  return {
    harm: `an outsider without any role made ${scene.target.contract.name} pay out ${formatChange(scene, { asset, amount })}`,
    assertion: { kind: 'lost', least: amount, ...tokenOf(scene, asset) },
  }
}

const harmIn = (
  scene: Scene,
  after: Standing,
  before: Standing,
  { isFree = false, isPushed = false, isGainOnly = false }: Oracle,
): Harm | undefined => {
  const gain = isFree ? profitOf(after.loot, before.loot) : gainOf(after.loot, before.loot)
  if (gain)
    return {
      harm: `an outsider without any role took ${formatChange(scene, gain)}`,
      assertion: pricedGainAssertion(
        scene,
        { ...gain, amount: gain.amount < largest ? gain.amount : largest },
        { after: after.loot, before: before.loot },
      ),
    }
  if (isGainOnly) return undefined
  for (const who of honest) {
    const loss = lossOf(after.people.get(who) ?? [], before.people.get(who) ?? [])
    if (loss)
      return {
        harm: `an outsider without any role made ${actorWords[who]} lose ${formatChange(scene, loss)}`,
        assertion: { kind: 'poorer', who, most: -loss.amount, ...tokenOf(scene, loss.asset) },
      }
  }
  const pushed = isPushed ? pushedOut(scene, after, before) : undefined
  if (pushed) return pushed
  const role = takenRole(scene, after.storage)
  return role && { harm: `an outsider took over the owner's role in ${scene.target.contract.name}`, assertion: role }
}

/** A written test adds it to what there was before. */
const largest = 1n << 200n

/** What the flagged call opened is taken by another one: of the contract, or of a token that it holds. */
const followUps = (scene: Scene, { steps, outcomes, outcome }: Attempt): Step[][] => {
  const { chain, target } = scene
  const last = steps.at(-1)
  // What pays once may pay again.
  if (last && steps.length > 1 && steps.length < 4 && outcome.ok && paysAttacker(scene, outcome))
    return [[...steps, last]]
  const isRun = outcomes.length === steps.length && outcome.ok && flaggedEvents(scene, outcome).length > 0
  if (!isRun || steps.length > 2) return []
  const pulls = chain.tokens.flatMap((token) => {
    const { instance, isUnique } = token
    const fn = isUnique ? undefined : functionOf(instance, 'transferFrom', 3)
    const held = chain.tokenBalance(token, target.address)
    return fn && held > 0n ? [attackerCall(instance, fn, [target.address, chain.actors.attacker, held])] : []
  })
  const takes = allEntries(scene)
    .filter((fn): fn is AbiFunction => fn !== null)
    .slice(0, maxFollowUps)
    .flatMap((fn) => argumentLists(fn, attackerPool(scene), 2).map((args) => attackerCall(target, fn, args)))
  return [...pulls, ...takes].map((each) => [...steps, each])
}

const paysAttacker = ({ chain, target }: Scene, { trace }: Outcome): boolean =>
  trace.some(
    (event) =>
      event.op === op.CALL &&
      event.address === target.address &&
      (event.stack[2] ?? 0n) > 0n &&
      calleeOf(event) === chain.actors.attacker,
  )

const functionOf = ({ contract }: Instance, name: string, count: number): AbiFunction | undefined =>
  contract.functions.find((fn) => fn.name === name && fn.inputs.length === count)

/** Messages to the tokens of the scene that pay the attacker when the contract sends them. */
const hostileMessages = ({ chain, target }: Scene): { readonly to: Instance; readonly data: string }[] =>
  chain.tokens.flatMap((token) => {
    const { instance } = token
    const { attacker, alice } = chain.actors
    const most = (who: string): bigint => chain.tokenBalance(token, who) || ether
    const messages: [string, AbiValue[]][] = [
      ['transfer', [attacker, most(target.address)]],
      ['approve', [attacker, 1n << 200n]],
      ['transferFrom', [alice, attacker, most(alice)]],
      ['transferFrom', [target.address, attacker, most(target.address)]],
    ]
    return messages.flatMap(([name, args]) => {
      const fn = functionOf(instance, name, args.length)
      return fn ? [{ to: instance, data: chain.encode(fn, args) }] : []
    })
  })

/** Calls that no variation of one argument reaches: a chosen message to a chosen contract, an element listed twice, an amount of nothing. */
export const crafted = (scene: Scene): Step[][] => {
  const { chain, target } = scene
  const { attacker } = chain.actors
  const base = attackerPool(scene)
  const first = (fn: AbiFunction, numbers: readonly bigint[]): AbiValue[] =>
    argumentLists(fn, { ...base, addresses: [attacker, ...base.addresses], numbers }, 1)[0] ?? []
  const steps = entriesOf(scene).flatMap((fn) => {
    if (!fn) return []
    const has = (type: string) => fn.inputs.some((input) => input.type === type)
    const calls =
      has('bytes') && has('address')
        ? hostileMessages(scene).flatMap(({ to, data }) =>
            fn.inputs.flatMap(({ type }, place) =>
              type === 'address'
                ? [
                    first(fn, [0n]).map((value, at) => {
                      if (at === place) return to.address
                      return fn.inputs[at]?.type === 'bytes' ? data : value
                    }),
                  ]
                : [],
            ),
          )
        : []
    const lists = fn.inputs.some(({ type }) => type.endsWith('[]'))
      ? repeatable(scene).flatMap((item) => [4, 2].map((times) => withLists(fn, first(fn, [ether, 1n]), item, times)))
      : []
    const values = fn.isPayable ? [0n, ether] : [0n]
    return [...calls, ...lists].flatMap((args) => values.map((value) => [attackerCall(target, fn, args, value)]))
  })
  return steps.slice(0, maxCrafted)
}

/** Addresses of the attacker, and numbers that the contract counts with: the next of a row is the attacker's own. */
const repeatable = ({ chain, target }: Scene): AbiValue[] => {
  return [chain.actors.attacker, ...countedNumbers(chain, target).slice(0, 8), 0n, 1n]
}

/** Around small numbers of the storage, such as the next id. */
const countedNumbers = (chain: Chain, { address }: Instance): bigint[] => {
  const small = [...chain.machine.storageOf(address).values()].filter((value) => value < 1_000_000n)
  return [...new Set(small.flatMap((value) => [value, value + 1n, value - 1n]))].filter((value) => value >= 0n)
}

const withLists = (fn: AbiFunction, args: readonly AbiValue[], item: AbiValue, times: number): AbiValue[] =>
  args.map((value, at) => {
    const element = /^(.*)\[\]$/.exec(fn.inputs[at]?.type ?? '')?.[1]
    const fits =
      element === 'address' ? typeof item === 'string' : /^uint/.test(element ?? '') && typeof item === 'bigint'
    return element && fits ? Array.from({ length: times }, () => item) : value
  })

const withoutFlagged = (scene: Scene, { steps, outcomes }: Attempt): Step[] =>
  steps.filter((_, index) => {
    const outcome = outcomes[index]
    return !outcome || flaggedEvents(scene, outcome).length === 0
  })

/** Paid twice by the same call, which leaves the contract's storage as it was: nothing records that it was paid. */
const paidAgain = async (scene: Scene, { steps, outcome, outcomes }: Attempt): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const last = steps.at(-1) as Step
  if (!outcome.ok || outcomes.length < steps.length || flaggedEvents(scene, outcome).length === 0) return undefined
  await runSteps(chain, base, steps)
  const once = standingOf(scene)
  const again = await chain.perform(last)
  const twice = standingOf(scene)
  chain.restore(base)
  const gain = gainOf(twice.loot, once.loot)
  if (!again.ok || !gain || !isSame(once.storage, twice.storage)) return undefined
  const total = changeIn(twice.loot, chain.loot(), gain.asset)
  return {
    steps: [...steps, last],
    status: 'confirmed',
    effects: [],
    harm: `the same claim was paid twice, and nothing records it: ${formatChange(scene, gain)} more`,
    control: {
      change: 'the same calls without the second claim',
      result: `the attacker has ${formatChange(scene, gain)} less`,
    },
    assertion: gainAssertion(scene, { asset: gain.asset, amount: total }),
  }
}

const changeIn = (after: Holdings, before: Holdings, asset: number): bigint =>
  (after[asset]?.own ?? 0n) - (before[asset]?.own ?? 0n)

const isSame = (a: ReadonlyMap<bigint, bigint>, b: ReadonlyMap<bigint, bigint>): boolean =>
  a.size === b.size && [...a].every(([slot, value]) => b.get(slot) === value)

/** The contract names the attacker where it named another account or none, and the attacker paid nothing for it. */
const namedRole = async (scene: Scene, here: Snapshot, { loot, storage }: Standing): Promise<Harm | undefined> => {
  const { chain, target, base } = scene
  const changed = changedToAttacker(chain, chain.machine.storageOf(target.address), storage)
  if (!changed || profitOf(chain.loot(), loot)) return undefined
  const named = await roleNamedOf(chain, target, { base, here })
  chain.restore(base)
  return named === undefined
    ? undefined
    : {
        harm: `an outsider took over ${target.contract.name}: ${named}() answers with the outsider`,
        assertion: changed,
      }
}

/** What a flagged call did is compared with the same steps without it. */
const judge = async (scene: Scene, attempt: Attempt, oracle: Oracle): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const { steps, outcome, outcomes } = attempt
  if (!outcome.ok || !outcomes.some((each) => flaggedEvents(scene, each).length > 0)) return undefined
  const after = standingOf(scene)
  const here = chain.snapshot()
  chain.restore(base)
  const harm =
    harmIn(scene, after, standingOf(scene), oracle) ??
    (oracle.isGainOnly ? undefined : await namedRole(scene, here, after))
  if (!harm) return undefined
  await runSteps(chain, base, withoutFlagged(scene, attempt))
  const without = standingOf(scene)
  chain.restore(base)
  if (
    harmIn(scene, without, standingOf(scene), oracle) ??
    changedToAttacker(scene.chain, scene.chain.machine.storageOf(scene.target.address), without.storage)
  )
    return undefined
  return {
    steps,
    status: 'confirmed',
    effects: [],
    ...harm,
    control: {
      change: 'the same steps without the flagged call',
      result: 'nobody gains or loses, and no role changes hands',
    },
  }
}

interface SearchOptions extends Oracle {
  readonly isClaim?: boolean
  /** Calls that a fallback hands on, in place of the flagged function. */
  readonly isForwarded?: boolean
  /** A contract of the scene whose calls lead to the flagged one. */
  readonly entry?: Instance
  /** Calls that come before all others, and those that one of them brings to mind. */
  readonly begin?: readonly (readonly Step[])[]
  suggest?(attempt: Attempt): readonly (readonly Step[])[]
}

/** By an account, then by a contract: some code asks whether the caller sent the transaction. */
const followUpsIn = (scene: Scene) => (attempt: Attempt) => followUps(scene, attempt)

const changing = ({ contract }: Instance): AbiFunction[] =>
  contract.functions.filter(({ isView }) => !isView).slice(0, maxPartnerFunctions)

const maxPartnerFunctions = 20

export const searchTheft = async (scene: Scene, options: SearchOptions): Promise<Proof | undefined> =>
  (await searchBy(scene, null, options)) ?? searchBy(scene, 'agent', options)

const searchBy = (
  scene: Scene,
  via: CallStep['via'],
  {
    isClaim = false,
    isForwarded = false,
    entry = scene.target,
    begin = crafted(scene),
    suggest = followUpsIn(scene),
    ...oracle
  }: SearchOptions,
): Promise<Proof | undefined> => {
  const { chain, target, budget } = scene
  const common = attackerPool(scene)
  const pool = {
    ...common,
    numbers: [
      ...new Set([...common.numbers.slice(0, 4), ...countedNumbers(chain, target).slice(0, 4), ...common.numbers]),
    ],
  }
  const isPartner = entry.address !== target.address
  return explore<Proof>(
    chain,
    {
      target: entry,
      begin: via ? [] : begin,
      entries: isPartner ? changing(entry) : isForwarded ? forwardedFunctions(scene) : entriesOf(scene),
      caller: { actor: 'attacker', via },
      pool: isPartner ? { ...attackerPool(scene, [target.address]), numbers: [0n, 1n, ether] } : pool,
      values: [0n, ether],
      suggest: (attempt) => (isClaim ? [] : suggest(attempt)),
      accept: (attempt) => (isClaim ? paidAgain(scene, attempt) : judge(scene, attempt, oracle)),
    },
    budget,
  )
}

export const missingAccessControl: Attack = {
  detectors: [
    'unauthorized-debit',
    'unbacked-mint',
    'unprotected-payout',
    'unprotected-role-change',
    'unprotected-setting',
    'untrusted-authorization',
    'unprotected-initializer',
    'repeatable-initializer',
    'incomplete-override',
    'missing-signature-check',
    'unchecked-ecrecover',
    'inconsistent-access-control',
    'uninitialized-state',
  ],
  tries: 'calls of an outsider that take assets or the role of the owner',
  run: (scene) => searchTheft(scene, { isFree: true }),
}

export const forgedCallback: Attack = {
  detectors: ['unauthenticated-callback'],
  tries: 'calls of an outsider, also of contracts that call it, that take assets or make the contract pay them out',
  async run(scene) {
    const { chain, target, budget } = scene
    const oracle = { isFree: true, isPushed: true }
    const partners = chain.instances.filter(
      ({ address, contract }) => address !== target.address && !looksLikeAsset(contract),
    )
    const searches: SearchOptions[] = [oracle, ...partners.map((entry) => ({ ...oracle, entry, begin: [] }))]
    for (const [index, search] of searches.entries()) {
      const proof = await searchTheft({ ...scene, budget: partOf(budget, searches.length - index) }, search)
      if (proof) return proof
    }
    return undefined
  },
}

/** A transfer makes nothing, so whatever more there is afterwards came of the fault. */
export const selfTransfer: Attack = {
  detectors: ['self-transfer'],
  tries: 'transfers of an outsider to the sender',
  run: (scene) => searchTheft(scene, { isFree: true }),
}

export const theft: Attack = {
  detectors: [
    'arbitrary-call',
    'arbitrary-transfer-from',
    'repeated-element',
    'erroneous-accounting',
    'rounding-for-caller',
    'unset-price',
    'ledger-invariant',
    'drifting-total',
    'inconsistent-checks',
    'id-uniqueness',
    'momentary-share-reward',
    'flash-loan-governance',
    'unsettled-reward',
    'transfer-from-self',
  ],
  tries: 'calls of an outsider, with hostile messages and elements listed twice, that take assets of others',
  run: (scene) => searchTheft(scene, {}),
}

export const doubleClaim: Attack = {
  detectors: ['missing-state-update', 'memory-not-storage'],
  tries: 'the same claim made twice',
  run: (scene) => searchTheft(scene, { isClaim: true }),
}

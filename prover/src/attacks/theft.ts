/**
 * Weaknesses beyond the registry that let an outsider take something: missing access control, an initializer or an owner that anyone sets, an arbitrary
 * call, someone else's allowance, an element that counts twice. One search serves them all: after a sequence of calls that runs the flagged code
 * the attacker has more, an honest user has less, or the owner's role changed hands; without the flagged calls none of it.
 */
import type { AbiFunction } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { calleeOf, op } from '../evm/trace.ts'
import { ether } from '../scene/chain.ts'
import { attackerCall, type CallStep, type Instance, type Step } from '../scene/step.ts'
import { looksLikeAsset } from '../scene/tokens.ts'
import { argumentLists } from '../scene/values.ts'
import { partOf } from '../search/budget.ts'
import { type Attempt, explore } from '../search/explore.ts'
import {
  type Attack,
  allEntries,
  attackerPool,
  entriesOf,
  flaggedEvents,
  forwardedFunctions,
  type Proof,
  type Scene,
} from './attack.ts'
import { countedNumbers, crafted, functionOf } from './crafted-calls.ts'
import { judge, type Oracle, paidAgain } from './outsider-harm.ts'

const maxFollowUps = 10

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

const searchBy = async (
  scene: Scene,
  via: CallStep['via'],
  {
    isClaim = false,
    isForwarded = false,
    entry = scene.target,
    begin,
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
      begin: via ? [] : (begin ?? (await crafted(scene))),
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
  takesAssets: true,
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
    'inconsistent-checks',
    'id-uniqueness',
    'momentary-share-reward',
    'flash-loan-governance',
    'unsettled-reward',
    'transfer-from-self',
  ],
  takesAssets: true,
  tries: 'calls of an outsider, with hostile messages and elements listed twice, that take assets of others',
  run: (scene) => searchTheft(scene, {}),
}

export const doubleClaim: Attack = {
  detectors: ['missing-state-update', 'memory-not-storage'],
  takesAssets: true,
  tries: 'the same claim made twice',
  run: (scene) => searchTheft(scene, { isClaim: true }),
}

/**
 * Makes a contract live: deployed by its owner, set up, and used by two honest people first. Of several arguments that its constructor accepts those
 * are kept that let most honest use through.
 */
import type { CompiledContract } from '../compile/compilation.ts'
import { calleeOf, callOps } from '../evm/trace.ts'
import type { Chain } from './chain.ts'
import { deployLive, isDeployable } from './deploy-live.ts'
import { deployTwin } from './deploy-twin.ts'
import { followHints } from './follow-hints.ts'
import { depositTokens } from './fund-tokens.ts'
import { forceEther, type Use, useHonestly } from './honest-use.ts'
import { adoptMade, runFactory } from './made-contracts.ts'
import { type Openings, openingCalls } from './open-for-use.ts'
import { initialize, isInitializer, wire } from './owner-calls.ts'
import { findPricedAccount, openComputedMarket, type PricedAccount } from './pools.ts'
import { openExchange } from './protocols.ts'
import { mark, rewind } from './rewind.ts'
import type { DeployStep, Instance } from './step.ts'
import { argumentLists } from './values.ts'

export type SceneResult =
  /** `use`: how much came of honest use. */
  | { readonly ok: true; readonly target: Instance; readonly use: number }
  | { readonly ok: false; readonly reason: string }

export interface SceneOptions {
  /** A contract that takes no ether is given none. */
  readonly withoutForcedEther?: boolean
  /** Nobody deposits anything. */
  readonly isUnused?: boolean
  /** The target stands twice. */
  readonly hasTwin?: boolean
  /** Numbers that the constructor gets, by their places. */
  readonly numbersAt?: ReadonlyMap<number, bigint>
  /** Whether there are calls left to guess what an address is. */
  mayGuess?(): boolean
}

export const deployTarget = async (
  chain: Chain,
  contract: CompiledContract,
  {
    withoutForcedEther = false,
    isUnused = false,
    hasTwin = false,
    numbersAt = new Map(),
    mayGuess = () => true,
  }: SceneOptions = {},
): Promise<SceneResult> => {
  const step = await deployLiveliest(chain, contract, { isUnused, numbersAt, mayGuess })
  if ('error' in step) return { ok: false, reason: `${contract.name} could not be deployed: ${step.error}` }
  const twin = hasTwin ? await deployTwin(chain, step.instance) : undefined
  if (!withoutForcedEther) for (const each of [step.instance, ...(twin ? [twin] : [])]) await forceEther(chain, each)
  chain.machine.block.number += 1n
  chain.machine.block.timestamp += 12n
  chain.prologue.push({ kind: 'advance', seconds: 12n, blocks: 1n })
  return { ok: true, target: step.instance, use: step.use }
}

type UsedDeployment = (DeployStep & Use) | { readonly error: string }

/** How a contract is deployed: whom an address stands for, and how many arguments that its constructor accepts are passed over. */
interface Variant {
  readonly partner: CompiledContract | null
  /** Places of parameters where an address is that of the partner. */
  readonly partnerAt?: readonly number[]
  readonly passedOver: number
  /** Places of parameters where an address is that of a token; empty: of the initializer. */
  readonly tokenAt?: readonly number[]
}

const maxPassedOver = 4
const maxPlaces = 3

/** Other arguments are worth a try where nobody could pay in anything although there are ways to. */
const variants = function* (chain: Chain, contract: CompiledContract, isLifeless: () => boolean): Generator<Variant> {
  yield { partner: null, passedOver: 0 }
  for (const partner of partnersOf(chain, contract))
    for (const partnerAt of addressPlaces(contract)) yield { partner, partnerAt, passedOver: 0 }
  const hasNumbers = contract.constructorAbi.inputs.some(({ type }) => /^u?int/.test(type))
  for (let passedOver = 1; hasNumbers && isLifeless() && passedOver <= maxPassedOver; passedOver++)
    yield { partner: null, passedOver }
  for (const tokenAt of tokenPlaces(contract)) yield { partner: null, passedOver: 0, tokenAt }
}

/** Each address of the constructor alone, then all of them; those that the code makes a contract of are known. */
const addressPlaces = ({ constructorTypes, addressTypes }: CompiledContract): number[][] => {
  const isOpen = (type: string, index: number) =>
    /^address(?: payable)?$/.test(type) && !addressTypes['']?.[index]?.length
  const places = constructorTypes.flatMap((type, index) => (isOpen(type, index) ? [index] : []))
  const alone = places.slice(0, maxPlaces).map((place) => [place])
  return places.length > 1 ? [...alone, places] : alone
}

/** The initializer's where the constructor has none. */
const tokenPlaces = (contract: CompiledContract): number[][] => {
  const isOpen = contract.functions.some((fn) => isInitializer(fn) && fn.inputs.some(({ type }) => type === 'address'))
  const places = addressPlaces(contract)
  return places.length === 0 && isOpen ? [[]] : places
}

/** An address may stand for a person or for another contract of the files, a number for a moment or an amount: whichever lets more honest use through. */
const deployLiveliest = async (
  chain: Chain,
  contract: CompiledContract,
  { isUnused, numbersAt, mayGuess }: Required<Pick<SceneOptions, 'isUnused' | 'numbersAt' | 'mayGuess'>>,
): Promise<UsedDeployment> => {
  const start = mark(chain)
  let best:
    | { play: (calls: Openings, pool?: PricedAccount) => Promise<UsedDeployment>; use: number; hasTokens: boolean }
    | undefined
  let last: UsedDeployment = { error: 'no arguments were accepted' }
  let isLifeless = true
  let standing: UsedDeployment | undefined
  /** Over all variants; the one that is kept is played again with as many. */
  const openings: Openings = { left: openingCalls }
  for (const { partner, partnerAt, passedOver, tokenAt } of variants(
    chain,
    contract,
    () => best !== undefined && isLifeless,
  )) {
    // What is worked with already need not be guessed.
    if (tokenAt && (best?.hasTokens || !mayGuess())) break
    if (partner && best && !mayGuess()) continue
    const play = async (calls: Openings, pool?: PricedAccount): Promise<UsedDeployment> => {
      if (pool) await chain.deployStandIn('AssayExchange')
      const known = partner ? await deployLive(chain, partner, { depth: 1 }) : undefined
      const step = await deployLive(chain, contract, {
        depth: 0,
        passedOver,
        numbersAt,
        ...(pool
          ? { partner: chain.addressOf('AssayExchange'), partnerAt: pool.places }
          : { partner: known && 'instance' in known ? known.instance.address : undefined, partnerAt }),
        ...(tokenAt ? { tokenAt } : {}),
      })
      if ('error' in step) return step
      await initialize(chain, step.instance, tokenAt !== undefined)
      await wire(chain)
      await followHints(chain)
      adoptMade(chain)
      await openComputedMarket(chain, step.instance)
      const { use, isLively, deposits } = await useHonestly(chain, step.instance, isUnused ? null : calls)
      if (isLively) isLifeless = false
      const traded = pool && chain.tokens[pool.token]
      if (traded) await openExchange(chain, traded.instance)
      const isCalled = known && 'instance' in known && (await callsPartner(chain, step.instance, known.instance))
      return { ...step, use: use + (isCalled ? 1 : 0), deposits }
    }
    rewind(chain, start)
    const played = await play(openings)
    standing = undefined
    // Any contract takes the address of a token; one that works with it takes deposits.
    const isBetter = tokenAt
      ? !('error' in played) && (await takesDeposits(chain, played, isUnused))
      : !('error' in played) && (!best || played.use > best.use)
    if (!tokenAt) last = played
    if (!('error' in played) && isBetter) {
      const hasTokens = tokenAt !== undefined || played.deposits > 0
      best = { play, use: played.use, hasTokens }
      // What was tried with deposits is not as it was left.
      if (!tokenAt) standing = played
    }
  }
  if (!standing) rewind(chain, start)
  if (!best) return last
  const played = standing ?? (await best.play({ left: openingCalls }))
  if ('error' in played) return played
  const pool = await findPricedAccount(chain, played)
  if (pool) rewind(chain, start)
  const priced = pool ? await best.play({ left: openingCalls }, pool) : played
  if (!('error' in priced)) await runFactory(chain, priced.instance)
  return priced
}

/** The chain is rewound afterwards. */
const takesDeposits = async (chain: Chain, { instance, deposits }: DeployStep & Use, isUnused: boolean) =>
  deposits > 0 || (isUnused && (await depositTokens(chain, instance)) > 0)

const maxProbedFunctions = 8

/** Whether any function of a contract calls another contract that it was given: then that is no mere account. */
const callsPartner = async (chain: Chain, target: Instance, partner: Instance): Promise<boolean> => {
  const { owner, alice } = chain.actors
  const own = target.contract.functions.filter(({ isView }) => !isView)
  const forwarded = target.contract.hasFallback ? partner.contract.functions : []
  for (const fn of [...own, ...forwarded].slice(0, maxProbedFunctions)) {
    const args = argumentLists(fn, { addresses: [owner, alice], numbers: [1n] }, 1)[0] ?? []
    const { trace } = await chain.peek({ kind: 'call', actor: 'owner', via: null, to: target, fn, args, value: 0n })
    const isCalled = trace.some(
      (event) => event.address === target.address && callOps.has(event.op) && calleeOf(event) === partner.address,
    )
    if (isCalled) return true
  }
  return false
}

/** Contracts that an address parameter may be meant for: with one parameter of their own at most. */
const partnersOf = (chain: Chain, contract: CompiledContract): CompiledContract[] => {
  if (addressPlaces(contract).length === 0) return []
  const isSimple = ({ constructorAbi: { inputs } }: CompiledContract) =>
    inputs.length === 0 || (inputs.length === 1 && /^(?:address|uint\d*)$/.test(inputs[0]?.type ?? ''))
  const isTest = ({ functions }: CompiledContract) => functions.some(({ name }) => name === 'IS_TEST')
  return chain.compilation.contracts
    .filter((each) => isDeployable(each) && isSimple(each) && !isTest(each))
    .filter((each) => each.name !== contract.name && !contract.bases.includes(each.name))
    .sort((a, b) => a.constructorAbi.inputs.length - b.constructorAbi.inputs.length)
    .slice(0, 2)
}

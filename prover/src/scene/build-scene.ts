/**
 * Makes a contract live: deployed by its owner with arguments that its constructor accepts, together with the contracts that
 * it wants to know, and used by two honest people first, so that there is something to steal.
 */
import type { CompiledContract } from '../compile/compilation.ts'
import { type AbiFunction, type AbiValue, encodeArguments } from '../evm/abi.ts'
import type { Outcome, Snapshot } from '../evm/machine.ts'
import { calleeOf, callOps, op } from '../evm/trace.ts'
import { adjust } from '../search/feedback.ts'
import { type Chain, ether } from './chain.ts'
import { followHints, hintedLists } from './follow-hints.ts'
import { approveFor, depositTokens, fundTokens, issue } from './fund-tokens.ts'
import { adoptMade, runFactory } from './made-contracts.ts'
import { offerNfts } from './nfts.ts'
import { type Openings, openForUse, openingCalls } from './open-for-use.ts'
import { findPricedAccount, openComputedMarket, type PricedAccount } from './pools.ts'
import { openExchange, standInFor } from './protocols.ts'
import type { Actor, CallStep, DeployStep, Instance, Step } from './step.ts'
import { findToken, looksLikeAsset } from './tokens.ts'
import { argumentLists, type ValuePool } from './values.ts'

const maxDeployments = 14
const day = 86_400n

export type SceneResult =
  /** `use`: how much came of honest use. */
  | { readonly ok: true; readonly target: Instance; readonly use: number }
  | { readonly ok: false; readonly reason: string }

export const isDeployable = ({ kind, creation }: CompiledContract): boolean =>
  kind === 'contract' && creation.object !== ''

export interface SceneOptions {
  /** A contract that takes no ether is given none. */
  readonly withoutForcedEther?: boolean
  /** Nobody deposits anything. */
  readonly isUnused?: boolean
  /** Numbers that the constructor gets, by their places. */
  readonly numbersAt?: ReadonlyMap<number, bigint>
  /** Whether there are calls left to guess what an address is. */
  mayGuess?(): boolean
}

export const deployTarget = async (
  chain: Chain,
  contract: CompiledContract,
  { withoutForcedEther = false, isUnused = false, numbersAt = new Map(), mayGuess = () => true }: SceneOptions = {},
): Promise<SceneResult> => {
  const step = await deployLiveliest(chain, contract, { isUnused, numbersAt, mayGuess })
  if ('error' in step) return { ok: false, reason: `${contract.name} could not be deployed: ${step.error}` }
  if (!withoutForcedEther) await forceEther(chain, step.instance)
  chain.machine.block.number += 1n
  chain.machine.block.timestamp += 12n
  chain.prologue.push({ kind: 'advance', seconds: 12n, blocks: 1n })
  return { ok: true, target: step.instance, use: step.use }
}

type Deployment = DeployStep | { readonly error: string }
type UsedDeployment = (DeployStep & Use) | { readonly error: string }

interface Use {
  readonly use: number
  /** Of tokens. */
  readonly deposits: number
}

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

const mark = (chain: Chain) => ({
  snapshot: chain.snapshot(),
  instances: chain.instances.length,
  prologue: chain.prologue.length,
  tokens: chain.tokens.length,
})

const rewind = (chain: Chain, { snapshot, instances, prologue, tokens }: ReturnType<typeof mark>): void => {
  chain.restore(snapshot)
  chain.instances.length = instances
  chain.prologue.length = prologue
  chain.tokens.length = tokens
}

interface ConstructorCall {
  readonly args: AbiValue[]
  readonly value: bigint
}

/** Of the first queue that has any. */
const take = (queues: readonly ConstructorCall[][]): ConstructorCall =>
  queues.find(({ length }) => length > 0)?.shift() as ConstructorCall

const deployLive = async (
  chain: Chain,
  contract: CompiledContract,
  {
    depth,
    passedOver = 0,
    partner,
    partnerAt = [],
    tokenAt = [],
    numbersAt = new Map(),
  }: {
    depth: number
    passedOver?: number
    partner?: string | undefined
    partnerAt?: readonly number[] | undefined
    tokenAt?: readonly number[]
    numbersAt?: ReadonlyMap<number, bigint>
  },
): Promise<Deployment> => {
  const wanted: Map<number, AbiValue> = await contractsFor(chain, typesOf(contract, ''), contract.name, depth)
  for (const [index, value] of numbersAt) wanted.set(index, value)
  if (partner) for (const index of partnerAt) wanted.set(index, partner)
  for (const index of tokenAt) wanted.set(index, chain.addressOf(chain.tokenStandIn))
  const planned = constructorAttempts(chain, contract, wanted)
  const learned: ConstructorCall[] = []
  const seen = new Set<string>()
  let last: Outcome | undefined
  let accepted = 0
  for (let turn = 0; seen.size < maxDeployments && planned.length + learned.length > 0; turn++) {
    // By turns: what one attempt teaches may lead astray, and so may what nobody taught.
    const { args, value } = take(turn % 2 === 0 ? [planned, learned] : [learned, planned])
    const key = `${value} ${encodeArguments(contract.constructorAbi.inputs, args)}`
    if (seen.has(key)) continue
    seen.add(key)
    const before = chain.snapshot()
    const { step, outcome } = await chain.deploy(contract, args, value)
    if (step && accepted++ < passedOver) {
      chain.restore(before)
      continue
    }
    if (step) {
      chain.instances.push(step.instance)
      chain.prologue.push(step)
      return step
    }
    last = outcome
    learned.unshift(...adjustConstructor(chain, contract, args, value, outcome))
  }
  return { error: last?.error ?? 'no arguments were accepted' }
}

/** The constructor's comparisons teach the same as a call's. */
const adjustConstructor = (
  chain: Chain,
  contract: CompiledContract,
  args: readonly AbiValue[],
  value: bigint,
  outcome: Outcome,
): ConstructorCall[] => {
  const instance = { name: '', contract, address: '' }
  const step: CallStep = {
    kind: 'call',
    actor: 'owner',
    via: null,
    to: instance,
    fn: contract.constructorAbi,
    args,
    value,
  }
  return adjust(step, outcome, chain)
    .flatMap((variant) => (variant[0]?.kind === 'call' ? [variant[0]] : []))
    .slice(0, 3)
    .map((call) => ({ args: [...call.args], value: call.value }))
}

const constructorAttempts = (
  chain: Chain,
  contract: CompiledContract,
  wanted: ReadonlyMap<number, AbiValue>,
): ConstructorCall[] => {
  const { owner, alice, bob } = chain.actors
  const others = chain.instances.map(({ address }) => address)
  const now = chain.machine.block.timestamp
  const pool: ValuePool = {
    addresses: [owner, ...others, chain.addressOf(chain.tokenStandIn), alice, bob],
    numbers: [1000n, 1n, now + day, ether, 0n],
  }
  const [first = [], ...rest] = argumentLists(contract.constructorAbi, pool, 10)
  const lists = [
    ...hintedLists(chain, contract, contract.constructorAbi, first),
    first,
    ...inOrder(contract, first, now),
    ...rest,
  ].map((args) => args.map((value, index) => wanted.get(index) ?? value))
  const values = contract.constructorAbi.isPayable ? [10n * ether, 0n] : [0n]
  return lists.flatMap((args) => values.map((value) => ({ args, value })))
}

/** Where there are several numbers, the last ones may be moments, and what begins comes before what ends. */
const inOrder = ({ constructorAbi }: CompiledContract, first: readonly AbiValue[], now: bigint): AbiValue[][] => {
  const places = constructorAbi.inputs.flatMap(({ type }, index) => (/^uint(64|128|256)?$/.test(type) ? [index] : []))
  if (places.length < 2) return []
  const moment = (place: number): bigint => now + day * BigInt(places.indexOf(place) + 1)
  return [places.slice(-2), places].map((moments) =>
    first.map((value, index) => (moments.includes(index) ? moment(index) : value)),
  )
}

/** For each parameter the contracts that may be meant, as declared or as the code converts an address. */
const typesOf = ({ constructorTypes, addressTypes, functions }: CompiledContract, name: string): string[][] => {
  const inputs = functions.find((fn) => fn.name === name)?.inputs ?? []
  const written = name === '' ? constructorTypes : inputs.map(({ type, internalType }) => internalType ?? type)
  return written.map((type, index) => {
    const declared = /^contract ([\w$]+)$/.exec(type)?.[1]
    return declared ? [declared] : [...(addressTypes[name]?.[index] ?? [])]
  })
}

/** Parameters that name a contract get one of that kind: of the given files, or a stand-in for an interface. Two parameters of a kind get two. */
const contractsFor = async (
  chain: Chain,
  types: readonly (readonly string[])[],
  name: string,
  depth: number,
): Promise<Map<number, string>> => {
  const wanted = new Map<number, string>()
  for (const [index, names] of types.entries()) {
    if (names.length === 0) continue
    const isMeant = ({ bases }: CompiledContract) => names.some((type) => bases.includes(type))
    const taken = new Set(wanted.values())
    const special = chain.addressOf(chain.tokenStandIn)
    // An attack that brings a token of its own wants it wherever any token fits, also beside those of the files.
    if (
      chain.tokenStandIn !== 'AssayToken' &&
      !taken.has(special) &&
      names.some((type) => isTokenInterface(chain, type))
    ) {
      wanted.set(index, special)
      continue
    }
    const known = chain.instances.find(({ contract, address }) => isMeant(contract) && !taken.has(address))
    const candidate = mostDerived(
      chain.compilation.contracts.filter((each) => isDeployable(each) && isMeant(each) && each.name !== name),
    )
    const start = mark(chain)
    const deployed =
      known || !candidate || depth > 1 ? undefined : await deployLive(chain, candidate, { depth: depth + 1 })
    if (known) wanted.set(index, known.address)
    else if (deployed && 'instance' in deployed && (await canBeHeld(chain, deployed.instance)))
      wanted.set(index, deployed.instance.address)
    else {
      rewind(chain, start)
      wanted.set(index, otherToken(chain, await standInFor(chain, names[0] as string), taken))
    }
  }
  return wanted
}

/** The first that no other of them inherits from: a base class of a library is meant by nobody who wrote a token of it. */
const mostDerived = (contracts: readonly CompiledContract[]): CompiledContract | undefined =>
  contracts.find(({ name }) => !contracts.some((other) => other.name !== name && other.bases.includes(name)))

/** A token of which nobody could have any, such as the bare base class of a library, is replaced. The chain is as before. */
const canBeHeld = async (chain: Chain, instance: Instance): Promise<boolean> => {
  const token = await findToken(chain, instance)
  if (!token || token.isUnique) return true
  const start = mark(chain)
  await issue(chain, token)
  const isHeld =
    chain.tokenBalance(token, chain.actors.owner) > 0n || instance.contract.functions.some(({ isPayable }) => isPayable)
  rewind(chain, start)
  return isHeld
}

const isTokenInterface = ({ compilation }: Chain, type: string): boolean =>
  compilation.contracts.some(
    ({ name, kind, functions }) =>
      name === type &&
      kind === 'interface' &&
      functions.some((fn) => fn.name === 'transferFrom' && fn.inputs.length === 3),
  )

const otherToken = (chain: Chain, address: string, taken: ReadonlySet<string>): string =>
  address === chain.addressOf('AssayToken') && taken.has(address) ? chain.addressOf('AssayQuote') : address

const enough = 100n * ether
/** A contract that holds an ether or more beats one with a few more slots written: there is something to gain. */
const worthStealing = 4
const maxDepositFunctions = 6

/** Two people pay in by every way that takes ether, or tokens; answers how much came of it: ways that took any, and what was written down. */
const useHonestly = async (
  chain: Chain,
  target: Instance,
  openings: Openings | null,
): Promise<Use & { isLively: boolean }> => {
  await fundTokens(chain, target)
  if (!openings) return { use: chain.machine.storageOf(target.address).size, deposits: 0, isLively: true }
  return payIntoAll(chain, target, openings)
}

/** The contracts that the target was made to know are used honestly too. */
export const usePartners = async (chain: Chain, target: Instance): Promise<void> => {
  for (const partner of chain.instances) {
    if (partner.address === target.address || looksLikeAsset(partner.contract)) continue
    // Behind a proxy it is the proxy's state that is set up and used, not the implementation's.
    if (await isImplementation(chain, target, partner)) continue
    await initialize(chain, partner)
    await approveFor(chain, partner)
    await payIntoAll(chain, partner, { left: 0 })
  }
}

/** Calls that a contract does not know go to another one by delegatecall. */
const isImplementation = async (chain: Chain, target: Instance, { address, contract }: Instance): Promise<boolean> => {
  const fn = contract.functions.find(({ isView, inputs }) => isView && inputs.length === 0) ?? contract.functions[0]
  if (!target.contract.hasFallback || !fn) return false
  const args = argumentLists(fn, { addresses: [chain.actors.owner], numbers: [1n] }, 1)[0] ?? []
  const { trace } = await chain.peek({ kind: 'call', actor: 'alice', via: null, to: target, fn, args, value: 0n })
  return trace.some(
    (event) => event.address === target.address && event.op === op.DELEGATECALL && calleeOf(event) === address,
  )
}

const payIntoAll = async (chain: Chain, target: Instance, openings: Openings): Promise<Use & { isLively: boolean }> => {
  const { contract } = target
  const paid = new Set<AbiFunction | null>()
  const held = (): bigint => chain.machine.balanceOf(target.address)
  const entries = [...(contract.acceptsEther ? [null] : []), ...contract.functions.filter(({ isPayable }) => isPayable)]
  for (const actor of ['alice', 'bob', 'alice', 'bob'] as const) {
    for (const fn of entries.slice(0, maxDepositFunctions))
      if (held() < enough && (await payAny(chain, target, actor, fn, openings))) paid.add(fn)
  }
  const deposits = (await depositTokens(chain, target, openings)) + (await offerNfts(chain, target))
  return {
    deposits,
    use: paid.size + deposits + chain.machine.storageOf(target.address).size + (held() >= ether ? worthStealing : 0),
    isLively: entries.length === 0 || paid.size + deposits > 0,
  }
}

const initializerName = /^_*(?:init(?:ialize)?\w*|setUp|setup)$/i
const isInitializer = ({ name, isView }: AbiFunction): boolean => !isView && initializerName.test(name)

/** What stands behind a proxy is set up by a call instead of a constructor: its owner makes it. */
const initialize = async (chain: Chain, target: Instance, withTokens = false): Promise<void> => {
  const { owner, alice } = chain.actors
  const token = chain.addressOf(chain.tokenStandIn)
  const addresses = withTokens ? [token, owner, alice] : [owner, token, alice]
  const pool = { addresses, numbers: [1000n, ether, 1n] }
  for (const fn of target.contract.functions.filter(isInitializer)) await callAsOwner(chain, target, fn, pool)
}

const maxSetters = 6

/** The owner passes contracts to setters that only the owner may call, where the contract knows none yet. */
const wire = async (chain: Chain): Promise<void> => {
  const { owner, alice } = chain.actors
  const pool = { addresses: [owner, alice], numbers: [1n] }
  for (const target of [...chain.instances]) {
    const { contract } = target
    const namesContract = ({ name }: AbiFunction) => typesOf(contract, name).some(({ length }) => length > 0)
    const setters = contract.functions.filter(
      (fn) => !fn.isView && !fn.isPayable && fn.outputs.length === 0 && namesContract(fn),
    )
    for (const fn of setters.slice(0, maxSetters)) await setAsOwner(chain, target, fn, pool)
  }
}

/** Kept where it writes an address into an empty slot, and where anybody else is refused. */
const setAsOwner = async (chain: Chain, target: Instance, fn: AbiFunction, pool: ValuePool): Promise<void> => {
  const start = mark(chain)
  const before = chain.machine.storageOf(target.address)
  await callAsOwner(chain, target, fn, pool)
  const step = chain.prologue.at(-1)
  if (chain.prologue.length === start.prologue || step?.kind !== 'call') return
  const passed = new Set(step.args.flatMap((value) => (typeof value === 'string' ? [value] : [])))
  const isSet = [...chain.machine.storageOf(target.address)].some(
    ([slot, word]) => !before.get(slot) && passed.has(`0x${word.toString(16).padStart(40, '0')}`),
  )
  const here = chain.snapshot()
  chain.restore(start.snapshot)
  const isOwners = isSet && !(await chain.peek({ ...step, actor: 'alice' })).ok
  chain.restore(here)
  if (!isOwners) rewind(chain, start)
}

const argumentListsOfOwner = 4

/** Kept when it succeeds; a parameter that names a contract gets one. */
const callAsOwner = async (chain: Chain, target: Instance, fn: AbiFunction, pool: ValuePool): Promise<void> => {
  const before = chain.snapshot()
  const [instances, prologue] = [chain.instances.length, chain.prologue.length]
  const wanted = await contractsFor(chain, typesOf(target.contract, fn.name), target.contract.name, 1)
  for (const list of argumentLists(fn, pool, argumentListsOfOwner)) {
    const args = list.map((value, index) => wanted.get(index) ?? value)
    const step: CallStep = { kind: 'call', actor: 'owner', via: null, to: target, fn, args, value: 0n }
    const here = chain.snapshot()
    if ((await chain.perform(step)).ok) {
      chain.prologue.push(step)
      return
    }
    chain.restore(here)
  }
  chain.restore(before)
  chain.instances.length = instances
  chain.prologue.length = prologue
}

/** What nothing accepts arrives by force, as it can on any chain. */
const forceEther = async (chain: Chain, { address, contract }: Instance): Promise<void> => {
  if (chain.machine.balanceOf(address) > 0n) return
  const step = { kind: 'force', actor: 'alice', to: { address, label: contract.name }, value: enough } as const
  if ((await chain.perform(step)).ok) chain.prologue.push(step)
}

const payAny = async (
  chain: Chain,
  target: Instance,
  actor: Actor,
  fn: AbiFunction | null,
  openings: Openings,
): Promise<boolean> => {
  const { alice, bob } = chain.actors
  const pool = { addresses: [chain.actors[actor], alice, bob], numbers: [1n, 2n, 0n, ether] }
  const args = argumentLists(fn, pool, 1)[0] ?? []
  const pay = async (): Promise<boolean> => {
    for (const value of [30n * ether, ether])
      if (await payIn(chain, { kind: 'call', actor, via: null, to: target, fn, args, value })) return true
    return false
  }
  if (await pay()) return true
  const start = mark(chain)
  const refused: CallStep = { kind: 'call', actor, via: null, to: target, fn, args, value: ether }
  if (!(await openForUse(chain, refused, openings))) return false
  if (await pay()) return true
  rewind(chain, start)
  return false
}

const tryToPay = async (
  chain: Chain,
  steps: readonly Step[],
): Promise<{ outcome: Outcome; before: Snapshot; held: bigint }> => {
  const before = chain.snapshot()
  const step = steps.at(-1) as CallStep
  const held = chain.machine.balanceOf(step.to.address)
  for (const each of steps.slice(0, -1)) await chain.perform(each)
  return { outcome: await chain.perform(step), before, held }
}

/** Kept only when the contract holds more than before: honest people do not take what is not theirs. */
const payIn = async (chain: Chain, first: CallStep): Promise<boolean> => {
  const queue: Step[][] = [[first]]
  for (let tries = 0; tries < 4 && queue.length > 0; tries++) {
    // Perhaps after a while: a sale may open tomorrow.
    const steps = queue.shift() as Step[]
    const step = steps.at(-1) as CallStep
    const { outcome, before, held } = await tryToPay(chain, steps)
    if (outcome.ok && chain.machine.balanceOf(step.to.address) > held) {
      chain.prologue.push(...steps)
      return true
    }
    chain.restore(before)
    queue.push(...adjust(step, outcome, chain).slice(0, 2))
  }
  return false
}

/** People own tokens and let the contract move them, deposit some where it takes any, and the contract has some to lose. */
import { type AbiFunction, type AbiValue, encodeArguments } from '../evm/abi.ts'
import { adjust } from '../search/feedback.ts'
import { type Chain, ether, tokenStandIns } from './chain.ts'
import { isTokenType } from './contracts-of-type.ts'
import { handOutNfts } from './nfts.ts'
import { type Openings, openForUse } from './open-for-use.ts'
import type { StandIn } from './stand-ins.ts'
import type { Actor, CallStep, Instance, Via } from './step.ts'
import type { Token } from './token.ts'
import { findToken, looksLikeAsset } from './tokens.ts'
import { argumentLists } from './values.ts'

const plenty = 1000n * ether
const deposit = ether
const most = (1n << 256n) - 1n
const maxDepositFunctions = 6

/** Finds the tokens of the scene and hands them out: of the target's own to the honest people only, because the attacker is an outsider to it. */
export const fundTokens = async (chain: Chain, target: Instance): Promise<void> => {
  const around = tokensAround(chain)
  const isNamedByCalls = around.length === 0 && takesToken(chain, target)
  for (const instance of isNamedByCalls ? [chain.standIn(chain.tokenStandIn)] : around) {
    const token = await findToken(chain, instance)
    if (!token) continue
    chain.tokens.push(token)
    if (token.isUnique) await handOutNfts(chain, token, target)
    else if (instance.address !== target.address) await handOut(chain, token, target)
    else {
      await issue(chain, token)
      await share(chain, token, honest)
      if (sendsMessages(target)) await sendPart(chain, token, target)
    }
  }
}

/** Calls whatever it is given: tokens that somebody sent to their own contract by mistake are in reach of that. */
const sendsMessages = ({ contract }: Instance): boolean =>
  contract.functions.some(({ inputs }) =>
    ['address', 'bytes'].every((type) => inputs.some((each) => each.type === type)),
  )

/** The selector of `transferFrom(address,address,uint256)`. */
const pullsTokens = '23b872dd'

/**
 * A function takes the address of a token, as in `lock(IERC20 token, …)` or `IERC20(token).transferFrom(…)`, or the contract pulls tokens and a function
 * takes any address: a library may call it by its selector.
 */
const takesToken = (chain: Chain, { contract }: Instance): boolean => {
  const inputs = contract.functions.filter(({ isView }) => !isView).flatMap((fn) => fn.inputs)
  const types = inputs.flatMap(({ internalType = '', convertedTo = [] }) => [
    ...convertedTo,
    internalType.replace(/^contract /, ''),
  ])
  return (
    types.some((type) => isTokenType(chain, type)) ||
    (!looksLikeAsset(contract) &&
      inputs.some(({ type }) => type === 'address') &&
      contract.runtime.object.includes(pullsTokens))
  )
}

/** Deployed ones, and stand-ins where the scene knows them; one that an attack asks for may be handed in by a call. */
const tokensAround = (chain: Chain): Instance[] => {
  const known = chain.prologue.map((step) => {
    if (step.kind === 'deploy') return encodeArguments(step.instance.contract.constructorAbi.inputs, step.args)
    return step.kind === 'call' && step.fn ? encodeArguments(step.fn.inputs, step.args) : ''
  })
  const isKnown = (address: string) => known.some((words) => words.includes(address.slice(2)))
  const isPreferred = (name: StandIn) => name !== 'AssayToken' && name === chain.tokenStandIn
  const standIns = ([...tokenStandIns, 'AssayNft'] as const)
    .filter((name) => isPreferred(name) || isKnown(chain.addressOf(name)))
    .map((name) => chain.standIn(name))
  return [...standIns, ...chain.instances.filter(({ contract }) => looksLikeAsset(contract))]
}

const handOut = async (chain: Chain, token: Token, target: Instance): Promise<void> => {
  await play(chain, token.instance, owner, 'mint', [chain.actors.owner, 10n * plenty])
  // Wrapped ether is minted by paying.
  if (chain.tokenBalance(token, chain.actors.owner) === 0n)
    await play(chain, token.instance, owner, 'deposit', [], 10n * plenty)
  await issue(chain, token)
  await share(chain, token, people)
  for (const person of people) await play(chain, token.instance, person, 'approve', [target.address, most])
  if (token.instance.name === 'AssayHookToken') await play(chain, token.instance, agent, 'listen', [])
}

const maxIssuers = 10

/** Where nobody has any of a token, the owner makes the first call that gives the owner some. */
export const issue = async (chain: Chain, token: Token): Promise<void> => {
  const held = (): bigint => chain.tokenBalance(token, chain.actors.owner)
  const { instance } = token
  const pool = { addresses: [chain.actors.owner], numbers: [10n * plenty] }
  const issuers = instance.contract.functions.filter(({ isView, isPayable }) => !isView && !isPayable)
  for (const fn of issuers.slice(0, maxIssuers)) {
    if (held() > 0n) return
    const args = argumentLists(fn, pool, 1)[0] ?? []
    const before = chain.snapshot()
    const step: CallStep = { kind: 'call', ...owner, to: instance, fn, args, value: 0n }
    if ((await chain.perform(step)).ok && held() > 0n) chain.prologue.push(step)
    else chain.restore(before)
  }
}

/** Of every token that was handed out. */
export const approveFor = async (chain: Chain, spender: Instance): Promise<void> => {
  for (const { instance } of chain.tokens)
    for (const person of people) await play(chain, instance, person, 'approve', [spender.address, most])
}

interface Person {
  readonly actor: Actor
  readonly via: Via | null
}

const honest: readonly Person[] = [
  { actor: 'alice', via: null },
  { actor: 'bob', via: null },
]

const agent: Person = { actor: 'attacker', via: 'agent' }

/** Also the attacker's contract, which deposits like anyone else. */
const people: readonly Person[] = [...honest, { actor: 'attacker', via: null }, agent]

const owner: Person = { actor: 'owner', via: null }

/** A tenth of what the owner has to each. */
const share = async (chain: Chain, token: Token, receivers: readonly Person[]): Promise<void> => {
  const part = chain.tokenBalance(token, chain.actors.owner) / 10n
  if (part === 0n) return
  for (const { actor, via } of receivers)
    await play(chain, token.instance, owner, 'transfer', [chain.viaAddress(via, actor), part])
}

const sendPart = async (chain: Chain, token: Token, { address }: Instance): Promise<void> => {
  const part = chain.tokenBalance(token, chain.actors.owner) / 10n
  if (part > 0n) await play(chain, token.instance, owner, 'transfer', [address, part])
}

/** Kept when it succeeds; a token without such a function is left as it is. */
const play = async (
  chain: Chain,
  to: Instance,
  person: Person,
  name: string,
  args: readonly AbiValue[],
  value = 0n,
): Promise<boolean> => {
  const fn = to.contract.functions.find((each) => each.name === name && each.inputs.length === args.length)
  if (!fn || (value > 0n && !fn.isPayable)) return false
  return keep(chain, { kind: 'call', ...person, to, fn, args, value })
}

const keep = async (chain: Chain, step: CallStep): Promise<boolean> => {
  const before = chain.snapshot()
  if ((await chain.perform(step)).ok) {
    chain.prologue.push(step)
    return true
  }
  chain.restore(before)
  return false
}

/** Two people deposit by whatever takes tokens from them; where nothing does, the owner sends some. */
export const depositTokens = async (chain: Chain, target: Instance, openings?: Openings): Promise<number> => {
  let paid = 0
  for (const token of chain.tokens.filter((each) => !each.isUnique && each.instance.address !== target.address)) {
    const held = (): bigint => chain.tokenBalance(token, target.address)
    for (const actor of ['alice', 'bob'] as const)
      for (const fn of depositCandidates(target).slice(0, maxDepositFunctions))
        if (await depositBy(chain, depositSteps(chain, { target, token }, actor, fn), { held, openings })) paid++
    if (held() === 0n) await sendPart(chain, token, target)
  }
  return paid
}

const depositCandidates = ({ contract }: Instance): AbiFunction[] =>
  contract.functions.filter(
    ({ isView, isPayable, inputs }) => !isView && !isPayable && inputs.some(({ type }) => /^uint\d*$/.test(type)),
  )

/** An address is the depositor's, or names the token. */
const depositSteps = (
  chain: Chain,
  { target, token }: { readonly target: Instance; readonly token: Token },
  actor: Actor,
  fn: AbiFunction,
): CallStep[] => {
  const pool = { addresses: [chain.actors[actor], token.instance.address], numbers: [deposit] }
  const places = fn.inputs.filter(({ type }) => type === 'address').length
  return argumentLists(fn, pool, places === 0 ? 1 : maxDepositLists)
    .filter((args) => args.every((value) => typeof value !== 'bigint' || value <= deposit))
    .map((args) => ({ kind: 'call', actor, via: null, to: target, fn, args, value: 0n }))
}

const maxDepositLists = 3
const maxDepositTries = 3

/** What is refused may have to be opened first. */
const depositBy = async (
  chain: Chain,
  steps: readonly CallStep[],
  { held, openings }: { held(): bigint; readonly openings: Openings | undefined },
): Promise<boolean> => {
  if (await tryDeposits(chain, steps, held)) return true
  const [first] = steps
  const [start, prologue] = [chain.snapshot(), chain.prologue.length]
  if (!first || !openings || held() > 0n || !(await openForUse(chain, first, openings))) return false
  if (await tryDeposits(chain, steps, held)) return true
  chain.restore(start)
  chain.prologue.length = prologue
  return false
}

/** Kept when the contract holds more afterwards; an amount that is refused may be another by what it was compared with. */
const tryDeposits = async (chain: Chain, steps: readonly CallStep[], held: () => bigint): Promise<boolean> => {
  const queue = [...steps]
  for (let tries = 0; tries < Math.max(maxDepositTries, steps.length); tries++) {
    const step = queue.shift()
    if (!step) return false
    const [before, amount] = [chain.snapshot(), held()]
    const outcome = await chain.perform(step)
    if (outcome.ok && held() > amount) {
      chain.prologue.push(step)
      return true
    }
    chain.restore(before)
    const learned = outcome.ok ? [] : adjust(step, outcome, chain)
    for (const [call, ...rest] of learned.slice(0, 2)) if (call?.kind === 'call' && rest.length === 0) queue.push(call)
  }
  return false
}

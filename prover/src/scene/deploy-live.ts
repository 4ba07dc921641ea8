/** A contract is deployed by its owner with arguments that its constructor accepts, together with the contracts that a parameter names. */
import type { CompiledContract } from '../compile/compilation.ts'
import { type AbiValue, encodeArguments } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { adjust } from '../search/feedback.ts'
import { type Chain, ether } from './chain.ts'
import { hintedLists } from './follow-hints.ts'
import { issue } from './fund-tokens.ts'
import { standInFor } from './protocols.ts'
import { mark, rewind } from './rewind.ts'
import type { CallStep, DeployStep, Instance } from './step.ts'
import { findToken } from './tokens.ts'
import { argumentLists, type ValuePool } from './values.ts'

const maxDeployments = 14
const day = 86_400n

export const isDeployable = ({ kind, creation }: CompiledContract): boolean =>
  kind === 'contract' && creation.object !== ''

export type Deployment = DeployStep | { readonly error: string }

interface ConstructorCall {
  readonly args: AbiValue[]
  readonly value: bigint
}

/** Of the first queue that has any. */
const take = (queues: readonly ConstructorCall[][]): ConstructorCall =>
  queues.find(({ length }) => length > 0)?.shift() as ConstructorCall

export const deployLive = async (
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
export const typesOf = ({ constructorTypes, addressTypes, functions }: CompiledContract, name: string): string[][] => {
  const inputs = functions.find((fn) => fn.name === name)?.inputs ?? []
  const written = name === '' ? constructorTypes : inputs.map(({ type, internalType }) => internalType ?? type)
  return written.map((type, index) => {
    const declared = /^contract ([\w$]+)$/.exec(type)?.[1]
    return declared ? [declared] : [...(addressTypes[name]?.[index] ?? [])]
  })
}

/** Parameters that name a contract get one of that kind: of the given files, or a stand-in for an interface. Two parameters of a kind get two. */
export const contractsFor = async (
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

/**
 * Makes a contract live: deployed by its owner with arguments that its constructor accepts, together with the contracts that
 * it wants to know, and used by two honest people first, so that there is something to steal.
 */
import type { CompiledContract } from '../compile/compilation.ts'
import { type AbiFunction, type AbiValue, encodeArguments } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { adjust } from '../search/feedback.ts'
import type { Actor, CallStep, DeployStep, Instance } from './step.ts'
import { argumentLists, type ValuePool } from './values.ts'
import { ether, type World } from './world.ts'

const maxDeployments = 14
const day = 86_400n

export type SceneResult =
  | { readonly ok: true; readonly target: Instance }
  | { readonly ok: false; readonly reason: string }

export const isDeployable = ({ kind, creation }: CompiledContract): boolean =>
  kind === 'contract' && creation.object !== ''

export const deployTarget = async (world: World, contract: CompiledContract): Promise<SceneResult> => {
  const step = await deployLiveliest(world, contract)
  if ('error' in step) return { ok: false, reason: `${contract.name} could not be deployed: ${step.error}` }
  world.machine.block.number += 1n
  world.machine.block.timestamp += 12n
  world.prologue.push({ kind: 'advance', seconds: 12n, blocks: 1n })
  return { ok: true, target: step.instance }
}

type Deployment = DeployStep | { readonly error: string }

/** An address may stand for a person or for another contract of the files: whichever lets more honest use through. */
const deployLiveliest = async (world: World, contract: CompiledContract): Promise<Deployment> => {
  const start = mark(world)
  let best: { play: () => Promise<Deployment>; paid: number } | undefined
  let last: Deployment = { error: 'no arguments were accepted' }
  for (const partner of [null, ...partnersOf(world, contract)]) {
    const play = async (): Promise<Deployment & { paid?: number }> => {
      const known = partner ? await deployLive(world, partner, 1) : undefined
      const step = await deployLive(
        world,
        contract,
        0,
        known && 'instance' in known ? known.instance.address : undefined,
      )
      return 'error' in step ? step : { ...step, paid: await useHonestly(world, step.instance) }
    }
    const played: Deployment & { paid?: number } = await play()
    last = played
    if (!('error' in played) && (!best || (played.paid ?? 0) > best.paid)) best = { play, paid: played.paid ?? 0 }
    rewind(world, start)
  }
  return best ? best.play() : last
}

/** Contracts that an address parameter may be meant for: without parameters of their own. */
const partnersOf = (world: World, contract: CompiledContract): CompiledContract[] => {
  if (!contract.constructorTypes.includes('address')) return []
  const isSimple = (each: CompiledContract) => isDeployable(each) && each.constructorAbi.inputs.length === 0
  return world.compilation.contracts
    .filter((each) => isSimple(each) && each.name !== contract.name && !contract.bases.includes(each.name))
    .slice(0, 2)
}

const mark = (world: World) => ({
  snapshot: world.snapshot(),
  instances: world.instances.length,
  prologue: world.prologue.length,
})

const rewind = (world: World, { snapshot, instances, prologue }: ReturnType<typeof mark>): void => {
  world.restore(snapshot)
  world.instances.length = instances
  world.prologue.length = prologue
}

const deployLive = async (
  world: World,
  contract: CompiledContract,
  depth: number,
  partner?: string,
): Promise<Deployment> => {
  const wanted = await contractArguments(world, contract, depth)
  for (const [index, type] of contract.constructorTypes.entries())
    if (partner && type === 'address') wanted.set(index, partner)
  const queue = constructorAttempts(world, contract, wanted)
  const seen = new Set<string>()
  let last: Outcome | undefined
  while (seen.size < maxDeployments && queue.length > 0) {
    const { args, value } = queue.shift() as { args: AbiValue[]; value: bigint }
    const key = `${value} ${encodeArguments(contract.constructorAbi.inputs, args)}`
    if (seen.has(key)) continue
    seen.add(key)
    const { step, outcome } = await world.deploy(contract, args, value)
    if (step) {
      world.instances.push(step.instance)
      world.prologue.push(step)
      return step
    }
    last = outcome
    queue.unshift(...adjustConstructor(world, contract, args, value, outcome))
  }
  return { error: last?.error ?? 'no arguments were accepted' }
}

/** The constructor's comparisons teach the same as a call's. */
const adjustConstructor = (
  world: World,
  contract: CompiledContract,
  args: readonly AbiValue[],
  value: bigint,
  outcome: Outcome,
): { args: AbiValue[]; value: bigint }[] => {
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
  return adjust(step, outcome, world)
    .flatMap((variant) => (variant[0]?.kind === 'call' ? [variant[0]] : []))
    .slice(0, 3)
    .map((call) => ({ args: [...call.args], value: call.value }))
}

const constructorAttempts = (
  world: World,
  contract: CompiledContract,
  wanted: ReadonlyMap<number, string>,
): { args: AbiValue[]; value: bigint }[] => {
  const { owner, alice, bob } = world.actors
  const others = world.instances.map(({ address }) => address)
  const now = world.machine.block.timestamp
  const pool: ValuePool = {
    addresses: [owner, ...others, world.addressOf('AssayToken'), alice, bob],
    numbers: [1000n, 1n, now + day, ether, 0n],
  }
  const lists = argumentLists(contract.constructorAbi, pool, 10).map((args) =>
    args.map((value, index) => wanted.get(index) ?? value),
  )
  const values = contract.constructorAbi.isPayable ? [10n * ether, 0n] : [0n]
  return lists.flatMap((args) => values.map((value) => ({ args, value })))
}

/** Parameters that name a contract get one of that kind: of the given files, or a stand-in for an interface. */
const contractArguments = async (
  world: World,
  { constructorTypes, name }: CompiledContract,
  depth: number,
): Promise<Map<number, string>> => {
  const wanted = new Map<number, string>()
  for (const [index, written] of constructorTypes.entries()) {
    const type = /^contract (.+)$/.exec(written)?.[1]
    if (!type) continue
    const known = world.instances.find(({ contract }) => contract.bases.includes(type))
    const candidate = world.compilation.contracts.find(
      (each) => isDeployable(each) && each.bases.includes(type) && each.name !== name,
    )
    const deployed = known || !candidate || depth > 1 ? undefined : await deployLive(world, candidate, depth + 1)
    if (known) wanted.set(index, known.address)
    else if (deployed && 'instance' in deployed) wanted.set(index, deployed.instance.address)
    else wanted.set(index, world.addressOf(isToken(world, type) ? 'AssayToken' : 'AssayAgent'))
  }
  return wanted
}

const isToken = (world: World, type: string): boolean => {
  const contract = world.compilation.contracts.find(({ name }) => name === type)
  return contract?.functions.some(({ name, inputs }) => name === 'transfer' && inputs.length === 2) ?? true
}

const enough = 100n * ether
const maxWaysIn = 6

/** Two people pay in by every way that takes ether; what nothing accepts arrives by force, as it can on any chain. */
const useHonestly = async (world: World, target: Instance): Promise<number> => {
  const { contract } = target
  let paid = 0
  const held = (): bigint => world.machine.balanceOf(target.address)
  const entries = [...(contract.acceptsEther ? [null] : []), ...contract.functions.filter(({ isPayable }) => isPayable)]
  for (const actor of ['alice', 'bob', 'alice', 'bob'] as const) {
    for (const fn of entries.slice(0, maxWaysIn))
      if (held() < enough && (await payAny(world, target, actor, fn))) paid++
  }
  if (held() > 0n) return paid
  const step = { kind: 'force', actor: 'alice', to: target, value: enough } as const
  if ((await world.perform(step)).ok) world.prologue.push(step)
  return paid
}

const payAny = async (world: World, target: Instance, actor: Actor, fn: AbiFunction | null): Promise<boolean> => {
  const { alice, bob } = world.actors
  const pool = { addresses: [world.actors[actor], alice, bob], numbers: [1n, 2n, 0n, ether] }
  const args = argumentLists(fn, pool, 1)[0] ?? []
  for (const value of [30n * ether, ether]) {
    if (await payIn(world, { kind: 'call', actor, via: null, to: target, fn, args, value })) return true
  }
  return false
}

/** Kept only when the contract holds more than before: honest people do not take what is not theirs. */
const payIn = async (world: World, first: CallStep): Promise<boolean> => {
  const queue = [first]
  for (let tries = 0; tries < 4 && queue.length > 0; tries++) {
    const step = queue.shift() as CallStep
    const before = world.snapshot()
    const held = world.machine.balanceOf(step.to.address)
    const outcome = await world.perform(step)
    if (outcome.ok && world.machine.balanceOf(step.to.address) > held) {
      world.prologue.push(step)
      return true
    }
    world.restore(before)
    for (const variant of adjust(step, outcome, world).slice(0, 2)) {
      if (variant.length === 1) queue.push(variant[0] as CallStep)
    }
  }
  return false
}

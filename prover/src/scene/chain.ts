/** A chain of its own for one compilation: actors with ether, the attacker's contracts, deployed instances, and steps run on them. */
import type { SetUpHint } from '@assay/engine'
import type { Compilation, CompiledContract, LinkReferences } from '../compile/compilation.ts'
import { compile } from '../compile/compile.ts'
import { type AbiFunction, type AbiValue, encodeArguments, hexToBytes, signatureOf } from '../evm/abi.ts'
import { blockGas, Machine, type Outcome, type Snapshot, type Start } from '../evm/machine.ts'
import { op } from '../evm/trace.ts'
import type { CompilerLine, Packages } from '../packages.ts'
import type { Holdings } from './assets.ts'
import { type StandIn, standInSource, standIns } from './stand-ins.ts'
import {
  type Actor,
  type CallStep,
  type DeployStep,
  type Instance,
  type RepeatStep,
  type Step,
  standInOf,
} from './step.ts'
import { balanceSlot, type Token } from './token.ts'

export const actors: readonly Actor[] = ['owner', 'alice', 'bob', 'attacker']
export const ether = 10n ** 18n
export const wealth = 1_000_000n * ether

/** Stand-ins that are tokens. */
export const tokenStandIns: readonly StandIn[] = [
  'AssayToken',
  'AssayQuote',
  'AssayFeeToken',
  'AssayHookToken',
  'AssayMuteToken',
]

export class Chain {
  readonly machine: Machine
  readonly compilation: Compilation
  readonly packages: Packages
  readonly actors: Readonly<Record<Actor, string>>
  readonly keys: Readonly<Record<Actor, Uint8Array>>
  /** Stand-ins by name, deployed before anything else. */
  readonly standIns = new Map<StandIn, string>()
  readonly instances: Instance[] = []
  /** Tokens whose balances count. */
  readonly tokens: Token[] = []
  /** Steps that set the scene and succeeded. */
  readonly prologue: Step[] = []
  /** Where contracts of the scene created others, also in attempts that were taken back. */
  readonly made = new Set<string>()
  /** Proxies that ran code of their implementation while they were created: an initializer. */
  readonly setUpAtCreation = new Set<string>()
  /** How the project itself deploys its contracts. */
  hints: readonly SetUpHint[] = []
  /** What a contract gets that wants any token. */
  tokenStandIn: StandIn = 'AssayToken'
  readonly #libraries = new Map<string, string>()

  private constructor(machine: Machine, compilation: Compilation, packages: Packages) {
    this.machine = machine
    this.compilation = compilation
    this.packages = packages
    const keyOf = (actor: Actor) => packages.evm.keccak(Buffer.from(`assay ${actor}`))
    this.keys = byActor(keyOf)
    this.actors = byActor((actor) => packages.evm.addressOfKey(keyOf(actor)))
  }

  static async create(compilation: Compilation, packages: Packages, start?: Start): Promise<Chain> {
    const chain = new Chain(await Machine.create(packages.evm, start), compilation, packages)
    for (const actor of actors) await chain.machine.setBalance(chain.actors[actor], wealth)
    for (const contract of standInContracts(compilation.line, packages, attackersStandIns)) {
      const { created } = await chain.machine.run({
        from: chain.actors.attacker,
        data: `0x${contract.creation.object}`,
      })
      if (!created) throw new Error(`${contract.name} could not be deployed`)
      chain.standIns.set(contract.name as StandIn, created)
    }
    return chain
  }

  /** Where a protocol stands once it was deployed. */
  addressOf(name: StandIn): string {
    return this.standIns.get(name) ?? `0x${this.machine.keccak(`0x${Buffer.from(name).toString('hex')}`).slice(-40)}`
  }

  /** A protocol that few contracts want is compiled and placed when it is requested. */
  async deployStandIn(name: StandIn): Promise<void> {
    const address = this.addressOf(name)
    if (this.machine.codeOf(address).length > 0) return
    await this.machine.setCode(address, hexToBytes(`0x${this.#standIn(name).runtime.object}`))
    this.standIns.set(name, address)
  }

  /** A protocol stands where a contract computes that it does. */
  async placeStandIn(name: StandIn, address: string): Promise<void> {
    this.standIns.set(name, address)
    await this.deployStandIn(name)
  }

  viaAddress(via: CallStep['via'], actor: Actor): string {
    return via ? this.addressOf(standInOf[via]) : this.actors[actor]
  }

  /** Of the attacker and of what the attacker deployed. */
  loot(): Holdings {
    const owned = [this.actors.attacker, ...this.#attackersContracts()]
    return this.#holdings(owned, [...this.#honest(), ...this.instances.map(({ address }) => address)])
  }

  /** Of an honest user. */
  holdingsOf(actor: Actor): Holdings {
    return this.#holdings([this.actors[actor]], [])
  }

  /** Ether and tokens that a contract has. */
  instanceHoldings({ address }: Instance): bigint[] {
    return this.#holdings([address], []).map(({ own }) => own)
  }

  #honest(): string[] {
    return (['owner', 'alice', 'bob'] as const).map((actor) => this.actors[actor])
  }

  #attackersContracts(): string[] {
    return [...this.standIns].flatMap(([name, address]) => (notAttackers.has(name) ? [] : [address]))
  }

  #holdings(owned: readonly string[], others: readonly string[]): Holdings {
    // As a contract adds: what an account of the attacker's took from another one by a wrap is nothing together.
    const sum = (accounts: readonly string[], balance: (address: string) => bigint): bigint =>
      accounts.reduce((total, address) => BigInt.asUintN(256, total + balance(address)), 0n)
    const ether = { own: sum(owned, (address) => this.machine.balanceOf(address)), others: 0n }
    const tokens = this.tokens.map((token) => ({
      own: sum(owned, (address) => this.tokenBalance(token, address)),
      others: sum(others, (address) => this.tokenBalance(token, address)),
    }))
    return [ether, ...tokens]
  }

  tokenBalance({ instance, slot }: Token, address: string): bigint {
    return this.machine.slotOf(instance.address, balanceSlot(this.machine, slot, address))
  }

  /** A stand-in that is used like a deployed contract. */
  standIn(name: StandIn): Instance {
    return { name, contract: this.#standIn(name), address: this.addressOf(name) }
  }

  #standIn(name: StandIn): CompiledContract {
    const names = isProtocol(name) ? protocolStandIns : attackersStandIns
    const found = standInContracts(this.compilation.line, this.packages, names).find((each) => each.name === name)
    return found as CompiledContract
  }

  async deploy(
    contract: CompiledContract,
    args: readonly AbiValue[],
    value: bigint,
  ): Promise<{ step: DeployStep | null; outcome: Outcome }> {
    const code = await this.#link(contract.creation.object, contract.creation.linkReferences)
    const data = `0x${code}${encodeArguments(contract.constructorAbi.inputs, args)}`
    const before = this.machine.snapshot()
    const outcome = await this.machine.run({ from: this.actors.owner, data, value })
    if (!outcome.created || this.machine.codeOf(outcome.created).length === 0) {
      // Also the owner's nonce, which decides where the next contract will stand: a written test knows of no failures.
      this.machine.restore(before)
      return { step: null, outcome }
    }
    const instance = { name: this.freshName(contract.name), contract, address: outcome.created }
    this.#noteMade(outcome)
    return { step: { kind: 'deploy', actor: 'owner', instance, args, value }, outcome }
  }

  #noteMade({ ok, trace }: Outcome): void {
    if (!ok) return
    const made = trace.flatMap(({ op: code, result }) =>
      (code === op.CREATE || code === op.CREATE2) && result ? [`0x${result.toString(16).padStart(40, '0')}`] : [],
    )
    for (const address of made) {
      this.made.add(address)
      const isSetUp = trace.some((event) => event.address === address && event.op === op.DELEGATECALL && event.result)
      if (isSetUp) this.setUpAtCreation.add(address)
    }
  }

  freshName(name: string): string {
    const base = name.charAt(0).toLowerCase() + name.slice(1)
    const taken = this.instances.filter((instance) => instance.contract.name === name).length
    return taken === 0 ? base : `${base}${taken + 1}`
  }

  async #link(object: string, references: LinkReferences): Promise<string> {
    let code = object
    for (const libraries of Object.values(references)) {
      for (const [name, places] of Object.entries(libraries)) {
        const address = (await this.#library(name)).slice(2)
        for (const { start, length } of places)
          code = code.slice(0, 2 * start) + address + code.slice(2 * (start + length))
      }
    }
    return code
  }

  async #library(name: string): Promise<string> {
    const known = this.#libraries.get(name)
    if (known) return known
    const library = this.compilation.contracts.find((contract) => contract.name === name)
    if (!library) throw new Error(`no library ${name}`)
    const code = await this.#link(library.creation.object, library.creation.linkReferences)
    const { created } = await this.machine.run({ from: this.actors.owner, data: `0x${code}` })
    if (!created) throw new Error(`library ${name} could not be deployed`)
    this.#libraries.set(name, created)
    return created
  }

  selector(fn: Pick<AbiFunction, 'name' | 'inputs'>): string {
    return this.machine.keccak(`0x${Buffer.from(signatureOf(fn), 'utf8').toString('hex')}`).slice(0, 10)
  }

  encode(fn: AbiFunction | null, args: readonly AbiValue[]): string {
    return fn ? this.selector(fn) + encodeArguments(fn.inputs, args) : '0x'
  }

  /** Runs one step; an `advance`, a `find` or a `plant` has no outcome of its own and always succeeds. */
  async perform(step: Step): Promise<Outcome> {
    const outcome = await this.#perform(step)
    this.#noteMade(outcome)
    return outcome
  }

  async #perform(step: Step): Promise<Outcome> {
    switch (step.kind) {
      case 'find':
        return nothing
      case 'advance':
        this.machine.block.timestamp += step.seconds
        this.machine.block.number += step.blocks
        if (step.salt !== undefined) this.machine.block.salt = step.salt
        return nothing
      case 'deploy':
        return (await this.deploy(step.instance.contract, step.args, step.value)).outcome
      case 'force':
        return this.#toStandIn('AssayForce', step.actor, 'send', [step.to.address], step.value)
      case 'plant':
        await this.machine.setCode(step.address, this.machine.codeOf(this.addressOf(step.code)))
        return nothing
      case 'prepare':
        return this.#toStandIn(
          'AssayAgent',
          'attacker',
          'prepare',
          [step.to.address, this.encode(step.fn, step.args), BigInt(step.times), step.answer, step.value],
          step.value * BigInt(step.times),
        )
      case 'repeat':
        return this.#repeat(step)
      case 'call':
        return this.#call(step)
    }
  }

  #repeat({ call, times, isApart, place }: RepeatStep): Promise<Outcome> {
    const { actor, to, fn, args, value } = call
    const words = [to.address, value, this.encode(fn, args), BigInt(times), BigInt(place ?? 0), isApart]
    return this.#toStandIn('AssayCrowd', actor, 'run', words, value * BigInt(times), blockGas)
  }

  #call({ actor, via, to, fn, args, value, gas, data = this.encode(fn, args) }: CallStep): Promise<Outcome> {
    if (!via)
      return this.machine.run({
        from: this.actors[actor],
        to: to.address,
        data,
        value,
        ...(gas ? { gas, isUntraced: true } : {}),
      })
    return this.#toStandIn(standInOf[via], actor, 'run', [to.address, value, data], value)
  }

  #toStandIn(
    name: StandIn,
    actor: Actor,
    method: string,
    args: readonly AbiValue[],
    value: bigint,
    untracedGas?: bigint,
  ): Promise<Outcome> {
    const fn = this.#standIn(name).functions.find((each) => each.name === method) as AbiFunction
    return this.machine.run({
      from: this.actors[actor],
      to: this.addressOf(name),
      data: this.encode(fn, args),
      value,
      ...(untracedGas ? { gas: untracedGas, isUntraced: true } : {}),
    })
  }

  /** A call that leaves nothing behind. */
  async peek(step: Step): Promise<Outcome> {
    const before = this.machine.snapshot()
    const outcome = await this.perform(step)
    this.machine.restore(before)
    return outcome
  }

  snapshot(): Snapshot {
    return this.machine.snapshot()
  }

  restore(snapshot: Snapshot): void {
    this.machine.restore(snapshot)
  }
}

/** Stand-ins that are not the attacker's. */
export const notAttackers: ReadonlySet<StandIn> = new Set([
  ...tokenStandIns,
  'AssayWallet',
  'AssayMarket',
  'AssayExchange',
  'AssayFeed',
  'AssayVault',
  'AssayNft',
  'AssayLender',
  'AssayDirectory',
])

const nothing: Outcome = { ok: true, error: null, returned: '0x', gasUsed: 0n, trace: [], created: null, logs: [] }

const byActor = <T>(make: (actor: Actor) => T): Record<Actor, T> =>
  Object.fromEntries(actors.map((actor) => [actor, make(actor)])) as Record<Actor, T>

/** Deployed by need: with the token that two of them speak to. */
const protocolStandIns: readonly StandIn[] = [
  'AssayToken',
  'AssayHookToken',
  'AssayMuteToken',
  'AssayVault',
  'AssayNft',
  'AssayLender',
  'AssayDirectory',
  'AssayExchange',
  'AssayFickle',
]
const isProtocol = (name: StandIn): boolean => name !== 'AssayToken' && protocolStandIns.includes(name)
const attackersStandIns = standIns.filter((name) => !isProtocol(name))

const compiledStandIns = new Map<string, readonly CompiledContract[]>()

const standInContracts = (
  line: CompilerLine,
  packages: Packages,
  names: readonly StandIn[],
): readonly CompiledContract[] => {
  const key = `${line} ${names}`
  let contracts = compiledStandIns.get(key)
  if (!contracts) {
    const text = `pragma solidity ^0.${line}.0;\n${names.map((name) => standInSource(name, line)).join('\n\n')}\n`
    const result = compile([{ path: 'stand-ins.sol', text }], packages)
    if (!result.ok) throw new Error(`the stand-ins do not compile with 0.${line}: ${result.error}`)
    contracts = names.map((name) => result.compilation.contracts.find((each) => each.name === name) as CompiledContract)
    compiledStandIns.set(key, contracts)
  }
  return contracts
}

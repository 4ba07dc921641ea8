/**
 * Steps as statements of a Foundry test. From 0.6 on calls are written as an auditor would: `vm.prank(alice, alice);` and
 * `bank.deposit{value: 1 ether}();`. What has no such form (lists, structs, plain ether, older compilers) goes through the helper `act`.
 */
import { type AbiFunction, type AbiParameter, type AbiValue, encodeArguments } from '../evm/abi.ts'
import { blockGas, coinbase } from '../evm/machine.ts'
import type { CompilerLine } from '../packages.ts'
import type { Chain } from '../scene/chain.ts'
import type { StandIn } from '../scene/stand-ins.ts'
import {
  type CallStep,
  type DeployStep,
  type FindStep,
  type Instance,
  type RepeatStep,
  type Step,
  standInOf,
} from '../scene/step.ts'
import {
  type AddressNames,
  addressExpression,
  addressIn,
  amountExpression,
  bytesExpression,
  calldataExpression,
  checksummed,
  expressionOf,
} from './solidity-values.ts'
import { instanceVariable } from './test-names.ts'

/** `exhausted`: with as much gas as a block has, and in vain. */
export type Mode = 'setup' | 'attack' | 'blocked' | 'exhausted' | 'returns'

/** Types whose values are written as they are. */
const plain = /^(u?int\d*|address|bool|string|bytes\d*)$/

const isPlain = (inputs: readonly AbiParameter[]): boolean =>
  inputs.every(
    ({ type, internalType = type }) =>
      plain.test(type) && (internalType === type || internalType === 'address payable'),
  )

export class StepWriter {
  readonly #chain: Chain
  readonly #names: AddressNames
  readonly #line: CompilerLine
  #timestamp: bigint
  #number: bigint
  #salt: number

  constructor(chain: Chain, names: AddressNames, { line, seed }: { line: CompilerLine; seed: number }) {
    this.#salt = seed
    this.#chain = chain
    this.#names = names
    this.#line = line
    this.#timestamp = chain.machine.start.timestamp
    this.#number = chain.machine.start.number
  }

  write(step: Step, mode: Mode): string[] {
    switch (step.kind) {
      case 'advance':
        this.#timestamp += step.seconds
        this.#number += step.blocks
        this.#salt = step.salt ?? this.#salt
        return [`vm.warp(${this.#timestamp});`, `vm.roll(${this.#number});`, ...this.#chance()]
      case 'deploy':
        return this.#deploy(step)
      case 'find':
        return [this.#find(step)]
      case 'force':
        return [
          this.#act(
            step.actor,
            'force',
            step.value,
            this.#standInCall('send(address)', [addressExpression(step.to.address, this.#names)]),
            mode,
          ),
        ]
      case 'plant':
        return [`plant(address(new ${step.code}()), ${addressExpression(step.address, this.#names)});`]
      case 'prepare': {
        const data = calldataExpression(step.fn, step.args, this.#selector(step), this.#names)
        const call = this.#standInCall('prepare(address,bytes,uint256,uint256,uint256)', [
          this.#at(step.to),
          data,
          `uint256(${step.times})`,
          `uint256(${step.answer})`,
          `uint256(${step.value})`,
        ])
        const total = step.value * BigInt(step.times)
        if (this.#line < 6) return [this.#act('attacker', 'agent', total, call, mode)]
        const sent = total > 0n ? `{value: ${amountExpression(total)}}` : ''
        const list = [this.#at(step.to), data, step.times, step.answer, amountExpression(step.value)]
        return ['vm.prank(attacker, attacker);', `AssayAgent(payable(agent)).prepare${sent}(${list.join(', ')});`]
      }
      case 'repeat':
        return this.#repeat(step, mode)
      case 'call':
        return this.#call(step, mode)
    }
  }

  /** The first block. */
  begin(): string[] {
    return [`vm.warp(${this.#timestamp});`, `vm.roll(${this.#number});`, ...this.#chance()]
  }

  /** What a block's proposer or chance decides, as it was in the scene; nothing where no code read it. */
  #chance(): string[] {
    if (!this.#chain.machine.hasReadChance) return []
    const { randao, hash } = this.#chain.machine.chanceOf(this.#number, this.#salt)
    return [
      `vm.prevrandao(bytes32(${randao}));`,
      `vm.setBlockhash(${this.#number - 1n}, bytes32(${hash}));`,
      `vm.coinbase(${checksummed(coinbase, this.#chain.machine)});`,
    ]
  }

  #at({ address }: Instance): string {
    return addressExpression(address, this.#names)
  }

  #selector({ fn }: { readonly fn: CallStep['fn'] }): string {
    return fn ? this.#chain.selector(fn) : '0x'
  }

  #standInCall(signature: string, args: readonly string[]): string {
    return `abi.encodeWithSignature(${[`"${signature}"`, ...args].join(', ')})`
  }

  #act(actor: string, to: string, value: bigint, data: string, mode: Mode): string {
    const call = `act(${actor}, ${to}, ${amountExpression(value)}, ${data})`
    if (mode === 'exhausted')
      return `require(!actWithin(${actor}, ${to}, ${amountExpression(value)}, ${data}, ${blockGas}), "the call still fits into a block");`
    if (mode === 'blocked') return `require(!${call}, "the honest call went through");`
    return `require(${call}, "${mode === 'setup' ? 'the scene could not be set' : 'a step of the attack was refused'}");`
  }

  /** A call of a typed variable, where one can be written and its failure ends the test. */
  #typedCall({ actor, to, fn, args, value, data }: CallStep): string[] | undefined {
    if (
      data !== undefined ||
      this.#line < 6 ||
      !fn ||
      !this.#chain.instances.includes(to) ||
      !to.contract.functions.includes(fn) ||
      !isPlain(fn.inputs) ||
      isOverloaded(to, fn)
    )
      return undefined
    const sent = value > 0n ? `{value: ${amountExpression(value)}}` : ''
    const list = fn.inputs.map((input, index) => this.#argument(input, args[index] as AbiValue))
    return [`vm.prank(${actor}, ${actor});`, `${instanceVariable(to.name)}.${fn.name}${sent}(${list.join(', ')});`]
  }

  /** What the signature converts anyway needs no cast. */
  #argument(input: AbiParameter, value: AbiValue): string {
    if (input.internalType === 'address payable') return `payable(${expressionOf(input, value, this.#names)})`
    if (typeof value === 'bigint' && value >= 0n && !this.#names.has(addressIn(value))) return amountExpression(value)
    return expressionOf(input, value, this.#names)
  }

  /** A call through one of the attacker's contracts. */
  #typedRun(name: StandIn, where: string, step: CallStep, data: string): string[] | undefined {
    if (this.#line < 6) return undefined
    const sent = step.value > 0n ? `{value: ${amountExpression(step.value)}}` : ''
    return [
      `vm.prank(${step.actor}, ${step.actor});`,
      `${name}(payable(${where})).run${sent}(${this.#at(step.to)}, ${amountExpression(step.value)}, ${data});`,
    ]
  }

  #call(step: CallStep, mode: Mode): string[] {
    const isPlainMode = mode === 'setup' || mode === 'attack'
    const typed = isPlainMode && !step.via ? this.#typedCall(step) : undefined
    if (typed) return typed
    const data =
      step.data === undefined
        ? calldataExpression(step.fn, step.args, this.#selector(step), this.#names)
        : bytesExpression(step.data, this.#names)
    if (!step.via) return [this.#act(step.actor, this.#at(step.to), step.value, data, mode)]
    const forwarded = isPlainMode ? this.#typedRun(standInOf[step.via], step.via, step, data) : undefined
    if (forwarded) return forwarded
    const run = this.#standInCall('run(address,uint256,bytes)', [this.#at(step.to), `uint256(${step.value})`, data])
    return [this.#act(step.actor, step.via, step.value, run, mode)]
  }

  #repeat({ call, times, isApart, place }: RepeatStep, mode: Mode): string[] {
    const run = this.#standInCall('run(address,uint256,bytes,uint256,uint256,bool)', [
      this.#at(call.to),
      `uint256(${call.value})`,
      calldataExpression(call.fn, call.args, this.#selector(call), this.#names),
      `uint256(${times})`,
      `uint256(${place ?? 0})`,
      String(isApart),
    ])
    return [this.#act(call.actor, 'crowd', call.value * BigInt(times), run, mode)]
  }

  /** It stands where its maker's address and count of creations put it. */
  #find({ instance: { name, contract, address } }: FindStep): string {
    const where = checksummed(address, this.#chain.machine)
    return `${instanceVariable(name)} = ${this.#line >= 6 ? `${contract.name}(payable(${where}))` : where};`
  }

  #deploy({ actor, instance, args, value }: DeployStep): string[] {
    const { contract, name } = instance
    const variable = instanceVariable(name)
    const { inputs } = contract.constructorAbi
    if (this.#line >= 6 && isPlain(inputs)) {
      const sent = value > 0n ? `{value: ${amountExpression(value)}}` : ''
      const list = inputs.map((input, index) => this.#argument(input, args[index] as AbiValue))
      return [`vm.prank(${actor}, ${actor});`, `${variable} = new ${contract.name}${sent}(${list.join(', ')});`]
    }
    if (this.#line >= 5) {
      const encoded = encodeArguments(contract.constructorAbi.inputs, args)
      const list = encoded === '' ? '' : `, ${bytesExpression(encoded, this.#names)}`
      return [
        this.#line >= 6
          ? `${variable} = ${contract.name}(payable(create(${actor}, ${value}, abi.encodePacked(type(${contract.name}).creationCode${list}))));`
          : `${variable} = create(${actor}, ${value}, abi.encodePacked(type(${contract.name}).creationCode${list}));`,
        `require(address(${variable}) != address(0), "the scene could not be set");`,
      ]
    }
    const given = args.map((arg, index) => this.#typedArgument(instance, arg, index))
    const paid = value > 0n ? `.value(${value})` : ''
    return [
      ...given.flatMap(({ declarations }) => declarations),
      `vm.prank(${actor}, ${actor});`,
      `${variable} = address((new ${contract.name})${paid}(${given.map(({ expression }) => expression).join(', ')}));`,
    ]
  }

  /** 0.4 has no creation code to append to, so `new` gets values of the types as written. */
  #typedArgument(
    { contract, name }: Instance,
    arg: AbiValue,
    index: number,
  ): { expression: string; declarations: string[] } {
    const parameter = contract.constructorAbi.inputs[index] as (typeof contract.constructorAbi.inputs)[number]
    const written = contract.constructorTypes[index] ?? parameter.type
    const list = /^(.*)\[\]$/.exec(parameter.type)
    if (list && Array.isArray(arg)) {
      const [variable, element] = [`${name}_${index}`, { name: '', type: list[1] as string }]
      return {
        expression: variable,
        declarations: [
          `${element.type}[] memory ${variable} = new ${element.type}[](${arg.length});`,
          ...arg.map((item, place) => `${variable}[${place}] = ${expressionOf(element, item, this.#names)};`),
        ],
      }
    }
    const expression = expressionOf(parameter, arg, this.#names)
    const cast = /^(?:contract|enum) (.+)$/.exec(written)?.[1]
    return { expression: cast ? `${cast}(${expression})` : expression, declarations: [] }
  }
}

const isOverloaded = ({ contract }: Instance, { name }: AbiFunction): boolean =>
  contract.functions.filter((each) => each.name === name).length > 1

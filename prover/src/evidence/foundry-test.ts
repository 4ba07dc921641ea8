/**
 * The attack as a Foundry test that needs nothing else: the target, the attacker's contracts, the steps, the assertion. It is
 * written in the target's own dialect of Solidity (forge-std would not compile with 0.4 or 0.5) and uses a handful of cheat codes only.
 */
import type { InputFile } from '@assay/engine'
import type { Assertion, Proof } from '../attacks/attack.ts'
import { blankPragmas } from '../compile/compiler-line.ts'
import { type AbiValue, encodeArguments } from '../evm/abi.ts'
import { blockGas, coinbase } from '../evm/machine.ts'
import type { CompilerLine } from '../packages.ts'
import { actors, type Chain, ether, plainTokenName, wealth } from '../scene/chain.ts'
import { forwardCall, type StandIn, standInSource } from '../scene/stand-ins.ts'
import type { Actor, CallStep, DeployStep, Instance, RepeatStep, Step } from '../scene/step.ts'
import { commentText, stringText } from './solidity-text.ts'
import {
  type AddressNames,
  addressExpression,
  bytesExpression,
  calldataExpression,
  expressionOf,
} from './solidity-values.ts'

const variables: Record<StandIn, string> = {
  AssayAgent: 'agent',
  AssayRefuser: 'refuser',
  AssayWallet: 'wallet',
  AssayDenier: 'denier',
  AssayPayload: 'payload',
  AssayHarmless: 'harmless',
  AssayForce: 'force',
  AssayCrowd: 'crowd',
  AssayToken: 'token',
}

export interface TestSubject {
  readonly chain: Chain
  /** Of the scanned file. */
  readonly path: string
  readonly target: Instance
  readonly proof: Proof
  /** First lines of the file. */
  readonly headline: string
  /** Of the chain. */
  readonly seed: number
}

export const writeFoundryTest = ({ chain, path, target, proof, headline, seed }: TestSubject): string => {
  const { line, compiler } = chain.compilation
  const names = nameAddresses(chain)
  const steps = [...chain.prologue, ...proof.steps]
  const writer = new StepWriter(chain, names, { line, seed })
  const { kind } = proof.assertion
  const lastMode = kind === 'blocked' || kind === 'exhausted' ? kind : 'attack'
  // What a call costs is as on a chain only in a transaction of its own: what is filled before it is filled in `setUp`.
  const early = kind === 'exhausted' ? proof.steps.slice(0, -1) : []
  const setUp = [
    ...writer.begin(),
    ...chain.prologue.flatMap((step) => writer.write(step, 'setup')),
    ...early.flatMap((step) => writer.write(step, 'attack')),
  ]
  const attack = proof.steps
    .slice(early.length)
    .flatMap((step, index, { length }) => writer.write(step, index === length - 1 ? lastMode : 'attack'))
  const body = [...setUp, ...before(proof.assertion, target), ...attack, ...assertion(proof.assertion, target, line)]
  const used = standInsIn(steps, body.join('\n'))
  const hasToken = 'token' in proof.assertion
  return `// SPDX-License-Identifier: UNLICENSED
// ${commentText(headline)}
// Written by Assay. It holds when the attack works, and fails once the weakness is mended: forge test
pragma solidity ^${compiler};

${importOf(path)}

interface AssayCheats {
    function prank(address sender, address origin) external;
    function deal(address who, uint256 balance) external;
    function etch(address where, ${line >= 5 ? 'bytes calldata' : 'bytes'} code) external;
    function chainId(uint256 id) external;
    function warp(uint256 timestamp) external;
    function roll(uint256 number) external;
    function prevrandao(bytes32 value) external;
    function setBlockhash(uint256 number, bytes32 hash) external;
    function coinbase(address who) external;
    function load(address where, bytes32 slot) external returns (bytes32);
}

${hasToken ? erc20Interface(line) : ''}${used.map((name) => standInSource(name, line)).join('\n\n')}

contract AssayAttackTest {
    AssayCheats internal cheats = AssayCheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
${actors.map((actor) => `    address internal ${actor} = address(uint160(${BigInt(chain.actors[actor])}));`).join('\n')}
${used.map((name) => `    address internal ${variables[name]};`).join('\n')}
${chain.instances.map(({ name }) => `    address internal ${instanceVariable(name)};`).join('\n')}
    uint256 internal lootBefore;
    uint256 internal heldBefore;
    uint256 internal answer;

    function setUp() public {
        cheats.chainId(1);
${actors.map((actor) => `        cheats.deal(${actor}, ${amount(wealth)});`).join('\n')}
${used.map((name) => `        ${variables[name]} = plant(address(new ${name}()), ${addressLiteral(chain.addressOf(name))});`).join('\n')}
${indent(setUp)}
    }

    function testAttack() public {
${indent([...before(proof.assertion, target), ...attack, ...assertion(proof.assertion, target, line)])}
    }

    /// The attacker's contracts stand where they stood when the attack was found: slots of mappings depend on it.
    function plant(address made, address where) internal returns (address) {
        uint256 size;
        assembly { size := extcodesize(made) }
        bytes memory code = new bytes(size);
        assembly { extcodecopy(made, add(code, 32), 0, size) }
        cheats.etch(where, code);
        return where;
    }

    /// One transaction of an account.
    function act(address who, address to, uint256 value, bytes memory data) internal returns (bool ok) {
        uint256 word;
        cheats.prank(who, who);
        ${forwardCall(line)}
        answer = word;
    }

    function loot() internal ${line >= 5 ? 'view' : 'constant'} returns (uint256) {
        return attacker.balance${used
          .filter((name) => name !== 'AssayForce' && name !== 'AssayToken')
          .map((name) => ` + ${variables[name]}.balance`)
          .join('')};
    }
${hasToken ? tokenHelper(line, used) : ''}${kind === 'exhausted' ? boundedHelper(line) : ''}${deployHelper(line, steps)}}
`
}

const amount = (wei: bigint): string => (wei > 0n && wei % ether === 0n ? `${wei / ether} ether` : String(wei))

const addressLiteral = (address: string): string => `address(uint160(${BigInt(address)}))`

const indent = (lines: readonly string[]): string => lines.map((line) => `        ${line}`).join('\n')

const instanceVariable = (name: string): string => `the_${name}`

const importOf = (path: string): string => `import "./${stringText(path.split('/').at(-1) ?? path)}";`

/** A test that needs no other file: the import is replaced by what it imports, in the order of `importClosure`. */
export const inlineTarget = (test: string, files: readonly InputFile[]): string =>
  test.replace(/^import "(?:[^"\\]|\\.)*";$/m, () => flatten(files))

/** All files in one, imports gone; what is inherited from must come first. */
export const flatten = (files: readonly InputFile[]): string =>
  files
    .map(({ text }) =>
      blankPragmas(text)
        .replace(/\/\/\s*SPDX-License-Identifier:[^\n]*/g, '')
        .replace(/^\s*import\b[^;]*;/gm, '')
        .replace(/[ \t]+$/gm, '')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
    )
    .join('\n\n')

const nameAddresses = (chain: Chain): AddressNames => {
  const names = new Map<string, string>()
  for (const actor of actors) names.set(chain.actors[actor], actor)
  for (const [name, address] of chain.standIns) names.set(address, variables[name])
  for (const { name, address } of chain.instances) names.set(address, instanceVariable(name))
  return names
}

const standInsIn = (steps: readonly Step[], body: string): StandIn[] => {
  const used = (Object.keys(variables) as StandIn[]).filter((name) => new RegExp(`\\b${variables[name]}\\b`).test(body))
  if (steps.some(({ kind }) => kind === 'force') && !used.includes('AssayForce')) used.push('AssayForce')
  for (const step of steps) if (step.kind === 'plant' && !used.includes(step.code)) used.push(step.code)
  return used
}

/** `exhausted`: with as much gas as a block has, and in vain. */
type Mode = 'setup' | 'attack' | 'blocked' | 'exhausted'

class StepWriter {
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
        return [`cheats.warp(${this.#timestamp});`, `cheats.roll(${this.#number});`, ...this.#chance()]
      case 'deploy':
        return this.#deploy(step)
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
        return [this.#act('attacker', 'agent', step.value * BigInt(step.times), call, mode)]
      }
      case 'repeat':
        return this.#repeat(step, mode)
      case 'call':
        return this.#call(step, mode)
    }
  }

  /** The first block. */
  begin(): string[] {
    return [`cheats.warp(${this.#timestamp});`, `cheats.roll(${this.#number});`, ...this.#chance()]
  }

  /** What a block's proposer or chance decides, as it was in the scene; nothing where nobody asked. */
  #chance(): string[] {
    if (!this.#chain.machine.hasAskedChance) return []
    const { randao, hash } = this.#chain.machine.chanceOf(this.#number, this.#salt)
    return [
      `cheats.prevrandao(bytes32(uint256(${BigInt(randao)})));`,
      `cheats.setBlockhash(${this.#number - 1n}, bytes32(uint256(${BigInt(hash)})));`,
      `cheats.coinbase(address(uint160(${BigInt(coinbase)})));`,
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
    const call = `act(${actor}, ${to}, ${amount(value)}, ${data})`
    if (mode === 'exhausted')
      return `require(!actWithin(${actor}, ${to}, ${amount(value)}, ${data}, ${blockGas}), "the call still fits into a block");`
    if (mode === 'blocked') return `require(!${call}, "the honest call went through");`
    return `require(${call}, "${mode === 'setup' ? 'the scene could not be set' : 'a step of the attack was refused'}");`
  }

  #call(step: CallStep, mode: Mode): string[] {
    const data = calldataExpression(step.fn, step.args, this.#selector(step), this.#names)
    if (!step.via) return [this.#act(step.actor, this.#at(step.to), step.value, data, mode)]
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

  #deploy({ actor, instance, args, value }: DeployStep): string[] {
    const { contract, name } = instance
    const variable = instanceVariable(name)
    if (this.#line >= 5) {
      const encoded = encodeArguments(contract.constructorAbi.inputs, args)
      const list = encoded === '' ? '' : `, ${bytesExpression(encoded, this.#names)}`
      return [
        `${variable} = create(${actor}, ${value}, abi.encodePacked(type(${contract.name}).creationCode${list}));`,
        `require(${variable} != address(0), "the scene could not be set");`,
      ]
    }
    const given = args.map((arg, index) => this.#typedArgument(instance, arg, index))
    const paid = value > 0n ? `.value(${value})` : ''
    return [
      ...given.flatMap(({ declarations }) => declarations),
      `cheats.prank(${actor}, ${actor});`,
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

const before = (assertion: Assertion, target: Instance): string[] => {
  if (assertion.kind === 'gain') return [`lootBefore = ${lootOf(assertion.token)};`]
  if (assertion.kind === 'poorer') return [`heldBefore = ${heldBy(assertion.who, assertion.token)};`]
  if (assertion.kind === 'unpaid') return [`heldBefore = ${assertion.recipient}.balance;`]
  return assertion.kind === 'drained' ? [`heldBefore = ${instanceVariable(target.name)}.balance;`] : []
}

const assertion = (given: Assertion, target: Instance, line: CompilerLine): string[] => {
  const where = instanceVariable(target.name)
  switch (given.kind) {
    case 'gain':
      return [`require(${lootOf(given.token)} >= lootBefore + ${amount(given.least)}, "the attacker gained nothing");`]
    case 'poorer':
      return [
        given.most >= 0n
          ? `require(${heldBy(given.who, given.token)} <= heldBefore + ${given.most}, "nobody lost anything");`
          : `require(${heldBy(given.who, given.token)} + ${-given.most} <= heldBefore, "nobody lost anything");`,
      ]
    case 'drained':
      return [`require(heldBefore > 0 && ${where}.balance == 0, "the contract kept its ether");`]
    case 'unpaid':
      return [
        `require(${given.recipient}.balance == heldBefore, "the recipient was paid");`,
        ...given.slots.map(([slot, value]) => slotCheck(where, slot, value, 'the contract noticed')),
      ]
    case 'granted':
      return [
        `require(AssayAgent(${payableAgent(line)}).granted() >= ${given.least}, "no call from within was granted");`,
      ]
    case 'returns':
      return [`require(answer == ${given.word}, "the answer was not foretold");`]
    case 'slot':
      return [slotCheck(where, given.slot, given.value, 'the slot is as before')]
    case 'succeeds':
    case 'blocked':
    case 'exhausted':
      return []
  }
}

const variableOf = ({ name }: Instance): string =>
  name === plainTokenName ? variables.AssayToken : instanceVariable(name)

const lootOf = (token: Instance | undefined): string => (token ? `lootIn(${variableOf(token)})` : 'loot()')

const heldBy = (who: Actor, token: Instance | undefined): string =>
  token ? `AssayErc20(${variableOf(token)}).balanceOf(${who})` : `${who}.balance`

const slotCheck = (where: string, slot: bigint, value: bigint, otherwise: string): string =>
  `require(uint256(cheats.load(${where}, bytes32(uint256(${slot})))) == ${value}, "${otherwise}");`

const payableAgent = (line: CompilerLine): string => {
  if (line === 4) return 'agent'
  return line === 5 ? 'address(uint160(agent))' : 'payable(agent)'
}

/** The attacker's holdings of a token, with those of the attacker's contracts. */
const tokenHelper = (line: CompilerLine, used: readonly StandIn[]): string => `
    function lootIn(address token_) internal ${line >= 5 ? 'view' : 'constant'} returns (uint256) {
        return ${['attacker', ...used.filter((name) => name !== 'AssayToken').map((name) => variables[name])]
          .map((who) => `AssayErc20(token_).balanceOf(${who})`)
          .join(' + ')};
    }
`

const erc20Interface = (line: CompilerLine): string => `interface AssayErc20 {
    function balanceOf(address who) external ${line >= 5 ? 'view' : 'constant'} returns (uint256);
}

`

const boundedHelper = (line: CompilerLine): string => `
    /// One transaction with at most this much gas.
    function actWithin(address who, address to, uint256 value, bytes memory data, uint256 most) internal returns (bool ok) {
        cheats.prank(who, who);
        ${forwardCall(line, 'most')}
    }
`

const deployHelper = (line: CompilerLine, steps: readonly Step[]): string => {
  if (line < 5 || !steps.some(({ kind }) => kind === 'deploy')) return ''
  return `
    function create(address who, uint256 value, bytes memory code) internal returns (address made) {
        cheats.prank(who, who);
        assembly { made := create(value, add(code, 32), mload(code)) }
    }
`
}

/**
 * A verified exploit as a Foundry test: imports the source, sets the scene in `setUp`, executes the steps and asserts the harm. It passes
 * while the exploit works. Written in the target's own dialect of Solidity, with a handful of cheat codes, so that it compiles from 0.4 on.
 */
import { posix } from 'node:path'
import { type EvidenceStep, evidenceLine, type InputFile } from '@assay/engine'
import type { Assertion, Proof } from '../attacks/attack.ts'
import { blankPragmas } from '../compile/compiler-line.ts'
import type { CompilerLine } from '../packages.ts'
import { actors, type Chain, notAttackers, wealth } from '../scene/chain.ts'
import { forwardCall, type StandIn, standInSource } from '../scene/stand-ins.ts'
import type { Actor, Instance, Step } from '../scene/step.ts'
import { commentText, stringText } from './solidity-text.ts'
import { type AddressNames, amountExpression, checksummed } from './solidity-values.ts'
import { type Mode, StepWriter } from './step-writer.ts'
import { instanceVariable, testContractName } from './test-names.ts'

const variables: Record<StandIn, string> = {
  AssayAgent: 'agent',
  AssayRefuser: 'refuser',
  AssayWallet: 'wallet',
  AssayDenier: 'denier',
  AssayPayload: 'payload',
  AssayHarmless: 'harmless',
  AssayForce: 'force',
  AssayCrowd: 'crowd',
  AssayFickle: 'fickle',
  AssayToken: 'token',
  AssayQuote: 'quote',
  AssayFeeToken: 'feeToken',
  AssayHookToken: 'hookToken',
  AssayMuteToken: 'muteToken',
  AssayVault: 'shareVault',
  AssayNft: 'nft',
  AssayLender: 'lender',
  AssayDirectory: 'directory',
  AssayMarket: 'market',
  AssayExchange: 'exchange',
  AssayFeed: 'feed',
}

export interface TestSubject {
  readonly chain: Chain
  /** Of the scanned file; the test imports as if it lay beside it. */
  readonly path: string
  readonly detector: string
  readonly target: Instance
  readonly proof: Proof
  /** The steps in words. */
  readonly evidenceSteps: readonly EvidenceStep[]
  /** The finding and what was seen. */
  readonly headline: string
  /** Of the chain. */
  readonly seed: number
}

export const writeFoundryTest = (subject: TestSubject): string => {
  const { chain, path, detector, target, proof, headline, seed } = subject
  const { line } = chain.compilation
  const writer = new StepWriter(chain, nameAddresses(chain), { line, seed })
  const { setUp, attack } = bodies(subject, writer)
  const steps = [...chain.prologue, ...proof.steps]
  const used = standInsIn(steps, [...setUp, ...attack].join('\n'))
  const hasToken = /\bAssayErc20\(|\blootIn\(/.test(attack.join('\n'))
  return `// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.${line}.0 <0.${line + 1}.0;

${importsOf(chain, path)}

${cheatInterface(line)}
${hasToken ? erc20Interface(line) : ''}${used.map((name) => standInSource(name, line)).join('\n\n')}

/// ${commentText(headline)}
/// Control run, ${commentText(proof.control.change)}: ${commentText(proof.control.result)}.
/// Written by Assay. It passes while the exploit works and fails once the source is fixed.
contract ${testContractName(target.contract.name, detector)} {
    ${vmLine}
${actors.map((actor) => `    address internal ${actor} = ${checksummed(chain.actors[actor], chain.machine)};`).join('\n')}
${used.map((name) => `    address internal ${variables[name]};`).join('\n')}
${chain.instances.map((instance) => `    ${line >= 6 ? instance.contract.name : 'address'} internal ${instanceVariable(instance.name)};`).join('\n')}
    uint256 internal answer;

    function setUp() public {
        vm.chainId(1);
${actors.map((actor) => `        vm.deal(${actor}, ${amountExpression(wealth)});`).join('\n')}
${used.map((name) => `        ${variables[name]} = plant(address(new ${name}()), ${checksummed(chain.addressOf(name), chain.machine)});`).join('\n')}
${indent(setUp)}
    }

    function testExploit() public {
${indent(attack)}
    }

    /// The attacker's contracts stand where they stood when the attack was found: slots of mappings depend on it.
    function plant(address made, address where) internal returns (address) {
        uint256 size;
        assembly { size := extcodesize(made) }
        bytes memory code = new bytes(size);
        assembly { extcodecopy(made, add(code, 32), 0, size) }
        vm.etch(where, code);
        return where;
    }

    /// One transaction of an account.
    function act(address who, address to, uint256 value, bytes memory data) internal returns (bool ok) {
        uint256 word;
        vm.prank(who, who);
        ${forwardCall(line)}
        answer = word;
    }

    function loot() internal ${line >= 5 ? 'view' : 'constant'} returns (uint256) {
        return attacker.balance${used
          .filter((name) => name !== 'AssayForce' && !notAttackers.has(name))
          .map((name) => ` + ${variables[name]}.balance`)
          .join('')};
    }
${hasToken ? tokenHelper(line, used) : ''}${proof.assertion.kind === 'exhausted' ? boundedHelper(line) : ''}${deployHelper(line, setUp.join('\n'))}}
`
}

/** Statements of `setUp` and of the test, each step under a comment. */
const bodies = (
  { chain, target, proof, evidenceSteps }: TestSubject,
  writer: StepWriter,
): { setUp: string[]; attack: string[] } => {
  const { line } = chain.compilation
  const { kind } = proof.assertion
  const lastMode: Mode = kind === 'blocked' || kind === 'exhausted' || kind === 'returns' ? kind : 'attack'
  const last = proof.steps.length - 1
  const written = (step: Step, index: number): string[] => [
    ...(evidenceSteps[index] ? [`// ${index + 1}. ${commentText(evidenceLine(evidenceSteps[index]))}`] : []),
    ...writer.write(step, index === last ? lastMode : 'attack'),
  ]
  const setUp = [...writer.begin(), ...chain.prologue.flatMap((step) => writer.write(step, 'setup'))]
  const steps = proof.steps.map(written)
  // What a call costs is as on a chain only in a transaction of its own: what is filled before it is filled in `setUp`.
  const early = kind === 'exhausted' ? steps.slice(0, -1).flat() : []
  return {
    setUp: [...setUp, ...early],
    attack: [
      ...before(proof.assertion, target, line),
      ...(kind === 'exhausted' ? steps.slice(-1) : steps).flat(),
      ...assertion(proof.assertion, target, line),
    ],
  }
}

/** Replaced where forge-std is installed. */
const vmLine = 'AssayVm internal vm = AssayVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);'

const cheatInterface = (line: CompilerLine): string => `interface AssayVm {
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
`

const indent = (lines: readonly string[]): string => lines.map((line) => `        ${line}`).join('\n')

/** The contracts that the scene deploys, by name and file, as seen from beside the scanned file. */
const importsOf = ({ instances }: Chain, path: string): string => {
  const byPath = new Map<string, Set<string>>()
  for (const { contract } of instances)
    byPath.set(contract.path, (byPath.get(contract.path) ?? new Set()).add(contract.name))
  const lines = [...byPath].map(
    ([from, names]) => `import {${[...names].join(', ')}} from "${stringText(relativeImport(path, from))}";`,
  )
  return lines.join('\n')
}

/** A package is imported by its name from wherever the test lies. */
const isOfPackage = (path: string): boolean => path.startsWith('@')

const relativeImport = (path: string, target: string): string => {
  if (isOfPackage(target) && !isOfPackage(path)) return target
  const relative = posix.relative(posix.dirname(path), target)
  return relative.startsWith('.') ? relative : `./${relative}`
}

const importLines = /^import (?:\{[^}]*\} from )?"(?:[^"\\]|\\.)*";\n?/gm

/** A test that needs no other file: its imports are replaced by what they import, in the order of `importClosure`. */
export const inlineTarget = (test: string, files: readonly InputFile[]): string => {
  const at = test.search(importLines)
  const without = test.replace(importLines, '')
  return `${without.slice(0, at)}${flatten(files)}\n${without.slice(at)}`
}

/** Where a test lies, and whether forge-std is there. */
export interface TestPlace {
  /** From the test to the folder of the scanned file, as imports write it: `../src`. */
  readonly toSource: string
  readonly hasForgeStd: boolean
}

/** The test as it lies in a project: it imports the project's own source, and uses forge-std where it is installed. */
export const placeTest = (test: string, { toSource, hasForgeStd }: TestPlace): string => {
  const imported = test.replace(
    /^(import \{[^}]*\} from ")((?:[^"\\]|\\.)*)(";)$/gm,
    (_, head: string, path: string, tail: string) => {
      const moved = posix.join(toSource, path)
      if (isOfPackage(path)) return `${head}${path}${tail}`
      return `${head}${moved.startsWith('.') ? moved : `./${moved}`}${tail}`
    },
  )
  // forge-std begins with 0.6.2.
  return hasForgeStd && !/^pragma solidity >=0\.[45]\.0/m.test(test) ? withForgeStd(imported) : imported
}

/** `makeAddr` derives the very addresses that the prover uses, and labels them. */
const withForgeStd = (test: string): string =>
  test
    .replace(/^import \{/m, () => 'import {Test} from "forge-std/Test.sol";\nimport {')
    // Before 0.8 the encoder that forge-std's types need is enabled by every file that inherits from it.
    .replace(/^pragma solidity >=0\.[67]\.0.*$/m, (pragma) => `${pragma}\npragma experimental ABIEncoderV2;`)
    .replace(/^interface AssayVm \{[^}]*\}\n\n/m, '')
    .replace(`    ${vmLine}\n`, '')
    .replace(/^(contract \w+Test) \{$/m, '$1 is Test {')
    .replace(/^( {4}address internal (owner|alice|bob|attacker)) = 0x[0-9a-fA-F]{40};$/gm, '$1 = makeAddr("assay $2");')

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
  const isTyped = chain.compilation.line >= 6
  for (const actor of actors) names.set(chain.actors[actor], actor)
  for (const [name, address] of chain.standIns) names.set(address, variables[name])
  for (const { name, address } of chain.instances)
    names.set(address, isTyped ? `address(${instanceVariable(name)})` : instanceVariable(name))
  return names
}

const standInsIn = (steps: readonly Step[], body: string): StandIn[] => {
  const used = (Object.keys(variables) as StandIn[]).filter((name) => new RegExp(`\\b${variables[name]}\\b`).test(body))
  if (steps.some(({ kind }) => kind === 'force') && !used.includes('AssayForce')) used.push('AssayForce')
  for (const step of steps) if (step.kind === 'plant' && !used.includes(step.code)) used.push(step.code)
  return used
}

const addressIn = (name: string, line: CompilerLine): string =>
  line >= 6 ? `address(${instanceVariable(name)})` : instanceVariable(name)

const before = (assertion: Assertion, target: Instance, line: CompilerLine): string[] => {
  if (assertion.kind === 'gain')
    return [
      `uint256 lootBefore = ${lootOf(assertion.token, line)};`,
      ...(assertion.others ?? []).map(
        ({ asset }, at) => `uint256 ownedBefore${at + 1} = ${lootOf(asset ?? undefined, line)};`,
      ),
    ]
  if (assertion.kind === 'poorer') return [`uint256 heldBefore = ${heldBy(assertion.who, assertion.token, line)};`]
  if (assertion.kind === 'lost') return [`uint256 heldBefore = ${heldAt(target, assertion.token, line)};`]
  if (assertion.kind === 'unpaid') return [`uint256 heldBefore = ${assertion.recipient}.balance;`]
  return assertion.kind === 'drained' ? [`uint256 heldBefore = ${addressIn(target.name, line)}.balance;`] : []
}

const assertion = (given: Assertion, target: Instance, line: CompilerLine): string[] => {
  const where = addressIn(target.name, line)
  switch (given.kind) {
    case 'gain':
      return [
        given.least >= 0n
          ? `require(${lootOf(given.token, line)} >= lootBefore + ${amountExpression(given.least)}, "the attacker gained nothing");`
          : `require(${lootOf(given.token, line)} + ${amountExpression(-given.least)} >= lootBefore, "the attacker gained nothing");`,
        ...(given.others ?? []).map(
          ({ asset, change }, at) =>
            `require(${lootOf(asset ?? undefined, line)}${change < 0n ? ` + ${amountExpression(-change)}` : ''} >= ownedBefore${at + 1}, "the attacker paid for it");`,
        ),
      ]
    case 'poorer':
      return [
        given.most >= 0n
          ? `require(${heldBy(given.who, given.token, line)} <= heldBefore + ${given.most}, "nobody lost anything");`
          : `require(${heldBy(given.who, given.token, line)} + ${-given.most} <= heldBefore, "nobody lost anything");`,
      ]
    case 'lost':
      return [
        `require(${heldAt(target, given.token, line)} + ${amountExpression(given.least)} <= heldBefore, "the contract lost nothing");`,
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

const variableOf = ({ name }: Instance, line: CompilerLine): string =>
  variables[name as StandIn] ?? addressIn(name, line)

const lootOf = (token: Instance | undefined, line: CompilerLine): string =>
  token ? `lootIn(${variableOf(token, line)})` : 'loot()'

const heldBy = (who: Actor, token: Instance | undefined, line: CompilerLine): string =>
  token ? `AssayErc20(${variableOf(token, line)}).balanceOf(${who})` : `${who}.balance`

const heldAt = ({ name }: Instance, token: Instance | undefined, line: CompilerLine): string => {
  const where = addressIn(name, line)
  return token ? `AssayErc20(${variableOf(token, line)}).balanceOf(${where})` : `${where}.balance`
}

const slotCheck = (where: string, slot: bigint, value: bigint, otherwise: string): string =>
  `require(uint256(vm.load(${where}, bytes32(uint256(${slot})))) == ${value}, "${otherwise}");`

const payableAgent = (line: CompilerLine): string => {
  if (line === 4) return 'agent'
  return line === 5 ? 'address(uint160(agent))' : 'payable(agent)'
}

/** The attacker's holdings of a token, with those of the attacker's contracts. */
const tokenHelper = (line: CompilerLine, used: readonly StandIn[]): string => `
    function lootIn(address token_) internal ${line >= 5 ? 'view' : 'constant'} returns (uint256) {
        return ${['attacker', ...used.filter((name) => !notAttackers.has(name)).map((name) => variables[name])]
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
        vm.prank(who, who);
        ${forwardCall(line, 'most')}
    }
`

const deployHelper = (line: CompilerLine, body: string): string => {
  if (line < 5 || !/\bcreate\(/.test(body)) return ''
  return `
    function create(address who, uint256 value, bytes memory code) internal returns (address made) {
        vm.prank(who, who);
        assembly { made := create(value, add(code, 32), mload(code)) }
    }
`
}

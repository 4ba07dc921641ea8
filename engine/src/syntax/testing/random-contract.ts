/** Solidity by its grammar, from a seed: correct in form, mostly wrong in meaning, with names that refer to each other. */
import type { Random } from './mutate.ts'

/** How deep statements and expressions may nest, how often a list goes on, and how many of them there are in all. */
interface Size {
  readonly depth: number
  readonly length: number
  readonly parts: number
}

export function randomContract(random: Random): string {
  const size: Size = {
    depth: 2 + Math.floor(random() * 4),
    length: random() < 0.05 ? 30 : 4,
    parts: 20 + random() ** 3 * 3000,
  }
  const write = createWriter(random, size)
  return write.sourceUnit()
}

const NAMES = [
  'a',
  'b',
  'owner',
  'total',
  'balances',
  'items',
  'token',
  'data',
  'x',
  'y',
  'amount',
  'to',
  'locked',
  'config',
]
const CONTRACTS = ['A', 'B', 'C', 'Base', 'Vault', 'IToken', 'Lib']
const FUNCTIONS = ['f', 'g', 'withdraw', 'deposit', 'transfer', 'init', 'update', 'sweep', 'A', 'fallback_']
const MODIFIERS = ['onlyOwner', 'nonReentrant', 'when', 'm']
const TYPES = [
  'uint256',
  'uint8',
  'int128',
  'address',
  'address payable',
  'bool',
  'bytes',
  'bytes32',
  'string',
  'S',
  'E',
  'U',
]
const VERSIONS = ['^0.4.24', '0.5.17', '>=0.6.0 <0.8.0', '^0.8.20', '0.8.28', '*']
const BINARY = ['+', '-', '*', '/', '%', '**', '<<', '>>', '&', '|', '^', '&&', '||', '==', '!=', '<', '>', '<=', '>=']
const ASSIGN = ['=', '+=', '-=', '*=', '/=', '|=', '<<=', '>>=']
const GLOBALS = [
  ...[
    'msg.sender',
    'msg.value',
    'msg.data',
    'tx.origin',
    'block.timestamp',
    'block.number',
    'now',
    'this',
    'address(this).balance',
  ],
  ...[
    'blockhash(1)',
    'gasleft()',
    'abi.encodePacked(a, b)',
    'keccak256(data)',
    'type(uint256).max',
    'selfdestruct',
    'super.f',
  ],
]
const LITERALS = [
  '0',
  '1',
  '10 ether',
  '0x00',
  '0xffffffffffffffffffffffffffffffffffffffff',
  '"text"',
  'hex"00ff"',
  'true',
  '1e18',
  '1 days',
]
const YUL = [
  'add',
  'sub',
  'mul',
  'mload',
  'sload',
  'calldataload',
  'iszero',
  'not',
  'keccak256',
  'balance',
  'extcodesize',
]
const YUL_ACTS = [
  'mstore(0, x)',
  'sstore(a, x)',
  'return(0, 32)',
  'revert(0, 0)',
  'pop(call(gas(), to, 0, 0, 0, 0, 0))',
  'leave',
  'break',
  'continue',
  'invalid()',
]

function createWriter(random: Random, size: Size) {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const maybe = (chance: number, text: () => string): string => (random() < chance ? text() : '')
  const either = (...options: readonly (() => string)[]): string =>
    (options[Math.floor(random() * options.length)] ?? (() => ''))()
  const many = (part: () => string, joint = '\n', most = size.length): string =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, part).join(joint)
  const name = () => pick(NAMES)
  let left = size.parts
  /** Once enough is written, everything ends as soon as the grammar lets it. */
  const isDone = (depth: number): boolean => depth <= 0 || left-- <= 0

  const type = (depth = 2): string =>
    depth === 0
      ? pick(TYPES)
      : either(
          () => pick(TYPES),
          () => pick(TYPES),
          () => pick(CONTRACTS),
          () => `mapping(${pick(['address', 'uint256', 'bytes32'])} => ${type(depth - 1)})`,
          () => `${type(depth - 1)}[${maybe(0.4, () => pick(['2', '10', 'a']))}]`,
          () => `function(${pick(TYPES)}) external returns (bool)`,
        )
  const place = () => pick(['', '', ' memory', ' storage', ' calldata'])
  const parameters = () => many(() => `${type(1)}${place()} ${maybe(0.9, name)}`, ', ', 3)

  const expression = (depth = size.depth): string =>
    isDone(depth)
      ? either(
          name,
          name,
          () => pick(LITERALS),
          () => pick(GLOBALS),
        )
      : either(
          name,
          () => pick(LITERALS),
          () => pick(GLOBALS),
          () => `${expression(depth - 1)} ${pick(BINARY)} ${expression(depth - 1)}`,
          () => `(${expression(depth - 1)})`,
          () => `${pick(['!', '-', '~', '++', 'delete '])}${expression(depth - 1)}`,
          () => `${name()}${pick(['++', '--'])}`,
          () => `${expression(depth - 1)} ? ${expression(depth - 1)} : ${expression(depth - 1)}`,
          () => `${name()}[${expression(depth - 1)}]`,
          () => `${name()}[${expression(0)}:${maybe(0.5, () => expression(0))}]`,
          () => `${expression(depth - 1)}.${pick([...NAMES, 'length', 'push', 'balance', 'selector'])}`,
          () => `${pick(FUNCTIONS)}(${list(depth - 1)})`,
          () => `${pick(CONTRACTS)}(${expression(depth - 1)}).${pick(FUNCTIONS)}(${list(depth - 1)})`,
          () =>
            `${name()}.${pick(['call', 'delegatecall', 'send', 'transfer', 'staticcall'])}${maybe(0.4, () => `{value: ${expression(0)}${maybe(0.3, () => ', gas: 5000')}}`)}(${list(depth - 1)})`,
          () => `new ${pick([...CONTRACTS, 'bytes', 'uint256[]'])}(${list(depth - 1)})`,
          () => `${pick(TYPES)}(${expression(depth - 1)})`,
          () => `[${list(depth - 1) || '1'}]`,
        )
  const list = (depth: number) => many(() => expression(depth), ', ', 3)

  const yul = (depth = 2): string =>
    depth <= 0
      ? either(
          name,
          () => pick(['0', '1', '0xff']),
          () => `${name()}.slot`,
        )
      : `${pick(YUL)}(${many(() => yul(depth - 1), ', ', 2)})`
  const yulStatement = (depth: number): string =>
    isDone(depth)
      ? pick(YUL_ACTS)
      : either(
          () => pick(YUL_ACTS),
          () => `let ${name()} := ${yul()}`,
          () => `${name()} := ${yul()}`,
          () => `if ${yul()} { ${yulBlock(depth - 1)} }`,
          () => `for { let i := 0 } lt(i, ${yul(0)}) { i := add(i, 1) } { ${yulBlock(depth - 1)} }`,
          () =>
            `switch ${yul()} case 0 { ${yulBlock(depth - 1)} } ${maybe(0.6, () => `default { ${yulBlock(depth - 1)} }`)}`,
          () =>
            `function ${pick(FUNCTIONS)}(${many(name, ', ', 2)}) ${maybe(0.5, () => `-> ${name()} `)}{ ${yulBlock(depth - 1)} }`,
        )
  const yulBlock = (depth: number): string => many(() => yulStatement(depth), ' ', 3)

  const statement = (depth = size.depth): string =>
    isDone(depth)
      ? `${expression(1)};`
      : either(
          () => `${expression()};`,
          () => `${expression(1)} ${pick(ASSIGN)} ${expression()};`,
          () => `${type(1)}${place()} ${name()}${maybe(0.8, () => ` = ${expression()}`)};`,
          () => `(${many(name, ', ', 3)}) = ${expression()};`,
          () => `(bool ${name()}, ) = ${name()}.call{value: ${expression(1)}}("");`,
          () => `require(${expression()}${maybe(0.5, () => ', "no"')});`,
          () => `if (${expression()}) ${branch(depth)} ${maybe(0.4, () => `else ${branch(depth)}`)}`,
          () =>
            `for (${either(
              () => `uint i = 0;`,
              () => ';',
            )} ${maybe(0.8, () => expression(1))}; ${maybe(0.8, () => 'i++')}) ${branch(depth)}`,
          () => `while (${expression(1)}) ${branch(depth)}`,
          () => `do ${block(depth - 1)} while (${expression(1)});`,
          () =>
            `try ${pick(CONTRACTS)}(${name()}).${pick(FUNCTIONS)}(${list(0)}) ${maybe(0.5, () => `returns (${parameters()}) `)}${block(depth - 1)} ${many(() => `catch ${maybe(0.5, () => `Error(string memory ${name()}) `)}${block(depth - 1)}`, ' ', 2) || `catch ${block(0)}`}`,
          () => `unchecked ${block(depth - 1)}`,
          () => `assembly { ${yulBlock(depth)} }`,
          () => `return ${maybe(0.7, () => expression())};`,
          () => `emit ${pick(['Moved', 'Done'])}(${list(1)});`,
          () => `revert ${pick(['Denied', 'Short'])}(${list(1)});`,
          () => pick(['break;', 'continue;', '_;', 'throw;', 'delete a;', 'revert();', 'selfdestruct(msg.sender);']),
          () => block(depth - 1),
        )
  const branch = (depth: number) =>
    either(
      () => block(depth - 1),
      () => statement(depth - 1),
    )
  const block = (depth: number): string => (left <= 0 ? '{}' : `{\n${many(() => statement(depth))}\n}`)

  const modifiers = () => many(() => `${pick(MODIFIERS)}${maybe(0.3, () => `(${list(1)})`)}`, ' ', 2)
  const head = () =>
    `(${parameters()}) ${pick(['public', 'external', 'internal', 'private', ''])} ${pick(['', '', 'view', 'pure', 'payable', 'virtual', 'override'])} ${modifiers()} ${maybe(0.4, () => `returns (${parameters()})`)}`
  const member = (): string =>
    either(
      () =>
        `function ${pick(FUNCTIONS)}${head()} ${either(
          () => block(size.depth),
          () => block(size.depth),
          () => ';',
        )}`,
      () => `function ${pick(FUNCTIONS)}${head()} ${block(size.depth)}`,
      () =>
        `${type()} ${pick(['', 'public', 'private', 'internal', 'constant', 'immutable'])} ${name()}${maybe(0.4, () => ` = ${expression()}`)};`,
      () => `modifier ${pick(MODIFIERS)}${maybe(0.5, () => `(${parameters()})`)} ${block(size.depth)}`,
      () => `constructor(${parameters()}) ${modifiers()} ${block(size.depth)}`,
      () => `${pick(['receive()', 'fallback()', 'function()'])} external payable ${block(size.depth)}`,
      () => `struct S { ${many(() => `${type(1)} ${name()};`, ' ')} }`,
      () => `enum E { ${NAMES.slice(0, 3).join(', ')} }`,
      () => `event Moved(${many(() => `${pick(TYPES)} ${maybe(0.5, () => 'indexed ')}${name()}`, ', ', 3)});`,
      () => `error Denied(${parameters()});`,
      () => `using Lib for ${pick([...TYPES, '*'])};`,
      () => `type U is uint256;`,
    )
  const contract = () =>
    `${pick(['contract', 'contract', 'abstract contract', 'library', 'interface'])} ${pick(CONTRACTS)} ${maybe(0.5, () => `is ${many(() => `${pick(CONTRACTS)}${maybe(0.2, () => `(${list(1)})`)}`, ', ', 2) || 'Base'}`)} {\n${many(member, '\n', size.length * 3)}\n}`

  return {
    sourceUnit: (): string =>
      [
        `pragma solidity ${pick(VERSIONS)};`,
        maybe(0.2, () => 'import {A as B} from "./a.sol";'),
        many(contract, '\n\n', size.length),
        maybe(0.2, () => `function ${pick(FUNCTIONS)}${head()} ${block(size.depth)}`),
        contract(),
      ].join('\n'),
  }
}

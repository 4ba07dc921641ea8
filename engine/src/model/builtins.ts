/** Names that the language itself brings: globals, members of `msg`, `block`, `tx`, `abi` and of elementary types. */
import type { Builtin, Type } from './declaration.ts'
import {
  address,
  bool,
  builtinFunction,
  bytes,
  bytes4,
  bytes32,
  emptyTuple,
  fixedBytes,
  magic,
  payableAddress,
  string,
  uint8,
  uint256,
} from './type-table.ts'

const memoryBytes = bytes('memory')
const anything: Type[] = []

const builtin = (name: string, type: Type): Builtin => ({ kind: 'builtin', name, type })
const call = (name: string, params: readonly Type[], returns: readonly Type[]): [string, Builtin] => [
  name,
  builtin(name, builtinFunction(name, params, returns)),
]
const value = (name: string, type: Type): [string, Builtin] => [name, builtin(name, type)]

export const globals: ReadonlyMap<string, Builtin> = new Map([
  value('msg', magic.msg),
  value('block', magic.block),
  value('tx', magic.tx),
  value('abi', magic.abi),
  value('now', uint256),
  // Their types depend on where they stand.
  value('this', emptyTuple),
  value('super', emptyTuple),
  call('require', [bool], []),
  call('assert', [bool], []),
  call('revert', anything, []),
  call('keccak256', [memoryBytes], [bytes32]),
  call('sha3', [memoryBytes], [bytes32]),
  call('sha256', [memoryBytes], [bytes32]),
  call('ripemd160', [memoryBytes], [fixedBytes(20)]),
  call('ecrecover', [bytes32, uint8, bytes32, bytes32], [address]),
  call('addmod', [uint256, uint256, uint256], [uint256]),
  call('mulmod', [uint256, uint256, uint256], [uint256]),
  call('selfdestruct', [payableAddress], []),
  call('suicide', [payableAddress], []),
  call('blockhash', [uint256], [bytes32]),
  call('blobhash', [uint256], [bytes32]),
  call('erc7201', [string('memory')], [uint256]),
  call('gasleft', [], [uint256]),
  call('type', anything, []),
  call('log0', anything, []),
  call('log1', anything, []),
  call('log2', anything, []),
  call('log3', anything, []),
  call('log4', anything, []),
])

const members = (prefix: string, entries: readonly (readonly [string, Type])[]): ReadonlyMap<string, Builtin> =>
  new Map(entries.map(([name, type]) => [name, builtin(prefix + name, type)]))
const fn = (name: string, params: readonly Type[], returns: readonly Type[]): readonly [string, Type] => [
  name.slice(name.indexOf('.') + 1),
  builtinFunction(name, params, returns),
]

export const magicMembers = {
  msg: members('msg.', [
    ['sender', payableAddress],
    ['value', uint256],
    ['data', bytes('calldata')],
    ['sig', bytes4],
    ['gas', uint256],
  ]),
  block: members('block.', [
    ['timestamp', uint256],
    ['number', uint256],
    ['difficulty', uint256],
    ['prevrandao', uint256],
    ['coinbase', payableAddress],
    ['gaslimit', uint256],
    ['chainid', uint256],
    ['basefee', uint256],
    ['blobbasefee', uint256],
    fn('block.blockhash', [uint256], [bytes32]),
  ]),
  tx: members('tx.', [
    ['origin', payableAddress],
    ['gasprice', uint256],
  ]),
  abi: members('', [
    fn('abi.encode', anything, [memoryBytes]),
    fn('abi.encodePacked', anything, [memoryBytes]),
    fn('abi.encodeWithSelector', anything, [memoryBytes]),
    fn('abi.encodeWithSignature', anything, [memoryBytes]),
    fn('abi.encodeCall', anything, [memoryBytes]),
    fn('abi.decode', anything, []),
  ]),
} as const satisfies Record<string, ReadonlyMap<string, Builtin>>

const addressCalls = (returns: readonly Type[]) =>
  members('', [
    ['balance', uint256],
    ['code', memoryBytes],
    ['codehash', bytes32],
    fn('call', [memoryBytes], returns),
    fn('delegatecall', [memoryBytes], returns),
    fn('staticcall', [memoryBytes], returns),
    fn('callcode', [memoryBytes], returns),
    fn('send', [uint256], [bool]),
    fn('transfer', [uint256], []),
  ])
/** From 0.5 on low-level calls give back the data as well. */
export const addressMembers = addressCalls([bool, memoryBytes])
export const oldAddressMembers = addressCalls([bool])

export const bytesMembers = members('', [['length', uint256]])
export const fixedBytesMembers = members('', [['length', uint8]])
export const functionMembers = members('', [
  ['selector', bytes4],
  ['address', address],
])
export const eventMembers = members('', [['selector', bytes32]])
export const errorMembers = members('', [['selector', bytes4]])
export const concatenation = {
  bytes: builtin('bytes.concat', builtinFunction('bytes.concat', anything, [memoryBytes])),
  string: builtin('string.concat', builtinFunction('string.concat', anything, [string('memory')])),
} as const

const instruction = (name: string): [string, Builtin] => [name, builtin(name, builtinFunction(name, [], []))]

/** The instructions of Yul and of the older assembly, by name. */
export const instructions: ReadonlyMap<string, Builtin> = new Map(
  (
    'stop add sub mul div sdiv mod smod exp not lt gt slt sgt eq iszero and or xor byte shl shr sar clz addmod mulmod ' +
    'signextend keccak256 sha3 pc pop mload mstore mstore8 sload sstore tload tstore msize gas address balance ' +
    'selfbalance caller callvalue calldataload calldatasize calldatacopy codesize codecopy extcodesize extcodecopy ' +
    'returndatasize returndatacopy mcopy extcodehash create create2 call callcode delegatecall staticcall return ' +
    'revert selfdestruct suicide invalid log0 log1 log2 log3 log4 chainid basefee blobbasefee origin gasprice ' +
    'blockhash blobhash coinbase timestamp number difficulty prevrandao gaslimit jump jumpi dup1 swap1 ' +
    'datasize dataoffset datacopy setimmutable loadimmutable linkersymbol memoryguard verbatim'
  )
    .split(' ')
    .map(instruction),
)

import { expect, test } from 'vitest'
import { modelOf, place, typeAt } from './testing/model-probe.ts'

test('state, parameters and locals carry their types and locations', () => {
  const { model } =
    modelOf(`pragma solidity ^0.8.0; contract A { enum Kind { X } struct S { uint[2] a; mapping(address => Kind) m; }
    mapping(address owner => mapping(uint => S)) public all; S[] list; uint constant SIZE = 2 ** 3; bytes32[SIZE + 1] fixedOnes;
    function f(S memory s, uint[] calldata c, address payable p) external {} }`)
  const [contract] = model.contracts
  expect(contract?.stateVariables.map((variable) => model.describe(variable.type))).toEqual([
    'mapping(address => mapping(uint256 => A.S))',
    'A.S[] storage',
    'uint256',
    'bytes32[9] storage',
  ])
  expect(contract?.functions[0]?.params.map((param) => model.describe(param.type))).toEqual([
    'A.S memory',
    'uint256[] calldata',
    'address payable',
  ])
})

test('signatures use canonical types', () => {
  const { model } =
    modelOf(`pragma solidity ^0.8.8; type Price is uint128; interface T {} contract A { enum Kind { X } struct S { uint a; T t; }
    function f(uint a, T t, Kind k, S[] memory s, Price p, bytes calldata b, function() external g) public {} }`)
  expect(model.contracts[1]?.functions[0]?.signature).toBe(
    'f(uint256,address,uint8,(uint256,address)[],uint128,bytes,function)',
  )
})

test('a literal is raised and shifted in the type of the other side before 0.7, in 256 bits from then on', () => {
  const body = 'contract A { function f(uint8 small, uint big) public { 10 ** big; 10 ** small; 1 << small; } }'
  const old = modelOf(`pragma solidity 0.6.12; ${body}`)
  expect(typeAt(old, '10 ** big', 'Binary')).toBe('uint256')
  expect(typeAt(old, '10 ** small', 'Binary')).toBe('uint8')
  expect(typeAt(old, '1 << small', 'Binary')).toBe('uint8')
  const recent = modelOf(`pragma solidity 0.8.20; ${body}`)
  expect(typeAt(recent, '10 ** small', 'Binary')).toBe('uint256')
})

test('expressions', () => {
  const probe =
    modelOf(`pragma solidity ^0.8.0; contract A { mapping(address => uint8[]) m; struct S { address owner; } S s; bytes b;
    function f(uint8 small, uint big, int256 i, bool c) public {
      small + big; small ** big; m[msg.sender][0]; s.owner; b[0]; c ? small : big; big == 1; (small, c); [small, 300]; -i; 1 ether + 2; this.f; type(uint8).max; msg.data[4:]; block.timestamp; address(this).balance; } }`)
  expect(typeAt(probe, 'small + big', 'Binary')).toBe('uint256')
  expect(typeAt(probe, 'small ** big', 'Binary')).toBe('uint8')
  expect(typeAt(probe, 'm[msg.sender][0]', 'Index')).toBe('uint8')
  expect(typeAt(probe, 's.owner', 'Member')).toBe('address')
  expect(typeAt(probe, 'b[0]', 'Index')).toBe('bytes1')
  expect(typeAt(probe, 'c ? small', 'Conditional')).toBe('uint256')
  expect(typeAt(probe, 'big == 1', 'Binary')).toBe('bool')
  expect(typeAt(probe, '(small, c)', 'Tuple')).toBe('(uint8, bool)')
  expect(typeAt(probe, '[small, 300]', 'ArrayLiteral')).toBe('uint16[2] memory')
  expect(typeAt(probe, '-i', 'Unary')).toBe('int256')
  expect(typeAt(probe, '1 ether + 2', 'Binary')).toBe('1000000000000000002')
  expect(typeAt(probe, 'type(uint8).max', 'Member')).toBe('uint8')
  expect(typeAt(probe, 'msg.data[4:]', 'Slice')).toBe('bytes calldata')
  expect(typeAt(probe, 'block.timestamp', 'Member')).toBe('uint256')
  expect(typeAt(probe, 'address(this).balance', 'Member')).toBe('uint256')
})

test('`var` takes the type of its value', () => {
  const probe = modelOf(`pragma solidity ^0.4.20; contract A { function g() returns (address, bool) {} function f() {
    var n = 200; var (a, b) = g(); n; a; b; } }`)
  expect(typeAt(probe, 'n; a', 'Identifier')).toBe('uint8')
  expect(typeAt(probe, 'a; b', 'Identifier')).toBe('address')
  expect(typeAt(probe, 'b; }', 'Identifier')).toBe('bool')
})

test('equal types are one object', () => {
  const { model } = modelOf('contract A { mapping(address => uint[]) a; mapping(address => uint256[]) b; }')
  const [a, b] = model.contracts[0]?.stateVariables ?? []
  expect(a?.type).toBe(b?.type)
})

test.each([
  ['2 ** 255 - 1', 2n ** 255n - 1n],
  ['1.5 ether', 1_500_000_000_000_000_000n],
  ['0xff & 15', 15n],
  ['7 / 2 * 2', 7n],
  ['1e3 + 2 days', 1000n + 172800n],
  ['type(int8).min', -128n],
  ['type(uint256).max', 2n ** 256n - 1n],
  ['uint8(300)', 44n],
  ['FEE * 2', 60n],
  ['uint(Kind.B)', 1n],
  ['FEE > 10 ? 1 : 2', 1n],
  ['~uint8(1)', 254n],
  ['1 << 4', 16n],
  ['!true', false],
  ['"text"', 'text'],
  ['FEE + stored', undefined],
  ['SELF', undefined],
  ['type(uint256).max + 1', undefined],
])('the constant %s', (text, value) => {
  const probe =
    modelOf(`pragma solidity ^0.8.0; contract A { enum Kind { A, B } uint constant FEE = 30; uint constant SELF = SELF + 1; uint stored;
    function f() public { uint x = (${text}); } }`)
  const node = place(probe, `(${text})`, 'Tuple')
  expect(probe.model.constantValue(node)).toBe(value)
})

test('powers that nobody can hold are not computed', () => {
  const probe = modelOf('contract A { function f() public { uint x = (2 ** 2 ** 40); uint y = (1 << 99999999); } }')
  expect(probe.model.constantValue(place(probe, '(2 ** 2', 'Tuple'))).toBeUndefined()
  expect(probe.model.constantValue(place(probe, '(1 << 9', 'Tuple'))).toBeUndefined()
})

test('expressions of ten thousand levels are typed without recursion', () => {
  const sum = `first + ${Array.from({ length: 10_000 }, () => 'a').join(' + ')}`
  const probe = modelOf(
    `pragma solidity ^0.8.0; contract A { function f(uint a, uint first) public returns (uint) { return ${sum}; } }`,
  )
  expect(typeAt(probe, 'first + a', 'Binary')).toBe('uint256')
})

test('the signature of structs that hold themselves, or double with each level, stays short', () => {
  const levels = Array.from({ length: 20 }, (_, n) => `struct S${n + 1} { S${n} a; S${n} b; S${n}[] c; }`).join(' ')
  const { model } = modelOf(`pragma solidity ^0.8.0;
    contract A {
      struct S0 { uint a; } ${levels}
      struct Node { uint value; Node[] children; mapping(uint => Node) others; }
      function deep(S20 memory a) internal {}
      function flat(S1 memory a, S1 memory b) external {}
      function tree(Node storage a) internal {}
    }`)
  const [deep, flat, tree] = model.contracts[0]!.functions.map((fn) => fn.signature)
  expect(deep!.length).toBeLessThan(20_000)
  expect(flat).toBe('flat(((uint256),(uint256),(uint256)[]),((uint256),(uint256),(uint256)[]))')
  expect(tree).toBe('tree((uint256,Node[],mapping(uint256 => Node)))')
})

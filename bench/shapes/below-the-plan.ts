/** Many definitions, each below the free plan's 5,120 bytes, and 50 to 100 KB at eight times the smallest size. */
import { type Shapes, times } from './write.ts'

const pragma = 'pragma solidity ^0.8.0;\n'

const nested = (open: string, inside: string, close: string, depth: number): string =>
  open.repeat(depth) + inside + close.repeat(depth)

/** Bases whose public functions pay by a call before they update a balance, and a contract that inherits them all. */
const payingBases = (count: number): string =>
  `${times(count, (b) => `contract B${b} { mapping(address => uint) m${b};\n${times(20, (i) => `function g${b}_${i}(address t, uint a) public { (bool ok, ) = t.call{value: m${b}[t]}(""); require(ok); m${b}[t] -= a; }`)} }`)}\ncontract H is ${times(count, (b) => `B${b}`, ', ')} {}`

export const belowThePlan: Shapes = {
  'contracts derived from twelve bases with external calls': [
    150,
    (n) => `${pragma}${payingBases(12)}\n${times(n, (i) => `contract H${i} is H { uint h${i}; }`)}`,
  ],
  'contracts with 120 modifiers on each function': [
    7,
    (n) =>
      `${pragma}contract A { uint s;\n${times(60, (i) => `modifier m${i}(uint a){require(a>1);_;}`)} }\ncontract B is A {\n${times(60, (i) => `modifier m${i + 60}(uint a){require(a>1);_;}`)} }\n${times(n, (c) => `contract C${c} is B {\n${times(2, (i) => `function f${i}(uint a) public ${times(120, (j) => `m${j}(a)`, ' ')} { s += a; }`)} }`)}`,
  ],
  'super called twice': [
    110,
    (n) =>
      `${pragma}contract B0 { uint s; function f() public virtual { s++; } }\n${times(n, (i) => `contract B${i + 1} is B${i} { function f() public virtual override { super.f(); super.f(); } }`)}`,
  ],
  'powers of powers': [
    30,
    (n) =>
      times(
        n,
        (i) =>
          `contract C${i} { uint constant A = ${times(60, () => '2', '**')}; uint constant B = 10**77*10**77*${i}; uint constant D = (2**255)**(2**255)**(2**${i}); function f() public pure returns (uint) { return A ** B ** D << 2**200; } }`,
      ),
  ],
  'doubling constants': [
    150,
    (n) =>
      `${pragma}uint constant K0 = 1;\n${times(n, (i) => `uint constant K${i + 1} = K${i} + K${i} * K${i} - K${i};`)}\ncontract C { uint[K${n}] a; function f() public pure returns (uint) { return K${n}; } }`,
  ],
  'doubling constants, contract by contract': [
    40,
    (n) =>
      times(
        n,
        (c) =>
          `contract C${c} { uint constant K0 = 2;\n${times(8, (i) => `uint constant K${i + 1} = K${i} * K${i};`)} uint[K8] a; function f() public { a[K8 - 1] = K8; } }`,
      ),
  ],
  'overloads by the dozen': [
    6,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { uint s;\n${times(32, (i) => `function f(uint${i * 8 + 8} a, bytes${i + 1} b) internal { s = ${i}; }`)}\nfunction g() public { ${times(32, (i) => `f(${i}, 0x00);`, ' ')} } }`)}`,
  ],
  'nests of loops': [
    14,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { uint s; function f(uint a) public { ${nested('for (uint i = 0; i < a; i++) { ', 's += a;', ' }', 24)} } }`)}`,
  ],
  'Yul functions, contract by contract': [
    7,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { function f(uint a) public { assembly {\n${times(24, (i) => `function g${i}(x) -> y { y := add(g${(i + 1) % 24}(x), g${(i * 5 + 3) % 24}(x)) sstore(y, x) }`)} sstore(a, g0(a)) } } }`)}`,
  ],
  'ternaries in ternaries': [
    16,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { uint s; function f(uint a) public { s = ${nested('(a > 1 ? a : s > 2 ? ', '1', ' : 3)', 25)}; } }`)}`,
  ],
  'tuples of many': [
    7,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { uint s; function f(uint a) public {\n${times(14, (i) => `(uint a${i}, uint b${i}, uint c${i}, ) = (a + ${i}, s, a * s, a); (a${i}, b${i}, c${i}) = (c${i}, a${i}, b${i}); s += a${i};`)} } }`)}`,
  ],
  'mappings of 180 levels': [
    3,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { ${nested('mapping(uint => ', 'uint', ')', 180)} m; function f(uint a) public { m${'[a]'.repeat(180)} += a; } }`)}`,
  ],
  'try in every branch': [
    12,
    (n) =>
      `${pragma}interface I { function g(uint) external returns (uint); }\n${times(n, (c) => `contract C${c} { uint s; function f(I t, uint a) public { ${nested('try t.g(a) returns (uint r) { s += r; ', 's++;', ' } catch Error(string memory) { s--; } catch { revert(); }', 8)} } }`)}`,
  ],
  'function pointers in arrays': [
    9,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { uint s; function(uint) internal[] p;\n${times(10, (i) => `function g${i}(uint a) internal { s += a; p[a](${i}); } function h${i}() public { p.push(g${i}); }`)}\nfunction run(uint a) public { p[a](a); p[a + 1](s); } }`)}`,
  ],
  'brackets by the thousand': [
    3,
    (n) => `${pragma}${times(n, (c) => `contract C${c} { uint x = ${nested('(', '1', ')', 2_300)}; }`)}`,
  ],
  'structs of two structs': [
    200,
    (n) =>
      `${pragma}struct S0 { uint a; }\n${times(n, (i) => `struct S${i + 1} { S${i} a; S${i} b; }`)}\ncontract C { S${n} s; function f(S${n} memory t) public { s = t; } }`,
  ],
  'arrays of arrays': [
    12,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { uint${'[]'.repeat(150)} a; function f(uint i) public { a${'[i]'.repeat(150)} = i; delete a${'[i]'.repeat(75)}; } }`)}`,
  ],
  'strings joined': [
    14,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { string s; function f(string memory a) public { s = ${nested('string.concat(a, ', '"x"', ')', 40)}; } }`)}`,
  ],
  'encodings of encodings': [
    14,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { bytes32 s; function f(bytes memory a) public { s = keccak256(${nested('abi.encode(a, ', 'a', ')', 48)}); } }`)}`,
  ],
  'chains of unary operators': [
    5,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { int s; bool b; function f(int a) public { s = ${'- ~ '.repeat(400)}a; b = ${'!'.repeat(600)}b; } }`)}`,
  ],
  'operators of user-defined types': [
    45,
    (n) =>
      `${pragma}${times(n, (i) => `type T${i} is uint; using { add${i} as + } for T${i} global; function add${i}(T${i} a, T${i} b) pure returns (T${i}) { return T${i}.wrap(T${i}.unwrap(a) + T${i}.unwrap(b)); } contract C${i} { T${i} s; function f(T${i} a) public { s = s + a + s + a; } }`)}`,
  ],
  'contracts that create the next': [
    70,
    (n) =>
      `${pragma}${times(n, (i) => `contract C${i} { C${i + 1} a; C${i + 1} b; constructor() payable { a = new C${i + 1}(); b = new C${i + 1}{value: 1}(); } }`)}\ncontract C${n} { constructor() payable {} }`,
  ],
  'constructors with arguments for all bases': [
    70,
    (n) =>
      `${pragma}contract B0 { uint s0; constructor(uint a) { s0 = a; } }\n${times(n, (i) => `contract B${i + 1} is B${i} { uint s${i + 1}; constructor(uint a) B${i}(a + a * ${i}) { s${i + 1} = s${i} + a; } }`)}`,
  ],
  'modifiers that call guarded functions': [
    50,
    (n) =>
      `${pragma}contract C0 { uint s; modifier m0() { _; } function f0() internal virtual m0 { s++; } }\n${times(n, (i) => `contract C${i + 1} is C${i} { modifier m${i + 1}() { f${i}(); _; f${i}(); } function f${i + 1}() internal virtual m${i + 1} m${i} { f${i}(); } function g${i + 1}() public m${i + 1} { s--; } }`)}`,
  ],
  'events and errors with many arguments': [
    6,
    (n) =>
      `${pragma}${times(n, (c) => `contract C${c} { ${times(4, (e) => `event E${e}(${times(15, (i) => `uint a${i}`, ', ')}); error X${e}(${times(15, (i) => `uint a${i}`, ', ')});`, ' ')} function f(uint a) public { ${times(4, (e) => `emit E${e}(${times(15, (i) => `a + ${i}`, ', ')}); if (a > ${e}) revert X${e}(${times(15, (i) => `a * ${i}`, ', ')});`, ' ')} } }`)}`,
  ],
}

/** Contracts that hold a prover: each has an open payment, which is a finding, and something that costs far more than it looks. */

const open = 'function pay(uint n) external { payable(msg.sender).transfer(n); }\nreceive() external payable {}'

const contract = (inside: string, pragma = '0.8.30'): string =>
  `pragma solidity ${pragma};\ncontract C {\n${inside}\n${open}\n}\n`

/** A call of a precompile, so often and over so many bytes. */
const precompile = (address: number, bytes: number, rounds: number): string =>
  `assembly { let p := mload(0x40) mstore(p, shl(224, 0x02625a00)) mstore8(add(p, 212), 1) for { let i := 0 } lt(i, ${rounds}) { i := add(i, 1) } { pop(staticcall(gas(), ${address}, p, ${bytes}, p, 64)) } }`

const lines = (count: number, write: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => write(i)).join('\n')

export const proofBombs: Readonly<Record<string, string>> = {
  'a BLAKE2 of forty million rounds in the constructor': contract(`constructor() { ${precompile(9, 213, 1)} }`),
  'a BLAKE2 in every function': contract(lines(20, (i) => `function f${i}() external { ${precompile(9, 213, 8)} }`)),
  'pairings in the constructor': contract(`constructor() { ${precompile(8, 1_920, 1_000)} }`),
  'modular powers in the constructor': contract(
    `constructor() { assembly { let p := mload(0x40) mstore(p, 512) mstore(add(p, 32), 512) mstore(add(p, 64), 512) for { let i := 96 } lt(i, 1632) { i := add(i, 32) } { mstore(add(p, i), not(0)) } for { let i := 0 } lt(i, 200) { i := add(i, 1) } { pop(staticcall(gas(), 5, p, 1632, p, 512)) } } }`,
  ),
  'a constructor without end': contract('uint x; constructor() { while (true) x++; }'),
  'a function without end': contract('uint x; function f() external { while (true) x++; }'),
  'hashes over a megabyte': contract(
    'bytes32 h; function f(uint n) external { bytes memory b = new bytes(1000000); for (uint i = 0; i < n; i++) h = keccak256(b); }',
  ),
  'contracts that create themselves': contract(
    'function f() external { for (uint i = 0; i < 1000; i++) new D(); }',
  ).concat(
    'contract D { uint[100] x; constructor() { for (uint i = 0; i < 100; i++) x[i] = i + 1; new E(); } }\ncontract E { uint x = 1; }',
  ),
  'calls of itself with all gas': contract(
    'uint x; function f() public { x++; try this.f() {} catch {} try this.f() {} catch {} }',
  ),
  'forty contracts with slow constructors': `pragma solidity 0.8.30;\n${lines(40, (c) => `contract C${c} { uint x; constructor() { for (uint i = 0; i < 3000; i++) x += i; }\n${open} }`)}`,
  'a payment in each of forty functions': contract(
    lines(
      40,
      (i) => `function f${i}(uint n) external { for (uint i = 0; i < 200; i++) n++; payable(msg.sender).transfer(n); }`,
    ),
  ),
  'structs of lists of structs, encoded': contract(
    `struct S0 { uint[] a; string b; }\n${lines(14, (i) => `struct S${i + 1} { S${i}[] a; S${i} b; mapping(uint => uint)[0] c; }`.replace(' mapping(uint => uint)[0] c;', ''))}\nfunction g(S14 calldata s) external returns (S14 memory) { return s; }\nfunction h(S13[][] memory s) public returns (bytes memory) { return abi.encode(s); }`,
  ),
  'a compiler that is asked to prove': contract(
    'uint x; function f(uint a, uint b, uint c, uint d) external { require(a * b * c * d == 12345678901234567891 && a > 1 && b > 1 && c > 1 && d > 1); x = a ** b % c; assert(x != d * d * d); }',
    '0.7.6',
  ).replace(';\n', ';\npragma experimental SMTChecker;\n'),
  'expressions that the optimizer turns over': contract(
    `uint s; ${lines(30, (i) => `function f${i}(uint a) external { unchecked { s = ${Array.from({ length: 100 }, (_, n) => `(a ${'+*-^&|'[n % 6]} ${n + i})`).join(' * ')}; } }`)}`,
  ),
}

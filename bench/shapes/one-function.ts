/** One function that holds more and more of one thing. */
import { contract, one, type Shapes, times, tokens } from './write.ts'

export const inOneFunction: Shapes = {
  'signers in one function': [
    20,
    (n) =>
      contract(
        `address o; mapping(address=>uint) m; function f(bytes32 h, uint8 v, bytes32 r, bytes32 ss, uint a) public {\n${times(n, (i) => `{ address x${i} = ecrecover(keccak256(abi.encode(h, ${i})), v, r, ss); require(x${i} == o); m[x${i}] += a; }`)} }`,
      ),
  ],
  asserts: [50, (n) => one(times(n, (i) => `assert(a != ${i}); s += ${i};`))],
  'asserts of state': [50, (n) => one(times(n, (i) => `assert(s > ${i}); s += a;`))],
  'divide then multiply': [40, (n) => one(times(n, (i) => `s = s / ${i + 2} * a;`))],
  'quotients reused': [40, (n) => one(times(n, (i) => `uint q${i} = a / (s + ${i}); m[t] += q${i} * a;`))],
  'transferFrom in one function': [
    25,
    (n) =>
      `${tokens}contract C { IERC20 t; mapping(address=>uint) m; function f(address x, uint a) public {\n${times(n, (i) => `t.transferFrom(msg.sender, x, a + ${i}); m[msg.sender] += a;`)} } }`,
  ],
  'deadlines in one function': [
    30,
    (n) => one(times(n, (i) => `if (block.timestamp > s + ${i}) m[t] += a; else s = block.timestamp + ${i};`)),
  ],
  'timestamps as numbers': [
    30,
    (n) =>
      one(
        times(
          n,
          (i) =>
            `if (uint(keccak256(abi.encodePacked(block.timestamp, a, s))) % ${i + 2} == 0) payable(t).transfer(${i});`,
        ),
      ),
  ],
  casts: [40, (n) => one(times(n, (i) => `s += uint${(i % 31) * 8 + 8}(a); m[t] = uint128(uint64(s));`))],
  'signed casts': [
    40,
    (n) =>
      contract(
        `int z; mapping(address=>int) m; function f(uint a, int b) public {\n${times(n, (i) => `z += int(a) - b; m[msg.sender] -= int128(z); require(z > ${i});`)} }`,
      ),
  ],
  'assembly slots computed': [
    30,
    (n) => one(times(n, (i) => `assembly { let p := add(a, ${i}) sstore(p, sload(add(p, 1))) }`)),
  ],
  'assembly hashed slots': [
    30,
    (n) =>
      one(
        times(
          n,
          (i) => `assembly { mstore(0, a) mstore(32, ${i}) sstore(keccak256(0, 64), add(sload(keccak256(0, 64)), 1)) }`,
        ),
      ),
  ],
  'assembly calls': [
    30,
    (n) =>
      one(
        times(
          n,
          (i) =>
            `assembly { let ok${i} := call(gas(), t, a, 0, ${i}, 0, 0) if iszero(ok${i}) { revert(0, 0) } sstore(${i}, a) }`,
        ),
      ),
  ],
  'assembly memory': [
    40,
    (n) =>
      one(
        `assembly { let p := mload(0x40) ${times(n, (i) => `mstore(add(p, ${i * 32}), a)`)} sstore(0, keccak256(p, ${n * 32})) }`,
      ),
  ],
  create2: [
    30,
    (n) =>
      `contract D { constructor(address a) payable {} }\n${one(times(n, (i) => `D d${i} = new D{salt: bytes32(a + ${i}), value: ${i}}(t); m[address(d${i})] = a;`))}`,
  ],
  delegatecalls: [
    30,
    (n) =>
      one(
        times(
          n,
          (i) =>
            `{ (bool ok, ) = t.delegatecall(abi.encodeWithSignature("f${i}(uint256)", a)); require(ok); s += ${i}; }`,
        ),
      ),
  ],
  encodePacked: [
    30,
    (n) =>
      contract(
        `mapping(bytes32=>bool) u; function f(string memory a, string memory b, bytes memory c) public {\n${times(n, (i) => `u[keccak256(abi.encodePacked(a, b, ${i}, c))] = true;`)} }`,
      ),
  ],
  'mappings of mappings': [
    30,
    (n) =>
      contract(
        `mapping(address=>mapping(address=>mapping(uint=>uint))) al; function f(uint a, address t) public {\n${times(n, (i) => `al[msg.sender][t][a + ${i}] += a; al[t][msg.sender][${i}] -= a;`)} }`,
      ),
  ],
  'nested structs': [
    25,
    (n) =>
      contract(
        `struct A { uint x; uint y; } struct B { A a; mapping(address=>A) as_; } struct D { B b; A[] l; } mapping(address=>D) ds; function f(uint a, address t) public {\n${times(n, (i) => `ds[t].b.a.x += a; ds[t].b.as_[msg.sender].y -= a; ds[msg.sender].l.push(A(a, ${i}));`)} }`,
      ),
  ],
  'storage pointers': [
    30,
    (n) =>
      contract(
        `struct A { uint x; uint y; address o; } mapping(uint=>A) as_; function f(uint a) public {\n${times(n, (i) => `A storage p${i} = as_[a + ${i}]; require(p${i}.o == msg.sender); p${i}.x += a; p${i}.y -= a;`)} }`,
      ),
  ],
  'memory structs': [
    30,
    (n) =>
      contract(
        `struct A { uint x; uint y; address o; } mapping(uint=>A) as_; function f(uint a) public {\n${times(n, (i) => `A memory p${i} = as_[a + ${i}]; p${i}.x += a; as_[p${i}.y] = p${i};`)} }`,
      ),
  ],
  'try in try': [
    6,
    (n) =>
      one(
        `${times(n, (i) => `try I(t).g${i}(a) returns (uint r${i}) { s += r${i};`)} ${times(n, (i) => `} catch { s = ${i}; }`)}`,
      ),
  ],
  'ternaries in arguments': [
    30,
    (n) =>
      contract(
        `uint s; function g(uint a, uint b) internal { s += a * b; } function f(uint a, uint b) public {\n${times(n, (i) => `g(a > ${i} ? a : b, b > ${i} ? s : a);`)} }`,
      ),
  ],
  'payments in loops': [
    20,
    (n) =>
      contract(
        `uint s; mapping(address=>uint) m; function f(address payable[] memory l) public {\n${times(n, (_i) => `for (uint i = 0; i < l.length; i++) { l[i].transfer(m[l[i]]); m[l[i]] = 0; }`)} }`,
      ),
  ],
  'payments in loops over state': [
    20,
    (n) =>
      contract(
        `address payable[] l; mapping(address=>uint) m; function add() public payable { l.push(payable(msg.sender)); m[msg.sender] += msg.value; } function f() public {\n${times(n, (_i) => `for (uint i = 0; i < l.length; i++) { l[i].transfer(m[l[i]]); m[l[i]] = 0; }`)} }`,
      ),
  ],
  'tuples from functions': [
    25,
    (n) =>
      contract(
        `uint s; function g(uint a) internal view returns (uint, uint, uint) { return (a, s, a + s); } function f(uint a) public {\n${times(n, (i) => `{ (uint x, , uint z) = g(a + ${i}); s = x * z; }`)} }`,
      ),
  ],
  'tuple swaps': [
    30,
    (n) =>
      contract(
        `uint x; uint y; uint z; function f(uint a) public {\n${times(n, (_i) => `(x, (y, z)) = (y, (z, x + a));`)} }`,
      ),
  ],
  'tx.origin in one function': [30, (n) => one(times(n, (i) => `require(tx.origin == t || s > ${i}); s++;`))],
  'equal balances': [
    30,
    (n) => one(times(n, (i) => `require(address(this).balance == s + ${i}); payable(t).transfer(a);`)),
  ],
  'returned data': [
    20,
    (n) =>
      one(
        times(
          n,
          (i) =>
            `{ (bool ok, bytes memory d) = t.call(abi.encode(a)); require(ok && (d.length == 0 || abi.decode(d, (bool)))); s += ${i}; }`,
        ),
      ),
  ],
  'gas limits': [
    30,
    (n) => one(times(n, (i) => `{ (bool ok, ) = t.call{gas: ${i + 2300}, value: a}(""); if (!ok) m[t] += a; }`)),
  ],
  'if then else assigned': [
    30,
    (n) => one(`uint x; ${times(n, (i) => `if (a > ${i}) { x = s + ${i}; } else { x = m[t]; } s = x;`)}`),
  ],
  'phi chains compared': [
    30,
    (n) => one(`uint x = a; ${times(n, (i) => `if (x > ${i}) x -= ${i}; else x += s;`)} m[t] -= x;`, '^0.6.0'),
  ],
  'booleans put together': [
    30,
    (n) =>
      one(
        `bool b = false; ${times(n, (i) => `b = b || (a > ${i} && m[t] < ${i});`)} require(b); payable(t).transfer(a);`,
      ),
  ],
  'booleans by branch': [
    30,
    (n) => one(`bool b; ${times(n, (i) => `if (a == ${i}) b = true;`)} require(b); payable(t).transfer(a);`),
  ],
  'while with halving': [30, (n) => one(times(n, (i) => `while (a > ${i}) { a = a / 2; s++; }`))],
  'loops with break and state': [
    20,
    (n) =>
      contract(
        `uint[] l; uint s; function add(uint a) public { l.push(a); } function f(uint a) public {\n${times(n, (_i) => `for (uint i = 0; i < l.length; i++) { if (l[i] == a) { l[i] = l[l.length - 1]; l.pop(); break; } }`)} }`,
      ),
  ],
  'one old sum': [500, (n) => one(`s = a${' + a'.repeat(n)};`, '0.4.24')],
  'one old sum of entries': [
    200,
    (n) =>
      contract(
        `mapping(uint => uint) k; function set(uint x) public { k[x] = x; } function f() public { uint s = 0${times(n, (i) => ` + k[${i}]`)}; msg.sender.transfer(s); }`,
        '0.4.24',
      ),
  ],
  'errors and reverts': [
    40,
    (n) =>
      contract(
        `${times(n, (i) => `error E${i}(uint a);`)} uint s; function f(uint a) public {\n${times(n, (i) => `if (a == ${i}) revert E${i}(a);`)} s = a; }`,
      ),
  ],
  'bytes loops': [
    20,
    (n) =>
      contract(
        `function f(bytes memory b) public pure returns(uint x) {\n${times(n, (i) => `for (uint i = ${i}; i < b.length; i++) x = x * 256 + uint8(b[i]);`)} }`,
      ),
  ],
  'abi decode': [
    30,
    (n) =>
      contract(
        `mapping(address=>uint) m; function f(bytes calldata d) external {\n${times(n, (i) => `{ (address x, uint a) = abi.decode(d[${i}:], (address, uint)); m[x] += a; }`)} }`,
      ),
  ],
  'uninitialised pointers': [
    30,
    (n) =>
      contract(
        `struct A { uint x; } uint s; function f(uint a) public {\n${times(n, (i) => `A p${i}; p${i}.x = a;`)} }`,
        '^0.4.24',
      ),
  ],
  'user types': [
    30,
    (n) =>
      `type U is uint; function add(U a, U b) pure returns (U) { return U.wrap(U.unwrap(a) + U.unwrap(b)); } using {add as +} for U global;\n${contract(`U u; function f(U a) public {\n${times(n, (_i) => `u = u + a;`)} }`)}`,
  ],
  'array copies': [
    30,
    (n) =>
      contract(
        `uint[] a; uint[] b; function f() public {\n${times(n, (i) => `a = b; b[${i}] = a[${i}]; uint[] memory c${i} = a; c${i}[0] = ${i}; b = c${i};`)} }`,
      ),
  ],
  'fixed arrays': [
    30,
    (n) =>
      contract(
        `uint[${n}] x; mapping(address=>uint[10]) y; function f(uint a) public {\n${times(n, (i) => `x[${i}] += a; y[msg.sender][a] = x[a];`)} }`,
      ),
  ],
  'bit masks': [
    30,
    (n) => one(times(n, (i) => `s = (s & ~(uint(255) << ${i})) | ((a & 255) << ${i}); m[t] ^= s >> ${i};`)),
  ],
  'packed flags required': [30, (n) => one(times(n, (i) => `require(s & (1 << ${i}) == 0); s |= 1 << (a + ${i});`))],
  'locals many': [
    40,
    (n) =>
      one(
        `${times(n, (i) => `uint l${i} = a + ${i};`)} for (uint i = 0; i < a; i++) { ${times(n, (i) => `l${i} += i;`)} } ${times(n, (i) => `s += l${i};`)}`,
      ),
  ],
  'conditions nested': [
    12,
    (n) => one(`${times(n, (i) => `if (a > ${i} && m[t] > ${i}) { s += ${i};`)} ${'}'.repeat(n)}`),
  ],
  'keys of many kinds': [
    30,
    (n) =>
      contract(
        `mapping(bytes32=>uint) k; function f(uint a, address t) public {\n${times(n, (i) => `k[keccak256(abi.encode(t, ${i}))] += a; require(k[bytes32(a)] > ${i});`)} }`,
      ),
  ],
}

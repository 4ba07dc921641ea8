/** One contract of more and more functions that do the same. */
import { contract, functions, one, type Shapes, times } from './write.ts'

export const ofManyFunctions: Shapes = {
  'safemath library': [
    20,
    (n) =>
      `library L { function add(uint a, uint b) internal pure returns(uint c){ c = a+b; require(c>=a);} function sub(uint a, uint b) internal pure returns(uint){ require(b<=a); return a-b;} }\n${contract(`using L for uint; mapping(address=>uint) m;\n${times(n, (i) => `function f${i}(address t, uint a) public { m[msg.sender] = m[msg.sender].sub(a); m[t] = m[t].add(a); }`)}`, '^0.6.0')}`,
  ],
  'signers in functions': [
    20,
    (n) =>
      functions(
        'address o; mapping(bytes32=>bool) used; mapping(address=>uint) m;',
        n,
        (i) =>
          `function f${i}(bytes32 h, uint8 v, bytes32 r, bytes32 ss, uint a) public { require(ecrecover(h, v, r, ss) == o); m[msg.sender] += a; }`,
      ),
  ],
  'pushes in functions': [
    40,
    (n) => functions('address[] l;', n, (i) => `function f${i}(address a) public { l.push(a); }`),
  ],
  'push and pop in functions': [
    30,
    (n) =>
      functions(
        'address[] l;',
        n,
        (i) => `function f${i}(address a) public { l.push(a); if (l.length > ${i}) l.pop(); }`,
      ),
  ],
  'asserts in functions': [
    50,
    (n) => functions('uint s;', n, (i) => `function f${i}(uint a) public { s += a; assert(s > ${i}); }`),
  ],
  'divide then multiply in functions': [
    40,
    (n) =>
      functions(
        'uint s; uint p;',
        n,
        (i) => `function f${i}(uint a) public returns(uint) { uint q = a / p; return q * ${i + 3}; }`,
      ),
  ],
  'owner setters': [
    40,
    (n) =>
      functions(
        'address owner; modifier onlyOwner() { require(msg.sender == owner); _; }',
        n,
        (i) => `uint v${i}; function set${i}(uint a) public onlyOwner { v${i} = a; }`,
      ),
  ],
  'roles in mappings': [
    30,
    (n) =>
      functions(
        'mapping(bytes32=>mapping(address=>bool)) roles; modifier only(bytes32 r) { require(roles[r][msg.sender]); _; }',
        n,
        (i) =>
          `bytes32 constant R${i} = keccak256("R${i}"); function grant${i}(address a) public only(R${i}) { roles[R${i}][a] = true; }`,
      ),
  ],
  'owners that set the next': [
    30,
    (n) =>
      functions(
        'address o0;',
        n,
        (i) => `address o${i + 1}; function set${i}(address a) public { require(msg.sender == o${i}); o${i + 1} = a; }`,
      ),
  ],
  'owners that set each other, open': [
    30,
    (n) =>
      functions(
        'address o0; function open(address a) public { o0 = a; }',
        n,
        (i) => `address o${i + 1}; function set${i}(address a) public { require(msg.sender == o${i}); o${i + 1} = a; }`,
      ),
  ],
  'members lists': [
    25,
    (n) =>
      functions(
        '',
        n,
        (i) =>
          `mapping(address=>bool) r${i}; function join${i}(address a) public { require(r${(i + 1) % n}[msg.sender]); r${i}[a] = true; } function pay${i}(address payable t) public { require(r${i}[msg.sender]); t.transfer(1); }`,
      ),
  ],
  deadlines: [
    30,
    (n) =>
      functions(
        'uint end; mapping(address=>uint) m;',
        n,
        (i) =>
          `function f${i}(uint a) public payable { require(block.timestamp < end + ${i}); m[msg.sender] += msg.value; if (block.timestamp > end) end = block.timestamp + a; }`,
      ),
  ],
  'casts in functions': [
    40,
    (n) =>
      functions(
        'uint128 x; mapping(address=>uint64) m;',
        n,
        (i) => `function f${i}(uint a) public { m[msg.sender] += uint64(a); x = uint128(a * ${i}); }`,
      ),
  ],
  'unchecked in functions': [
    30,
    (n) =>
      functions(
        'mapping(address=>uint) m;',
        n,
        (i) =>
          `function f${i}(address t, uint a) public { require(m[msg.sender] >= a); unchecked { m[msg.sender] -= a; m[t] += a; } }`,
      ),
  ],
  'assembly slots in functions': [
    30,
    (n) =>
      functions('', n, (i) => `function f${i}(uint a) public { assembly { sstore(keccak256(a, ${i}), sload(${i})) } }`),
  ],
  'assembly functions': [
    30,
    (n) =>
      one(
        `assembly { ${times(n, (i) => `function g${i}(x) -> y { y := add(x, ${i}) sstore(y, x) }`)} ${times(n, (i) => `sstore(${i}, g${i}(a))`)} }`,
      ),
  ],
  'create2 in functions': [
    30,
    (n) =>
      `contract D { address o; constructor(address a) { o = a; } }\n${functions('mapping(uint=>address) m;', n, (i) => `function f${i}(uint a) public { m[a] = address(new D{salt: bytes32(a)}(msg.sender)); }`)}`,
  ],
  'delegatecalls in functions': [
    30,
    (n) =>
      functions(
        'address impl; function setImpl(address i) public { impl = i; }',
        n,
        (i) => `function f${i}(bytes memory d) public { (bool ok, ) = impl.delegatecall(d); require(ok); }`,
      ),
  ],
  initializers: [
    20,
    (n) =>
      functions(
        'bool done; address owner; modifier initializer() { require(!done); _; done = true; }',
        n,
        (i) => `uint v${i}; function init${i}(uint a) public initializer { v${i} = a; owner = msg.sender; }`,
      ),
  ],
  'initializer of many': [
    40,
    (n) =>
      contract(
        `bool done; address owner; ${times(n, (i) => `uint v${i};`)} function init(uint a) public { require(!done); done = true; owner = msg.sender; ${times(n, (i) => `v${i} = a + ${i};`)} } ${times(n, (i) => `function g${i}() public { require(msg.sender == owner && v${i} > 0); payable(msg.sender).transfer(v${i}); }`)}`,
      ),
  ],
  'encodePacked in functions': [
    30,
    (n) =>
      functions(
        'mapping(bytes32=>bool) u;',
        n,
        (i) =>
          `function f${i}(string memory a, bytes memory b) public { bytes32 h = keccak256(abi.encodePacked(a, b)); require(!u[h]); u[h] = true; }`,
      ),
  ],
  'storage pointers in functions': [
    30,
    (n) =>
      contract(
        `struct A { uint x; uint y; address o; } A[] as_; ${times(n, (i) => `function f${i}(uint a, uint b) public { A storage p = as_[a]; require(p.o == msg.sender); p.x += b; p.y -= b; payable(p.o).transfer(b); }`)}`,
      ),
  ],
  'try in functions': [
    25,
    (n) =>
      functions(
        'uint s;',
        n,
        (i) =>
          `function f${i}(address t, uint a) public { try I(t).g(a) returns (uint r) { s += r; } catch Error(string memory e) { s = 0; } catch (bytes memory) { revert(); } }`,
      ),
  ],
  'modifier chains on functions': [
    10,
    (n) =>
      contract(
        `address o; uint s; ${times(n, (i) => `modifier m${i}() { require(msg.sender == o || s > ${i}); _; s++; }`)} ${times(n, (i) => `function f${i}() public ${times(Math.min(n, 12), (j) => `m${(i + j) % n}`, ' ')} { s = ${i}; }`)}`,
      ),
  ],
  'library using for storage': [
    20,
    (n) =>
      `library L { struct S { mapping(address=>bool) has; address[] l; } function add(S storage s, address a) internal { require(!s.has[a]); s.has[a] = true; s.l.push(a); } function at(S storage s, uint i) internal view returns(address) { return s.l[i]; } function len(S storage s) internal view returns(uint) { return s.l.length; } }\n${contract(`using L for L.S; ${times(n, (i) => `L.S s${i}; function add${i}(address a) public { s${i}.add(a); } function pay${i}() public { for (uint i = 0; i < s${i}.len(); i++) payable(s${i}.at(i)).transfer(1); }`)}`)}`,
  ],
  'free functions used': [
    30,
    (n) =>
      `${times(n, (i) => `function g${i}(uint a) pure returns (uint) { return a / ${i + 1}; }`)}\n${one(times(n, (i) => `s += g${i}(a);`))}`,
  ],
  'function pointers': [
    25,
    (n) =>
      contract(
        `uint s; ${times(n, (i) => `function g${i}(uint a) internal { s += a * ${i}; }`)} function f(uint a) public { function(uint) internal p = g0; ${times(n, (i) => `if (a == ${i}) p = g${i};`)} p(a); }`,
      ),
  ],
  'function pointers stored': [
    25,
    (n) =>
      contract(
        `uint s; function(uint) internal p; ${times(n, (i) => `function g${i}(uint a) internal { s += a * ${i}; } function set${i}() public { p = g${i}; } function run${i}(uint a) public { p(a + ${i}); }`)}`,
      ),
  ],
  'one condition of many variables': [
    40,
    (n) =>
      contract(
        `${times(n, (i) => `uint v${i}; function set${i}(uint a) public { v${i} = a; }`)} function f() public { require(${times(n, (i) => `v${i} > ${i}`, ' && ')}); payable(msg.sender).transfer(1); }`,
      ),
  ],
  'one sum of many variables': [
    40,
    (n) =>
      contract(
        `${times(n, (i) => `uint v${i}; function set${i}(uint a) public { v${i} = a; }`)} function f() public { payable(msg.sender).transfer(${times(n, (i) => `v${i}`, ' + ')}); }`,
      ),
  ],
  'variables made of others': [
    30,
    (n) =>
      contract(
        `uint v0; ${times(n, (i) => `uint v${i + 1}; function set${i}(uint a) public { v${i + 1} = v${i} + a; }`)} function f() public { payable(msg.sender).transfer(v${n}); }`,
      ),
  ],
  'variables made of others, old': [
    30,
    (n) =>
      contract(
        `uint v0; ${times(n, (i) => `uint v${i + 1}; function set${i}(uint a) public { v${i + 1} = v${i} * a; v${i} -= a; }`)}`,
        '^0.4.24',
      ),
  ],
  'tx.origin': [
    30,
    (n) =>
      functions(
        'address o;',
        n,
        (i) => `function f${i}(address payable t) public { require(tx.origin == o); t.transfer(${i}); }`,
      ),
  ],
  'helper that answers': [
    20,
    (n) =>
      contract(
        `address o; mapping(address=>bool) r; function ok(uint a) internal view returns (bool) { if (msg.sender == o) return true; if (r[msg.sender]) return a > 0; return false; } ${times(n, (i) => `function f${i}(uint a) public { require(ok(a)); payable(msg.sender).transfer(a); }`)}`,
      ),
  ],
  'immutable and constant': [
    40,
    (n) =>
      contract(
        `${times(n, (i) => `uint immutable k${i}; uint constant c${i} = ${i} * 1e18;`)} constructor(uint a) { ${times(n, (i) => `k${i} = a + c${i};`)} } ${times(n, (i) => `function f${i}() public view returns(uint) { return k${i} * c${i}; }`)}`,
      ),
  ],
  'string state': [
    30,
    (n) =>
      contract(
        times(
          n,
          (i) =>
            `string s${i}; function set${i}(string memory a) public { s${i} = a; } function len${i}() public view returns(uint) { return bytes(s${i}).length; }`,
        ),
      ),
  ],
  'external view asked': [
    25,
    (n) =>
      `interface O { function ok(address) external view returns(bool); function get() external view returns(uint); }\n${functions('O o; uint s;', n, (i) => `function f${i}(uint a) public { require(o.ok(msg.sender)); s += o.get() * a; payable(msg.sender).transfer(s); }`)}`,
  ],
  'calls of contracts in state': [
    25,
    (n) =>
      `contract T { mapping(address=>uint) m; address o; function pull(address a, uint v) public { require(msg.sender == o); m[a] -= v; } function get(address a) public view returns(uint) { return m[a]; } }\n${functions('T t; uint s;', n, (i) => `function f${i}(uint a) public { require(t.get(msg.sender) >= a); t.pull(msg.sender, a); payable(msg.sender).transfer(a); }`)}`,
  ],
  'requires in modifiers, functions': [
    20,
    (n) =>
      functions(
        'mapping(address=>uint) m; uint lim; modifier ok(uint a) { require(a > 0 && a <= lim && m[msg.sender] >= a, "no"); _; }',
        n,
        (i) => `function f${i}(address t, uint a) public ok(a) { m[msg.sender] -= a; m[t] += a; }`,
        '^0.6.0',
      ),
  ],
  'functions with a hundred modifiers': [
    40,
    (n) =>
      contract(
        `uint s;\n${times(100, (i) => `modifier m${i}(uint a) { require(a > ${i}); _; }`)}\n${times(n, (i) => `function f${i}(uint a) public ${times(100, (j) => `m${j}(a)`, ' ')} { s += a; }`)}`,
      ),
  ],
}

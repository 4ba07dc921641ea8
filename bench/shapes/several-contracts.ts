/** More and more contracts that know of each other. */
import { contract, type Shapes, times, tokens } from './write.ts'

export const ofSeveralContracts: Shapes = {
  'share contracts': [
    7,
    (n) =>
      tokens +
      times(
        n,
        (i) =>
          `contract V${i} { IERC20 t; mapping(address=>uint) m; uint total; function d(uint a) public { uint b = t.balanceOf(address(this)); uint sh = total == 0 ? a : a * total / b; t.transferFrom(msg.sender, address(this), a); m[msg.sender] += sh; total += sh; } function w(uint sh) public { uint a = sh * t.balanceOf(address(this)) / total; m[msg.sender] -= sh; total -= sh; t.transfer(msg.sender, a); } }`,
      ),
  ],
  proxies: [
    12,
    (n) =>
      times(
        n,
        (i) =>
          `contract P${i} { address impl; address admin; constructor(address a) { impl = a; admin = msg.sender; } function up(address a) public { require(msg.sender == admin); impl = a; } fallback() external payable { (bool ok, ) = impl.delegatecall(msg.data); require(ok); } } contract I${i} { address owner; uint x; function initialize(address o) public { require(owner == address(0)); owner = o; } function f(uint a) public { x = a; } }`,
      ),
  ],
  'library functions public': [
    25,
    (n) =>
      `library L { ${times(n, (i) => `function g${i}(mapping(address=>uint) storage m, uint a) public { m[msg.sender] += a; }`)} }\n${contract(`mapping(address=>uint) m; ${times(n, (i) => `function f${i}(uint a) public { L.g${i}(m, a); }`)}`)}`,
  ],
  'super chains with state': [
    12,
    (n) =>
      `contract B0 { mapping(address=>uint) m; function f(address t, uint a) public virtual { m[t] += a; } }\n${times(n, (i) => `contract B${i + 1} is B${i} { uint v${i}; function f(address t, uint a) public virtual override { require(a > v${i}); super.f(t, a); v${i} = a; } }`)}`,
  ],
  'lattice of bases': [
    6,
    (n) =>
      `${times(n, (i) => `contract A${i} { uint a${i}; function f() public virtual { a${i}++; } }`)}\n${times(n - 1, (i) => `contract B${i} is A${i}, A${i + 1} { function f() public virtual override(A${i}, A${i + 1}) { super.f(); } }`)}\ncontract Z is ${times(n - 1, (i) => `B${i}`, ', ')} { function f() public override(${times(n - 1, (i) => `B${i}`, ', ')}) { super.f(); } }`,
  ],
  'interfaces and implementations': [
    20,
    (n) =>
      times(
        n,
        (i) =>
          `interface I${i} { function f${i}(uint a) external returns(uint); } contract A${i} is I${i} { uint s; function f${i}(uint a) external returns(uint) { s += a; return s; } } contract U${i} { I${i} x; uint s; function g(uint a) public { s = x.f${i}(a); } }`,
      ),
  ],
  'one interface, many implementations': [
    15,
    (n) =>
      `interface I { function f(uint a) external returns(uint); }\n${times(n, (i) => `contract A${i} is I { uint s; I x; function f(uint a) external returns(uint) { s += x.f(a); return s; } }`)}`,
  ],
  'token interfaces': [
    20,
    (n) =>
      times(
        n,
        (i) =>
          `interface T${i} { function transfer(address,uint) external returns(bool); function balanceOf(address) external view returns(uint); }`,
      ) + contract(times(n, (i) => `T${i} t${i}; function f${i}(uint a) public { t${i}.transfer(msg.sender, a); }`)),
  ],
  'shadowed names': [
    30,
    (n) =>
      `contract A { ${times(n, (i) => `uint v${i};`)} }\ncontract B is A { ${times(n, (i) => `function f${i}(uint v${i}) public pure returns(uint) { return v${i}; }`)} }`,
  ],
  'old constructors': [
    30,
    (n) =>
      times(
        n,
        (i) =>
          `contract C${i} { address o; function C${i}() public { o = msg.sender; } function kill() public { require(msg.sender == o); selfdestruct(o); } }`,
      ),
  ],
  'contracts that call all others': [
    6,
    (n) =>
      times(
        n,
        (i) =>
          `contract C${i} { uint s; ${times(n, (j) => `C${j} c${j};`, ' ')} function f(uint a) public { ${times(n, (j) => `c${j}.f(a);`, ' ')} s += a; } }`,
      ),
  ],
  'libraries that call the next three times': [
    50,
    (n) =>
      `${times(n, (i) => `library L${i} { function f(uint a) internal pure returns (uint) { return L${i + 1}.f(a) + L${i + 1}.f(a) + L${i + 1}.f(a); } }`)}\nlibrary L${n} { function f(uint a) internal pure returns (uint) { return a + 1; } }`,
  ],
  'empty contracts derived from large bases': [
    100,
    (n) => `pragma solidity ^0.8.0;\n${recursiveBases(8, 20)}\n${times(n, (i) => `contract H${i} is H {}`)}`,
  ],
  'contracts with one variable derived from large bases': [
    100,
    (n) =>
      `pragma solidity ^0.8.0;\n${recursiveBases(8, 20)}\n${times(n, (i) => `contract H${i} is H { uint h${i}; }`)}`,
  ],
  'contracts derived from bases with external calls': [
    100,
    (n) =>
      `pragma solidity ^0.8.0;\n${times(8, (b) => `contract B${b} { mapping(address => uint) m${b};\n${times(20, (i) => `function g${b}_${i}(address t, uint a) public { (bool ok, ) = t.call{value: m${b}[t]}(""); require(ok); m${b}[t] -= a; }`)} }`)}\ncontract H is ${times(8, (b) => `B${b}`, ', ')} {}\n${times(n, (i) => `contract H${i} is H { uint h${i}; }`)}`,
  ],
  'derived contracts that override a hook': [
    40,
    (n) =>
      `pragma solidity ^0.8.0;\ncontract B { mapping(address => uint) m; uint s; function hook(uint a) internal virtual { s = a; }\n${times(20, (i) => `function g${i}(address t, uint a) public { hook(a); (bool ok, ) = t.call{value: m[t]}(""); require(ok); m[t] -= a; }`)} }\n${times(n, (i) => `contract H${i} is B { function hook(uint a) internal override { s = a + ${i}; } }`)}`,
  ],
  'file-level functions that call two others': [
    100,
    (n) =>
      times(
        n,
        (i) =>
          `function f${i}(uint a) pure returns (uint) { return a > ${i} ? f${(i + 1) % n}(a) : f${(i * 7 + 3) % n}(a + 1); }`,
      ),
  ],
  'using libraries for every type': [
    50,
    (n) =>
      `${times(n, (i) => `library L${i} { function g${i}(uint a) internal pure returns (uint) { return a + ${i}; } }`)}\n${contract(`uint s;\n${times(n, (i) => `using L${i} for *;`)}\nfunction f(uint a) public { s = a.g0() + a.g${n - 1}(); }`)}`,
  ],
}

/** Bases in which every internal function calls two others of its contract, and a contract that inherits them all. */
const recursiveBases = (count: number, functions: number): string =>
  `${times(count, (b) => `contract B${b} { uint s${b};\n${times(functions, (i) => `function f${b}_${i}(uint a) internal { s${b} += a; if (a > ${i}) { f${b}_${(i + 1) % functions}(a - 1); f${b}_${(i + 7) % functions}(a); } }\nfunction g${b}_${i}(uint a) public { f${b}_${i}(a); }`)} }`)}\ncontract H is ${times(count, (b) => `B${b}`, ', ')} {}`

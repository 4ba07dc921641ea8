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
}

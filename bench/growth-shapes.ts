/** Shapes of code whose size is a number, and inputs that are small and dear: what the cost of a scan is measured on. */
import { belowThePlan } from './shapes/below-the-plan.ts'
import { ofPayments } from './shapes/functions-that-pay.ts'
import { ofManyFunctions } from './shapes/many-functions.ts'
import { inOneFunction } from './shapes/one-function.ts'
import { ofSeveralContracts } from './shapes/several-contracts.ts'
import { contract, one, type Shapes, times } from './shapes/write.ts'

export interface Shape {
  readonly name: string
  /** Elements of the smallest size that is timed. */
  readonly from: number
  write(count: number): string
}

const shapes: Shapes = {
  ...inOneFunction,
  ...ofManyFunctions,
  ...ofPayments,
  ...ofSeveralContracts,
  ...belowThePlan,
  functions: [200, (n) => contract(`uint s;\n${times(n, (i) => `function f${i}(uint a) public { s = a + ${i}; }`)}`)],
  'state variables': [
    400,
    (n) => contract(times(n, (i) => `uint v${i}; function g${i}(uint a) public { v${i} = a; }`)),
  ],
  contracts: [200, (n) => times(n, (i) => `contract C${i} { uint s; function f(uint a) public { s += a; } }`)],
  'external calls': [100, (n) => one(times(n, (i) => `I(t).f${i}(a); m[msg.sender] -= a;`))],
  'low-level calls': [
    100,
    (n) => one(times(n, () => '{ (bool ok, ) = t.call{value: a}(""); require(ok); m[t] += a; }')),
  ],
  transfers: [200, (n) => one(times(n, () => 'payable(msg.sender).transfer(m[msg.sender]); m[msg.sender] = 0;'))],
  'try and catch': [100, (n) => one(times(n, () => 'try I(t).g(a) returns (uint r) { s += r; } catch { s = 1; }'))],
  tuples: [200, (n) => one(times(n, (i) => `(uint a${i}, uint b${i}) = (a + ${i}, s); s = a${i} * b${i};`))],
  'locals swapped in a loop': [
    20,
    (n) =>
      one(
        `${times(n, (i) => `uint l${i} = a + ${i};`)}\nfor (uint i = 0; i < a; i++) {\n${times(n - 1, (i) => `(l${i}, l${i + 1}) = (l${i + 1}, l${i});`)}\n}\ns = l0;`,
      ),
  ],
  'old arithmetic': [
    200,
    (n) =>
      one(
        times(n, (i) => `s = s * a + ${i}; m[t] -= s;`),
        '^0.4.24',
      ),
  ],
  'unchecked arithmetic': [200, (n) => one(times(n, (i) => `unchecked { s = s * a + ${i}; m[t] -= s; }`))],
  structs: [
    100,
    (n) =>
      contract(
        `${times(n, (i) => `struct S${i} { uint a; address b; } S${i} s${i};`)}\nfunction f(uint a) public {\n${times(n, (i) => `s${i} = S${i}(a, msg.sender); s${i}.a += a;`)}\n}`,
      ),
  ],
  overloads: [
    100,
    (n) =>
      contract(
        `uint s;\n${times(n, (i) => `function f(uint${(i % 32) * 8 + 8} a${', uint b'.repeat(0)}, bytes${(i % 32) + 1} c) internal { s = ${i}; }`)}\nfunction g() public {\n${times(n, () => 'f(1, 0x00);')}\n}`,
      ),
  ],
  events: [
    200,
    (n) => contract(times(n, (i) => `event E${i}(uint a); function f${i}(uint a) public { emit E${i}(a); }`)),
  ],
  'wide inheritance': [
    40,
    (n) =>
      `${times(n, (i) => `contract B${i} { uint b${i}; function f${i}(uint a) public virtual { b${i} = a; } }`)}\ncontract C is ${Array.from({ length: n }, (_, i) => `B${i}`).join(', ')} {}`,
  ],
  'deep inheritance': [
    40,
    (n) =>
      `contract B0 { uint s; function f() public virtual {} }\n${times(n, (i) => `contract B${i + 1} is B${i} { function f() public virtual override { super.f(); s++; } }`)}`,
  ],
  'loops one after another': [100, (n) => one(times(n, () => 'for (uint i = 0; i < a; i++) s += i;'))],
  'nested loops': [8, (n) => one(`${'for (uint i = 0; i < a; i++) { '.repeat(n)}s += a;${'}'.repeat(n)}`)],
  branches: [200, (n) => one(times(n, (i) => `if (a > ${i}) s += ${i}; else m[t] = ${i};`))],
  requires: [200, (n) => one(times(n, (i) => `require(a != ${i}); s += ${i};`))],
  'early returns': [200, (n) => one(times(n, (i) => `if (a == ${i}) return;`))],
  'chain of internal calls': [
    100,
    (n) =>
      contract(
        `uint s;\n${times(n, (i) => `function f${i}(uint a) public { s += a; f${i + 1}(a); }`)}\nfunction f${n}(uint a) public { s = a; }`,
      ),
  ],
  'calls all to all': [
    15,
    (n) =>
      contract(
        `uint s;\n${times(n, (i) => `function f${i}(uint a) public { if (a > ${i}) return; s += a;\n${times(n, (j) => `f${j}(a + ${j});`)} }`)}`,
      ),
  ],
  'long expression': [400, (n) => one(`s = ${Array.from({ length: n }, () => 'a').join(' + ')};`)],
  'nested parentheses': [60, (n) => one(`s = ${'('.repeat(n)}a${' + 1)'.repeat(n)};`)],
  'conditions with and': [
    200,
    (n) => one(`require(${Array.from({ length: n }, (_, i) => `a != ${i}`).join(' && ')}); s = a;`),
  ],
  modifiers: [
    20,
    (n) =>
      contract(
        `uint s;\n${times(n, (i) => `modifier m${i}() { require(s != ${i}); _; }`)}\nfunction f() public ${Array.from({ length: n }, (_, i) => `m${i}`).join(' ')} { s++; }`,
      ),
  ],
  mappings: [200, (n) => one(times(n, (i) => `m[address(uint160(a + ${i}))] += a;`))],
  'memory arrays': [
    100,
    (n) => one(times(n, (i) => `uint[] memory x${i} = new uint[](a); x${i}[0] = a; s += x${i}[0];`)),
  ],
  assembly: [200, (n) => one(`assembly {\n${times(n, (i) => `sstore(${i}, add(sload(${i}), a))`)}\n}`)],
  'assembly loops': [
    100,
    (n) => one(`assembly {\n${times(n, () => 'for { let i := 0 } lt(i, a) { i := add(i, 1) } { sstore(i, a) }')}\n}`),
  ],
  'free functions': [200, (n) => times(n, (i) => `function f${i}(uint a) pure returns (uint) { return a + ${i}; }`)],
  imports: [200, (n) => `${times(n, (i) => `import "./f${i}.sol";`)}\ncontract C {}`],
  comments: [2000, (n) => `${times(n, (i) => `// a line of words ${i}`)}\ncontract C {}`],
  'ignore comments': [
    200,
    (n) => one(times(n, () => '// assay-ignore-next-line SWC-107 known\npayable(t).transfer(a);')),
  ],
  enums: [
    200,
    (n) =>
      contract(
        `enum E { ${Array.from({ length: n }, (_, i) => `A${i}`).join(', ')} }\nE e;\nfunction f() public { ${times(n, (i) => `e = E.A${i};`)} }`,
      ),
  ],
  'using for': [
    50,
    (n) =>
      `${times(n, (i) => `library L${i} { function g${i}(uint a) internal pure returns (uint) { return a + ${i}; } }`)}\n${contract(`uint s;\n${times(n, (i) => `using L${i} for uint;`)}\nfunction f(uint a) public { ${times(n, (i) => `s = a.g${i}();`)} }`)}`,
  ],
  constants: [200, (n) => contract(times(n, (i) => `uint constant K${i} = ${i === 0 ? '1' : `K${i - 1} + 1`};`))],
  'nested mappings of structs': [
    50,
    (n) =>
      contract(
        `struct P { uint a; address b; }\nstruct Q { mapping(address => mapping(uint => P)) ps; uint t; }\nmapping(address => Q) qs;\nfunction f(uint a, address t) public {\n${times(n, (i) => `qs[t].ps[msg.sender][${i}].a += a; qs[t].t += qs[t].ps[t][a].a;`)}\n}`,
      ),
  ],
  'modifiers with arguments': [
    20,
    (n) =>
      contract(
        `mapping(address => uint) m; uint s;\n${times(n, (i) => `modifier m${i}(uint x, address y) { require(m[y] > x + ${i}); _; }`)}\nfunction f(uint a) public ${Array.from({ length: n }, (_, i) => `m${i}(a, msg.sender)`).join(' ')} { s++; }`,
      ),
  ],
  'contracts that call the next': [
    50,
    (n) =>
      `${times(n, (i) => `contract C${i} { C${i + 1} next; uint s; function f(uint a) public { s += a; next.f(a + 1); } }`)}\ncontract C${n} { uint s; function f(uint a) public { s = a; } }`,
  ],
  'else if': [
    100,
    (n) => one(`${Array.from({ length: n }, (_, i) => `if (a == ${i}) { s = ${i}; }`).join(' else ')} else { s = 1; }`),
  ],
  'return paths with effects': [100, (n) => one(times(n, (i) => `if (a == ${i}) { m[msg.sender] += ${i}; return; }`))],
  'loop with many ways out': [
    50,
    (n) =>
      one(`while (true) { ${times(n, (i) => `if (a == ${i}) { s += ${i}; break; } if (a == m[t]) continue;`)} a++; }`),
  ],
  diamonds: [
    15,
    (n) =>
      `contract A0 { uint s; function f() public virtual { s++; } }\n${times(n, (i) => `contract B${i} is A${i} { function f() public virtual override { super.f(); } }\ncontract D${i} is A${i} { function f() public virtual override { super.f(); s += ${i}; } }\ncontract A${i + 1} is B${i}, D${i} { function f() public virtual override(B${i}, D${i}) { super.f(); } }`)}`,
  ],
  'functions that call the token': [
    50,
    (n) =>
      contract(
        `IERC20 t; mapping(address => uint) m;\n${times(n, (i) => `function f${i}(uint a) public { m[msg.sender] -= a; require(t.transfer(msg.sender, a)); }`)}`,
      ),
  ],
  'old arithmetic in functions': [
    100,
    (n) =>
      contract(
        `mapping(address => uint) m;\n${times(n, (i) => `function f${i}(uint a, address t) public { m[msg.sender] -= a; m[t] += a * ${i + 2}; }`)}`,
        '^0.4.24',
      ),
  ],
  'nested ternaries': [
    20,
    (n) => one(`s = ${Array.from({ length: n }, (_, i) => `a == ${i} ? ${i} : (`).join('')}1${')'.repeat(n)};`),
  ],
  'assembly switch': [
    100,
    (n) => one(`assembly { switch a ${times(n, (i) => `case ${i} { sstore(${i}, a) }`)} default { sstore(0, 0) } }`),
  ],
  'list of literals': [
    300,
    (n) => one(`uint16[${n}] memory x = [${Array.from({ length: n }, (_, i) => i).join(', ')}]; s = x[a];`),
  ],
  'hashes of hashes': [100, (n) => one(times(n, () => 's = uint(keccak256(abi.encodePacked(s, block.timestamp)));'))],
  'checks before a call, differences after it': [
    80,
    (n) =>
      one(
        `${times(n, (i) => `require(m[msg.sender] >= ${i});`)}\n(bool ok, ) = msg.sender.call{value: a}(""); require(ok);\n${times(n, (i) => `m[msg.sender] -= ${i};`)}`,
        '^0.7.0',
      ),
  ],
  'sends in branches': [100, (n) => one(times(n, (i) => `if (a == ${i}) payable(t).send(${i});`))],
  'sends on one way or the other': [
    50,
    (n) =>
      one(
        times(
          n,
          (i) =>
            `if (a == ${i}) payable(address(uint160(a + ${i}))).send(1); else payable(address(uint160(a * ${i}))).send(2);`,
        ),
      ),
  ],
  signatures: [
    40,
    (n) => one(times(n, () => 'require(ecrecover(keccak256(abi.encode(a)), 27, bytes32(a), bytes32(s)) == t);')),
  ],
}

/** Grow by their number of elements. */
export const growingShapes: readonly Shape[] = Object.entries(shapes).map(([name, [from, write]]) => ({
  name,
  from,
  write,
}))

const earlierBases = (i: number): string =>
  i === 0 ? '' : ` is ${Array.from({ length: i }, (_, j) => `A${j}`).join(', ')}`

/** As large as they are measured: eight times the smallest size. */
const largest = (of: Shapes): Record<string, string> =>
  Object.fromEntries(Object.entries(of).map(([name, [from, write]]) => [name, write(8 * from)]))

/** Small, and once without end. */
export const hostileInputs: Readonly<Record<string, string>> = {
  'placeholders of modifiers': `contract C{modifier m(){_;_;_;_;_;_;}constructor()${' m()'.repeat(14)}{}}`,
  'placeholders on a function': `contract C{uint s;modifier m(){_;_;_;_;_;_;}function f()${' m()'.repeat(14)} public{s++;}}`,
  'locks with two placeholders': contract(
    `bool l; mapping(address => uint) m;\nmodifier m0 { require(!l); l = true; _; l = false; _; }\nfunction f() public ${'m0 '.repeat(8)}{ (bool ok, ) = msg.sender.call{value: m[msg.sender]}(""); require(ok); m[msg.sender] = 0; }`,
  ),
  'locks one after another': contract(
    `bool l; mapping(address => uint) m;\nfunction f(address t) public {\n${times(200, (i) => `require(!l); l = true; (bool ok${i}, ) = t.call{value: m[t]}(""); require(ok${i}); m[t] = 0; l = false;`)}\n}`,
  ),
  'libraries that call the next three times': shapes['libraries that call the next three times']![1](800),
  'empty contracts derived from large bases': shapes['empty contracts derived from large bases']![1](2000),
  'contracts with one variable derived from large bases':
    shapes['contracts with one variable derived from large bases']![1](2000),
  'derived contracts that override a hook': shapes['derived contracts that override a hook']![1](300),
  'file-level functions that call two others': shapes['file-level functions that call two others']![1](900),
  'contracts derived from bases with external calls':
    shapes['contracts derived from bases with external calls']![1](2000),
  'using libraries for every type': shapes['using libraries for every type']![1](700),
  'deep inheritance': shapes['deep inheritance']![1](1100),
  diamonds: shapes.diamonds![1](330),
  ...largest(belowThePlan),
  'Yul functions that call the next ten times': `contract C{function f()public{assembly{${Array.from(
    { length: 10 },
    (_, i) => `function f${i}(){${`f${i + 1}()`.concat(' ').repeat(10)}}`,
  ).join(' ')} function f10(){sstore(0,1)} f0()}}}`,
  'assembly loops in a free function': `function f(uint a) { assembly {${'for{}1{}{}'.repeat(1880)}} }`,
  'contracts that inherit all before': times(205, (i) => `contract A${i}${earlierBases(i)} {}`),
  'index expressions in a free function': `function f(uint[] memory a) { ${'a['.repeat(250)}0${']'.repeat(250)}; }`,
  'nested index expressions, many': `function f(uint[] memory a) { ${times(40, () => `${'a['.repeat(120)}0${']'.repeat(120)};`)} }`,
  'external calls in one function': one(times(700, (i) => `I(t).f${i}(a); m[msg.sender] -= a;`)),
  'calls all to all': shapes['calls all to all']![1](60),
  'loops by the thousand': one(times(3000, () => 'for (uint i = 0; i < a; i++) s += i;')),
  'doubling internal calls': contract(
    `uint s;\n${times(40, (i) => `function f${i}() internal { f${i + 1}(); f${i + 1}(); }`)}\nfunction f40() internal { s++; }\nfunction g() public { f0(); }`,
  ),
  'doubling base constructors': times(
    24,
    (i) =>
      `contract A${i}${i === 0 ? '' : ` is A${i - 1}`} { uint a${i} = ${i === 0 ? '1' : `a${i - 1} + a${i - 1}`}; }`,
  ),
  'phis in a nest of loops': one(
    `${times(40, (i) => `uint l${i};`)}${'while (a > 1) { '.repeat(30)}${times(40, (i) => `l${i} = l${(i + 1) % 40};`)}${'}'.repeat(30)}`,
  ),
  'conditionals in conditionals': one(`s = ${'(a > 1 ? a : '.repeat(100)}1${')'.repeat(100)};`),
}

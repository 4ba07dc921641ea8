import { afterAll, expect, test } from 'vitest'
import { loadCounted } from '../../../tools/count-steps.ts'
import { isProtected, lockedAt, loopsOf, taintOf, writesAfter } from '../facts/index.ts'
import { buildModel } from '../model/index.ts'
import { defaultBudget } from './budget.ts'
import { Context } from './context.ts'
import { holding } from './needs.ts'

const read = (text: string, budget = defaultBudget): Context =>
  new Context(buildModel([{ path: 'sample.sol', text }]), budget)

test('contracts that others inherit are read in their derived contracts; libraries and free functions that nobody runs by themselves', () => {
  const context = read(`function free(uint a) pure returns (uint) { return a; }
    library L { function g(uint a) internal pure returns (uint) { return a; } }
    interface I { function h() external; }
    abstract contract Base { uint x; function f() public { x = 1; } }
    contract Top is Base { receive() external payable {} fallback() external {} constructor() { x = 2; } }`)
  expect(context.contracts.map((each) => each.contract?.name ?? 'free')).toEqual(['Top', 'L', 'free'])
  expect(context.functions.map((each) => `${each.kind} ${each.name}`).sort()).toEqual([
    'constructor constructor',
    'entry f',
    'fallback fallback',
    'free free',
    'library g',
    'receive receive',
  ])
  expect(context.entryPoints.map((each) => each.name).sort()).toEqual(['f', 'fallback', 'receive'])
})

test('a function of a library is read in the contract that runs it, and by itself only where none does', () => {
  const source = `library L {
      struct Book { mapping(address => uint) of; }
      function add(Book storage book, uint a) external { book.of[msg.sender] += a; }
      function idle(Book storage book) external { book.of[msg.sender] = 0; }
    }
    contract Host { L.Book book; function f(uint a) public { L.add(book, a); } }`
  const names = (budget = defaultBudget): string[] =>
    read(source, budget)
      .functions.map(({ kind, name }) => `${kind} ${name}`)
      .sort()
  expect(names()).toEqual(['entry f', 'library idle'])
  expect(names({ ...defaultBudget, maxInlinedOps: 0 })).toEqual(['entry f', 'library add', 'library idle'])
})

test('code that no derived contract runs is still read once', () => {
  const context =
    read(`contract Base { uint x; function f() public virtual { x = 1; } function dead() internal { x = 9; } }
    contract Top is Base { function f() public override { x = 2; } }`)
  const written = context.opsOfKind('store').map(({ op }) => op.args[0]!.constant)
  expect(written.sort()).toEqual([1n, 2n, 9n])
})

test('a call that cannot be inlined is summarised: what it writes is not lost', () => {
  const context = read(
    'contract A { uint x; uint y; function f(uint n) public { y = 1; msg.sender.call(""); if (n > 0) { f(n - 1); } } }',
  )
  const [flow] = context.functions
  const [call] = flow!.externalCalls()
  expect(writesAfter(flow!, call!).map((write) => write.variable!.name)).toEqual(['y'])
})

test('past a budget the result is partial and says so', () => {
  const source =
    'contract A { uint x; function g() internal { x += 1; x += 2; x += 3; } function f() public { g(); g(); g(); g(); } }'
  const context = read(source, { ...defaultBudget, maxInlinedOps: 10 })
  expect(context.functions.find((each) => each.name === 'f')!.isPartial).toBe(true)
  expect(read(source).functions.some((each) => each.isPartial)).toBe(false)
})

const inFunction = (body: string): string => `contract A { uint x; function f(uint a) public { ${body} } }`
const repeat = (text: string, times: number): string => text.repeat(times)

test.each([
  [
    '10,000 operators',
    `contract A { function f(uint a) public pure returns (uint) { return a${repeat(' + a', 10_000)}; } }`,
  ],
  [
    '5,000 conjuncts',
    `contract A { uint x; function f(uint a) public { require(a > 1${repeat(' && a > 1', 5000)}); x = a; } }`,
  ],
  [
    '10,000 parentheses',
    `contract A { function f(uint a) public { a = ${repeat('(', 10_000)}a${repeat(')', 10_000)}; } }`,
  ],
  ['5,000 members', `contract A { function f() public { a${repeat('.b', 5000)} = 1; } }`],
  [
    '3,000 nested branches',
    `contract A { uint x; function f(uint a) public { ${repeat('if (a > 1) { ', 3000)}x = a;${repeat(' }', 3000)} } }`,
  ],
  [
    '3,000 alternatives',
    `contract A { uint x; function f(uint a) public { ${repeat('if (a == 1) { x = a; } else ', 3000)}x = 1; } }`,
  ],
  [
    '2,000 branches in a row',
    `contract A { uint x; function f(uint a) public { ${repeat('if (a > 1) { x = a; } ', 2000)} } }`,
  ],
  [
    '200 nested loops',
    `contract A { uint x; function f(uint a) public { ${repeat('while (x < a) { ', 200)}x++;${repeat(' }', 200)} } }`,
  ],
  [
    '2,000 nested Yul blocks',
    `contract A { function f() public { assembly { ${repeat('if 1 { ', 2000)}sstore(0, 1)${repeat(' }', 2000)} } } }`,
  ],
  [
    'mutual recursion',
    'contract A { uint x; function f(uint a) public { x += a; g(a); } function g(uint a) public { f(a); } }',
  ],
  ['a contract that inherits itself', 'contract A is A { function f() public { super.f(); } }'],
  [
    'contracts that inherit each other',
    'contract A is B { function f() public { g(); } } contract B is A { function g() public { f(); } }',
  ],
  [
    'a struct that holds itself',
    'contract A { struct S { S[] s; T t; } struct T { S s; } S s; function f() public { s.t.s.t.s.s[0].t.s = s; } }',
  ],
  [
    'a modifier that runs the body 2^20 times',
    `contract A { uint x; ${Array.from({ length: 20 }, (_, i) => `modifier m${i} { _; _; }`).join(' ')} function f() public ${Array.from({ length: 20 }, (_, i) => `m${i}`).join(' ')} { x++; } }`,
  ],
  [
    'three calls in each of twelve steps',
    `contract A { uint x; ${Array.from({ length: 12 }, (_, i) => `function g${i}() internal { g${i + 1}(); g${i + 1}(); g${i + 1}(); }`).join(' ')} function g12() internal { x++; } function f() public { g0(); } }`,
  ],
  ['unfinished text', 'contract A { uint x; function f(uint a public { x = ; if ( } modifier m( { _ '],
  ['nothing', ''],
])('%s: no exception, within the budget', (_, text) => {
  const context = read(text)
  for (const flow of context.functions) {
    for (const op of flow.ir.ops) taintOf(flow, op)
    for (const call of flow.externalCalls()) lockedAt(flow, call)
    for (const store of flow.stateStores()) isProtected(flow, store)
    loopsOf(flow)
  }
  expect(context.functions.reduce((sum, flow) => sum + flow.ir.ops.length, 0)).toBeLessThan(130_000)
})

const counted = loadCounted<typeof import('../index.ts')>(new URL('../index.ts', import.meta.url))
afterAll(counted.stop)

test.each([
  ['5,000 conjuncts', inFunction(`require(a > 0${repeat(' && a > 0', 5_000)});`), 60_000_000],
  ['2,000 branches in a row', inFunction(repeat('if (a > 1) { x = a; } ', 2_000)), 30_000_000],
  ['200 nested loops', inFunction(`${repeat('while (x < a) { ', 200)}x++;${repeat(' }', 200)}`), 1_000_000],
  [
    'modifiers that run the body 2^20 times',
    `contract A { uint x; ${Array.from({ length: 20 }, (_, i) => `modifier m${i} { _; _; }`).join(' ')} function f() public ${Array.from({ length: 20 }, (_, i) => `m${i}`).join(' ')} { x++; } }`,
    80_000_000,
  ],
])('%s: the steps of a whole scan are bounded', (_, text, most) => {
  expect(counted.countSteps((engine) => engine.scan(text))).toBeLessThan(most)
})

test('what a scan holds at all is reported without looking at its operations', () => {
  const context = read(`contract A {
    mapping(address => uint) balances;
    function f(address payable to) public { if (block.timestamp > 5) to.transfer(balances[to]); }
    function g(bytes memory b) public pure returns (bytes32) { return keccak256(b); } }`)
  expect((['load', 'call', 'bin', 'store', 'emit'] as const).map((kind) => context.has(kind))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  expect([context.hasCall('transfer'), context.hasCall('delegate')]).toEqual([true, false])
  expect(context.functions.map((flow) => [flow.name, flow.has('call')])).toEqual([
    ['f', true],
    ['g', false],
  ])
})

test('a context can be narrowed to the functions that hold something', () => {
  const context = read(`contract A {
    uint256 public total;
    function add(uint256 amount) external { total += amount; }
    function double(uint256 amount) external pure returns (uint256) { return amount * 2; }
  }
  contract B { function half(uint256 amount) external pure returns (uint256) { return amount / 2; } }`)
  const narrowed = context.having([holding.stateWrite])
  expect(narrowed.functions.map(({ name }) => name)).toEqual(['add'])
  expect(narrowed.entryPoints.map(({ name }) => name)).toEqual(['add'])
  expect(narrowed.contracts.map(({ contract }) => contract?.name)).toEqual(['A'])
  expect(narrowed.isEmpty).toBe(false)
  expect(context.having([holding.stateWrite])).toBe(narrowed)
  expect(context.having([holding.loop]).isEmpty).toBe(true)
  const half = context.functions.find(({ name }) => name === 'half')!
  expect(narrowed.flowOf(half.fn!)).toBe(half)
})

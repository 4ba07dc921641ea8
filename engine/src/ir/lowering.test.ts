import { expect, test } from 'vitest'
import { guardsAt, isProtected, loopsOf, resultUse, senderGuardAt } from '../facts/index.ts'
import { buildModel } from '../model/index.ts'
import { Context } from './context.ts'
import type { Flow } from './flow.ts'
import type { Op } from './ir.ts'
import { stripCasts } from './values.ts'

const read = (text: string): Context => new Context(buildModel([{ path: 'sample.sol', text }]))

const flowOf = (text: string, name: string): Flow => {
  const flow = read(text).functions.find((each) => each.name === name)
  if (flow === undefined) throw new Error(`no flow ${name}`)
  return flow
}

const storesTo = (flow: Flow, name: string): Op[] =>
  flow.stateStores().filter((op) => op.location!.variable?.name === name)

/** Operations that matter, in the order of execution on the straight path. */
const effects = (flow: Flow): string[] =>
  flow.ir.ops
    .filter((op) => op.kind === 'store' || (op.kind === 'call' && !op.call!.inlined) || op.kind === 'assume')
    .map((op) =>
      op.kind === 'store' ? `${op.location!.variable?.name}=` : op.kind === 'call' ? op.call!.kind : 'assume',
    )

test('a modifier runs around the body, its arguments bound', () => {
  const flow = flowOf(
    `contract A { uint x; uint y; bool on;
       modifier m(uint least) { require(x >= least); on = true; _; on = false; }
       function f(uint a) public m(a) { y = a; } }`,
    'f',
  )
  expect(effects(flow)).toEqual(['assume', 'on=', 'y=', 'on='])
  const [check] = flow.ops('assume')
  expect(stripCasts(check!.args[0]!.args[1]!)).toBe(flow.params[0])
})

test('what an if refuses is demanded, as by require: the opposite of a comparison, and neither of two', () => {
  const flow = flowOf(
    `pragma solidity 0.8.28; contract A { uint x; error E();
       function f(uint a, bool b) public { if (a < x || b) revert E(); if (!(a > 1 && a < 9)) { revert(); } x = a; } }`,
    'f',
  )
  expect(effects(flow)).toEqual(['assume', 'assume', 'assume', 'assume', 'x='])
  expect(flow.ops('assume').map(({ args }) => args[0].operator)).toEqual(['>=', '!', '>', '<'])
  expect(flow.has('revert')).toBe(false)
})

test('a function that is called revert refuses nothing by its name', () => {
  const flow = flowOf(
    `pragma solidity 0.8.28; contract A { uint x; function revert(uint) internal {}
       function f(uint a) public { if (a < x) revert(1); x = a; } }`,
    'f',
  )
  expect(effects(flow)).toEqual(['x='])
})

test('modifiers nest in the order written, and what stands after the placeholder runs even when the body returns', () => {
  const flow = flowOf(
    `contract A { uint a; uint b; uint c; uint d;
       modifier outer() { a = 1; _; b = 1; }
       modifier inner() { c = 1; _; }
       function f() public outer inner returns (uint) { d = 1; return 7; } }`,
    'f',
  )
  expect(effects(flow)).toEqual(['a=', 'c=', 'd=', 'b='])
})

test('a placeholder written twice runs the body twice, one left out never', () => {
  const source = `contract A { uint x;
    modifier twice() { _; _; }
    modifier never() { x = 5; }
    function f() public twice { x += 1; }
    function g() public never { x = 9; } }`
  expect(effects(flowOf(source, 'f'))).toEqual(['x=', 'x='])
  const g = flowOf(source, 'g')
  expect(effects(g)).toEqual(['x='])
  expect(g.stateStores()[0]!.args[0]!.constant).toBe(5n)
})

test('internal calls are inlined in their order, and arguments and results flow through', () => {
  const flow = flowOf(
    `contract A { uint x; mapping(address => uint) m;
       function add(uint a, uint b) internal pure returns (uint c) { c = a + b; }
       function note(uint v) internal { x = v; msg.sender.call(""); m[msg.sender] = v; }
       function f(uint a) public { note(add(a, 2)); } }`,
    'f',
  )
  expect(effects(flow)).toEqual(['x=', 'lowlevel', 'm='])
  const sum = storesTo(flow, 'x')[0]!.args[0]!
  expect(sum.operator).toBe('+')
  expect(sum.args[0]).toBe(flow.params[0])
  expect(storesTo(flow, 'm')[0]!.args[0]).toBe(sum)
})

test('virtual calls and super resolve in the most derived contract', () => {
  const context =
    read(`contract Base { uint x; function f() public virtual { g(); } function g() internal virtual { x = 1; } }
    contract Mid is Base { function g() internal virtual override { x = 2; super.g(); } }
    contract Top is Mid { function g() internal override { x = 3; super.g(); } }`)
  const flow = context.functions.find((each) => each.name === 'f')!
  expect(flow.stateStores().map((op) => op.args[0]!.constant)).toEqual([3n, 2n, 1n])
})

test('a function that two contracts share without a difference is one flow, with a difference two', () => {
  const same = read(
    `contract Base { uint x; function f() public { x = 1; } } contract A is Base { uint a; } contract B is Base { uint b; }`,
  )
  expect(same.functions.filter((each) => each.name === 'f')).toHaveLength(1)
  expect(same.contracts.filter((each) => each.entryPoints.some((flow) => flow.name === 'f'))).toHaveLength(2)
  const empty = read(
    `contract Base { uint x; function f() public { x = 1; } } contract A is Base {} contract B is Base {}`,
  )
  expect(empty.contracts).toHaveLength(1)
  const other = read(`contract Base { uint x; function f() public { g(); } function g() internal virtual {} }
    contract A is Base {} contract B is Base { function g() internal override { x = 2; } }`)
  expect(other.functions.filter((each) => each.name === 'f')).toHaveLength(2)
})

test('an early return joins the rest with a phi', () => {
  const flow = flowOf(
    `contract A { uint x; function pick(bool b) internal pure returns (uint) { if (b) { return 1; } return 2; }
       function f(bool b) public { x = pick(b); } }`,
    'f',
  )
  const value = flow.stateStores()[0]!.args[0]!
  expect(value.kind).toBe('phi')
  expect(value.args.map((arg) => arg.constant)).toEqual([1n, 2n])
})

test('a loop makes phis for what it assigns, and for nothing else', () => {
  const flow = flowOf(
    'contract A { uint x; function f(uint n, uint k) public { uint s; for (uint i = 0; i < n; i++) { s += k; } x = s; } }',
    'f',
  )
  expect(
    flow
      .ops('phi')
      .map((op) => op.operator)
      .sort(),
  ).toEqual(['i', 's'])
  expect(stripCasts(flow.stateStores()[0]!.args[0]!).operator).toBe('s')
  expect(loopsOf(flow)).toHaveLength(1)
})

test('break, continue and do-while leave and close their loop', () => {
  const flow = flowOf(
    `contract A { uint x; function f(uint n) public {
       uint i; do { i++; if (i == 3) continue; if (i == 5) break; x = i; } while (i < n); x = 100; } }`,
    'f',
  )
  const [inside, after] = flow.stateStores()
  expect(flow.canFollow(inside!, inside!)).toBe(true)
  expect(flow.canFollow(after!, inside!)).toBe(false)
  expect(flow.isFollowedBy(inside!, after!)).toBe(true)
})

test('storage pointers name the place they point to', () => {
  const flow = flowOf(
    `contract A { struct S { uint n; } mapping(address => S) all;
       function f() public { S storage s = all[msg.sender]; s.n = 1; set(s); }
       function set(S storage t) internal { t.n = 2; } }`,
    'f',
  )
  const [first, second] = flow.stateStores()
  expect(flow.describe(first!.location!)).toBe('all[msg.sender].n')
  expect(second!.location).toBe(first!.location)
})

test('push, pop, delete and length of 0.4 are writes', () => {
  const flow = flowOf(
    'contract A { uint[] a; function f() public { a.push(1); a.pop(); delete a; a.length = 3; a.length--; } }',
    'f',
  )
  const parts = flow.stateStores().map((op) => op.location!.part)
  expect(parts).toEqual(['index', 'length', 'any', 'length', 'root', 'length', 'length'])
})

test('tuples are taken apart, gaps skipped', () => {
  const flow = flowOf(
    'contract A { uint x; uint y; function two(uint a) internal pure returns (uint, uint) { return (a, 7); } function f(uint a) public { (x, y) = two(a); (, y) = two(1); } }',
    'f',
  )
  const values = flow.stateStores().map((op) => op.args[0]!)
  expect(values[0]).toBe(flow.params[0])
  expect(values.slice(1).map((op) => op.constant)).toEqual([7n, 7n])
})

test('try and catch are branches on the outcome', () => {
  const flow = flowOf(
    `interface I { function g() external returns (uint); }
     contract A { uint x; function f(I i) public { try i.g() returns (uint r) { x = r; } catch { x = 0; } } }`,
    'f',
  )
  const [call] = flow.externalCalls()
  expect(call!.call!.isTried).toBe(true)
  const [ok, failed] = flow.stateStores()
  expect(guardsAt(flow, ok!).some((fact) => fact.condition.operator === 'success' && fact.polarity)).toBe(true)
  expect(guardsAt(flow, failed!).some((fact) => fact.condition.operator === 'success' && !fact.polarity)).toBe(true)
})

test('arithmetic knows whether the compiler checks it', () => {
  const flags = (source: string): boolean[] =>
    flowOf(source, 'f')
      .ops('bin')
      .map((op) => op.flag)
  const body = 'function f(uint a) public pure returns (uint) { return a + 1; }'
  expect(flags(`pragma solidity 0.8.28; contract A { ${body} }`)).toEqual([true])
  expect(flags(`pragma solidity 0.7.6; contract A { ${body} }`)).toEqual([false])
  expect(
    flags(
      'pragma solidity 0.8.28; contract A { function f(uint a) public pure returns (uint) { unchecked { return a + 1; } } }',
    ),
  ).toEqual([false])
})

test('assembly: slots of variables, calls, arithmetic, branches and loops', () => {
  const flow = flowOf(
    `pragma solidity 0.8.28; contract A { uint x; address owner;
      function f(address to, uint n) external {
        assembly {
          if iszero(eq(caller(), sload(owner.slot))) { revert(0, 0) }
          for { let i := 0 } lt(i, n) { i := add(i, 1) } { sstore(x.slot, i) }
          let ok := call(gas(), to, 1, 0, 0, 0, 0)
          if iszero(ok) { revert(0, 0) }
          sstore(0x77, 1)
        } } }`,
    'f',
  )
  expect(storesTo(flow, 'x')).toHaveLength(1)
  expect(loopsOf(flow)[0]!.boundKind).toBe('param')
  const [call] = flow.externalCalls()
  expect(call!.call!.kind).toBe('lowlevel')
  expect(call!.call!.target).toBe(flow.params[0])
  expect(call!.call!.gasKind).toBe('all')
  expect(resultUse(flow, call!)).toBe('checked')
  expect(senderGuardAt(flow, call!)?.against).toBe('state')
  expect(flow.stateStores().some((op) => op.location!.space === 'slot')).toBe(true)
  expect(flow.ops('bin').every((op) => !op.flag || op.operator === '==')).toBe(true)
})

test('assembly functions are inlined with their results, and return ends everything', () => {
  const flow = flowOf(
    `contract A { uint x; function f(uint a) public { assembly {
        function twice(v) -> r { r := mul(v, 2) if gt(r, 9) { leave } r := 1 }
        sstore(x.slot, twice(a)) return(0, 0) } x = 5; } }`,
    'f',
  )
  expect(flow.stateStores()).toHaveLength(1)
  expect(flow.stateStores()[0]!.args[0]!.kind).toBe('phi')
})

test('legacy assembly is opaque and forgets what was known', () => {
  const flow = flowOf(
    'pragma solidity 0.4.10; contract A { uint x; function f() public { x = 1; assembly { 5 0 sstore } require(x == 1); } }',
    'f',
  )
  expect(flow.ops('opaque')).toHaveLength(1)
  const [check] = flow.ops('assume')
  expect(check!.args[0]!.args[0]!.kind).toBe('load')
})

test('construction runs initial values and constructors, most base first', () => {
  const context = read(`contract A { uint a = 1; constructor(uint v) { a = v; } }
    contract B is A(7) { uint b = a; constructor() { b = 3; } }`)
  const flow = context.functions.find((each) => each.isConstructor)!
  expect(effects(flow)).toEqual(['a=', 'a=', 'b=', 'b='])
  expect(storesTo(flow, 'a')[1]!.args[0]!.constant).toBe(7n)
})

test('the outcome of a call with 2300 gas does not change what is known of the state', () => {
  const source = (call: string) =>
    `pragma solidity 0.7.6; contract A { uint x; function f() public { uint a = x; ${call} uint b = x; require(a == b); } }`
  const sides = (call: string): boolean => {
    const op = flowOf(source(call), 'f').ops('assume')[0]!.args[0]!
    return op.args[0] === op.args[1]
  }
  expect(sides('msg.sender.transfer(1);')).toBe(true)
  expect(sides('msg.sender.call("");')).toBe(false)
})

test('code of known libraries is reported at the call that led there', () => {
  const text = `pragma solidity 0.8.20;
import "@openzeppelin/contracts/access/Ownable.sol";
contract A is Ownable { uint x; constructor() Ownable(msg.sender) {} function f() external onlyOwner { x = 1; } }`
  const flow = flowOf(text, 'f')
  for (const op of flow.ir.ops) expect(op.end).toBeLessThanOrEqual(text.length)
  expect(isProtected(flow, flow.stateStores()[0]!)).toBe(true)
})

test('a place that is changed is worked out once, however deep its indexes nest', () => {
  const once = flowOf('contract A { uint n; mapping(uint => uint) m; function f() public { m[n++] += 2; } }', 'f')
  expect(storesTo(once, 'n').length).toBe(1)
  expect(storesTo(once, 'm').length).toBe(1)
  let nested = '0'
  for (let level = 0; level < 60; level++) nested = `m[${nested}]++`
  const deep = flowOf(`contract A { mapping(uint => uint) m; function f() public { ${nested}; } }`, 'f')
  expect(storesTo(deep, 'm').length).toBeLessThanOrEqual(60)
})

test('a chain of increments of nothing ends', () => {
  const flow = flowOf(`contract A { function f(uint a, uint b) public { ${'++ '.repeat(120)}(a, b); } }`, 'f')
  expect(flow.ir.ops.length).toBeLessThan(1000)
})

test('a loop whose condition never comes back ends there', () => {
  const never = 'function stop() internal returns (bool) { revert(); }'
  const before = flowOf(`contract A { ${never} uint x; function f() public { while (stop()) { x = 1; } x = 2; } }`, 'f')
  expect(storesTo(before, 'x')).toEqual([])
  const after = flowOf(
    `contract A { ${never} uint x; function f() public { do { x = 1; } while (stop()); x = 2; } }`,
    'f',
  )
  expect(after.ops('store').length).toBe(1)
})

test('a write or a call that every path reverts is none', () => {
  const flow = flowOf(
    `contract A { uint x; uint y; function f(bool c, address a) public {
      if (c) { x = 1; a.call(""); revert(); }
      y = 1;
    } }`,
    'f',
  )
  expect([storesTo(flow, 'x').length, storesTo(flow, 'y').length, flow.externalCalls().length]).toEqual([0, 1, 0])
  expect(flow.ops('store').length).toBe(2)
})

test('what one branch assigns or stores is unknown to the other, and to what stands before both', () => {
  const flow = flowOf(
    `contract A { uint x; uint y; function f(bool c, uint a) public {
      uint b = a; x = 5;
      if (c) { b = 1; x = 6; y = b + x; } else { y = b + x; }
      y = b + x;
    } }`,
    'f',
  )
  const [inThen, inElse, behind] = storesTo(flow, 'y').map((op) => op.args[0]!.args)
  expect(inThen!.map((op) => op.constant)).toEqual([1n, 6n])
  expect(inElse!.map((op) => [op.kind, op.constant])).toEqual([
    ['param', 1n],
    ['const', 5n],
  ])
  expect(behind!.map((op) => op.kind)).toEqual(['phi', 'load'])
})

test('flows of one contract share nothing but the model', () => {
  const { functions } = read(
    'contract A { uint x; function f(uint a) public { x = a + 1; } function g() public { x = 1; } }',
  )
  const [f, g] = functions
  for (const op of g!.ir.ops) expect(f!.ir.ops).not.toContain(op)
  for (const flow of functions) {
    expect(flow.ir.ops.map((op) => op.id)).toEqual(flow.ir.ops.map((_, i) => i))
    expect(flow.ir.blocks.map((block) => block.id)).toEqual(flow.ir.blocks.map((_, i) => i))
  }
})

test.each(['msg.sender.transfer(rest--)', 'to.send(rest--)', 'payable(address(this)).transfer(rest--)'])(
  'what a payment sends is worked out once: %s',
  (payment) => {
    const flow = flowOf(`contract A { uint rest; function f(address payable to) public { ${payment}; } }`, 'f')
    expect(storesTo(flow, 'rest')).toHaveLength(1)
    const [call] = flow.ops('call')
    expect(call!.call!.value).toBe(call!.args[0])
  },
)

test('`abi.encodeCall` holds every argument of the call it encodes', () => {
  const flow = flowOf(
    `interface I { function pay(address to, uint n) external; }
     contract A { function f(address to, uint n) public pure returns (bytes memory) { return abi.encodeCall(I.pay, (to, n)); } }`,
    'f',
  )
  const [encoded] = flow.ops('builtin')
  expect(encoded!.args.slice(1).map((arg) => arg.kind)).toEqual(['param', 'param'])
})

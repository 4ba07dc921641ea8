import { expect, test } from 'vitest'
import { Context, type Flow, type Op } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { isUntrusted } from './chosen-values.ts'
import { dependsOn } from './dependencies.ts'
import { guardsAt } from './guards.ts'
import { runsOnce } from './initializers.ts'
import { lockedAt } from './locks.ts'
import { loopsOf } from './loops.ts'
import { isBroken, isProtected, outsiderCanSetCopied, outsiderCanSetPlace, senderGuardAt } from './principals.ts'
import { resultUse } from './result-use.ts'
import { writesAfter } from './summaries.ts'
import { chosenByCaller, Source, taintOf } from './taint.ts'

const read = (text: string): Context => new Context(buildModel([{ path: 'sample.sol', text }]))

const flowOf = (text: string, name: string): Flow => read(text).functions.find((each) => each.name === name)!

const callOf = (flow: Flow): Op => flow.externalCalls()[0]!

const storeOf = (flow: Flow, name: string): Op => flow.stateStores().find((op) => op.location!.variable?.name === name)!

// Order

test('writes after a call include those of callees and modifiers, and not those before it', () => {
  const flow = flowOf(
    `contract A { uint before; uint inCallee; uint inModifier;
      modifier m() { _; inModifier = 1; }
      function late() internal { inCallee = 1; }
      function f() public m { before = 1; msg.sender.call(""); late(); } }`,
    'f',
  )
  const names = writesAfter(flow, callOf(flow)).map((write) => write.variable!.name)
  expect(names).toEqual(['inCallee', 'inModifier'])
})

test('on a later round of a loop what stands before a call comes after it', () => {
  const flow = flowOf(
    'contract A { uint x; function f(uint n) public { for (uint i; i < n; i++) { x = i; msg.sender.call(""); } } }',
    'f',
  )
  expect(writesAfter(flow, callOf(flow))).toHaveLength(1)
})

test('the place of an order problem is the function that holds both steps', () => {
  const text =
    'contract A { uint x; function pay() internal { msg.sender.call(""); } function f() public { pay(); x = 1; } }'
  const flow = flowOf(text, 'f')
  const at = flow.inCommonCaller(callOf(flow), storeOf(flow, 'x'))
  expect(text.slice(at.start, at.end)).toBe('pay()')
})

// Conditions

test('what dominates holds: require, if with revert, both sides of &&, nothing of ||', () => {
  const flow = flowOf(
    `contract A { uint x; bool on; bool off;
      function f(uint a, uint b, uint c) public {
        require(a > 1 && b > 2);
        if (off) revert();
        if (c > 3 || on) { x = a; } } }`,
    'f',
  )
  const facts = guardsAt(flow, storeOf(flow, 'x')).map(
    (fact) => `${fact.condition.operator || fact.condition.location?.variable?.name} ${fact.polarity}`,
  )
  expect(facts).toEqual(['> true', '> true', 'off false', '|| true'])
})

test('a helper that answers true on one path only passes on what holds on that path', () => {
  const flow = flowOf(
    `contract A { address owner; uint x;
      function mine() internal view returns (bool) { if (msg.sender != owner) { return false; } return true; }
      function f() public { require(mine()); x = 1; } }`,
    'f',
  )
  expect(senderGuardAt(flow, storeOf(flow, 'x'))?.against).toBe('state')
})

/** What can be asked of another contract about the caller without an answer. */
const rolesChecked = (check: string, body = 'require(may[a]);', more = '') =>
  flowOf(
    `interface I { function check(address a) external view; function note(address a) external; }
     contract Roles is I { mapping(address => bool) may; ${more} function check(address a) external view override { ${body} }
       function note(address a) external override {} }
     contract A { I roles; uint x; function f(I other) public { ${check} x = 1; } }`,
    'f',
  )

test.each([
  ['a view function that answers nothing can only refuse', 'roles.check(msg.sender);', 'require(may[a]);', 'external'],
  ['it learns nothing of the caller', 'roles.check(address(this));', 'require(may[a]);', undefined],
  ['the caller names who is asked', 'other.check(msg.sender);', 'require(may[a]);', undefined],
  ['what may change something need not refuse', 'roles.note(msg.sender);', 'require(may[a]);', undefined],
])('a contract that is asked about the caller: %s', (_, check, body, against) => {
  const flow = rolesChecked(check, body)
  expect(senderGuardAt(flow, storeOf(flow, 'x'))?.against).toBe(against)
})

test.each([
  ['whoever is on the list', '', 'require(may[a]);', true],
  ['nobody at all', '', '', false],
  ['everybody who is not banned', '', 'require(!may[a]);', false],
  ['whoever is somebody', '', 'require(a != address(0));', false],
  [
    'whoever puts themselves on the list',
    'function join() external { may[msg.sender] = true; }',
    'require(may[a]);',
    false,
  ],
])('a contract of the scan that is given who calls lets pass %s', (_, more, body, isKept) => {
  const flow = rolesChecked('roles.check(msg.sender);', body, more)
  expect(isProtected(flow, storeOf(flow, 'x'))).toBe(isKept)
})

test.each([
  ['a state variable', 'require(msg.sender == owner);', 'state'],
  ['the other way round with revert', 'if (owner != msg.sender) revert();', 'state'],
  ['a role', 'require(admins[msg.sender]);', 'keyed'],
  ['a number by sender', 'require(level[msg.sender] >= 3);', 'keyed'],
  ['a fixed address', 'require(msg.sender == address(0x1234567890123456789012345678901234567890));', 'constant'],
  ['one of two owners', 'require(msg.sender == owner || admins[msg.sender]);', 'state'],
  ['another contract', 'require(authority.may(msg.sender));', 'external'],
])('a sender guard: %s', (_, check, against) => {
  const flow = flowOf(
    `interface I { function may(address a) external view returns (bool); }
     contract A { address owner; I authority; mapping(address => bool) admins; mapping(address => uint) level; uint x;
       function f(address p) public { ${check} x = 1; } }`,
    'f',
  )
  expect(senderGuardAt(flow, storeOf(flow, 'x'))?.against).toBe(against)
  expect(isProtected(flow, storeOf(flow, 'x'))).toBe(true)
})

test.each([
  ['a parameter', 'require(msg.sender == p);'],
  ['nobody in particular', 'require(msg.sender != address(0));'],
  ['the opposite', 'require(msg.sender != owner);'],
  ['one of two ways is open', 'require(msg.sender == owner || p != address(0));'],
  ['a contract that the caller names', 'require(I(p).may(msg.sender));'],
  ['somebody else', 'require(p == owner);'],
])('no sender guard: %s', (_, check) => {
  const flow = flowOf(
    `interface I { function may(address a) external view returns (bool); }
     contract A { address owner; uint x; function f(address p) public { ${check} x = 1; } }`,
    'f',
  )
  expect(senderGuardAt(flow, storeOf(flow, 'x'))).toBeNull()
})

test('a modifier that checks nothing guards nothing, whatever its name', () => {
  const flow = flowOf(
    'contract A { uint x; modifier onlyOwner() { _; } function f() public onlyOwner { x = 1; } }',
    'f',
  )
  expect(isProtected(flow, storeOf(flow, 'x'))).toBe(false)
})

test('a guard on state that anyone can set is broken, through any number of steps', () => {
  const source = (setter: string) => `contract A { address owner; address boss; uint x;
    function claim() public ${setter} { boss = msg.sender; }
    function promote() public { require(msg.sender == boss); owner = msg.sender; }
    function f() public { require(msg.sender == owner); x = 1; } }`
  const open = flowOf(source(''), 'f')
  expect(isProtected(open, storeOf(open, 'x'))).toBe(false)
  expect(isBroken(open.contractFlow, senderGuardAt(open, storeOf(open, 'x'))!)).toBe(true)
  const closed = flowOf(source('virtual').replace('{ boss =', '{ require(msg.sender == owner); boss ='), 'f')
  expect(isProtected(closed, storeOf(closed, 'x'))).toBe(true)
})

test('fields of one struct are distinguished, and an initializer does not open what it sets', () => {
  const context = read(`contract A { struct P { address token; uint last; } P[] pools; address owner;
    function init() public { require(owner == address(0)); owner = msg.sender; }
    function add(address t) public { require(msg.sender == owner); pools.push(P(t, 0)); }
    function poke(uint i) public { pools[i].last = block.timestamp; } }`)
  const poke = context.functions.find((each) => each.name === 'poke')!
  const place = poke.stateStores()[0]!.location!
  expect(outsiderCanSetPlace(poke.contractFlow, place)).toBe(true)
  const init = context.functions.find((each) => each.name === 'init')!
  expect(runsOnce(init, init.stateStores()[0]!)).toBe(true)
  const add = context.functions.find((each) => each.name === 'add')!
  expect(isProtected(add, add.stateStores()[0]!)).toBe(true)
})

// Locks

test.each([
  ['a flag', 'bool l;', 'require(!l); l = true; _; l = false;'],
  ['a number', 'uint l = 1;', 'require(l == 1); l = 2; _; l = 1;'],
  ['not equal', 'uint l; uint constant IN = 2;', 'require(l != IN); l = IN; _; l = 1;'],
  ['if instead of require', 'bool l;', 'if (l) revert(); l = true; _; l = false;'],
  ['never released', 'bool l;', 'require(!l); l = true; _;'],
  ['a counter', 'uint l;', 'l += 1; uint c = l; _; require(c == l);'],
])('a lock by behaviour: %s', (_, state, body) => {
  const flow = flowOf(
    `contract A { ${state} uint x; modifier m() { ${body} } function f() public m { msg.sender.call(""); x = 1; } }`,
    'f',
  )
  expect(lockedAt(flow, callOf(flow))?.variable?.name).toBe('l')
})

test.each([
  ['released before the call', 'require(!l); l = true; l = false; _;'],
  ['tested only', 'require(!l); _;'],
  ['set only', 'l = true; _; l = false;'],
  ['set to what passes', 'require(!l); l = false; _;'],
  ['set on one path only', 'require(!l); if (x > 3) { l = true; } _;'],
])('no lock: %s', (_, body) => {
  const flow = flowOf(
    `contract A { bool l; uint x; modifier m() { ${body} } function f() public m { msg.sender.call(""); } }`,
    'f',
  )
  expect(lockedAt(flow, callOf(flow))).toBeNull()
})

test('a lock taken in an internal function of a known library counts', () => {
  const flow = flowOf(
    `import "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
     contract A is ReentrancyGuard { uint x; function f() public nonReentrant { msg.sender.call(""); x = 1; } }`,
    'f',
  )
  expect(lockedAt(flow, callOf(flow))).not.toBeNull()
})

// Data

test('taint names the sources, through arithmetic, memory, helpers and state', () => {
  const flow = flowOf(
    `interface I { function g() external view returns (uint); }
     contract A { uint open; address owner; uint closed; uint x; struct M { uint a; }
      function set(uint v) public { open = v; }
      function setClosed(uint v) public { require(msg.sender == owner); closed = v; }
      function twice(uint v) internal pure returns (uint) { return v * 2; }
      function f(uint p, I i) public payable {
        M memory m; m.a = p;
        x = twice(m.a); x = msg.value + 1; x = block.timestamp; x = open; x = closed; x = i.g(); x = uint(blockhash(1)); x = 5; } }`,
    'f',
  )
  const bits = flow.stateStores().map((op) => taintOf(flow, op.args[0]!))
  expect(bits[0]).toBe(Source.param)
  expect(bits[1]).toBe(Source.value)
  expect(bits[2]).toBe(Source.time)
  expect(bits[3]! & Source.outsiderState).not.toBe(0)
  expect(bits[4]! & Source.outsiderState).toBe(0)
  expect(bits[4]! & Source.state).not.toBe(0)
  expect(bits[5]! & Source.call).not.toBe(0)
  expect(bits[6]).toBe(Source.block)
  expect(bits[7]).toBe(0)
  expect(bits[0]! & chosenByCaller).not.toBe(0)
})

test('a value carried round a loop keeps its sources', () => {
  const flow = flowOf(
    'contract A { uint x; function f(uint p, uint n) public { uint s; uint t; for (uint i; i < n; i++) { t = s; s = p; } x = t; } }',
    'f',
  )
  expect(taintOf(flow, flow.stateStores()[0]!.args[0]!)).toBe(Source.param)
})

test('dependence goes through storage when asked', () => {
  const flow = flowOf(
    'contract A { uint s; uint x; function save() public { s = block.number; } function f() public { x = s + 1; } }',
    'f',
  )
  const value = flow.stateStores()[0]!.args[0]!
  const isNumber = (op: Op): boolean => op.kind === 'env' && op.operator === 'block.number'
  expect(dependsOn(flow, value, isNumber)).toBe(false)
  expect(dependsOn(flow, value, isNumber, { storage: true })).toBe(true)
})

test.each([
  ['msg.sender.send(1);', 'unused'],
  ['bool ok = msg.sender.send(1);', 'unused'],
  ['bool ok = msg.sender.send(1); require(ok);', 'checked'],
  ['if (!msg.sender.send(1)) { x = 1; }', 'checked'],
  ['done = msg.sender.send(1);', 'used'],
  ['pass(msg.sender.send(1));', 'unused'],
  ['must(msg.sender.send(1));', 'checked'],
])('the result of `%s` is %s', (statement, use) => {
  const flow = flowOf(
    `pragma solidity 0.4.24; contract A { uint x; bool done; function pass(bool b) internal {} function must(bool b) internal { require(b); } function f() public { ${statement} } }`,
    'f',
  )
  expect(resultUse(flow, callOf(flow))).toBe(use)
})

test('a target is trusted when the deployer or the privileged chose it, or a list of theirs holds it', () => {
  const source = `interface I { function g() external; }
    contract A { I fixedOne; I open; address owner; mapping(address => bool) listed;
      constructor(I i) { fixedOne = i; }
      function setOpen(I i) public { open = i; }
      function list(address a) public { require(msg.sender == owner); listed[a] = true; }
      function a() public { fixedOne.g(); }
      function b() public { open.g(); }
      function c(I i) public { i.g(); }
      function d(I i) public { require(listed[address(i)]); i.g(); } }`
  const context = read(source)
  const untrusted = (name: string): boolean => {
    const flow = context.functions.find((each) => each.name === name)!
    return isUntrusted(flow, callOf(flow).call!.target!, callOf(flow))
  }
  expect(['a', 'b', 'c', 'd'].map(untrusted)).toEqual([false, true, true, false])
})

// Loops

test.each([
  ['i < 10', 'constant', 'none'],
  ['i < n', 'param', 'none'],
  ['i < list.length', 'param', 'none'],
  ['i < open.length', 'storage-length', 'anyone'],
  ['i < closed.length', 'storage-length', 'privileged'],
  ['i < own[msg.sender].length', 'storage-length', 'self'],
  ['i < count', 'storage', 'anyone'],
  ['i < 5 && i < open.length', 'constant', 'none'],
])('a loop while %s is bounded by %s, grown by %s', (condition, kind, grownBy) => {
  const flow = flowOf(
    `contract A { uint[] open; uint[] closed; mapping(address => uint[]) own; uint count; address owner; uint x;
      function add() public { open.push(1); count++; own[msg.sender].push(2); }
      function addClosed() public { require(msg.sender == owner); closed.push(1); }
      function f(uint n, uint[] memory list) public { for (uint i = 0; ${condition}; i++) { x += i; } } }`,
    'f',
  )
  const [loop] = loopsOf(flow)
  expect([loop!.boundKind, loop!.grownBy]).toEqual([kind, grownBy])
})

test('a bound that the loop moves, a list of a missing library and a counter kept in a local are still traced', () => {
  const bound = (source: string): string => {
    const [loop] = loopsOf(flowOf(source, 'f'))
    return `${loop!.boundKind} ${loop!.grownBy}`
  }
  const moved = `contract A { uint[] list; address owner; uint x;
    function add() public { require(msg.sender == owner); list.push(1); }
    function f() public { uint n = list.length; for (uint i = 0; i < n; i++) { if (x > i) { n = list.length; } x++; } } }`
  expect(bound(moved)).toBe('storage-length privileged')
  const hidden = `import "./missing.sol"; contract A { uint x;
    function f() public { Lib.Data storage d = Lib.data(); for (uint i = 0; i < d.items.length; i++) { x++; } } }`
  expect(bound(hidden)).toBe('storage-length privileged')
  const counted = `contract A { uint total; uint x;
    function mint(uint n) internal { uint next = total; for (uint i; i < n; i++) { next++; } total = next; }
    function f() public { for (uint i = 0; i < total; i++) { x++; } } }`
  expect(bound(counted)).toBe('storage privileged')
})

// Words

test('a trace names the calls on the path, and places are described as written', () => {
  const text =
    'contract A { mapping(address => uint) m; function g(address a) internal { m[a] = 1; } function f(address b) public { g(b); } }'
  const flow = flowOf(text, 'f')
  const [store] = flow.stateStores()
  expect(flow.describe(store!.location!)).toBe('m[b]')
  expect(flow.trace(store!).map(({ at }) => text.slice(at.start, at.end))).toEqual(['g(b)'])
})

const versioned = `abstract contract Versioned {
    uint256 private last;
    bool private settingUp;
    modifier setUp() {
      uint256 version = versionOf();
      require(settingUp || hasNoCode() || version > last);
      bool isOuter = !settingUp;
      if (isOuter) { settingUp = true; last = version; }
      _;
      if (isOuter) { settingUp = false; }
    }
    function versionOf() internal pure virtual returns (uint256);
    function hasNoCode() private view returns (bool) { uint256 size; assembly { size := extcodesize(address()) } return size == 0; }
  }`

test.each([
  ['a version, or a set-up under way, or a constructor', 'setUp', 'return 2;', true],
  ['nothing', '', 'return 2;', false],
])('an initializer by %s runs once: %s', (_words, modifier, version, once) => {
  const text = `${versioned} contract A is Versioned { address admin;
    function versionOf() internal pure override returns (uint256) { ${version} }
    function f(address to) external ${modifier} { admin = to; } }`
  const flow = flowOf(text, 'f')
  expect(runsOnce(flow, storeOf(flow, 'admin'))).toBe(once)
})

test('where one of several ways to pass stays open, nothing runs once', () => {
  const text = (onceCode: string) =>
    `contract A { bool done; bool open; address admin; function f(address to) external { require(!done || ${onceCode}); done = true; admin = to; } }`
  const isOnce = (onceCode: string): boolean => {
    const flow = flowOf(text(onceCode), 'f')
    return runsOnce(flow, storeOf(flow, 'admin'))
  }
  expect(isOnce('address(this).code.length == 0')).toBe(true)
  expect(isOnce('open')).toBe(false)
  expect(isOnce('msg.sender.code.length == 0')).toBe(false)
})

test('a set-up struct in a slot of its own: its fields are distinguished', () => {
  const text = (version: string) => `contract A { struct S { uint64 version; bool busy; } address admin;
    function at() private pure returns (S storage s) { assembly { s.slot := 0x1234 } }
    modifier once(uint64 version) { S storage s = at(); if (s.busy || s.version >= version) revert(); s.version = version; s.busy = true; _; s.busy = false; }
    function f(address to, uint64 given) external once(${version}) { admin = to; } }`
  const fixed = flowOf(text('2'), 'f')
  expect(runsOnce(fixed, storeOf(fixed, 'admin'))).toBe(true)
  const given = flowOf(text('given'), 'f')
  expect(runsOnce(given, storeOf(given, 'admin'))).toBe(false)
})

test('what another function puts back was no set-up: a pause can be called again', () => {
  const text = `contract A { bool paused; address by; function pause() external { require(!paused); paused = true; by = msg.sender; }
    function unpause() external { paused = false; } }`
  const flow = flowOf(text, 'pause')
  expect(runsOnce(flow, storeOf(flow, 'by'))).toBe(false)
})

test('a field of a struct that is made in place depends on what was given for it, and on what is written to it later', () => {
  const flow = flowOf(
    `contract A { struct H { bytes32 root; uint size; } uint a; uint b;
      function f(uint n) public { H memory h = H({root: blockhash(1), size: n}); a = h.size; b = uint(h.root);
        H memory g = H(0, n); g.size = uint(blockhash(2)); a = g.size; } }`,
    'f',
  )
  const [first, second, third] = flow.stateStores()
  const isHash = ({ operator }: Op): boolean => operator === 'blockhash'
  expect(dependsOn(flow, first!.args[0], isHash)).toBe(false)
  expect(dependsOn(flow, second!.args[0], isHash)).toBe(true)
  expect(dependsOn(flow, third!.args[0], isHash)).toBe(true)
})

test('of a record that was copied to memory each field is asked about by itself', () => {
  const flow = flowOf(
    `interface I { function ping() external; } contract A { struct S { I one; I two; } address o = msg.sender; S[] all;
      function set(uint i, I x) public { all[i].two = x; } function add(I x) public { require(msg.sender == o); all.push().one = x; }
      function f(uint i) public { S memory s = all[i]; s.one.ping(); s.two.ping(); } }`,
    'f',
  )
  const [one, two] = flow.externalCalls().map(({ call }) => call.target!.location!)
  const copied = one!.base!.location!
  expect(outsiderCanSetPlace(flow.contractFlow, copied)).toBe(true)
  expect(outsiderCanSetCopied(flow.contractFlow, copied, one!)).toBe(false)
  expect(outsiderCanSetCopied(flow.contractFlow, copied, two!)).toBe(true)
})

test('what outsiders put on record only if the privileged have listed it is trusted there', () => {
  const text = (guard: string) => `interface I { function ping() external; }
    contract A { address o = msg.sender; mapping(address => bool) listed; mapping(address => I[]) mine;
      function list(address a) public { require(msg.sender == o); listed[a] = true; }
      function add(I a) public { ${guard} mine[msg.sender].push(a); }
      function drop(uint i) public { I[] storage all = mine[msg.sender]; all[i] = all[all.length - 1]; all.pop(); }
      function f(uint i) public { mine[msg.sender][i].ping(); } }`
  const judge = (guard: string): boolean => {
    const flow = flowOf(text(guard), 'f')
    const [call] = flow.externalCalls()
    return isUntrusted(flow, call!.call.target!, call!)
  }
  expect(judge('require(listed[address(a)]);')).toBe(false)
  expect(judge('require(address(a) != address(0));')).toBe(true)
  expect(judge('')).toBe(true)
})

test('a registry that validated its own successor is asked once', () => {
  const flow = flowOf(
    `interface I { function knows(address) external view returns (bool); function ping() external; }
     contract A { I r; function set(I x) public { require(r.knows(address(x))); r = x; } function f() public { r.ping(); } }`,
    'f',
  )
  const [call] = flow.externalCalls()
  expect(isUntrusted(flow, call!.call.target!, call!)).toBe(true)
})

test('a callee that is looked up by a hash over it and its errand is the choice of who keeps the list', () => {
  const text = (queue: string) => `contract A { address o = msg.sender; mapping(bytes32 => bool) queued;
    function queue(address to, bytes memory data) public { ${queue} queued[keccak256(abi.encode(to, data))] = true; }
    function f(address to, bytes memory data) public { bytes32 id = keccak256(abi.encode(to, data)); require(queued[id]); to.call(data); } }`
  const judge = (queue: string): boolean => {
    const flow = flowOf(text(queue), 'f')
    const call = callOf(flow)
    return isUntrusted(flow, call.call!.target!, call)
  }
  expect(judge('require(msg.sender == o);')).toBe(false)
  expect(judge('')).toBe(true)
})

test('what is moved on from where only the privileged write is theirs, also of a type from a missing file', () => {
  const flow = flowOf(
    `import "./Missing.sol"; contract A { struct R { Judge judge; uint n; } address o = msg.sender; Judge judge; uint rate; R[] all;
      function set(Judge j) public { require(msg.sender == o); judge = j; }
      function add() public { R storage r = all.push(); r.judge = judge; r.n = rate; } }`,
    'add',
  )
  const [judge, n] = ['judge', 'n'].map((name) => flow.stateStores().find((op) => op.location.name === name)!.location)
  expect(outsiderCanSetPlace(flow.contractFlow, judge!)).toBe(false)
  expect(outsiderCanSetPlace(flow.contractFlow, n!)).toBe(true)
})

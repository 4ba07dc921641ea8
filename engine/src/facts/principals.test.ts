import { expect, test } from 'vitest'
import { budget, Context, type Flow } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { demandAt } from './demands.ts'
import { runsOnce } from './initializers.ts'
import { isCallerChecked, isRole, principalAt, roleAt } from './principals.ts'
import { senderGuardsAt } from './sender-checks.ts'

const flowOf = (text: string, name: string): Flow =>
  new Context(buildModel([{ path: 'sample.sol', text }])).functions.find((each) => each.name === name)!

const firstStore = (flow: Flow) => flow.stateStores()[0]!

test('who stands in a list of members holds a role: the entry says where, not how much', () => {
  const list = `uint x; address[] members; mapping(address => uint) at;
    constructor() { members.push(msg.sender); at[msg.sender] = members.length; }
    function leave() external { uint i = at[msg.sender]; require(i != 0); at[members[members.length - 1]] = i; delete at[msg.sender]; members.pop(); }
    function set(uint n) external { require(at[msg.sender] != 0); x = n; }`
  const set = flowOf(`contract A { ${list} }`, 'set')
  expect(roleAt(set, firstStore(set))).not.toBeNull()
  const paid = `uint x; mapping(address => uint) at;
    function give(address to, uint n) external { at[msg.sender] -= n; at[to] += n; }
    function set(uint n) external { require(at[msg.sender] != 0); x = n; }`
  const rich = flowOf(`contract A { ${paid} }`, 'set')
  expect(roleAt(rich, firstStore(rich))).toBeNull()
})

test('a caller that validated itself is anyone; a registry that knows it validated it', () => {
  const vault =
    'interface I { function owner() external view returns (address); function knows(address) external view returns (bool); }'
  const body = (condition: string) =>
    `${vault} contract A { uint x; I r; constructor(I r_) { r = r_; } function set(uint n) external { require(${condition}); x = n; } }`
  const own = flowOf(body('I(msg.sender).owner() == address(this)'), 'set')
  expect(roleAt(own, firstStore(own))).toBeNull()
  const registered = flowOf(body('r.knows(msg.sender)'), 'set')
  expect(roleAt(registered, firstStore(registered))).not.toBeNull()
})

test('a check after a store undoes a second one as well, unless some path ends without it', () => {
  const late = flowOf(
    'contract A { address a; bool b; function set(address n) external { a = n; require(!b); b = true; } }',
    'set',
  )
  expect(runsOnce(late, firstStore(late))).toBe(true)
  const early = flowOf(
    'contract A { address a; bool b; function set(address n) external { a = n; if (n == address(1)) return; require(!b); b = true; } }',
    'set',
  )
  expect(runsOnce(early, firstStore(early))).toBe(false)
})

test('who is asked after a store counts as before it, unless it is compared with what was just stored or some way ends without it', () => {
  const body = (text: string) =>
    flowOf(
      `contract A { address o; uint x; constructor() { o = msg.sender; } function set(uint n) external { ${text} } }`,
      'set',
    )
  const late = body('x = n; require(msg.sender == o);')
  expect(principalAt(late, firstStore(late))).toBe('one')
  const early = body('x = n; if (n == 3) return; require(msg.sender == o);')
  expect(principalAt(early, firstStore(early))).toBe('anyone')
  const own = body('o = msg.sender; require(msg.sender == o); x = n;')
  expect(principalAt(own, firstStore(own))).toBe('anyone')
})

test('distinguishes each principal of the lattice', () => {
  const body = (text: string) =>
    `interface I { function f() external; }
    interface IToken { function balanceOf(address) external view returns (uint); function ownerOf(uint) external view returns (address); }
    contract A is B { IToken t; struct Lot { address seller; uint n; }
      address o; uint x; address[] members; mapping(uint => Lot) lots; mapping(address => bool) joined; mapping(address => uint) shares;
      constructor(address[] memory all) { o = msg.sender; members = all; }
      function open(uint id) external { require(lots[id].seller == address(0)); lots[id].seller = msg.sender; }
      function join() external { joined[msg.sender] = true; }
      function grant(address to, uint n) external { require(msg.sender == o); shares[to] = n; }
      function isIn(address[] memory all, address who) internal pure returns (bool) {
        for (uint i = 0; i < all.length; i++) { if (all[i] == who) return true; }
        return false;
      }
      function set(uint id, bytes32 h, uint8 v, bytes32 r, bytes32 s, Lot calldata given) external { ${text} x = id; } }`
  const at = (text: string) => {
    const flow = flowOf(body(text), 'set')
    return principalAt(flow, firstStore(flow))
  }
  expect(at('require(msg.sender == o);')).toBe('one')
  expect(at('require(msg.sender == address(this));')).toBe('one')
  expect(at('require(isIn(members, msg.sender));')).toBe('role')
  expect(at('require(ecrecover(h, v, r, s) == o);')).toBe('consent')
  expect(at('require(ecrecover(h, v, r, s) == given.seller);')).toBe('anyone')
  expect(at('require(shares[msg.sender] > 0);')).toBe('granted')
  expect(at('require(lots[id].seller == msg.sender);')).toBe('holder')
  expect(at('require(t.balanceOf(msg.sender) >= 5);')).toBe('holder')
  expect(at('require(t.ownerOf(id) == msg.sender);')).toBe('holder')
  expect(at('_check();')).toBe('unread')
  expect(at('require(joined[msg.sender]);')).toBe('anyone')
  expect(at('')).toBe('anyone')
})

test('what anyone has to bring: a proof, a better offer, or a place that is free', () => {
  const body = (text: string) => `interface I { function verify(bytes32) external view returns (bool); }
    contract A { address o; bytes32 p; uint best; I v; constructor(I v_) { o = msg.sender; v = v_; }
      function set(uint n, bytes32 h) external payable { ${text} o = msg.sender; } }`
  const at = (text: string) => {
    const flow = flowOf(body(text), 'set')
    return demandAt(flow, flow.stateStores().findLast(({ location }) => location.variable?.name === 'o')!)
  }
  expect(at('require(keccak256(abi.encode(h)) == p);')).toBe('proof')
  expect(at('require(v.verify(h));')).toBe('proof')
  expect(at('require(n > best); best = n;')).toBe('offer')
  expect(at('require(o == address(0));')).toBe('vacancy')
  expect(at('require(n > 3);')).toBeNull()
  expect(at('require(n < best);')).toBeNull()
  expect(at('require(h != p);')).toBeNull()
})

test('a set-up that asks on each of two ways runs once, and not if one of them asks for nothing', () => {
  const body = (under: string) => `contract A { address a; uint8 done; bool under;
    function begin(uint8 version) private returns (bool) {
      if (under) { ${under} return false; }
      require(done < version); done = version; return true;
    }
    function set(address n) external { bool top = begin(1); if (top) under = true; a = n; if (top) under = false; } }`
  const storeOf = (flow: Flow) => flow.stateStores().find(({ location }) => location.variable?.name === 'a')!
  const once = flowOf(body('require(address(this).code.length == 0);'), 'set')
  expect(runsOnce(once, storeOf(once))).toBe(true)
  const open = flowOf(
    `contract A { address a; uint8 done; bool under; function wait() external { under = true; }
      function set(address n) external { if (under) { } else { require(done < 1); done = 1; } a = n; } }`,
    'set',
  )
  expect(runsOnce(open, storeOf(open))).toBe(false)
})

test('a member that leaves moves the last one to its place: nobody comes in by that', () => {
  const text = (guard: string) => `contract A { uint x; address[] list; mapping(address => uint) at;
    constructor() { list.push(msg.sender); at[msg.sender] = 1; }
    function leave(address who) external { ${guard} uint i = at[who]; require(i != 0); address last = list[list.length - 1];
      at[last] = i; list[i - 1] = last; at[who] = 0; list.pop(); }
    function set(uint n) external { require(at[msg.sender] != 0); x = n; } }`
  const named = flowOf(text('require(who == msg.sender);'), 'set')
  expect(principalAt(named, firstStore(named))).toBe('role')
})

test('what anyone may renew from a registry is for the registry to say, unless the caller names the entry', () => {
  const body = (key: string, name: string) => `interface R { function at(bytes32 n) external view returns (address); }
    contract A { R immutable r; mapping(bytes32 => address) cache; uint x; constructor(R r_) { r = r_; }
      function renew(bytes32 n) external { cache[${key}] = r.at(${name}); }
      function set(uint n) external { require(msg.sender == cache["issuer"]); x = n; } }`
  const renewed = flowOf(body('"issuer"', '"issuer"'), 'set')
  expect(principalAt(renewed, firstStore(renewed))).toBe('role')
  const chosen = flowOf(body('"issuer"', 'n'), 'set')
  expect(principalAt(chosen, firstStore(chosen))).not.toBe('role')
})

test('a check that the budget left out may refuse: it is not as if nobody was asked', () => {
  const text = `contract A { address o; uint x; constructor() { o = msg.sender; }
    function check() internal view { require(msg.sender == o); }
    function isIn() internal view returns (bool) { return msg.sender == o; }
    function set(uint n) external { check(); x = n; }
    function put(uint n) external { require(isIn()); x = n; } }`
  const context = new Context(buildModel([{ path: 'sample.sol', text }]), { ...budget.flow, maxInlinedOps: 0 })
  for (const name of ['set', 'put']) {
    const flow = context.functions.find((each) => each.name === name)!
    expect(principalAt(flow, firstStore(flow)), name).toBe('unread')
  }
})

test('open until a set-up has ended that is never taken up again, and then to a few', () => {
  const dao = 'interface I { function passed(address) external view returns (bool); }'
  const body = (end: string, condition: string) =>
    `${dao} contract A { bool done; I r; uint x; mapping(address => uint) b; constructor(I r_) { r = r_; }
      function end() external { done = ${end}; } function pay() external payable { b[msg.sender] += msg.value; }
      function set(uint n) external { require(!done || ${condition}); x = n; } }`
  const principalOf = (text: string) => {
    const set = flowOf(text, 'set')
    return principalAt(set, firstStore(set))
  }
  expect(principalOf(body('true', 'r.passed(msg.sender)'))).toBe('later')
  expect(principalOf(body('!done', 'r.passed(msg.sender)'))).toBe('anyone')
  expect(principalOf(body('true', 'b[msg.sender] > 0'))).toBe('anyone')
  expect(principalOf(body('true', 'n > 5'))).toBe('anyone')
  const set = flowOf(body('true', 'r.passed(msg.sender)'), 'set')
  expect(principalAt(set, firstStore(set), () => false)).toBe('anyone')
  expect(isCallerChecked(set, firstStore(set))).toBe(false)
})

test('a guard asks for a role or for an amount, no matter who can come by it', () => {
  const isChecked = (state: string, condition: string): boolean => {
    const set = flowOf(
      `contract A { uint x; ${state} function set(uint n) external { require(${condition}); x = n; } }`,
      'set',
    )
    return senderGuardsAt(set, firstStore(set)).some((guard) => isRole(set, guard))
  }
  expect(isChecked('address o; function take() external { o = msg.sender; }', 'msg.sender == o')).toBe(true)
  expect(isChecked('mapping(address => uint) m; constructor() { m[msg.sender] = 1; }', 'm[msg.sender] == 1')).toBe(true)
  expect(
    isChecked(
      'mapping(address => uint) m; function pay() external payable { m[msg.sender] += msg.value; }',
      'm[msg.sender] > 0',
    ),
  ).toBe(false)
})

test('a check that belongs to a computation asks nothing of the caller; a helper that only checks does', () => {
  const body = (helper: string, use: string) =>
    flowOf(
      `contract A { uint x; mapping(address => uint) level; uint debt; ${helper}
        constructor() { level[msg.sender] = 9; debt = 1; }
        function set(uint n) external { ${use} x = n; } }`,
      'set',
    )
  const subtract = 'function sub(uint a, uint b) internal pure returns (uint) { require(b <= a); return a - b; }'
  const computed = body(subtract, 'uint left = sub(level[msg.sender], debt); n += left;')
  expect(senderGuardsAt(computed, firstStore(computed))).toEqual([])
  const checked = body(
    'function atLeast(uint a, uint b) internal pure { require(b <= a); }',
    'atLeast(level[msg.sender], debt);',
  )
  expect(senderGuardsAt(checked, firstStore(checked))).toHaveLength(1)
})

test('who named the next one chose it, also where the record is copied to memory before it takes effect', () => {
  const wallet = (start: string) =>
    flowOf(
      `contract A { struct R { address next; uint at; } address owner; R pending; address guard; uint x;
        constructor() { owner = guard = msg.sender; }
        function start(address n) external { ${start} pending = R(n, block.timestamp); }
        function finish() external { R memory r = pending; require(r.next != address(0)); delete pending; owner = r.next; }
        function set(uint n) external { require(msg.sender == owner); x = n; } }`,
      'set',
    )
  const guarded = wallet('require(msg.sender == guard);')
  expect(principalAt(guarded, firstStore(guarded))).toBe('one')
  const open = wallet('')
  expect(principalAt(open, firstStore(open))).toBe('anyone')
})

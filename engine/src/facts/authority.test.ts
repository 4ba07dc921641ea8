import { expect, test } from 'vitest'
import { Context, type Flow } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { roleAt } from './authority.ts'
import { runsOnce } from './initialisers.ts'

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

test('a caller that vouches for itself is anybody; a registry that knows it vouches for it', () => {
  const vault =
    'interface I { function owner() external view returns (address); function knows(address) external view returns (bool); }'
  const body = (condition: string) =>
    `${vault} contract A { uint x; I r; constructor(I r_) { r = r_; } function set(uint n) external { require(${condition}); x = n; } }`
  const own = flowOf(body('I(msg.sender).owner() == address(this)'), 'set')
  expect(roleAt(own, firstStore(own))).toBeNull()
  const registered = flowOf(body('r.knows(msg.sender)'), 'set')
  expect(roleAt(registered, firstStore(registered))).not.toBeNull()
})

test('what is asked after a store undoes a second one as well, unless some way ends without it', () => {
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

/** Each practice by two files: one that is advised, and one that keeps the practice or that it does not concern. */
import { describe, expect, test } from 'vitest'
import { scan, scanFiles } from '../index.ts'
import { Context } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { Adviser, type Practice, practices } from './index.ts'

const advise = (source: string) => scan(source).bestPractices

const items = (source: string): string[] => advise(source).checklist.flatMap(({ items: each }) => [...each])

const file = (body: string, head = 'contract W', before = ''): string =>
  `// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\n${before}${head} {\n${body}\n}\n`

interface Example {
  readonly given: string
  /** The item that `given` gets. */
  readonly item: RegExp
  readonly notGiven: string
  /** What is said instead; absent: nothing is said of the matter. */
  readonly instead?: RegExp
}

const owner = 'address o = msg.sender; modifier m() { require(msg.sender == o, "no"); _; }'
const token = 'interface T { function transfer(address to, uint256 n) external returns (bool); }\n'
const feed =
  'interface F { function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80); }\n'

const examples: Record<string, Example> = {
  'pinned-compiler': {
    given: 'pragma solidity ^0.8.0; contract A {}',
    item: /^To do: Pin the pragma/,
    notGiven: file('uint x;'),
    instead: /^Done: The compiler version is pinned/,
  },
  'stated-compiler': {
    given: 'contract A {}',
    item: /^To do: Add a pragma/,
    notGiven: 'pragma solidity ^0.8.0; contract A {}',
  },
  'recent-compiler': {
    given: 'pragma solidity 0.7.6; contract A {}',
    item: /^To do: Use Solidity 0\.8/,
    notGiven: 'pragma solidity 0.8.0; contract A {}',
  },
  'stated-licence': {
    given: 'pragma solidity 0.8.28; contract A { string s = "SPDX-License-Identifier: none"; }',
    item: /^To do: State the license/,
    notGiven: file('uint x;'),
    instead: /^Done: The license is stated/,
  },
  'restricted-callers': {
    given: file('uint n; function up() public { n += 1; }'),
    item: /^Check: Anyone can call `up` and change state/,
    notGiven: file(`${owner} uint n; function up() public m { n += 1; }`),
    instead: /^Check: Every function that changes state checks its caller/,
  },
  'two-step-hand-over': {
    given: file(`${owner} function give(address a) public m { o = a; }`),
    item: /^To do: Transfer roles in two steps.*`give`/,
    notGiven: file(
      `${owner} address p; function offer(address a) public m { p = a; } function take() public { require(msg.sender == p, "no"); o = p; }`,
    ),
    instead: /^Done: Roles are transferred in two steps/,
  },
  'zero-address': {
    given: file('address a; function set(address b) public { a = b; }'),
    item: /^To do: Reject the zero address before storing it: `set`/,
    notGiven: file('address a; function set(address b) public { require(b != address(0), "zero"); a = b; }'),
  },
  'shared-rights': {
    given: file(`${owner} uint fee; function setFee(uint f) public m { fee = f; }`),
    item: /^Check: Put a multisig.*`setFee`/,
    notGiven: file('uint fee; function setFee(uint f) public { fee = f; }'),
  },
  'sender-not-origin': {
    given: file('address o = msg.sender; uint n; function f() public { require(tx.origin == o, "no"); n = 1; }'),
    item: /^To do: Use `msg\.sender`, never `tx\.origin`/,
    notGiven: file('uint n; function f() public { require(tx.origin == msg.sender, "no"); n = 1; }'),
  },
  'bookkeeping-first': {
    given: file('uint n; function out() public { payable(msg.sender).call{value: 1}(""); n = 1; }'),
    item: /^To do: Update state before the external call in `out`/,
    notGiven: file('uint n; function out() public { n = 1; payable(msg.sender).call{value: 1}(""); }'),
    instead: /^Done: Functions that send ETH update state first/,
  },
  'pull-payments': {
    given: file('address payable[] p; function pay() public { for (uint i; i < p.length; i++) p[i].transfer(1); }'),
    item: /^To do: Use pull payments.*`pay`/,
    notGiven: file(
      'address payable[] p; uint n; function pay() public { for (uint i; i < p.length; i++) n += i; p[0].transfer(1); }',
    ),
  },
  'low-level-calls': {
    given: file('function f(address a) public { (bool ok, ) = a.call(""); require(ok, "no"); }'),
    item: /^Check: Verify the result of low-level calls.*`f`/,
    notGiven: file('function call(uint n) public {} function f() public { call(1); }'),
  },
  'delegate-calls': {
    given: file('function f(address a) public { a.delegatecall(""); }'),
    item: /^Check: Fix the `delegatecall` target.*`f`/,
    notGiven: file('function delegatecall(uint n) public {} function f() public { delegatecall(1); }'),
  },
  'safe-token-calls': {
    given: file('function pay(T t) public { t.transfer(msg.sender, 1); }', 'contract W', token),
    item: /^To do: Use `SafeERC20` in `pay`/,
    notGiven: file(
      'using SafeERC20 for IERC20; function pay(IERC20 t) public { t.safeTransfer(msg.sender, 1); }',
      'contract W',
      'import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";\n',
    ),
    instead: /^Done: Token calls use a safe wrapper/,
  },
  'unusual-tokens': {
    given: file('function pay(T t) public { t.transfer(msg.sender, 1); }', 'contract W', token),
    item: /^Check: Reject or account for tokens that charge a fee/,
    notGiven: file('function transfer(address to, uint n) public {} function f() public { transfer(msg.sender, 1); }'),
  },
  'way-out': {
    given: file('function pay() public payable {}'),
    item: /^Check: Make sure that ETH received by `pay`/,
    notGiven: file('function pay() public {}'),
  },
  'no-selfdestruct': {
    given: file('function end() public { selfdestruct(payable(msg.sender)); }'),
    item: /^To do: Avoid `selfdestruct`/,
    notGiven: file('function end() public {}'),
  },
  'explained-unchecked': {
    given: file('uint n; function f(uint a) public { unchecked { n = n + a; } }'),
    item: /^Check: State in a comment why each `unchecked` block.*`f`/,
    notGiven: file('uint n; function f(uint a, uint b) public { require(a >= b, "no"); unchecked { n = a - b; } }'),
  },
  'short-assembly': {
    given: file('function f() public pure returns (uint r) { assembly { r := 1 } }'),
    item: /^Check: Keep each assembly block/,
    notGiven: file('function f() public pure returns (uint r) { r = 1; }'),
  },
  'coarse-time': {
    given: file('uint end; function f() public view { require(block.timestamp < end, "late"); }'),
    item: /^Check: Do not depend on the block timestamp/,
    notGiven: file('uint at; function f() public { at = block.timestamp; }'),
  },
  'verifiable-randomness': {
    given: file('uint n; function f() public { n = uint(blockhash(block.number - 1)) % 6; }'),
    item: /^To do: Use a VRF or commit-reveal/,
    notGiven: file('uint n; function blockHash() public { n = 6; }'),
  },
  'checked-answers': {
    given: file(
      'function f(F a) public view returns (int256 p) { (, p, , , ) = a.latestRoundData(); }',
      'contract W',
      feed,
    ),
    item: /^Check: Reject oracle answers/,
    notGiven: file('function latestRoundData() public {} function f() public { latestRoundData(); }'),
  },
  'bounded-signatures': {
    given: file(
      'function f(bytes32 h, uint8 v, bytes32 r, bytes32 s) public pure returns (address) { return ecrecover(h, v, r, s); }',
    ),
    item: /^To do: Verify signatures with a library/,
    notGiven: file(
      'function f(bytes32 h, uint8 v, bytes32 r, bytes32 s) public pure returns (address) { require(uint256(s) < 2 ** 255, "s"); return ecrecover(h, v, r, s); }',
    ),
    instead: /^Done: Malleable signatures are rejected/,
  },
  'told-changes': {
    given: file(`${owner} uint fee; function setFee(uint f) public m { fee = f; }`),
    item: /^To do: Emit an event in `setFee`/,
    notGiven: file(`${owner} uint fee; event E(uint f); function setFee(uint f) public m { fee = f; emit E(f); }`),
    instead: /^Done: Privileged changes emit events/,
  },
  'stated-reasons': {
    given: file('function f(uint a) public pure { require(a > 0); }'),
    item: /^To do: Give the `require` without a reason one/,
    notGiven: file('function f(uint a) public pure { require(a > 0, "none"); }'),
  },
  'custom-errors': {
    given: file('function f(uint a) public pure { require(a > 0, "a"); require(a > 1, "b"); require(a > 2, "c"); }'),
    item: /^To do: Use custom errors.*3 `require` still use strings/,
    notGiven: file('error E(); function f(uint a) public pure { if (a == 0) revert E(); }'),
  },
  'emergency-pause': {
    given: file(
      `${owner} uint n; function set() public m { n = 1; } function out() public { payable(msg.sender).transfer(n); }`,
    ),
    item: /^To do: Consider an emergency pause/,
    notGiven: file(
      `${owner} bool off; function set(bool b) public m { off = b; } function out() public { require(!off, "off"); payable(msg.sender).transfer(1); }`,
    ),
    instead: /^Done: The contract can be paused/,
  },
  'compatible-layout': {
    given: file('bool done; address o; function start() public { require(!done, "no"); done = true; o = msg.sender; }'),
    item: /^To do: Keep the storage layout compatible/,
    notGiven: file(
      'bool done; address o; uint256[48] private rest; function start() public { require(!done, "no"); done = true; o = msg.sender; }',
    ),
    instead: /^Done: A storage gap leaves room/,
  },
  'closed-implementation': {
    given: file('bool done; address o; function start() public { require(!done, "no"); done = true; o = msg.sender; }'),
    item: /^Check: Disable initializers in the implementation/,
    notGiven: file('address o; function initialize() public { o = msg.sender; }'),
  },
  'documented-functions': {
    given: file(
      '/// @notice one\nfunction a() public {}\n/** two */\nfunction b() public {}\n// three\nfunction c() public {}',
    ),
    item: /^To do: Document `c` in NatSpec \(2 of 3/,
    notGiven: file('/// @notice one\nfunction a() public {}'),
    instead: /^Done: Every public function is documented/,
  },
  'tested-refusals': {
    given: file('uint n; function up() public { n += 1; }'),
    item: /^Check: Test reverts as well as successes of `up`/,
    notGiven: file('uint n; function up() public view returns (uint) { return n + 1; }'),
  },
}

test('every practice is shown given and not given', () => {
  expect(Object.keys(examples)).toEqual(practices.map(({ id }) => id))
})

describe.each(Object.entries(examples))('%s', (_, { given, item, notGiven, instead }) => {
  test('is given', () => {
    expect(items(given)).toContainEqual(expect.stringMatching(item))
  })

  test('is not given', () => {
    expect(items(notGiven)).not.toContainEqual(expect.stringMatching(item))
    if (instead) expect(items(notGiven)).toContainEqual(expect.stringMatching(instead))
  })
})

test('a check is never a thing done or to do, and what is urgent is recommended', () => {
  for (const { id, isCheck, isUrgent } of practices) {
    const { given, item } = examples[id]!
    const text = items(given).find((each) => item.test(each)) ?? ''
    expect(text.startsWith('Check: '), id).toBe(isCheck === true)
    const { recommendations } = advise(given)
    expect(recommendations.includes(text.replace(/^[^:]*: /, '')), id).toBe(isUrgent === true)
  }
})

test('names prove nothing: what is called like a guard, a lock or a pause counts by what it does', () => {
  const fakes = file(
    'modifier onlyOwner() { _; } modifier nonReentrant() { _; } modifier whenNotPaused() { _; } uint n;' +
      'function out() public onlyOwner nonReentrant whenNotPaused { msg.sender.call{value: 1}(""); n = 1; }',
  )
  const text = items(fakes).join('\n')
  expect(text).toMatch(/Anyone can call `out`/)
  expect(text).toMatch(/Update state before the external call in `out`/)
  expect(text).not.toMatch(/Put a multisig|can be paused/)
})

test('a lock by what it does counts as a reentrancy guard, and is no state that anyone changes', () => {
  const lock = 'uint l; modifier m() { require(l == 0, "x"); l = 1; _; l = 0; }'
  const out = (head: string) => `uint n; function out() public ${head} { msg.sender.call{value: 1}(""); n = 1; }`
  expect(items(file(`${lock} ${out('m')}`)).join('\n')).toMatch(/Done: Functions that send ETH/)
  expect(items(file(`${lock} ${out('')}`)).join('\n')).toMatch(/To do: Update state before the external call.*`out`/)
  expect(items(file(`${lock} function f() public m { msg.sender.call(""); }`)).join('\n')).not.toMatch(
    /Anyone can call/,
  )
})

test('a privileged function that takes a lock first is privileged all the same', () => {
  const text = items(
    file(
      `${owner} uint l; modifier k() { require(l == 0, "x"); l = 1; _; l = 0; } uint n; function f() public k m { n = 1; }`,
    ),
  ).join('\n')
  expect(text).toMatch(/Every function that changes state checks its caller/)
  expect(text).toMatch(/multisig.*`f`/)
})

test('what is inherited from a known library is judged by its code', () => {
  const inherits = (name: string) =>
    items(file('uint x;', `contract W is ${name}`, `import "@openzeppelin/contracts/access/${name}.sol";\n`)).join('\n')
  expect(inherits('Ownable')).toMatch(/To do: Transfer roles in two steps.*`transferOwnership`/)
  expect(inherits('Ownable2Step')).toMatch(/Done: Roles are transferred in two steps/)
})

test('what inherits from bases for proxies is upgradeable, and so says the checklist', () => {
  const text = items(
    file(
      'address t; function initialize(address x) public initializer { __Ownable_init(); t = x; }',
      'contract W is OwnableUpgradeable',
      'import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";\n',
    ),
  ).join('\n')
  expect(text).toMatch(/To do: Keep the storage layout compatible/)
  expect(items(file('uint x;', 'contract WUpgradeable')).join('\n')).not.toMatch(/storage layout/)
})

test('a pause of a known library is a pause, and inheriting it without using it is none', () => {
  const vault = (head: string) =>
    items(
      file(
        `function pause() public onlyOwner { _pause(); } function out() public ${head} { payable(msg.sender).transfer(1); }`,
        'contract W is Ownable, Pausable',
        'import "@openzeppelin/contracts/access/Ownable.sol";\nimport "@openzeppelin/contracts/security/Pausable.sol";\n',
      ),
    ).join('\n')
  expect(vault('whenNotPaused')).toMatch(/Done: The contract can be paused/)
  expect(vault('')).toMatch(/To do: Consider an emergency pause/)
})

test('each file gets its own advice, about the functions that are written in it', () => {
  const [base, derived] = scanFiles([
    { path: 'base.sol', text: 'pragma solidity 0.8.28; contract B { uint n; function up() public { n += 1; } }' },
    {
      path: 'heir.sol',
      text: 'pragma solidity 0.8.28; import "./base.sol"; contract H is B { function down() public { n -= 1; } }',
    },
  ]).map(({ bestPractices }) => JSON.stringify(bestPractices))
  expect(base).toContain('Anyone can call `up` and')
  expect(derived).toContain('Anyone can call `down` and')
})

test('a function is named once, and many are counted', () => {
  const functions = Array.from({ length: 5 }, (_, i) => `function f${i}() public { n = ${i}; }`).join(' ')
  expect(items(file(`uint n; ${functions}`)).join('\n')).toMatch(/Anyone can call `f0`, `f1`, `f2` and 2 more and/)
})

test('the same file gets the same advice, and one that does nothing next to none', () => {
  const source = file('uint n; function up() public { n += 1; }')
  expect(advise(source)).toEqual(advise(source))
  expect(
    advise('// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\ninterface I { function f() external; }')
      .recommendations,
  ).toEqual([])
})

test('deep expressions do not overflow the stack', () => {
  const source = file(`function f() public { uint x = ${Array(20_000).fill('1').join('+')}; }`)
  expect(() => advise(source)).not.toThrow()
})

test('what a practice needs of a function loses no advice', () => {
  const withoutNeeds = practices.map(({ needs: _, ...practice }) => practice)
  const adviceBy = (selected: readonly Practice[], text: string) => {
    const model = buildModel([{ path: 'sample.sol', text }])
    const adviser = new Adviser(selected)
    adviser.look(new Context(model))
    for (const file of model.files) adviser.add(model, adviser.subjectsInFile(file, model))
    return adviser.adviceOn(model.files[0]!)
  }
  for (const { given, notGiven } of Object.values(examples))
    for (const text of [given, notGiven]) expect(adviceBy(practices, text)).toEqual(adviceBy(withoutNeeds, text))
})

/** A guard is what it asks, not how it is spelled: equivalent conditions give the same answer, and conditions that say nothing guard nothing. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadBundle } from '../../../tools/load-bundle.ts'
import type * as engine from '../index.ts'

const { scan } = loadBundle<typeof engine>(
  "export { scan } from '../index.ts'",
  fileURLToPath(new URL('.', import.meta.url)),
)

interface Spelling {
  /** Of the function; BODY is what the guard stands before. */
  readonly code: string
  readonly modifier?: string
  /** Other members. */
  readonly members?: string
}

type Spell = (holds: string, fails: string) => Spelling

const inBody =
  (code: (holds: string, fails: string) => string): Spell =>
  (holds, fails) => ({ code: code(holds, fails) })

const byHelper =
  (call: string, helper: (holds: string, fails: string) => string): Spell =>
  (holds, fails) => ({ code: `${call} BODY`, members: helper(holds, fails) })

const byModifier =
  (members: (holds: string, fails: string) => string): Spell =>
  (holds, fails) => ({ code: 'BODY', modifier: 'guarded', members: members(holds, fails) })

const answering = (name: string, body: string): string => `function ${name}() internal view returns (bool) { ${body} }`

const equivalent: Readonly<Record<string, Spell>> = {
  require: inBody((p) => `require(${p}); BODY`),
  'require with a reason': inBody((p) => `require(${p}, "no"); BODY`),
  'require, compared with true': inBody((p) => `require((${p}) == true); BODY`),
  'require, true first': inBody((p) => `require(true == (${p})); BODY`),
  'require, not false': inBody((p) => `require((${p}) != false); BODY`),
  'require, negated': inBody((_, n) => `require(!(${n})); BODY`),
  'require, negation is false': inBody((_, n) => `require((${n}) == false); BODY`),
  'require, negated twice': inBody((p) => `require(!!(${p})); BODY`),
  'require, parentheses': inBody((p) => `require(((${p}))); BODY`),
  assert: inBody((p) => `assert(${p}); BODY`),
  'if, revert': inBody((_, n) => `if (${n}) revert(); BODY`),
  'if not, revert': inBody((p) => `if (!(${p})) revert(); BODY`),
  'if, custom error': inBody((_, n) => `if (${n}) { revert No(); } BODY`),
  'if true, revert': inBody((_, n) => `if ((${n}) == true) revert No(); BODY`),
  'if false, revert': inBody((p) => `if ((${p}) == false) revert No(); BODY`),
  'early return': inBody((_, n) => `if (${n}) return; BODY`),
  'early return, negated': inBody((p) => `if (!(${p})) { return; } BODY`),
  'inside of if': inBody((p) => `if (${p}) { BODY }`),
  'revert, else': inBody((_, n) => `if (${n}) { revert(); } else { BODY }`),
  'else revert': inBody((p) => `if (${p}) { BODY } else { revert(); }`),
  'nested if': inBody((p) => `if (msg.value < 1e30) { if (${p}) { BODY } }`),
  while: inBody((_, n) => `while (${n}) { revert(); } BODY`),
  local: inBody((p) => `bool ok_ = ${p}; require(ok_); BODY`),
  'negated local': inBody((_, n) => `bool bad_ = ${n}; require(!bad_); BODY`),
  'local set in a branch': inBody((p) => `bool ok_; if (${p}) ok_ = true; require(ok_); BODY`),
  'local set in both branches': inBody(
    (_, n) => `bool ok_; if (${n}) { ok_ = false; } else { ok_ = true; } require(ok_); BODY`,
  ),
  ternary: inBody((p) => `require((${p}) ? true : false); BODY`),
  'ternary, negated': inBody((_, n) => `require((${n}) ? false : true); BODY`),
  'ternary of numbers': inBody((p) => `uint k_ = (${p}) ? 1 : 0; require(k_ == 1); BODY`),
  'ternary of numbers, greater': inBody((p) => `uint k_ = (${p}) ? 1 : 0; require(k_ > 0); BODY`),
  'and true': inBody((p) => `require((${p}) && true); BODY`),
  'or false': inBody((p) => `require((${p}) || false); BODY`),
  'De Morgan': inBody((_, n) => `require(!((${n}) || (${n}))); BODY`),
  'one of two reasons to revert': inBody((_, n) => `if ((${n}) || msg.value > 1e30) revert(); BODY`),
  'one of two conditions': inBody((p) => `require(tx.gasprice > 0 && (${p})); BODY`),
  assembly: inBody((p) => `bool ok_ = ${p}; assembly { if iszero(ok_) { revert(0, 0) } } BODY`),
}

/** The condition is asked in another function. */
const elsewhere: Readonly<Record<string, Spell>> = {
  modifier: byModifier((p) => `modifier guarded() { require(${p}); _; }`),
  'modifier, revert': byModifier((_, n) => `modifier guarded() { if (${n}) revert(); _; }`),
  'modifier around': byModifier((p) => `modifier guarded() { if (${p}) { _; } }`),
  'modifier with a helper': byModifier(
    (p) => `modifier guarded() { check(); _; } function check() internal view { require(${p}); }`,
  ),
  'modifier that asks a helper': byModifier(
    (p) => `modifier guarded() { require(is_()); _; } ${answering('is_', `return ${p};`)}`,
  ),
  'modifier that asks the opposite': byModifier(
    (_, n) => `modifier guarded() { if (isNot()) revert(); _; } ${answering('isNot', `return ${n};`)}`,
  ),
  helper: byHelper('check();', (p) => `function check() internal view { require(${p}); }`),
  'helper that answers': byHelper('require(is_());', (p) => answering('is_', `return ${p};`)),
  'helper that answers, compared': byHelper('require(is_() == true);', (p) => answering('is_', `return ${p};`)),
  'named return': byHelper('require(is_());', (p) => `function is_() internal view returns (bool r) { r = ${p}; }`),
  'helper with branches': byHelper('require(is_());', (p) =>
    answering('is_', `if (${p}) { return true; } return false;`),
  ),
  'helper with branches, negated': byHelper('require(is_());', (_, n) =>
    answering('is_', `if (${n}) return false; return true;`),
  ),
  'helper of a helper': byHelper(
    'first();',
    (p) =>
      `function first() internal view { if (!second()) revert(); } ${answering('second', `return (${p}) == true;`)}`,
  ),
}

/** What looks like a guard and holds for everybody. */
const idle: Readonly<Record<string, Spell>> = {
  nothing: inBody(() => 'BODY'),
  'or its negation': inBody((p, n) => `require((${p}) || (${n})); BODY`),
  'or true': inBody((p) => `require((${p}) || true); BODY`),
  'equal operands': inBody(() => 'require(msg.sender == msg.sender); BODY'),
  'both sides of a ternary': inBody((p) => `require((${p}) ? true : true); BODY`),
  'asked and not required': inBody((p) => `bool ok_ = ${p}; emit Asked(ok_); BODY`),
  'both branches': inBody((p) => `bool ok_; if (${p}) ok_ = true; else ok_ = true; require(ok_); BODY`),
  'empty branch': inBody((_, n) => `if (${n}) {} BODY`),
}

interface Guard {
  readonly holds: string
  readonly fails: string
  readonly state: string
  readonly parameters?: string
  readonly before?: string
  readonly body: string
  /** What is reported where nothing guards. */
  readonly detector: string
  /** Helpers do not see parameters. */
  readonly isLocal?: boolean
}

const vault =
  'mapping(address => uint) balances; function deposit() external payable { balances[msg.sender] += msg.value; }'
const pay =
  '{ (bool sent, ) = msg.sender.call{value: balances[msg.sender]}(""); require(sent); } balances[msg.sender] = 0;'
const takeAll = 'payable(msg.sender).transfer(address(this).balance);'

const guards: Readonly<Record<string, Guard>> = {
  owner: {
    holds: 'msg.sender == owner',
    fails: 'msg.sender != owner',
    state: 'address owner = msg.sender; receive() external payable {}',
    body: takeAll,
    detector: 'unprotected-ether-withdrawal',
  },
  'allow-list': {
    holds: 'allowed[msg.sender]',
    fails: '!allowed[msg.sender]',
    state:
      'mapping(address => bool) allowed; constructor() { allowed[msg.sender] = true; } receive() external payable {}',
    body: takeAll,
    detector: 'unprotected-ether-withdrawal',
  },
  lock: {
    holds: '!locked',
    fails: 'locked',
    state: `bool locked; ${vault}`,
    body: `locked = true; ${pay} locked = false;`,
    detector: 'reentrancy',
  },
  'lock of a number': {
    holds: 'status == 1',
    fails: 'status != 1',
    state: `uint status = 1; ${vault}`,
    body: `status = 2; ${pay} status = 1;`,
    detector: 'reentrancy',
  },
  signature: {
    holds: 'ecrecover(h, v, r, s) == signer',
    fails: 'ecrecover(h, v, r, s) != signer',
    state:
      'address immutable signer; constructor(address a) { require(a != address(0)); signer = a; } receive() external payable {}',
    parameters: 'uint8 v, bytes32 r, bytes32 s',
    before: 'bytes32 h = keccak256(abi.encode(msg.sender, address(this), block.chainid));',
    body: takeAll,
    detector: 'unprotected-ether-withdrawal',
    isLocal: true,
  },
}

const isReported = (guard: Guard, spell: Spell): boolean => {
  const { code, modifier = '', members = '' } = spell(guard.holds, guard.fails)
  const text = `pragma solidity 0.8.28;
    contract C { error No(); event Asked(bool ok); ${guard.state} ${members}
      function target(${guard.parameters ?? ''}) external payable ${modifier} { ${guard.before ?? ''} ${code.replace('BODY', guard.body)} } }`
  const { parseErrors, findings, advisories } = scan(text)
  expect(parseErrors).toEqual([])
  return [...findings, ...advisories].some(({ detector }) => detector === guard.detector)
}

describe.each(Object.entries(guards))('%s', (_, guard) => {
  const spelled = Object.entries({ ...equivalent, ...(guard.isLocal === true ? {} : elsewhere) })

  test.each(spelled)('%s guards', (_name, spell) => {
    expect(isReported(guard, spell)).toBe(false)
  })

  test.each(Object.entries(idle))('%s does not', (_name, spell) => {
    expect(isReported(guard, spell)).toBe(true)
  })
})

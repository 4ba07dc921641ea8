import { expect, test } from 'vitest'
import { callAt, modelOf, place, typeAt } from './testing/model-probe.ts'

test('overloads are distinguished by count and by type', () => {
  const probe = modelOf(`pragma solidity ^0.8.0; contract A {
    function f(uint a) internal {} function f(uint a, uint b) internal {} function f(address a) internal {} function f(string memory s) internal {}
    function g(uint8 n) public { f(n); f(n, 2); f(msg.sender); f("text"); } }`)
  const signatures = ['f(n);', 'f(n, 2)', 'f(msg.sender)', 'f("text")'].map(
    (text) => callAt(probe, text).function?.signature,
  )
  expect(signatures).toEqual(['f(uint256)', 'f(uint256,uint256)', 'f(address)', 'f(string)'])
})

test('named arguments come back in the order of the parameters', () => {
  const probe = modelOf(`pragma solidity ^0.8.0; contract A { struct S { uint a; bool b; }
    function f(uint a, bool b) internal {} function f(uint a, uint c) internal {}
    function g() public { f({b: true, a: 1}); S({b: false, a: 2}); } }`)
  const call = callAt(probe, 'f({b: true')
  expect(call.function?.signature).toBe('f(uint256,bool)')
  expect(call.args.map((argument) => probe.text.slice(argument.start, argument.end))).toEqual(['1', 'true'])
  const made = callAt(probe, 'S({b: false')
  expect(made).toMatchObject({ kind: 'struct-constructor', struct: { name: 'S' } })
  expect(made.args.map((argument) => probe.text.slice(argument.start, argument.end))).toEqual(['2', 'false'])
})

test('a payment has one argument: with two it is what a library attaches to addresses', () => {
  const probe = modelOf(`pragma solidity ^0.8.0; import "./Tokens.sol";
    contract A { using Tokens for address; function f(address payable a) public { a.transfer(a, 1); a.send(a, 2); a.transfer(3); } }`)
  const kinds = ['a.transfer(a', 'a.send(a', 'a.transfer(3'].map((text) => callAt(probe, text).kind)
  expect(kinds).toEqual(['unknown', 'unknown', 'transfer'])
})

test('a payment with two arguments is the function of a library that is attached to addresses', () => {
  const probe = modelOf(`pragma solidity ^0.8.0;
    library Tokens { function transfer(address token, address to, uint amount) internal {} function send(address token, uint amount, uint more) internal {} }
    contract A { using Tokens for address; function f(address payable a) public { a.transfer(a, 1); a.send(2, 3); a.transfer(4); } }`)
  const calls = ['a.transfer(a', 'a.send(2', 'a.transfer(4'].map((text) => callAt(probe, text))
  expect(calls.map(({ kind }) => kind)).toEqual(['using-for', 'using-for', 'transfer'])
  expect(calls.map((call) => call.function?.signature ?? null)).toEqual([
    'transfer(address,address,uint256)',
    'send(address,uint256,uint256)',
    null,
  ])
})

test('since 0.5 only what can be paid has a payment: on another address it is the function of a library', () => {
  const source = (version: string) => `pragma solidity ${version};
    library Pay { function transfer(address to, uint amount) internal {} function send(address to, uint amount) internal {} }
    contract A { using Pay for address; function f(address a, address payable b) public { a.transfer(1); a.send(2); b.transfer(3); } }`
  const kinds = (version: string): string[] => {
    const probe = modelOf(source(version))
    return ['a.transfer(1', 'a.send(2', 'b.transfer(3'].map((text) => callAt(probe, text).kind)
  }
  expect(kinds('^0.8.0')).toEqual(['using-for', 'using-for', 'transfer'])
  expect(kinds('^0.4.0')).toEqual(['transfer', 'send', 'transfer'])
})

test('each way to reach another account has its kind', () => {
  const probe =
    modelOf(`pragma solidity ^0.8.0; interface I { function pay() external payable returns (uint); function kind() external; }
    contract C { constructor(uint a) payable {} }
    contract A { I public other; function f(address payable a, bytes memory d) public {
      a.call{value: 1, gas: 5000}(d); a.delegatecall(d); a.staticcall(d); a.send(1); a.transfer(2);
      other.pay{value: 3}(); this.other(); new C{value: 4, salt: 0}(7); I(a).kind(); new uint[](3); } }`)
  const kinds = [
    'a.call{',
    'a.delegatecall',
    'a.staticcall',
    'a.send',
    'a.transfer',
    'other.pay',
    'this.other',
    'new C',
    'I(a).kind()',
    'new uint',
  ]
  expect(kinds.map((text) => callAt(probe, text).kind)).toEqual([
    'low-level',
    'low-level',
    'low-level',
    'send',
    'transfer',
    'external',
    'external',
    'create',
    'external',
    'new-array',
  ])
  const low = callAt(probe, 'a.call{')
  expect([low.value, low.gas].map((node) => node && probe.text.slice(node.start, node.end))).toEqual(['1', '5000'])
  expect(typeAt(probe, 'a.call{', 'Call')).toBe('(bool, bytes)')
  expect(callAt(probe, 'this.other').getter?.name).toBe('other')
  const created = callAt(probe, 'new C')
  expect(created.contract?.name).toBe('C')
  expect(created.function?.role).toBe('constructor')
  expect(created.salt).not.toBeNull()
})

test('the old spelling of options counts, and alone it calls nothing', () => {
  const probe = modelOf(`pragma solidity ^0.4.24; contract A { A other; function pay(uint n) public payable {}
    function f(address a) public { a.call.value(1).gas(2)(); other.pay.value(3)(4); a.call.value(5); a.callcode(0); } }`)
  const call = callAt(probe, 'a.call.value(1)')
  expect(call.kind).toBe('low-level')
  expect([call.value, call.gas].map((node) => node && probe.text.slice(node.start, node.end))).toEqual(['1', '2'])
  const pay = callAt(probe, 'other.pay.value(3)')
  expect(pay).toMatchObject({ kind: 'external', function: { name: 'pay' } })
  expect(callAt(probe, 'a.call.value(5)')).toMatchObject({ isOption: true, isExternal: false })
  expect(callAt(probe, 'a.callcode(0)')).toMatchObject({ kind: 'low-level', builtin: 'callcode' })
  expect(typeAt(probe, 'a.callcode(0)', 'Call')).toBe('bool')
})

test('of a type that a missing file declares, `call` and `send` are members of an address only before 0.5', () => {
  const text = (
    versions: string,
  ) => `pragma solidity ${versions}; import { I } from "./I.sol"; import { Base } from "./Base.sol";
    contract A is Base { I other; function f(bytes memory d) public { other.call(d); other.send(1); found().call(d); found().call(d, d); } }`
  const kinds = (versions: string) => {
    const probe = modelOf(text(versions))
    return ['other.call(d)', 'other.send(1)', 'found().call(d)', 'found().call(d, d)'].map(
      (call) => callAt(probe, call).kind,
    )
  }
  expect(kinds('^0.4.24')).toEqual(['low-level', 'send', 'low-level', 'low-level'])
  expect(kinds('>=0.4.24 <0.9.0')).toEqual(['low-level', 'send', 'low-level', 'low-level'])
  expect(kinds('^0.8.0')).toEqual(['unknown', 'unknown', 'low-level', 'unknown'])
})

test('a function called `value` or `call` of a contract is just a function', () => {
  const probe =
    modelOf(`pragma solidity ^0.8.0; interface I { function value(uint x) external; function call(uint x) external returns (bool); function transfer(address a, uint b) external returns (bool); }
    contract A { I i; function f() public { i.value(1); i.call(2); i.transfer(msg.sender, 3); } }`)
  expect(['i.value(1)', 'i.call(2)', 'i.transfer('].map((text) => callAt(probe, text).kind)).toEqual([
    'external',
    'external',
    'external',
  ])
})

test('using for: libraries, braces, everything, and the receiver is no argument', () => {
  const probe = modelOf(`pragma solidity ^0.8.13;
    library L { function add(uint a, uint b) internal pure returns (uint) { return a + b; } function size(bytes memory b) internal pure returns (uint) { return b.length; } }
    function twice(uint a) pure returns (uint) { return 2 * a; }
    using {twice} for uint;
    contract A { using L for *; function f(uint n, bytes memory b) public { n.add(1); b.size(); n.twice(); L.add(n, 2); } }`)
  expect(callAt(probe, 'n.add(1)')).toMatchObject({
    kind: 'using-for',
    function: { name: 'add' },
    args: [{ value: '1' }],
  })
  expect(callAt(probe, 'b.size()').function?.name).toBe('size')
  expect(callAt(probe, 'n.twice()')).toMatchObject({ kind: 'using-for', function: { role: 'free' } })
  expect(callAt(probe, 'L.add(n')).toMatchObject({ kind: 'library', isExternal: false })
})

test('using for is inherited before 0.7 and not since', () => {
  const text = (pragma: string) => `pragma solidity ${pragma};
    library L { function inc(uint a) internal pure returns (uint) { return a + 1; } }
    contract Base { using L for uint; } contract A is Base { function f(uint n) public { n.inc(); } }`
  expect(callAt(modelOf(text('^0.6.0')), 'n.inc()').kind).toBe('using-for')
  expect(callAt(modelOf(text('^0.7.0')), 'n.inc()').kind).toBe('unknown')
})

test('using global serves the type wherever it goes, operators too', () => {
  const probe = modelOf([
    {
      path: 'a.sol',
      text: `import "./price.sol"; contract A { function f(Price a, Price b) public { a.half(); Price c = a + b; } }`,
    },
    {
      path: 'price.sol',
      text: `type Price is uint; using {half, plus as +} for Price global;
      function half(Price p) pure returns (Price) { return p; } function plus(Price a, Price b) pure returns (Price) { return a; }`,
    },
  ])
  expect(callAt(probe, 'a.half()').function?.name).toBe('half')
  expect(probe.model.operatorTarget(place(probe, 'a + b', 'Binary'))?.name).toBe('plus')
})

test('virtual calls go to the most derived, super to the next in line', () => {
  const probe = modelOf(`pragma solidity ^0.8.0;
    contract A { function f() public virtual { g(); return; } function g() internal virtual {} }
    contract B is A { function g() internal virtual override { super.g(); } }
    contract C is A { function g() internal virtual override {} }
    contract D is B, C { function g() internal override(B, C) { super.g(); } }`)
  const [a, b, , d] = probe.model.contracts
  const call = callAt(probe, 'g(); return')
  expect(call).toMatchObject({ kind: 'internal', isVirtual: true })
  expect(probe.model.dispatch(call.function!, d!).contract?.name).toBe('D')
  expect(probe.model.dispatch(call.function!, b!).contract?.name).toBe('B')
  const g = d!.functions[0]!
  expect(probe.model.superOf(g, d!, d!)?.contract?.name).toBe('C')
  expect(probe.model.superOf(g, b!, d!)?.contract?.name).toBe('A')
  expect(probe.model.superOf(g, b!, b!)?.contract?.name).toBe('A')
  expect(a?.isMostDerived).toBe(false)
  expect(d?.isMostDerived).toBe(true)
  expect(d?.entryPoints.map((fn) => fn.signature)).toEqual(['f()'])
})

test('a call by the name of a base is bound to that base', () => {
  const probe = modelOf(`pragma solidity ^0.8.0; contract A { function f() internal virtual {} }
    contract B is A { function f() internal override {} function g() public { A.f(); } }`)
  expect(callAt(probe, 'A.f()')).toMatchObject({
    kind: 'internal',
    isVirtual: false,
    function: { contract: { name: 'A' } },
  })
})

test('modifiers dispatch like functions; base constructors are distinguished', () => {
  const probe =
    modelOf(`pragma solidity ^0.8.0; contract A { constructor(uint x) {} modifier m() virtual { _; } function f() public m {} }
    contract B is A { constructor() A(1) {} modifier m() override { require(msg.sender == address(0)); _; } }`)
  const [a, b] = probe.model.contracts
  const use = a!.functions[1]!.modifiers[0]!
  expect(use.modifier?.contract.name).toBe('A')
  expect(probe.model.modifierFor(use, b!)?.contract.name).toBe('B')
  expect(b!.constructor_?.modifiers[0]).toMatchObject({ modifier: null, base: { name: 'A' } })
})

test('builtins, conversions, events, errors and pointers have their kinds', () => {
  const probe = modelOf(`pragma solidity ^0.8.4; contract A { event E(uint a); error Err(uint a);
    function f(function(uint) internal g, uint[] storage s) internal { require(true); keccak256("x"); abi.encode(1); s.push(2); address(this); emit E(3); g(4); revert Err(5); } }`)
  const kinds = ['require(', 'keccak256(', 'abi.encode(', 's.push(', 'address(this)', 'E(3)', 'g(4)', 'Err(5)'].map(
    (text) => {
      const target = callAt(probe, text)
      return target.builtin ?? target.kind
    },
  )
  expect(kinds).toEqual([
    'require',
    'keccak256',
    'abi.encode',
    'push',
    'type-conversion',
    'event',
    'function-pointer',
    'error',
  ])
})

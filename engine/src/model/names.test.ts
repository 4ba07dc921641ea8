import { expect, test } from 'vitest'
import { describeFound, modelOf, place, resolveAt } from './testing/model-probe.ts'

test('before 0.5 a local belongs to the whole function, from its first line', () => {
  const probe = modelOf(`pragma solidity ^0.4.24;
    contract A { uint x; function f() public { x = 1; if (true) { uint x; } } }`)
  expect(resolveAt(probe, 'x = 1')).toMatchObject({ kind: 'variable', role: 'local' })
})

test('from 0.5 on a local is visible from its line to the end of its block', () => {
  const probe = modelOf(`pragma solidity ^0.5.0;
    contract A { uint x; function f() public { x = 1; { uint x = 2; x += 3; } x = 4; } }`)
  expect(resolveAt(probe, 'x = 1')).toMatchObject({ role: 'state' })
  expect(resolveAt(probe, 'x += 3')).toMatchObject({ role: 'local' })
  expect(resolveAt(probe, 'x = 4')).toMatchObject({ role: 'state' })
})

test('a name in its own initial value means the outer one', () => {
  const probe = modelOf(`pragma solidity ^0.8.0;
    contract A { uint x; function f() public { uint x = x + 1; } }`)
  expect(resolveAt(probe, 'x + 1')).toMatchObject({ role: 'state' })
})

test('a loop variable ends with its loop, also without braces', () => {
  const probe = modelOf(`pragma solidity ^0.8.0;
    contract A { uint i; function f() public { for (uint i = 0; i < 3; i++) i += 2; i = 9; } }`)
  expect(resolveAt(probe, 'i < 3')).toMatchObject({ role: 'local' })
  expect(resolveAt(probe, 'i += 2')).toMatchObject({ role: 'local' })
  expect(resolveAt(probe, 'i = 9')).toMatchObject({ role: 'state' })
})

test('parameters, results and the variables of try and catch are found', () => {
  const probe = modelOf(`pragma solidity ^0.8.0;
    interface I { function g() external returns (uint); }
    contract A { function f(I i) public returns (uint r) {
      try i.g() returns (uint v) { r = v; } catch Error(string memory why) { r = bytes(why).length; } catch (bytes memory data) { r = data.length; } } }`)
  expect(resolveAt(probe, 'i.g()')).toMatchObject({ role: 'parameter' })
  expect(resolveAt(probe, 'r = v')).toMatchObject({ role: 'return' })
  expect(resolveAt(probe, 'v; }')).toMatchObject({ role: 'local' })
  expect(resolveAt(probe, 'why).length')).toMatchObject({ role: 'local' })
  expect(resolveAt(probe, 'data.length')).toMatchObject({ role: 'local' })
})

test('inherited names are found, private ones are not', () => {
  const probe = modelOf(`pragma solidity ^0.8.0;
    contract A { uint internal shared; uint private own; function g() internal {} }
    contract B is A { function f() public { shared = 1; own = 2; g(); } }`)
  expect(describeFound(resolveAt(probe, 'shared = 1'))).toBe('variable A.shared')
  expect(resolveAt(probe, 'own = 2')).toBeUndefined()
  expect(describeFound(resolveAt(probe, 'g(); }'))).toBe('function A.g')
})

test('the name of the contract means the contract, not its old constructor', () => {
  const probe = modelOf(`pragma solidity ^0.4.11;
    contract Pot { function Pot() public {} function at(address a) public returns (Pot) { return Pot(a); } }`)
  expect(resolveAt(probe, 'Pot(a)')).toMatchObject({ kind: 'contract' })
})

test('assembly sees locals, parameters and state by slot, in both spellings', () => {
  const old = modelOf(`pragma solidity ^0.5.0;
    contract A { uint s; function f(uint p) public { assembly { let y := add(p, s_slot) y := s_offset } } }`)
  expect(describeFound(resolveAt(old, 's_slot'))).toBe('variable A.s')
  expect(describeFound(resolveAt(old, 's_offset'))).toBe('variable A.s')
  expect(resolveAt(old, 'p, s_slot')).toMatchObject({ role: 'parameter' })
  expect(resolveAt(old, 'y := s_offset')).toMatchObject({ kind: 'yulVariable' })
  const modern = modelOf(`pragma solidity ^0.8.0;
    contract A { uint s; function f() public { assembly { function twice(a) -> b { b := mul(a, 2) } sstore(s.slot, twice(1)) } } }`)
  expect(describeFound(resolveAt(modern, 's.slot'))).toBe('variable A.s')
  expect(resolveAt(modern, 'twice(1)')).toMatchObject({ kind: 'yulFunction' })
  expect(resolveAt(modern, 'sstore(')).toMatchObject({ kind: 'builtin', name: 'sstore' })
})

test('a declaration of the file hides a builtin of the same name', () => {
  const probe = modelOf(`pragma solidity ^0.4.0;
    contract A { function assert(bool c) internal { if (!c) throw; } function f() public { assert(true); } }`)
  expect(resolveAt(probe, 'assert(true)')).toMatchObject({ kind: 'function' })
})

test('imports: symbols, aliases, whole files, unit names, chains and circles', () => {
  const files = [
    {
      path: 'src/a.sol',
      text: `import {Lib as L, Cost} from "./lib/b.sol"; import "./c.sol"; import * as U from "./lib/b.sol";
      contract A { L.Data d; Cost c; function f() public { helper(1); deep(); U.Lib.g(); } }`,
    },
    {
      path: 'src/lib/b.sol',
      text: `import "../c.sol"; type Cost is uint; library Lib { struct Data { uint x; } function g() internal {} }`,
    },
    { path: 'src/c.sol', text: `import "./a.sol"; import "./d.sol"; function helper(uint x) pure {}` },
    { path: 'src/d.sol', text: `function deep() pure {}` },
  ]
  const probe = modelOf(files)
  expect(resolveAt(probe, 'helper(1)')).toMatchObject({ kind: 'function', name: 'helper' })
  expect(resolveAt(probe, 'deep(); U')).toMatchObject({ kind: 'function', name: 'deep' })
  const [contract] = probe.model.contracts
  expect(contract?.stateVariables.map((variable) => probe.model.describe(variable.type))).toEqual([
    'Lib.Data storage',
    'Cost',
  ])
  expect(probe.model.callTarget(place(probe, 'U.Lib.g()', 'Call')).function?.name).toBe('g')
  expect(probe.model.hasUnresolvedImport).toBe(false)
})

test('imports: remappings, the longest prefix first, and dependency folders', () => {
  const files = [
    {
      path: 'src/a.sol',
      text: `import "@x/T.sol"; import "@x/deep/S.sol"; import "pkg/P.sol"; contract A is T, S, P {}`,
    },
    { path: 'lib/x/T.sol', text: 'contract T {}' },
    { path: 'other/S.sol', text: 'contract S {}' },
    { path: 'node_modules/pkg/P.sol', text: 'contract P {}' },
  ]
  const { model } = modelOf(files, { remappings: ['@x/=lib/x/', '@x/deep/=other/'] })
  expect(model.contracts[0]?.bases.map((base) => base.contract?.name)).toEqual(['T', 'S', 'P'])
})

test('two contracts with one name give a diagnostic, and both are kept', () => {
  const { model } = modelOf('contract A { uint x; } contract A { uint y; } contract B is A {}')
  expect(model.contracts.map((contract) => contract.name)).toEqual(['A', 'A', 'B'])
  expect(model.diagnostics.map((diagnostic) => diagnostic.code)).toContain('duplicate-declaration')
})

const namesOf = (variables: readonly { readonly name: string }[]) => variables.map(({ name }) => name).sort()

test('variables that their body never names are reported, no matter who bound the body', () => {
  const { model } = modelOf(`pragma solidity ^0.8.0;
    contract A {
      function f(uint used, uint idle) public returns (uint result) { uint a = used; uint b; b = 1; }
      function g(bytes memory data) public { uint size; uint left; assembly { size := mload(data) } }
      modifier m(uint p) { uint inside; _; }
    }`)
  expect(namesOf(model.unnamedVariables(model.files[0]!))).toEqual(['a', 'idle', 'inside', 'left'])
})

test('variables are reported whose name means something outside: state, inherited state, words of the language', () => {
  const { model } = modelOf(`pragma solidity ^0.8.0;
    contract Base { uint shared; uint private own; }
    contract A is Base {
      uint total;
      function f(uint shared, uint own, uint other) public returns (uint total) { uint msg; uint plain; }
    }
    function free(uint total) { uint block; }`)
  expect(namesOf(model.hidingVariables(model.files[0]!))).toEqual(['block', 'msg', 'shared', 'total'])
})

test('a body whose names lead into another one keeps its own locals', () => {
  const probe = modelOf(`pragma solidity ^0.8.0;
    contract Base { uint constant n = 3; function h(uint[n] memory z, uint w) public virtual {} }
    contract A is Base {
      function h(uint v) public {}
      function f(uint p) public { uint q = p; h(q); q += p; p += q; }
    }`)
  expect(resolveAt(probe, 'q += p')).toMatchObject({ role: 'local', name: 'q' })
  expect(resolveAt(probe, 'p += q')).toMatchObject({ role: 'parameter', name: 'p' })
})

test('functions of one name are distinguished, and the most derived written one runs', () => {
  const { model } = modelOf(`pragma solidity ^0.8.0;
    interface I { function f(uint a) external; function f(address a) external; function g() external; }
    abstract contract B is I { function f(uint a) public virtual {} }
    contract A is B { function f(address a) public {} function g() external {} fallback() external {} }`)
  const [i, b, a] = model.contracts
  const entries = a!.entryPoints.map((fn) => `${fn.contract!.name}.${fn.name || fn.role}(${fn.params.length})`)
  expect(entries.sort()).toEqual(['A.f(1)', 'A.fallback(0)', 'A.g(0)', 'B.f(1)'])
  expect(model.dispatch(i!.functions[0]!, a!)).toBe(b!.functions[0])
  expect(model.dispatch(i!.functions[1]!, a!)).toBe(a!.functions[0])
  expect(model.dispatch(i!.functions[2]!, a!)).toBe(a!.functions[1])
})

test('a file given alone is meant by its own name only', () => {
  const { model } = modelOf([
    { path: 'src/Token.sol', text: 'import "./Token.sol"; import "./Other.sol"; contract T {}' },
  ])
  expect(model.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(['import-not-found'])
})

test('a function that is named like the type of its own parameter, beside an inherited one, does not chase itself', () => {
  for (const type of ['T', 'A.T', 'B.T']) {
    const { model } = modelOf(`pragma solidity ^0.8.0;
      contract B { function T(uint a) public {} }
      contract A is B { function T(${type} a) public {} function f(T a) public { T(a); } }`)
    const [, a] = model.contracts
    expect(a!.functions.map((fn) => fn.params.map((param) => param.type.kind))).toEqual([['unknown'], ['unknown']])
  }
})

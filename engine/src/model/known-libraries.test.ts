import { expect, test } from 'vitest'
import { parse } from '../syntax/index.ts'
import { allStubSources } from './known-libraries/index.ts'
import { callAt, modelOf } from './testing/model-probe.ts'

test.each(allStubSources().map((source) => [source.path, source] as const))(
  '%s reads without errors and defines its name',
  (path, source) => {
    const { unit, errors } = parse(source.text)
    expect(errors).toEqual([])
    const name = path.slice(path.lastIndexOf('/') + 1).replace('.sol', '')
    expect(
      unit.members.some((member) => 'name' in member && typeof member.name === 'object' && member.name?.name === name),
    ).toBe(true)
  },
)

test('every base and every type inside the stubs is known', () => {
  const paths = allStubSources().map(({ path }) => path)
  const source = paths.map((path) => `import "${path}";`).join('\n')
  const { model } = modelOf(`${source} contract A {}`)
  const stubs = model.files[0]?.imports.flatMap(({ target }) => (target === null ? [] : [target])) ?? []
  expect(stubs.length).toBe(paths.length)
  const contracts = stubs
    .flatMap((stub) => [...stub.scope.values()].flat())
    .filter((found) => found.kind === 'contract')
  expect(contracts.filter((contract) => contract.hasUnresolvedBase).map((contract) => contract.name)).toEqual([])
  const unknown = contracts.flatMap((contract) =>
    contract.functions.flatMap((fn) =>
      [...fn.params, ...fn.returns]
        .filter((variable) => variable.type.kind === 'unknown')
        .map((variable) => `${contract.name}.${fn.name}: ${variable.name}`),
    ),
  )
  expect(unknown).toEqual([])
})

test('OpenZeppelin by import path: bases, modifiers and attached functions', () => {
  const probe = modelOf(`pragma solidity ^0.6.0;
    import "@openzeppelin/contracts/access/Ownable.sol";
    import "@openzeppelin/contracts/math/SafeMath.sol";
    import {SafeERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/SafeERC20.sol";
    import "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
    contract Vault is Ownable, ReentrancyGuard { using SafeMath for uint; using SafeERC20 for IERC20; IERC20 token; uint total;
      function take(uint n) external onlyOwner nonReentrant { total = total.sub(n); token.safeTransfer(msg.sender, n); } }`)
  const [vault] = probe.model.contracts
  expect(vault?.hasUnresolvedBase).toBe(false)
  expect(vault?.linearization.map((base) => base.name)).toEqual(['Vault', 'ReentrancyGuard', 'Ownable', 'Context'])
  expect(vault?.functions[0]?.modifiers.map(({ modifier }) => modifier?.effect)).toEqual(['guard', 'lock'])
  expect(callAt(probe, 'total.sub(n)')).toMatchObject({
    kind: 'using-for',
    function: { effect: 'checkedArithmetic', isStub: true },
  })
  expect(callAt(probe, 'token.safeTransfer').function?.effect).toBe('checkedCall')
  expect(probe.model.contracts.map((contract) => contract.name)).toEqual(['Vault'])
  expect(probe.model.hasUnresolvedImport).toBe(false)
})

test('the upgradeable twins', () => {
  const { model } = modelOf(`import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
    import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
    contract A is OwnableUpgradeable, UUPSUpgradeable { function initialize() public initializer { __Ownable_init(); } function _authorizeUpgrade(address) internal override onlyOwner {} }`)
  const [contract] = model.contracts
  expect(contract?.hasUnresolvedBase).toBe(false)
  expect(contract?.functions.flatMap((fn) => fn.modifiers.map(({ modifier }) => modifier?.effect))).toEqual([
    'initializer',
    'guard',
  ])
})

test('solmate and solady have their own version of a shared name', () => {
  const ownerOf = (path: string) =>
    modelOf(`import {ERC20} from "${path}"; contract A is ERC20 {}`).model.contracts[0]?.linearization[1]?.file.path
  expect(ownerOf('solmate/tokens/ERC20.sol')).toBe('solmate/ERC20.sol')
  expect(ownerOf('@openzeppelin/contracts/token/ERC20/ERC20.sol')).toBe('known/ERC20.sol')
})

test('a definition among the given files always wins', () => {
  const { model } = modelOf([
    {
      path: 'a.sol',
      text: 'import "@openzeppelin/contracts/access/Ownable.sol"; contract A is Ownable { function f() public onlyOwner {} }',
    },
    {
      path: 'node_modules/@openzeppelin/contracts/access/Ownable.sol',
      text: 'contract Ownable { modifier onlyOwner() { _; } }',
    },
  ])
  const modifier = model.contracts[0]?.functions[0]?.modifiers[0]?.modifier
  expect(modifier).toMatchObject({ isStub: false, effect: null })
})

test('a name of this file wins over a stub, and without any import nothing is guessed', () => {
  const own = modelOf(
    'import "./SafeMath.sol"; contract Ownable { modifier onlyOwner() { _; } } contract A is Ownable {}',
  ).model
  expect(own.contracts[1]?.linearization[1]?.isStub).toBe(false)
  const none = modelOf('contract A is Ownable {}').model
  expect(none.contracts[0]?.hasUnresolvedBase).toBe(true)
})

test('a missing file with a known name is taken for it, and what it may have imported is guessed', () => {
  const { model } = modelOf(
    'import "./helpers/Ownable.sol"; import "./all.sol"; contract A is Ownable, ReentrancyGuard, Strange {}',
  )
  expect(model.contracts[0]?.bases.map((base) => base.contract?.isStub)).toEqual([true, true, undefined])
  expect(model.hasUnresolvedImport).toBe(true)
})

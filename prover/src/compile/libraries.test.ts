import { expect, test } from 'vitest'
import { isInstalled, loadPackages } from '../packages.ts'
import { compile } from './compile.ts'

test.skipIf(!isInstalled()).each([
  [
    '@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol',
    '__Ownable_init(msg.sender)',
    'OpenZeppelin 5.4.0',
  ],
  ['@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol', '__Ownable_init()', 'OpenZeppelin 4.9.6'],
  ['openzeppelin-contracts-upgradeable/access/OwnableUpgradeable.sol', '__Ownable_init()', 'OpenZeppelin 4.9.6'],
])(
  'the release of an upgradeable library is that which fits: %s, %s',
  async (path, call, libraries) => {
    const text = `pragma solidity ^0.8.20;
import "${path}";
contract Till is OwnableUpgradeable {
    function open() external initializer {
        ${call};
    }
}
`
    const result = compile([{ path: 'Till.sol', text }], await loadPackages())
    expect(result.ok ? result.compilation.libraries : result.error).toBe(libraries)
  },
  60_000,
)

test
  .skipIf(!isInstalled())
  .each([
    'openzeppelin-contracts-08/access/Ownable.sol',
    'lib/openzeppelin-contracts-v4.6.0/contracts/access/Ownable.sol',
  ])(
  'a folder that is named after the release is that of the library: %s',
  async (path) => {
    const text = `pragma solidity ^0.8.0;\nimport "${path}";\ncontract Till is Ownable {}`
    const result = compile([{ path: 'Till.sol', text }], await loadPackages())
    expect(result.ok ? result.compilation.libraries : result.error).toBe('OpenZeppelin 4.9.6')
  },
  60_000,
)

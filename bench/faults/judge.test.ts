import { expect, test } from 'vitest'
import { buildModel } from '../../engine/src/model/index.ts'
import { findFaults } from './find-faults.ts'
import { Judge } from './judge.ts'
import { neighbourhoodOf } from './neighbourhood.ts'

const owned = {
  path: 'owned.sol',
  text: `// SPDX-License-Identifier: MIT
pragma solidity 0.8.20;
contract Owned {
  address public owner = msg.sender;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function setOwner(address next) external onlyOwner { require(next != address(0)); owner = next; }
}`,
}
const vault = {
  path: 'vault.sol',
  text: `// SPDX-License-Identifier: MIT
pragma solidity 0.8.20;
import "./owned.sol";
contract Vault is Owned {
  uint256 public limit;
  function setLimit(uint256 next) external onlyOwner { limit = next; }
}`,
}
const apart = { path: 'apart.sol', text: 'pragma solidity 0.8.20; contract Apart {}' }

test('a fault is found by what the unchanged program has not', () => {
  const files = [owned, vault]
  const [fault] = findFaults(buildModel(files), (path) => path === 'owned.sol')
  const judge = new Judge(files, new Set(files.map(({ path }) => path)))
  expect(judge.judge(fault!)).toMatchObject({ verdict: 'found' })
  expect(judge.judge({ ...fault!, edits: [] })).toEqual({ verdict: 'silent', by: [] })
})

test('a neighbourhood holds what imports the changed file and what that imports', () => {
  const files = [apart, owned, vault]
  const pathsNear = (path: string): string[] => neighbourhoodOf(buildModel(files), files, path).map((file) => file.path)
  expect(pathsNear('owned.sol')).toEqual(['owned.sol', 'vault.sol'])
  expect(pathsNear('apart.sol')).toEqual(['apart.sol'])
})

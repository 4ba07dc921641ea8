/** What messages of detectors name, so that a reader sees why existing protection is not enough. */
import { expect, test } from 'vitest'
import { scanFiles } from '../index.ts'

const findingsOf = (text: string, wanted: string) =>
  scanFiles([{ path: 'A.sol', text }])
    .flatMap(({ findings, advisories }) => [...findings, ...advisories])
    .filter(({ detector }) => detector === wanted)

test('reentrancy despite a lock names the function that does not hold it', () => {
  const [finding] = findingsOf(
    `pragma solidity 0.8.28;
    contract Vault {
      mapping(address => uint256) private held;
      bool private busy;
      modifier once() { require(!busy, "busy"); busy = true; _; busy = false; }
      receive() external payable {}
      function take() external once {
        uint256 amount = held[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        held[msg.sender] = 0;
      }
      function pass(address to, uint256 amount) external {
        held[msg.sender] -= amount;
        held[to] += amount;
      }
    }`,
    'reentrancy',
  )
  expect(finding?.message).toContain('and `pass()` does not hold the lock')
  expect(finding?.trace.map(({ message }) => message)).toContain(
    'This function changes the same state without the lock.',
  )
})

test('a modifier of a library is named without a negation', () => {
  const [finding] = findingsOf(
    `pragma solidity 0.8.28;
    import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
    contract Shelf is Pausable {
      mapping(uint256 => uint256) public sums;
      function one(uint256 id, uint256 n) external whenNotPaused { sums[id] = n; }
      function two(uint256 id, uint256 n) external whenNotPaused { sums[id] = n + 1; }
      function three(uint256 id, uint256 n) external whenNotPaused { sums[id] = n + 2; }
      function four(uint256 id, uint256 n) external { sums[id] = n + 3; }
    }`,
    'inconsistent-checks',
  )
  expect(finding?.message).toMatch(/^`four\(\)` does not check `whenNotPaused`;/)
})

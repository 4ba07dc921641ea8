import { expect, test } from 'vitest'
import { scan } from '../index.ts'

const contract = (visibility: string): string => `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
contract Vault {
    mapping(address => uint256) public balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function pay() ${visibility} {
        (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
        require(ok, "unpaid");
        balances[msg.sender] = 0;
    }
}`

const reentrancyOf = (text: string) => {
  const { findings, advisories } = scan(text)
  return [...findings, ...advisories].filter(({ detector }) => detector === 'reentrancy')
}

test('what an entry point runs is a finding, directly or through a call', () => {
  const called = contract('internal').replace(
    'function deposit',
    'function withdraw() external { pay(); } function deposit',
  )
  for (const text of [contract('external'), called])
    expect(reentrancyOf(text)).toMatchObject([{ severity: 'critical' }])
})

test('what no entry point runs needs review', () => {
  expect(reentrancyOf(contract('internal'))).toMatchObject([{ kind: 'review', confidence: 'low', severity: 'medium' }])
})

test('no transaction starts at an inner function of a library: what it does needs review', () => {
  const library = (visibility: string): string => `pragma solidity 0.8.28;
library Pick {
    function one(uint256 count) ${visibility} view returns (uint256) {
        return uint256(keccak256(abi.encode(block.timestamp, block.prevrandao))) % count;
    }
}`
  const confidenceOf = (visibility: string) => {
    const { findings, advisories } = scan(library(visibility))
    return [...findings, ...advisories].find(({ detector }) => detector === 'weak-randomness')?.confidence
  }
  expect(confidenceOf('internal')).toBe('low')
  expect(confidenceOf('external')).toBe('medium')
})

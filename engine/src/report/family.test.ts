/** A finding's JSON names the detector that its own was split from, so that figures can be compared across the split. */
import { expect, test } from 'vitest'
import { detectors } from '../detectors/index.ts'
import { scan } from '../index.ts'
import { toScanResult } from './scan-result.ts'

const text = `pragma solidity ^0.8.0;
contract Wallet {
  address token;
  function collect(address to, uint amount) external { IERC20(token).transfer(to, amount); }
}
interface IERC20 { function transfer(address to, uint amount) external returns (bool); }`

test('a detector that was split from another is of its family, any other of its own', () => {
  const { dataVulnerabilities, advisories } = toScanResult(scan(text), { scanId: 'scan_1', file: 'a.sol' })
  const families = new Map([...dataVulnerabilities, ...advisories].map(({ detector, family }) => [detector, family]))
  expect(families.get('unprotected-token-withdrawal')).toBe('unprotected-ether-withdrawal')
  expect(families.get('floating-pragma')).toBe('floating-pragma')
  expect([...families.values()]).not.toContain(undefined)
})

test('no family is a detector that was itself split from another', () => {
  const split = detectors.filter(({ formerly }) => formerly !== undefined)
  expect(split.length).toBeGreaterThan(0)
  expect(split.filter(({ id }) => split.some(({ formerly }) => formerly === id))).toEqual([])
})

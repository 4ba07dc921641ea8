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

const shop = (comment: string) => `pragma solidity ^0.8.0;
contract Shop {
  address owner = msg.sender;
  address payee;
  mapping(address => uint) balances;
  constructor(address first) { payee = first; }
  function pay() external payable { payable(payee).transfer(msg.value); }
  function set(address to) external { ${comment}
    payee = to;
  }
  function both(address from, address to, uint amount) external {
    owner = to;
    balances[from] -= amount;
    balances[to] += amount;
  }
}`

const ofFamily = (text: string) => scan(text).advisories.filter(({ family }) => family === 'access-control')

test('one missing check of a function is one finding, whichever detectors of the family see it', () => {
  expect(ofFamily(shop('')).map(({ detector, function: fn }) => `${detector} ${fn}`)).toEqual([
    'unprotected-setting set',
    'unprotected-role-change both',
  ])
})

test('a comment that names the detector of before the split still sets a finding aside', () => {
  expect(ofFamily(shop('// assay-ignore-next-line access-control: ours')).map(({ detector }) => detector)).toEqual([
    'unprotected-role-change',
  ])
})

test('a fingerprint is that of before the split', () => {
  const [setting] = ofFamily(shop(''))
  expect(setting?.fingerprint).toBe('6c83d34d94f5c673c2138700f15d16ed')
})

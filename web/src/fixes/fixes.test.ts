import { fixableDetectors, scan } from '@assay/engine'
import { expect, test } from 'vitest'
import { findFix } from '../playground/find-fix.ts'
import { fixable } from './fixable.ts'
import { unifiedDiff } from './unified-diff.ts'

const source = `pragma solidity 0.8.24;
contract Bank {
  mapping(address => uint256) balances;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function withdraw() external {
    uint256 amount = balances[msg.sender];
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
    balances[msg.sender] = 0;
  }
}
`

test('the page knows which detectors have patches without loading the engine', () => {
  expect([...fixable].sort()).toEqual([...fixableDetectors].sort())
})

test('a patch is one after which the finding is gone', () => {
  const files = [{ path: 'src/Bank.sol', text: source }]
  const finding = scan(source, { path: 'src/Bank.sol' }).findings.find(({ detector }) => detector === 'reentrancy')
  if (!finding) throw new Error('The reentrancy was not found.')
  const fix = findFix({ files, path: 'src/Bank.sol', finding })
  expect(fix?.isSafe).toBe(true)
  expect(fix?.after.indexOf('balances[msg.sender] = 0')).toBeLessThan(fix?.after.indexOf('.call{') ?? 0)
  expect(findFix({ files: [], path: 'src/Bank.sol', finding })).toBeNull()
})

test('a patch names its file, and its hunks their lines', () => {
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`)
  const changed = lines.map((line) => (line === 'line 10' ? 'line ten' : line))
  expect(unifiedDiff('src/A.sol', lines.join('\n'), changed.join('\n')).split('\n')).toEqual([
    '--- a/src/A.sol',
    '+++ b/src/A.sol',
    '@@ -7,7 +7,7 @@',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+line ten',
    ' line 11',
    ' line 12',
    ' line 13',
    '',
  ])
})

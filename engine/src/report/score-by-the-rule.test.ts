/** The rule of the written interface, derived from `summary` alone: adding it up gives `score`. */
import { expect, test } from 'vitest'
import { scanFiles } from '../index.ts'
import { joinResults } from './join-results.ts'
import { toProjectResult } from './project-result.ts'
import { projectScore } from './project-summary.ts'
import { toScanResult } from './scan-result.ts'
import type { SecurityScore } from './security-score.ts'

const byTheRule = ({ critical, high, medium, low, total }: SecurityScore['summary']) => {
  const info = total - critical - high - medium - low
  const score = Math.max(0, 100 - 20 * critical - 10 * high - 5 * medium - 2 * low - info)
  if (score >= 90) return { score, rating: 'Excellent' }
  if (score >= 75) return { score, rating: 'Good' }
  if (score >= 60) return { score, rating: 'Fair' }
  return { score, rating: score >= 40 ? 'Poor' : 'Critical' }
}

const bank = (name: string, pragma: string): string => `pragma solidity ${pragma};
contract ${name} {
    address owner;
    mapping(address => uint256) balances;
    uint256 unused;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        (bool sent, ) = msg.sender.call{value: balances[msg.sender]}("");
        require(sent);
        balances[msg.sender] = 0;
    }
    function close() external { require(tx.origin == owner); selfdestruct(payable(owner)); }
}
`
const broken = `${bank('Broken', '^0.8.1')}\ncontract C { function f( public { ] } }`

const projects: Record<string, Record<string, string>> = {
  'a file': { 'Bank.sol': bank('Bank', '^0.8.0') },
  'a clean file': {
    'Box.sol': '// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\ncontract Box { uint256 public a; }',
  },
  'a file read in part': { 'Broken.sol': broken },
  'a project': { 'A.sol': bank('A', '^0.8.0'), 'B.sol': bank('B', '^0.8.4'), 'C.sol': bank('A', '>=0.8.0') },
  'a project read in part': { 'A.sol': bank('A', '0.8.28'), 'Broken.sol': broken, 'Lone.sol': 'contract Lone {}' },
}

test.each(Object.entries(projects))('%s: score and rating follow from the summary', (_, files) => {
  const reports = scanFiles(Object.entries(files).map(([path, text]) => ({ path, text })))
  const names = { scanId: 'scan', file: 'uploads/scan.sol' }
  const whole = reports.length === 1 ? toScanResult(reports[0]!, names) : toProjectResult(reports, names)
  const { score, rating, summary } = whole.securityScore
  expect({ score, rating }).toEqual(byTheRule(summary))
  expect(summary.total).toBe(whole.dataVulnerabilities.length)
  expect(whole.vulnerabilitiesCount).toBe(whole.dataVulnerabilities.length)
  // The command tells it file by file: together it is the same, and each file by itself follows the rule.
  const single = reports.map((report) => toScanResult(report, { scanId: 'scan', file: report.path }))
  const joined = joinResults(single)
  expect(projectScore(joined)).toEqual(whole.securityScore)
  for (const { securityScore } of joined) expect(securityScore).toMatchObject(byTheRule(securityScore.summary))
})

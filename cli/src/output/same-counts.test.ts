/** Every format counts all findings alike by severity, and what needs review apart. */
import { readFileSync } from 'node:fs'
import { scanFiles, tally, toProjectResult, toScanResult } from '@assay/engine'
import { describe, expect, test } from 'vitest'
import { assay } from '../testing/captured-io.ts'
import { countReaders, severities } from '../testing/read-counts.ts'

const token = (name: string, pragma: string): string => `pragma solidity ${pragma};
contract ${name} {
    address owner;
    mapping(address => uint256) public balances;
    uint256 private unused;
    function init(address to) external { owner = to; }
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        (bool sent, ) = msg.sender.call{value: balances[msg.sender]}("");
        require(sent);
        balances[msg.sender] = 0;
    }
    function close() external { require(tx.origin == owner); selfdestruct(payable(owner)); }
}
`
const unsure = `pragma solidity 0.7.6;
interface Counter { function count() external view returns (uint256); }
contract Reader { uint256 public last; function read(Counter c) external { last = c.count() - 1; } }
`
const projects: Record<string, Record<string, string>> = {
  'a file': { 'Token.sol': token('Token', '0.8.28') },
  'a project': {
    'src/A.sol': token('A', '^0.8.0'),
    'src/B.sol': token('B', '^0.8.4'),
    'src/Copy.sol': token('A', '>=0.8.0'),
    'src/Reader.sol': unsure,
  },
  'a project read in part': {
    'src/A.sol': token('A', '^0.8.0'),
    'src/Reader.sol': `${unsure}contract Broken { function f( public { ] } }`,
    'src/Gone.sol': 'pragma solidity ^0.8.0;\nimport "./Missing.sol";\ncontract Gone is Missing {}\n',
  },
}

describe.each(Object.entries(projects))('%s', (_, files) => {
  const reports = scanFiles(Object.entries(files).map(([path, text]) => ({ path, text })))
  const names = { scanId: 'scan', file: 'uploads/scan' }
  const answered = reports.length === 1 ? toScanResult(reports[0]!, names) : toProjectResult(reports, names)
  const expected = tally([answered])

  test('there is something to count', () => {
    expect(expected.findings).toBeGreaterThan(2)
    expect(expected.outsideSwc).toBeGreaterThan(0)
    if (reports.length > 1) expect(expected.needsReview).toBeGreaterThan(0)
  })

  test.each(Object.keys(countReaders))('%s counts as the service does', async (format) => {
    const { out } = await assay(['scan', '.', '-f', format, '--fail-on', 'info'], { files })
    expect(countReaders[format]!(out)).toEqual({ counts: expected.bySeverity, review: expected.needsReview })
  })
})

test('the table of a kind that has several severities, and findings that need review, adds up to the counts above it', async () => {
  const fixture = new URL(
    '../../../engine/src/detectors/unauthorized-debit/fixtures/confidence-levels.sol',
    import.meta.url,
  )
  const { out } = await assay(['scan', '.'], { files: { 'src/A.sol': readFileSync(fixture, 'utf8') } })
  const rows = [...out.matchAll(/^ {2}(critical|high|medium|low|info) +(needs review|SWC-\d+|–) .* (\d+) +\d+$/gm)]
  const sums = severities.map((severity) => [
    severity,
    rows
      .filter(([, own, id]) => own === severity && id !== 'needs review')
      .reduce((sum, row) => sum + Number(row[3]), 0),
  ])
  expect(rows.filter(([, , id]) => id === 'needs review').length).toBeGreaterThan(0)
  expect(Object.fromEntries(sums)).toEqual(countReaders.text!(out).counts)
})

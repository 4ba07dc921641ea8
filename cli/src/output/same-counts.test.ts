/** Every format counts all findings alike by severity, and what needs review apart. */
import { scanFiles, tally, toProjectResult, toScanResult } from '@assay/engine'
import { describe, expect, test } from 'vitest'
import { assay } from '../testing/captured-io.ts'

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

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
type Counted = Record<string, number>

const countBy = (items: readonly string[]): Counted =>
  Object.fromEntries(severities.map((severity) => [severity, items.filter((item) => item === severity).length]))

/** `2 critical, 3 high`, with whatever stands between them. */
const inWords = (text: string): Counted =>
  Object.fromEntries(
    severities.map((severity) => [severity, Number(new RegExp(`(\\d+) ${severity}\\b`).exec(text)?.[1] ?? 0)]),
  )

const reviewIn = (text: string): number => Number(/(\d+) needs? review/.exec(text)?.[1] ?? 0)

type Read = (out: string) => { counts: Counted; review: number }

const readers: Record<string, Read> = {
  text: (out) => ({
    counts: inWords(out.split('\n').find((line) => /^ {2}\d+ (critical|high|medium|low|info)/.test(line)) ?? ''),
    review: reviewIn(out),
  }),
  json: (out) => {
    const { totals } = JSON.parse(out) as { totals: { bySeverity: Counted; needsReview: number } }
    return { counts: totals.bySeverity, review: totals.needsReview }
  },
  sarif: (out) => {
    const { runs } = JSON.parse(out) as {
      runs: { results: { properties: { severity: string; needsReview: boolean } }[] }[]
    }
    const found = (runs[0]?.results ?? []).map(({ properties }) => properties)
    return {
      counts: countBy(found.filter(({ needsReview }) => !needsReview).map(({ severity }) => severity)),
      review: found.filter(({ needsReview }) => needsReview).length,
    }
  },
  html: (out) => {
    const counts = severities.map((severity) => [
      severity,
      Number(new RegExp(`<span class="tag ${severity}">(\\d+)</span> ${severity}</li>`).exec(out)?.[1]),
    ])
    return { counts: Object.fromEntries(counts) as Counted, review: reviewIn(out) }
  },
  markdown: (out) => {
    const row = /^\| critical \| high .*\n.*\n\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|/m.exec(out)
    return {
      counts: Object.fromEntries(severities.map((severity, at) => [severity, Number(row?.[at + 1])])),
      review: reviewIn(out),
    }
  },
  github: (out) => {
    const last = /^::notice title=Assay::(.*)$/m.exec(out)?.[1] ?? ''
    return { counts: inWords(last), review: reviewIn(last) }
  },
  'github-summary': (out) => ({
    counts: inWords(/^.*\*\*(\d+ [a-z]+(, \d+ [a-z]+)*)\*\*.*$/m.exec(out)?.[1] ?? ''),
    review: reviewIn(out),
  }),
  junit: (out) => ({
    counts: countBy([...out.matchAll(/<failure type="(\w+)"/g)].map((match) => match[1] ?? '')),
    review: out.match(/<skipped message="needs review/g)?.length ?? 0,
  }),
  gitlab: (out) => {
    const names: Record<string, string> = {
      blocker: 'critical',
      critical: 'high',
      major: 'medium',
      minor: 'low',
      info: 'info',
    }
    const found = JSON.parse(out) as { description: string; severity: string }[]
    const isReview = ({ description }: { description: string }) => description.startsWith('Needs review: ')
    return {
      counts: countBy(found.filter((one) => !isReview(one)).map(({ severity }) => names[severity] ?? '')),
      review: found.filter(isReview).length,
    }
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

  test.each(Object.keys(readers))('%s counts as the service does', async (format) => {
    const { out } = await assay(['scan', '.', '-f', format, '--fail-on', 'info'], { files })
    expect(readers[format]!(out)).toEqual({ counts: expected.bySeverity, review: expected.needsReview })
  })
})

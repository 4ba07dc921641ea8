import { expect, test } from 'vitest'
import { scan, scanFiles } from '../index.ts'
import { toHtml } from './html.ts'
import { toMarkdown } from './markdown.ts'
import { toProjectResult } from './project-result.ts'
import { toScanResult } from './scan-result.ts'

const names = { scanId: 'scan', file: 'uploads/scan.sol' }

const resultOf = (text: string) => toScanResult(scan(text), names)

const pinned = '// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\n'

test('a file with text that could not be read says so first, and scores by the rule', () => {
  const { securityScore, completeness, message } = resultOf(`${pinned}contract C { function f( public { ] } }`)
  expect(completeness).toBe('partial')
  expect(securityScore).toMatchObject({ score: 100, summary: { total: 0 } })
  expect(message).toBe(
    'Incomplete: the file was analyzed in part. In what was analyzed: no vulnerabilities found. Fix the syntax errors and scan again. See parseErrors and diagnostics.',
  )
})

test('a function too large to follow makes a scan incomplete as text that could not be read does', () => {
  const calls = Array.from({ length: 12 }, (_, i) => `function f${i}() public { f${i + 1}(); f${i + 1}(); }`).join('\n')
  const { message, completeness, diagnostics } = resultOf(
    `${pinned}contract C { uint256 public n; ${calls} function f12() public { ${'n++; '.repeat(40)} } }`,
  )
  expect(diagnostics.map(({ code }) => code)).toContain('budget-exhausted')
  expect(completeness).toBe('partial')
  expect(message).toMatch(/^Incomplete: the file was analyzed in part\. .* by hand, or split them\./)
})

test('a project tells how many of its files were analyzed in part', () => {
  const reports = scanFiles([
    { path: 'Whole.sol', text: `${pinned}contract A { uint256 public a; }` },
    { path: 'Broken.sol', text: `${pinned}import "./Gone.sol";\ncontract B { function f( public { ] } }` },
  ])
  const { files, message } = toProjectResult(reports, names)
  expect(files!.map(({ path, completeness }) => [path, completeness])).toEqual([
    ['Whole.sol', 'full'],
    ['Broken.sol', 'partial'],
  ])
  expect(message).toMatch(/^Incomplete: 1 of 2 files was analyzed in part, 1 import is missing\. /)
})

test('missing bases and imports are reported in the message', () => {
  const one = resultOf(`${pinned}contract C is Missing { uint256 public a; }`)
  expect(one.message).toMatch(
    /^Incomplete: 1 base contract is missing\. In what was analyzed: no vulnerabilities found\./,
  )
  const both = resultOf(`${pinned}import "./Gone.sol";\ncontract C is Missing, Absent { uint256 public a; }`)
  expect(both.message).toMatch(/^Incomplete: 1 import is missing\. /)
})

test('a file that lacks nothing says nothing about it', () => {
  expect(resultOf(`${pinned}contract C { uint256 public a; }`).message).toBe(
    'Scan completed: no vulnerabilities found.',
  )
})

test('what is only a suspicion is for review: it neither counts nor deducts and is at most medium', () => {
  const { dataVulnerabilities, advisories, securityScore, message } = resultOf(`${pinned}
interface IToken {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}
contract Pool {
    IToken private immutable token;
    mapping(address => uint256) public shares;
    constructor(IToken token_) { token = token_; }
    function join(uint256 amount) external {
        uint256 before = token.balanceOf(address(this));
        require(token.transferFrom(msg.sender, address(this), amount));
        shares[msg.sender] += token.balanceOf(address(this)) - before;
    }
}`)
  const [review] = advisories.filter(({ kind }) => kind === 'review')
  expect(review).toMatchObject({ vulnerabilityId: 'SWC-107', severity: 'medium', confidence: 'low' })
  expect(dataVulnerabilities).toEqual([])
  expect(securityScore.score).toBe(100)
  expect(message).toContain('1 needs review.')
})

test('pragmas of many texts are one finding of a project, with all its places', () => {
  const texts = ['^0.8.0', '^0.8.4', '>=0.8.0 <0.9.0', '^0.8.20']
  const scanned = (ranges: readonly string[]) =>
    toProjectResult(
      scanFiles(
        ranges.map((range, i) => ({
          path: `C${i}.sol`,
          text: `// SPDX-License-Identifier: MIT\npragma solidity ${range};\ncontract C${i} { uint256 public a; }`,
        })),
      ),
      names,
    )
  const { dataVulnerabilities, securityScore } = scanned(texts)
  expect(dataVulnerabilities.map(({ file, places }) => [file, places?.map((place) => place.file)])).toEqual([
    ['C0.sol', ['C1.sol', 'C2.sol', 'C3.sol']],
  ])
  expect(securityScore).toMatchObject({ score: 90, summary: { total: 1, high: 1 } })
  // It stays the same finding when the file that showed it first is put right.
  const later = scanned(['0.8.28', ...texts.slice(1)]).dataVulnerabilities
  expect(later.map(({ fingerprint }) => fingerprint)).toEqual([dataVulnerabilities[0]!.fingerprint])
})

test('notes are limited file by file, not over the whole scan', () => {
  const imports = (from: number): string =>
    Array.from({ length: 150 }, (_, i) => `import "./missing${from + i}.sol";`).join('\n')
  const reports = scanFiles([
    { path: 'A.sol', text: `${pinned}${imports(0)}\ncontract A { uint256 public a; }` },
    { path: 'B.sol', text: `${pinned}${imports(1000)}\ncontract B { uint256 public b; }` },
  ])
  expect(reports.map(({ diagnostics }) => diagnostics.length)).toEqual([100, 100])
})

test('advice of a project is about the project: nothing is done that a file still lacks, and files are named', () => {
  const file = (range: string, name: string) => ({
    path: `src/${name}.sol`,
    text: `// SPDX-License-Identifier: MIT\npragma solidity ${range};\ncontract ${name} { address public owner; function set(address to) external { owner = to; } }`,
  })
  const reports = scanFiles([file('0.8.28', 'A'), file('^0.8.20', 'B'), file('^0.8.20', 'C')])
  const { bestPractices } = toProjectResult(reports, names)
  const items = bestPractices.checklist.flatMap((group) => group.items)
  const pinned = items.filter((item) => /pragma|compiler version/i.test(item))
  expect(pinned.filter((item) => item.startsWith('Done: '))).toEqual([])
  expect(pinned.some((item) => item.startsWith('To do: ') && item.endsWith('In `src/B.sol` and 1 more file.'))).toBe(
    true,
  )
  expect(bestPractices.recommendations.length).toBeLessThanOrEqual(10)
})

/** A project with more than ten causes, of which the first file alone states and pins its compiler. */
const manyCauses = () => {
  const bodies = [
    'function close() external { selfdestruct(payable(msg.sender)); }',
    'function take() external { payable(msg.sender).transfer(address(this).balance); }',
    'mapping(address => uint256) public b; function out() external { (bool s, ) = msg.sender.call{value: b[msg.sender]}(""); require(s); b[msg.sender] = 0; }',
    'address o = msg.sender; function run() external { require(tx.origin == o); selfdestruct(payable(o)); }',
    'function send(address payable to) external { to.send(1); }',
    'function run(address to, bytes calldata data) external { to.delegatecall(data); }',
    'function win() external payable { if (uint256(blockhash(block.number - 1)) % 2 == 0) payable(msg.sender).transfer(1); }',
    'uint256[] list; function add(uint256 x) external { list.push(x); } function all() external { for (uint256 i; i < list.length; i++) list[i] = 0; }',
    'uint256 constant end = 1_800_000_000; uint256 n; function up() external { if (block.timestamp == end) n += 1; }',
    'mapping(address => uint8) n; function add(uint256 by) external { unchecked { n[msg.sender] += uint8(by); } }',
    'address[] users; function join() external { users.push(msg.sender); } function pay() external payable { for (uint256 i; i < users.length; i++) payable(users[i]).transfer(1); }',
    'uint256 private unused; address public owner; function set(address to) external { owner = to; }',
  ]
  const files = bodies.map((body, at) => ({
    path: `src/Part${at}.sol`,
    text: `${at === 0 ? 'pragma solidity 0.8.20;' : ''}\ncontract Part${at} { receive() external payable {} ${body} }`,
  }))
  return toProjectResult(scanFiles(files), names)
}

test('advice of a project is ranked, ten items first at most, and names contract and file, in every form', () => {
  const result = manyCauses()
  const { recommendations, checklist } = result.bestPractices
  expect(recommendations).toHaveLength(10)
  const order = ['critical', 'high', 'medium', 'low', 'info']
  const ranks = recommendations.map((text) => {
    const [, contract, file] = /In `(Part\d+)[^`]*` \(`(src\/Part\d+\.sol)`\)/.exec(text) ?? []
    expect(file, text).toBe(`src/${contract}.sol`)
    const matching = result.dataVulnerabilities.filter((finding) => text.includes(finding.recommendation))
    return Math.min(...matching.map(({ severity }) => order.indexOf(severity)))
  })
  expect(ranks).toEqual([...ranks].sort())
  const items = checklist.flatMap((group) => group.items)
  expect(items.some((item) => item.startsWith('To do: Add a pragma'))).toBe(true)
  expect(items.filter((item) => item.startsWith('Done: The compiler version is pinned'))).toEqual([])
  const marks = ['To do', 'Check', 'Done']
  for (const group of checklist) {
    const places = group.items.map((item) => marks.indexOf(item.split(':')[0]!))
    expect(places, group.category).toEqual([...places].sort())
  }
  const html = toHtml([result])
  const sectionOf = (text: string, from: string, to: string) =>
    text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from)))
  expect(sectionOf(html, 'Recommendations', '</section>').match(/<li/g)).toHaveLength(10)
  expect(sectionOf(toMarkdown([result]), '## Recommendations', '\n## ').match(/^- /gm)).toHaveLength(10)
})

import { expect, test } from 'vitest'
import { scan, scanFiles } from '../index.ts'
import { toProjectResult } from './project-result.ts'
import { toScanResult } from './scan-result.ts'
import { bestUnreadScore } from './security-score.ts'

const names = { scanId: 'scan', file: 'uploads/scan.sol' }

const resultOf = (text: string) => toScanResult(scan(text), names)

const pinned = '// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\n'

test('a file with text that could not be read scores at most 74 and says that it is partial', () => {
  const { securityScore, completeness, message } = resultOf(`${pinned}contract C { function f( public { ] } }`)
  expect(completeness).toBe('partial')
  expect(securityScore.score).toBeLessThanOrEqual(bestUnreadScore)
  expect(message).toContain('The result is partial')
})

test('a function too large to follow caps the score as text that could not be read does', () => {
  const calls = Array.from({ length: 12 }, (_, i) => `function f${i}() public { f${i + 1}(); f${i + 1}(); }`).join('\n')
  const { securityScore, completeness, diagnostics } = resultOf(
    `${pinned}contract C { uint256 public n; ${calls} function f12() public { ${'n++; '.repeat(40)} } }`,
  )
  expect(diagnostics.map(({ code }) => code)).toContain('budget-exhausted')
  expect(completeness).toBe('partial')
  expect(securityScore.score).toBeLessThanOrEqual(bestUnreadScore)
})

test('each file of a project that was not read to its end is capped by itself', () => {
  const reports = scanFiles([
    { path: 'Whole.sol', text: `${pinned}contract A { uint256 public a; }` },
    { path: 'Broken.sol', text: `${pinned}contract B { function f( public { ] } }` },
  ])
  const { files } = toProjectResult(reports, names)
  expect(files!.map(({ path, score }) => [path, score > bestUnreadScore])).toEqual([
    ['Whole.sol', true],
    ['Broken.sol', false],
  ])
})

test('missing bases and imports are told in the message', () => {
  const one = resultOf(`${pinned}contract C is Missing { uint256 public a; }`)
  expect(one.message).toContain('1 base was not found: what is inherited or called there was not analysed.')
  const both = resultOf(`${pinned}import "./Gone.sol";\ncontract C is Missing, Absent { uint256 public a; }`)
  expect(both.message).toContain('2 bases and 1 import were not found')
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
  expect(message).toContain('1 place to review.')
})

test('pragmas of many texts deduct once in a project and stay findings each', () => {
  const texts = ['^0.8.0', '^0.8.4', '>=0.8.0 <0.9.0', '^0.8.20']
  const reports = scanFiles(
    texts.map((range, i) => ({
      path: `C${i}.sol`,
      text: `// SPDX-License-Identifier: MIT\npragma solidity ${range};\ncontract C${i} { uint256 public a; }`,
    })),
  )
  const { dataVulnerabilities, securityScore } = toProjectResult(reports, names)
  expect(dataVulnerabilities.filter(({ detector }) => detector === 'floating-pragma')).toHaveLength(texts.length)
  expect(securityScore).toMatchObject({ score: 90, summary: { total: texts.length, high: texts.length } })
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

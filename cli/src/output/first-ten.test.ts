/** What a reader sees first: ten different causes, none of them housekeeping, under the names of the registry. */
import { isHousekeeping, scan, toProjectResult, toScanResult } from '@assay/engine'
import { expect, test } from 'vitest'
import { assay } from '../testing/captured-io.ts'

const bodies = [
  'function close() external { selfdestruct(payable(msg.sender)); }',
  'function take() external { payable(msg.sender).transfer(address(this).balance); }',
  'mapping(address => uint256) public b; function put() external payable { b[msg.sender] += msg.value; } function out() external { (bool s, ) = msg.sender.call{value: b[msg.sender]}(""); require(s); b[msg.sender] = 0; }',
  'address o = msg.sender; uint256 n; function run() external { require(tx.origin == o); n += 1; }',
  'address payable o = payable(msg.sender); function send() external { o.send(1); }',
  'function run(address to, bytes calldata data) external { to.delegatecall(data); }',
  'function win() external payable { if (uint256(blockhash(block.number - 1)) % 2 == 0) payable(msg.sender).transfer(2); }',
  'mapping(address => uint256) n; function first() external { n[tx.origin] += 1; }',
  'uint256 n; uint256 constant end = 1_800_000_000; function up() external { if (block.timestamp == end) n += 1; }',
  'mapping(address => uint8) n; function add(uint256 by) external { unchecked { n[msg.sender] += uint8(by); } }',
  'address[] users; function join() external { users.push(msg.sender); } function pay() external payable { for (uint256 i; i < users.length; i++) payable(users[i]).transfer(1); }',
  'address public owner; function set(address to) external { owner = to; }',
]
const files = Object.fromEntries(
  [...bodies, ...bodies].map((body, at) => [
    `src/Part${at}.sol`,
    `pragma solidity ^0.8.20;\ncontract Part${at} { uint256 private unused; receive() external payable {} ${body} }\n`,
  ]),
)

test('the first ten are ten different causes, and housekeeping is not among them', async () => {
  const { out } = await assay(['scan'], { files: { 'foundry.toml': '', ...files } })
  const heading = 'The 10 most severe, one of each kind'
  expect(out).toContain(heading)
  const section = out.slice(out.indexOf(heading)).split('\n\n')[0]!
  const heads = section.match(/^ +\d+ {2}\S.*$/gm) ?? []
  expect(heads).toHaveLength(10)
  const { out: json } = await assay(['scan', '--format', 'json'], { files: { 'foundry.toml': '', ...files } })
  const all = (JSON.parse(json) as { files: { dataVulnerabilities: Listed[]; advisories: Listed[] }[] }).files.flatMap(
    ({ dataVulnerabilities, advisories }) => [...dataVulnerabilities, ...advisories],
  )
  const titleOf = (head: string): string =>
    all
      .map(({ title }) => title)
      .sort((a, b) => b.length - a.length)
      .find((title) => head.includes(title)) ?? head
  const titles = heads.map(titleOf)
  expect(new Set(titles).size, titles.join('; ')).toBe(10)
  const tidiness = all.filter(isHousekeeping).map(({ title }) => title)
  expect(tidiness).not.toEqual([])
  expect(titles.filter((title) => tidiness.includes(title))).toEqual([])
})

interface Listed {
  readonly detector: string
  readonly title: string
  readonly name: string
}

const identity = `pragma solidity 0.8.28;
contract Scores {
    mapping(address => uint256) public scores;
    function score() external { scores[tx.origin] += 1; }
}
`

test.each(['text', 'html', 'markdown', 'github', 'github-summary', 'junit', 'gitlab'])(
  'SWC-114 is never called by the wire name of the interface to a reader: %s',
  async (format) => {
    const { out } = await assay(['scan', '--details', '--format', format], { files: { 'Scores.sol': identity } })
    expect(out).toContain('tx.origin used as caller identity')
    expect(out).not.toMatch(/Tx\.Origin Authentication/i)
  },
)

test('the wire keeps the name of the interface, and the rule of SARIF has the title of the registry', async () => {
  const report = scan(identity)
  const names = { scanId: 'scan', file: 'Scores.sol' }
  for (const result of [toScanResult(report, names), toProjectResult([report], names)])
    expect(result.dataVulnerabilities.map(({ vulnerabilityId, name }) => [vulnerabilityId, name])).toContainEqual([
      'SWC-114',
      'Tx.Origin Authentication',
    ])
  const { out } = await assay(['scan', '--format', 'sarif'], { files: { 'Scores.sol': identity } })
  expect(out).toContain('SWC-114 Transaction Order Dependence')
})

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assayIn, makeFolder } from '../testing/captured-io.ts'

const head = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

/** Long enough for several partitions. */
const room = '    // What a function is for, said at some length so that the file fills a partition.\n'.repeat(260)

const project = {
  'foundry.toml': '[profile.default]\nsrc = "src"\nremappings = ["tokens/=lib/one/"]\n',
  'lib/one/Token.sol': `${head}contract Token {\n    mapping(address => uint256) public balanceOf;\n    function transfer(address to, uint256 amount) external virtual returns (bool) {\n        balanceOf[msg.sender] -= amount;\n        balanceOf[to] += amount;\n        return true;\n    }\n}\n`,
  'lib/two/Token.sol': `${head}contract Token {\n    function transfer(address, uint256) external virtual returns (bool) { return false; }\n}\n`,
  'src/Owned.sol': `${head}abstract contract Owned {\n    address public owner = msg.sender;\n    event Handed(address to);\n    modifier onlyOwner() {\n        require(msg.sender == owner, "owner");\n        _;\n    }\n    function hand(address to) external onlyOwner {\n        owner = to;\n    }\n}\n`,
  'src/Open.sol': `${head}abstract contract Open {\n    address public owner = msg.sender;\n    modifier onlyOwner() {\n        _;\n    }\n}\n`,
  'src/Vault.sol': `${head}import {Owned} from "./Owned.sol";\nimport {Token} from "tokens/Token.sol";\ncontract Vault is Owned {\n    Token public token;\n    uint256 private spare;\n    mapping(address => uint256) public deposits;\n${room}    function deposit() external payable {\n        deposits[msg.sender] += msg.value;\n    }\n    function withdraw() external {\n        (bool sent, ) = msg.sender.call{value: deposits[msg.sender]}("");\n        require(sent);\n        deposits[msg.sender] = 0;\n    }\n    function sweep(address payable to) external onlyOwner {\n        to.transfer(address(this).balance);\n    }\n}\n`,
  'src/Fees.sol': `${head}import {Owned} from "./Owned.sol";\ncontract Fees is Owned {\n    uint256 public fee;\n${room}    function setFee(uint256 next) external onlyOwner {\n        fee = next;\n    }\n    // assay-ignore-next-line\n    function close() external { selfdestruct(payable(msg.sender)); }\n}\n`,
  'src/Lottery.sol': `${head}import {Math} from "./Math.sol";\ncontract Lottery {\n    address[] public players;\n${room}    function enter() external payable {\n        players.push(msg.sender);\n    }\n    function draw() external {\n        uint256 at = Math.mod(uint256(blockhash(block.number - 1)), players.length);\n        payable(players[at]).transfer(address(this).balance);\n    }\n}\n`,
  'src/Math.sol': `${head}library Math {\n    function mod(uint256 a, uint256 b) internal pure returns (uint256) {\n        return a % b;\n    }\n}\n`,
}

interface Edited {
  replace(path: string, from: string, to: string): void
  write(path: string, text: string): void
  move(from: string, to: string): void
  remove(path: string): void
}

const edit = (folder: string): Edited => {
  const at = (path: string) => join(folder, path)
  return {
    replace(path, from, to) {
      const text = readFileSync(at(path), 'utf8')
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      writeFileSync(at(path), text.replace(from, to))
    },
    write(path, text) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), text)
    },
    move: (from, to) => renameSync(at(from), at(to)),
    remove: (path) => rmSync(at(path)),
  }
}

/** As people edit; each comes after those before it. */
const edits: readonly (readonly [what: string, change: (files: Edited) => void])[] = [
  [
    'a comment',
    (files) => files.replace('src/Vault.sol', 'function deposit', '// Anyone may pay in.\n    function deposit'),
  ],
  ['a comment in a base', (files) => files.replace('src/Owned.sol', 'modifier', '/* who may */ modifier')],
  [
    'documentation',
    (files) => files.replace('src/Fees.sol', 'function setFee', '/// Sets the fee.\n    function setFee'),
  ],
  ['a suppression less', (files) => files.replace('src/Fees.sol', '    // assay-ignore-next-line\n', '')],
  [
    'line breaks',
    (files) => files.replace('src/Lottery.sol', 'external payable {', 'external\n        payable\n    {'),
  ],
  ['a body', (files) => files.replace('src/Vault.sol', 'require(sent);', 'require(sent, "unpaid");')],
  ['a body of a modifier', (files) => files.replace('src/Owned.sol', 'require(msg.sender == owner, "owner");', '')],
  ['a body of a library', (files) => files.replace('src/Math.sol', 'return a % b;', 'return b == 0 ? 0 : a % b;')],
  ['the same undone', (files) => files.replace('src/Math.sol', 'return b == 0 ? 0 : a % b;', 'return a % b;')],
  [
    'a body that uses what was unused',
    (files) =>
      files.replace(
        'src/Vault.sol',
        'deposits[msg.sender] += msg.value;',
        'deposits[msg.sender] += msg.value;\n        spare += 1;',
      ),
  ],
  [
    'an event that another file emits',
    (files) => files.replace('src/Fees.sol', 'fee = next;', 'fee = next;\n        emit Handed(msg.sender);'),
  ],
  [
    'an added function',
    (files) =>
      files.replace(
        'src/Lottery.sol',
        'function enter',
        'function add(uint256 a) external pure returns (uint256) { unchecked { return a + 1; } }\n    function enter',
      ),
  ],
  [
    'an added state variable',
    (files) =>
      files.replace('src/Owned.sol', 'address public owner', 'uint256 internal version;\n    address public owner'),
  ],
  [
    'a changed base',
    (files) => {
      files.replace('src/Fees.sol', 'is Owned', 'is Open')
      files.replace('src/Fees.sol', '{Owned} from "./Owned.sol"', '{Open} from "./Open.sol"')
      files.replace('src/Fees.sol', '        emit Handed(msg.sender);\n', '')
    },
  ],
  [
    'a renamed file',
    (files) => {
      files.move('src/Math.sol', 'src/Arithmetic.sol')
      files.replace('src/Lottery.sol', './Math.sol', './Arithmetic.sol')
    },
  ],
  ['a changed import', (files) => files.replace('src/Vault.sol', 'tokens/Token.sol', '../lib/two/Token.sol')],
  ['an import that leads nowhere', (files) => files.replace('src/Vault.sol', './Owned.sol', './Gone.sol')],
  ['the same undone', (files) => files.replace('src/Vault.sol', './Gone.sol', './Owned.sol')],
  [
    'changed settings',
    (files) => {
      files.replace('src/Vault.sol', '../lib/two/Token.sol', 'tokens/Token.sol')
      files.replace('foundry.toml', 'lib/one/', 'lib/two/')
    },
  ],
  ['an older pragma', (files) => files.replace('src/Lottery.sol', '^0.8.20', '^0.7.0')],
  ['a pinned pragma', (files) => files.replace('src/Vault.sol', '^0.8.20', '0.8.28')],
  [
    'a new file',
    (files) =>
      files.write(
        'src/deep/New.sol',
        `${head}import "../Vault.sol";\ncontract New is Vault { function more() external { spent(); } function spent() private {} }\n`,
      ),
  ],
  [
    'a text that is no Solidity',
    (files) => files.replace('src/Lottery.sol', 'function draw() external {', 'function draw() external {{'),
  ],
  ['the same undone', (files) => files.replace('src/Lottery.sol', 'external {{', 'external {')],
  ['a deleted file', (files) => files.remove('src/deep/New.sol')],
]

describe('a scan with a cache', () => {
  test('says after any edit what a scan without one says', async () => {
    const folder = makeFolder(project)
    const environment = { ASSAY_CACHE_DIR: makeFolder({}) }
    const scan = (...words: string[]) =>
      assayIn(folder, ['scan', '--format', 'json', '--scope', 'all', ...words], { environment })
    const counts = new Set<number>()
    await scan()
    for (const [what, change] of edits) {
      change(edit(folder))
      const warm = await scan()
      expect(warm, what).toEqual(await scan('--no-cache'))
      counts.add(warm.out.length)
    }
    expect(readdirSync(environment.ASSAY_CACHE_DIR).length).toBeGreaterThan(edits.length)
    // Nearly every edit changes what is said.
    expect(counts.size).toBeGreaterThan(edits.length / 2)
  }, 240_000)
})

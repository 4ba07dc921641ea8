import { describe, expect, test } from 'vitest'
import { assay, type Situation } from '../testing/captured-io.ts'

/** No two alike: each has an unchecked sum, every third one a guard that asks who began the transaction. */
const vault = (number: number, pragma = '^0.7.0'): string => `pragma solidity ${pragma};

contract Vault${number} {
    address private owner${number} = msg.sender;
    mapping(address => uint256) public shares${number};

    function add${number}(uint256 amount) external {
        shares${number}[msg.sender] += amount;
    }
${
  number % 3 === 0
    ? `
    function empty${number}(address payable to) external {
        require(tx.origin == owner${number});
        to.transfer(${number});
    }
`
    : ''
}}
`

const vaults = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/Vault${at + 1}.sol`, vault(at + 1)]))

const project = { 'foundry.toml': '', ...vaults(12), 'src/Newer.sol': vault(13, '>=0.7.0 <0.8.0') }

const scan = async (words: readonly string[] = [], situation: Situation = {}): Promise<string> =>
  (await assay(['scan', '--only', '101,103,115', ...words], { files: project, ...situation })).out

/** The lines from a heading to the empty line after them. */
const section = (out: string, heading: string): string[] => {
  const lines = out.split('\n')
  const at = lines.indexOf(heading)
  expect(at, `${heading} in\n${out}`).toBeGreaterThanOrEqual(0)
  return lines.slice(at + 1, lines.indexOf('', at))
}

describe('the first screen', () => {
  test('the project, its size, its score, then how much of each kind', async () => {
    const lines = (await scan()).split('\n')
    expect(lines[0]).toMatch(/^assay-cli-\w+ \(Foundry\) · 13 files, 1\d\d lines$/)
    expect(lines.slice(2, 5)).toEqual([
      '  13 critical  5 high',
      '  project-wide: Floating pragma in 13 files',
      '  score 0/100 Critical',
    ])
    const rows = lines.slice(6, 10).map((line) => line.trim().split(/ {2,}/))
    expect(rows).toEqual([
      ['severity', 'finding', 'places', 'files'],
      ['critical', 'SWC-101', 'Integer overflow and underflow', '13', '13'],
      ['high', 'SWC-115', 'Authorization through tx.origin', '4', '4'],
      ['high', 'SWC-103', 'Floating pragma', '13', '13'],
    ])
  })

  test('the most severe first, each of another kind, with place and one sentence; housekeeping is not among them', async () => {
    const lines = section(await scan(), 'The 2 most severe, one of each kind')
    const heads = lines.filter((line) => /^ +\d+ {2}/.test(line))
    expect(heads).toHaveLength(2)
    expect(heads[0]).toMatch(/^ +1 {2}critical {2}.* src\/\w+\.sol:\d+ and 12 more of this kind$/)
    expect(heads[1]).toMatch(/^ +2 {2}high {6}.*tx\.origin.* and 3 more of this kind$/)
    expect(lines.length).toBeGreaterThan(heads.length)
  })

  test('what is only for review is said to be', async () => {
    const counter = (name: string) =>
      `    function ${name}(Counter counter) external { last = counter.${name}() - 1; }\n`
    const guard = [
      'pragma solidity 0.7.6;',
      'interface Counter {',
      ...['a', 'b', 'c'].map((name) => `    function ${name}() external view returns (uint256);`),
      '}',
      'contract Guard {',
      '    uint256 public last;',
      ...['a', 'b', 'c'].map(counter),
      '}',
    ].join('\n')
    const lines = section(await scan(['--limit', '2'], { files: { 'Guard.sol': guard } }), 'Most severe')
    expect(lines[0]).toMatch(/ needs review {2}Guard\.sol:\d+ and 2 more of this kind$/)
  })

  test('what the files of a project share is one line with a count and its forms', async () => {
    const lines = section(await scan(), 'Project-wide')
    expect(lines[0]).toBe('  high      Floating pragma in 13 files  SWC-103')
    expect(lines[1]).toBe('            pragma solidity ^0.7.0; (12), pragma solidity >=0.7.0 <0.8.0; (1)')
  })

  test('code is left for --details where there is much of it, and shown at once where there is little', async () => {
    expect(await scan()).not.toContain('│')
    expect(await scan()).toMatch(/code and traces of all \d+ findings: --details/)
    expect(await scan(['src/Vault1.sol'])).toContain('│')
    const detailed = await scan(['--details'])
    expect(detailed.match(/^ {2}> *\d+ │/gm)).toHaveLength(17)
    expect(detailed).not.toContain('--details')
  })

  test('a step of a trace shows its line of code, unless the frame shows it already', async () => {
    const files = {
      'src/Bank.sol': `pragma solidity 0.8.28;
contract Bank {
    mapping(address => uint256) public credit;
    function pay() external payable { credit[msg.sender] += msg.value; }
    function withdraw() external {
        uint256 amount = credit[msg.sender];
        send(msg.sender, amount);
        credit[msg.sender] = 0;
    }
    uint256 private constant unit = 1;
    function send(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount * unit}("");
        require(ok, "failed");
    }
}
`,
    }
    const { out } = await assay(['scan', 'src/Bank.sol', '--only', 'reentrancy'], { files })
    expect(out).toContain('5:5  An attacker calls `withdraw()` and re-enters before `credit[msg.sender]` is updated.\n')
    const lines = out.split('\n').map((line) => line.trim())
    const call = lines.findIndex((line) => line.includes('12:23  '))
    expect(lines[call + 1]).toBe('│ (bool ok, ) = to.call{value: amount * unit}("");')
    expect(lines.filter((line) => line === '│ send(msg.sender, amount);')).toEqual([])
  })

  test('one cause is reported once, with all its places', async () => {
    const files = { 'src/A.sol': vault(3), 'src/B.sol': vault(3), 'src/C.sol': vault(3) }
    const out = await scan([], { files })
    expect(out.match(/^ {2}src\/\w+\.sol:\d+:\d+/gm)).toHaveLength(2)
    expect(out).toMatch(/also at src\/B\.sol:\d+, src\/C\.sol:\d+/)
  })
})

describe('--limit', () => {
  test('how many of the most severe are listed', async () => {
    expect(section(await scan(['--limit', '1']), 'Most severe').filter((line) => /^ +\d {2}/.test(line))).toHaveLength(
      1,
    )
  })

  test('up to so many are shown with their code at once', async () => {
    expect((await scan(['--limit', '17'])).match(/^ {2}> *\d+ │/gm)).toHaveLength(17)
    expect(await scan(['--limit', '16'])).not.toContain('│')
  })
})

describe('--group-by', () => {
  const titles = (out: string) =>
    out.split('\n').flatMap((line) => /^ *(?:critical|high) {2}.* {2}SWC-(\d+) · /.exec(line)?.[1] ?? [])
  const files = { 'src/A.sol': vault(3), 'src/B.sol': vault(6) }

  test('kind: each weakness once, with its places below it', async () => {
    expect(titles(await scan([], { files }))).toEqual(['101', '115'])
  })

  test('file: each file once, with its weaknesses below it', async () => {
    const out = await scan(['--group-by', 'file'], { files })
    expect(titles(out)).toEqual(['101', '115', '101', '115'])
    expect(out.split('\n').filter((line) => /^src\//.test(line))).toEqual(['src/A.sol', 'src/B.sol'])
  })
})

const sale = `pragma solidity ^0.8.20;

contract Sale {
    uint256 public immutable closes = block.timestamp + 30;
    mapping(address => uint256) public paid;

    function buy() external payable {
        require(block.timestamp < closes);
        paid[msg.sender] += msg.value;
    }
}
`

describe('--min-severity and --min-confidence', () => {
  test('what is less severe is left out, also of the score', async () => {
    const out = await scan(['--min-severity', 'critical'])
    expect(out).toContain('\n  13 critical\n')
    expect(out).not.toContain('SWC-115')
  })

  test('what is less sure is left out', async () => {
    const end = 'function end(address payable to) external { delete paid[to]; to.send(paid[to]); } }'
    const files = { 'Sale.sol': sale.replace(/}\s*$/, end) }
    const found = async (...words: string[]) => {
      const { out } = await assay(['scan', '-f', 'json', ...words], { files })
      const [file] = (JSON.parse(out) as { files: { dataVulnerabilities: { confidence: string }[] }[] }).files
      return file?.dataVulnerabilities.map(({ confidence }) => confidence) ?? []
    }
    const all = await found()
    expect(new Set(all).size).toBeGreaterThan(1)
    expect(await found('--min-confidence', 'high')).toEqual(all.filter((confidence) => confidence === 'high'))
  })
})

describe('as the terminal allows', () => {
  const plain = (text: string) => text.replace(/\x1b\]8;;[^\x1b]*\x1b\\|\x1b\[[\d;]*m/g, '')

  test.each([60, 80, 200])('%i columns wide: words are wrapped, the widest text stays readable', async (columns) => {
    const out = await scan(['--details'], { columns })
    const prose = out.split('\n').filter((line) => !/│|\.sol:\d|SWC-|^ +severity/.test(line))
    expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(Math.min(columns, 110))
  })

  test('places are links where links are known, and the text around them is the same', async () => {
    const known = { isTerminal: true, environment: { TERM_PROGRAM: 'WezTerm', NO_COLOR: '1' } }
    const linked = await scan([], known)
    expect(linked).toMatch(/\x1b\]8;;file:\/\/\/\S*\/src\/Vault\d+\.sol\x1b\\src\/Vault\d+\.sol:\d+\x1b\]8;;\x1b\\/)
    expect(await scan([], { ...known, environment: { TERM: 'dumb' } })).not.toContain('\x1b')
    expect(await scan()).not.toContain('\x1b')
    const stable = (text: string) => plain(text).replace(/assay-cli-\w+|Scanned in .*/g, '')
    expect(stable(linked)).toBe(stable(await scan()))
  })
})

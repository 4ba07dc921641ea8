import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assay, assayIn, clean, floating, makeFolder } from '../testing/captured-io.ts'

const json = (out: string) => JSON.parse(out) as { files: Record<string, never>[]; totals: { findings: number } }

describe('exit codes', () => {
  test('0: nothing found', async () => {
    expect((await assay(['scan', 'Box.sol'], { files: { 'Box.sol': clean } })).code).toBe(0)
  })

  test('1: a finding at or above --fail-on, low unless said otherwise', async () => {
    expect((await assay(['scan', 'Box.sol'], { files: { 'Box.sol': floating } })).code).toBe(1)
  })

  test.each([
    ['critical', 0],
    ['high', 1],
    ['medium', 1],
    ['info', 1],
    ['never', 0],
  ])('--fail-on %s with a high finding: %i', async (severity, code) => {
    expect((await assay(['scan', 'Box.sol', '--fail-on', severity], { files: { 'Box.sol': floating } })).code).toBe(
      code,
    )
  })

  test('2: a file that is no Solidity, also beside files with findings', async () => {
    const files = { 'Box.sol': floating, 'Poem.sol': 'Roses are red,\nviolets are blue.' }
    expect((await assay(['scan', 'Poem.sol'], { files })).code).toBe(2)
    expect((await assay(['scan', '.'], { files })).code).toBe(2)
  })

  test('2: also with --quiet, and when nothing may fail', async () => {
    const files = { 'Box.sol': clean, 'Poem.sol': 'Roses are red.' }
    const { code, out } = await assay(['scan', '-q', '--fail-on', 'never'], { files })
    expect([code, out]).toEqual([
      2,
      expect.stringMatching(/^Poem\.sol: error: The file is not valid Solidity: [^\n]*\n$/),
    ])
  })

  test('2: one path that is not there is reported at the end, and the rest is scanned', async () => {
    const { code, out } = await assay(['scan', 'Box.sol', 'nowhere.sol', '-f', 'json'], {
      files: { 'Box.sol': floating },
    })
    expect(code).toBe(2)
    expect(json(out).files.map(({ path, error }) => [path, error])).toEqual([
      ['Box.sol', undefined],
      ['nowhere.sol', expect.stringContaining('no such file or folder')],
    ])
  })

  test('0: a file of nothing but comments is clean', async () => {
    expect((await assay(['scan'], { files: { 'Note.sol': '// to come\n/* soon */\n' } })).code).toBe(0)
  })

  test.each([
    [[[]], 1],
    [[['--no-advisories']], 0],
  ])('advisories count as weaknesses do: %j: %i', async ([words], code) => {
    // A rounding that always gives nothing has no number in the registry.
    const lossy = clean.replace('return value + 1;', 'return (value / 100) * 3;')
    expect((await assay(['scan', ...(words as string[])], { files: { 'Box.sol': lossy } })).code).toBe(code)
  })

  test.each([
    [['scan', 'empty', '--scope', 'some'], '--scope must be one of product, project, all; it is "some".'],
    [['scan', '--limit', 'ten'], '--limit must be a whole number; it is "ten".'],
    [['scan', '--report', 'pdf=x'], '--report pdf=x: the format must be one of text, json'],
    [['scan', '--report', 'sarif'], '--report sarif: must be format=file'],
    [['scan', 'nowhere.sol'], 'nowhere.sol: no such file or folder.'],
    [
      ['scan', 'Box.sol', '--format', 'pdf'],
      '--format must be one of text, json, sarif, markdown, html, gitlab, junit, github, github-summary; it is "pdf".',
    ],
    [['scan', 'Box.sol', '--fail'], 'There is no option --fail.'],
    [['scan', 'Box.sol', '--output'], '--output needs a value: --output <file>.'],
    [['scan', 'Box.sol', '--quiet=yes'], '--quiet takes no value.'],
    [['scan', 'Box.sol', '--only', 'reentrance-y'], '--only reentrance-y: there is no such detector.'],
    [['scan', 'Box.sol', '--baseline', 'none.json'], '--baseline none.json: no such file.'],
    [['scan', 'Box.sol', '--baseline', 'Box.sol'], '--baseline Box.sol: it is not JSON.'],
    [['scan', 'Box.sol', '--output', 'no/such/folder'], '--output no/such/folder: no such file.'],
    [['scan', 'empty'], 'empty: no .sol files in this folder.'],
  ])('2: %j says why', async (words, reason) => {
    const { code, out, err } = await assay(words, { files: { 'Box.sol': clean, 'empty/readme.md': '' } })
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(reason)
  })
})

describe('files', () => {
  const tree = {
    'foundry.toml': '',
    'contracts/b/Deep.sol': clean,
    'contracts/A.sol': clean,
    'contracts/readme.md': 'no',
    'node_modules/x/N.sol': clean,
    'lib/x/L.sol': clean,
    '.git/G.sol': clean,
  }
  const paths = (out: string) => json(out).files.map(({ path }) => path)

  test('a folder is walked for .sol files; those of dependencies and hidden ones are left out', async () => {
    expect(paths((await assay(['scan', '.', '-f', 'json'], { files: tree })).out)).toEqual([
      'contracts/A.sol',
      'contracts/b/Deep.sol',
    ])
  })

  test('without a path the folder you stand in is meant', async () => {
    expect(paths((await assay(['scan', '-f', 'json'], { files: tree, folder: 'contracts' })).out)).toEqual([
      'A.sol',
      'b/Deep.sol',
    ])
  })

  test("a lib of the author's own is scanned", async () => {
    const files = { 'foundry.toml': '', 'contracts/lib/Math.sol': clean, 'contracts/cache/Store.sol': clean }
    expect(paths((await assay(['scan', '.', '-f', 'json'], { files })).out)).toEqual([
      'contracts/cache/Store.sol',
      'contracts/lib/Math.sol',
    ])
  })

  test('--scope all goes into them', async () => {
    expect(paths((await assay(['scan', '.', '-f', 'json', '--scope', 'all'], { files: tree })).out)).toEqual([
      'contracts/A.sol',
      'contracts/b/Deep.sol',
      'lib/x/L.sol',
      'node_modules/x/N.sol',
    ])
  })

  test('a folder of dependencies that is named is scanned', async () => {
    expect(paths((await assay(['scan', 'lib', '-f', 'json'], { files: tree })).out)).toEqual(['lib/x/L.sol'])
  })

  test('a file named twice is scanned once', async () => {
    const { out } = await assay(['scan', 'contracts/A.sol', 'contracts', './contracts/A.sol', '-f', 'json'], {
      files: tree,
    })
    expect(paths(out)).toEqual(['contracts/A.sol', 'contracts/b/Deep.sol'])
  })

  test('- reads standard input', async () => {
    const { out, code } = await assay(['scan', '-', '-f', 'json'], { stdin: floating })
    expect([paths(out), code]).toEqual([['<stdin>'], 1])
  })

  test('paths and names may hold spaces and odd characters; -- ends the options', async () => {
    const files = { 'my contracts/Böx #1.sol': clean, '--odd.sol': clean }
    expect(paths((await assay(['scan', 'my contracts', '-f', 'json'], { files })).out)).toEqual([
      'my contracts/Böx #1.sol',
    ])
    expect(paths((await assay(['scan', '-f', 'json', '--', '--odd.sol'], { files })).out)).toEqual(['--odd.sol'])
  })
})

describe('--format json', () => {
  test('one entry per file with the fields of the scan result, alone on standard output', async () => {
    const { out, err } = await assay(['scan', 'Box.sol', '--format', 'json'], { files: { 'Box.sol': floating } })
    const [entry] = json(out).files
    expect(err).toBe('')
    expect(entry).toMatchObject({
      path: 'Box.sol',
      success: true,
      file: 'Box.sol',
      vulnerabilitiesCount: 1,
      securityScore: { score: 90, rating: 'Excellent', summary: { total: 1, critical: 0, high: 1, medium: 0, low: 0 } },
      completeness: 'full',
    })
    expect(entry?.dataVulnerabilities).toMatchObject([
      { vulnerabilityId: 'SWC-103', severity: 'high', line: 1, column: 1 },
    ])
    expect(Object.keys(entry ?? {})).toEqual(
      expect.arrayContaining(['message', 'scanId', 'bestPractices', 'advisories', 'suppressed', 'parseErrors']),
    )
  })

  test('a file that cannot be scanned has an entry with error', async () => {
    const files = {
      'a.sol': clean,
      'binary.sol': new Uint8Array([0x70, 0x00, 0x01]),
      'empty.sol': ' \n',
      'latin.sol': new Uint8Array([0x70, 0xe9]),
      'poem.sol': 'Roses are red.',
    }
    const { out, code } = await assay(['scan', '.', '--format', 'json'], { files })
    const entries = json(out).files
    expect(code).toBe(2)
    expect(entries.map(({ path, error }) => [path, error])).toEqual([
      ['a.sol', undefined],
      ['binary.sol', 'The file is not UTF-8 text.'],
      ['empty.sol', 'The file is empty.'],
      ['latin.sol', 'The file is not UTF-8 text.'],
      ['poem.sol', expect.stringMatching(/^The file is not valid Solidity: line 1: /)],
    ])
  })

  test('the same input gives the same bytes', async () => {
    const run = () => assay(['scan', '.', '-f', 'json'], { files: { 'a.sol': floating, 'b.sol': clean } })
    expect((await run()).out).toBe((await run()).out)
  })

  test('--output writes it to a file and says nothing', async () => {
    const folder = makeFolder({ 'Box.sol': floating })
    const { out, err, code } = await assayIn(folder, ['scan', 'Box.sol', '-f', 'json', '-o', 'result.json'])
    expect([out, err, code]).toEqual(['', '', 1])
    expect(json(readFileSync(join(folder, 'result.json'), 'utf8')).files).toHaveLength(1)
  })
})

const phishable = `pragma solidity 0.8.28;
contract Safe {
    address private immutable owner = msg.sender;
    function close() external { require(tx.origin == owner); selfdestruct(payable(owner)); }
}
`

describe('--baseline', () => {
  test('what was known does not fail; what is new does; what is gone is reported', async () => {
    const scanned = ['scan', '.', '-f', 'json', '--only', '115']
    const folder = makeFolder({ 'Box.sol': phishable, 'Other.sol': clean })
    await assayIn(folder, [...scanned, '-o', 'baseline.json'])
    const unchanged = await assayIn(folder, [...scanned, '--baseline', 'baseline.json'])
    expect(unchanged.code).toBe(0)
    expect(json(unchanged.out).files[0]).toMatchObject({
      dataVulnerabilities: [{ baselineState: 'unchanged' }],
      baseline: { newCount: 0, unchangedCount: 1, fixed: [] },
    })

    const changed = makeFolder({
      'Box.sol': clean,
      'Other.sol': phishable,
      'baseline.json': readFileSync(join(folder, 'baseline.json')),
    })
    const compared = await assayIn(changed, [...scanned, '--baseline', 'baseline.json'])
    expect(compared.code).toBe(1)
    expect(json(compared.out).files).toMatchObject([
      { path: 'Box.sol', dataVulnerabilities: [], baseline: { fixed: [{ vulnerabilityId: 'SWC-115' }] } },
      { path: 'Other.sol', dataVulnerabilities: [{ baselineState: 'new' }], baseline: { fixed: [] } },
    ])
  })

  test('lines that moved are no news', async () => {
    const folder = makeFolder({ 'Box.sol': floating })
    await assayIn(folder, ['scan', '.', '-f', 'json', '-o', 'baseline.json'])
    const moved = makeFolder({
      'Box.sol': `// one\n// two\n${floating}`,
      'baseline.json': readFileSync(join(folder, 'baseline.json')),
    })
    expect((await assayIn(moved, ['scan', '.', '--baseline', 'baseline.json'])).code).toBe(0)
  })

  test('--quiet leaves out what was known', async () => {
    const folder = makeFolder({ 'Box.sol': floating })
    await assayIn(folder, ['scan', '.', '-f', 'json', '-o', 'baseline.json'])
    writeFileSync(join(folder, 'New.sol'), phishable)
    const { out } = await assayIn(folder, ['scan', '.', '-q', '--only', '103,115', '--baseline', 'baseline.json'])
    expect(out).toMatch(/^New\.sol:4:\d+: [^\n]*\n$/)
  })

  test('a floating pragma is one finding of the project, in whichever file and words', async () => {
    const folder = makeFolder({ 'Box.sol': floating, 'Other.sol': floating })
    for (const format of ['json', 'sarif']) {
      await assayIn(folder, ['scan', '.', '-f', format, '-o', `baseline.${format}`, '--only', '103'])
      const later = makeFolder({
        'Box.sol': clean,
        'New.sol': floating.replace('^0.8.0', '>=0.8.1'),
        'Other.sol': floating,
        baseline: readFileSync(join(folder, `baseline.${format}`)),
      })
      const { out, code } = await assayIn(later, ['scan', '.', '-f', 'json', '--only', '103', '--baseline', 'baseline'])
      expect(code, format).toBe(0)
      expect(json(out).totals).toMatchObject({ findings: 1, bySeverity: { high: 1 }, score: 90 })
    }
  })
})

describe('reports', () => {
  test('sarif: one run with the result at its place, relative to the folder', async () => {
    const { out, code } = await assay(['scan', 'src', '-f', 'sarif'], { files: { 'src/Box.sol': floating } })
    const sarif = JSON.parse(out)
    expect([sarif.version, sarif.runs.length, code]).toEqual(['2.1.0', 1, 1])
    expect(sarif.runs[0].results[0]).toMatchObject({
      level: 'error',
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'src/Box.sol' }, region: { startLine: 1, startColumn: 1 } } },
      ],
    })
  })

  test('markdown and html name the file and the weakness', async () => {
    for (const format of ['markdown', 'html']) {
      const { out } = await assay(['scan', 'Box.sol', '-f', format], { files: { 'Box.sol': floating } })
      expect(out).toContain('Box.sol')
      expect(out).toContain('Floating Pragma')
    }
  })

  test('a file that has no place in them is reported on standard error', async () => {
    const { err, code } = await assay(['scan', '.', '-f', 'sarif'], { files: { 'Box.sol': clean, 'empty.sol': '' } })
    expect([err, code]).toEqual(['assay: empty.sol: The file is empty.\n', 2])
  })
})

describe('choosing detectors', () => {
  const files = { 'Box.sol': floating }

  test.each([
    [['--skip', 'floating-pragma'], 0],
    [['--skip', 'SWC-103'], 0],
    [['--skip', '107,103'], 0],
    [['--only', 'reentrancy'], 0],
    [['--only', 'swc-103'], 1],
    [['--only', 'reentrancy', '--only', 'floating-pragma'], 1],
  ])('%j: %i', async (options, code) => {
    expect((await assay(['scan', 'Box.sol', ...options], { files })).code).toBe(code)
  })

  test('the score follows what is left', async () => {
    const { out } = await assay(['scan', 'Box.sol', '-f', 'json', '--skip', '103'], { files })
    expect(json(out).files[0]).toMatchObject({ vulnerabilitiesCount: 0, securityScore: { score: 100 } })
  })
})

describe('text', () => {
  test('shows the finding with its code, the fix and the sum', async () => {
    const { out } = await assay(['scan', 'Box.sol', '--only', '103'], { files: { 'Box.sol': floating } })
    expect(out).toContain('\n  1 high  ·  housekeeping: floating pragma\n  score 90/100\n')
    expect(out).toContain('high  Floating pragma  SWC-103 · floating-pragma')
    expect(out).toContain('Box.sol:1:1')
    expect(out).toContain('> 1 │ pragma solidity ^0.8.0;\n      │ ^^^^^^^^^^^^^^^^^^^^^^^\n')
    expect(out).toMatch(/fix: \S/)
    expect(out).toMatch(/1 file, 7 lines/)
    expect(out).toMatch(/Scanned in [\d.]+ m?s\. · more about a finding: assay explain SWC-103\n$/)
    expect(out).not.toContain('\x1b')
  })

  test('the worst comes first, and advice for one weakness is given once', async () => {
    const bad = [
      'pragma solidity 0.7.6;',
      'contract Token {',
      '    mapping(address => uint256) public balances;',
      '    function mint(uint256 amount) external { balances[msg.sender] += amount; }',
      '    function pay(address to, uint256 amount) external {',
      '        balances[msg.sender] -= amount;',
      '        balances[to] += amount;',
      '    }',
      '}',
    ].join('\n')
    const { out } = await assay(['scan', '.', '--only', '101,102'], { files: { 'Token.sol': bad } })
    const titles = [...out.matchAll(/^(critical|high|medium|low|info) {2}.* {2}SWC-(\d+) · /gm)].map(
      ([, severity, swc]) => [severity, swc],
    )
    expect(titles).toEqual([
      ['critical', '101'],
      ['low', '102'],
    ])
    expect(out.match(/^ {2}Token\.sol:\d+:\d+/gm)?.length).toBeGreaterThan(2)
    expect(out.match(/^ {2}fix:/gm)).toHaveLength(2)
    expect(out).toContain('more about a finding: assay explain SWC-101')
  })

  test('colours on a terminal, unless it objects', async () => {
    const files = { 'Box.sol': floating }
    const hasColour = async (words: string[], situation: object) =>
      (await assay(['scan', 'Box.sol', ...words], { files, ...situation })).out.includes('\x1b[')
    expect(await hasColour([], { isTerminal: true })).toBe(true)
    expect(await hasColour([], { isTerminal: true, environment: { NO_COLOR: '1' } })).toBe(false)
    expect(await hasColour(['--color', 'never'], { isTerminal: true })).toBe(false)
    expect(await hasColour(['--color', 'always'], {})).toBe(true)
  })

  test('--quiet: one line per finding, nothing when clean', async () => {
    const loud = await assay(['scan', '.', '--quiet', '--only', '103'], { files: { 'Box.sol': floating } })
    expect(loud.out).toMatch(/^Box\.sol:1:1: high: SWC-103: \S[^\n]*\n$/)
    expect((await assay(['scan', '.', '-q'], { files: { 'Box.sol': clean } })).out).toBe('')
  })

  test('a clean run says so', async () => {
    const { out } = await assay(['scan', '.'], { files: { 'Box.sol': clean } })
    expect(out).toContain('\n  no findings\n  score 100/100 Excellent\n')
    expect(out).toContain('A clean scan does not guarantee')
  })

  test('what was not read is reported first, and no rating stands beside it', async () => {
    const files = { 'Box.sol': clean.replace('contract', 'import "./Gone.sol";\ncontract'), 'Fine.sol': clean }
    const { out } = await assay(['scan', '.'], { files })
    expect(out.split('\n')[2]).toBe('  Incomplete: 1 import is missing.')
    expect(out).toContain('\n  no findings in what was analyzed\n  score 100/100 for what was analyzed\n')
    expect(out).not.toMatch(/Excellent|Good|Fair|Poor/)
  })

  test('a critical advisory beside a full score is no clean run', async () => {
    const open = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
interface IToken { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Relay {
    function run(IToken token, uint256 amount, address to, bytes calldata data) external {
        require(token.transferFrom(msg.sender, address(this), amount), "in");
        (bool done,) = to.call(data);
        require(done, "failed");
    }
}
`
    const { out } = await assay(['scan', '.'], { files: { 'Relay.sol': open } })
    expect(out).toContain('\n  1 critical\n  score 100/100  ·  1 outside the SWC list\n')
    expect(out).not.toContain('no findings')
  })

  test('what hides in the source is written out, not obeyed', async () => {
    const trap = floating.replace('pragma', '/* \x1b[2J \u202e */ pragma')
    const { out } = await assay(['scan', '.'], { files: { 'Box.sol': trap } })
    expect(out).toContain('\\u{1b}[2J \\u{202e}')
    expect(out).not.toMatch(/[\x1b\u202e]/)
  })
})

describe('a second run', () => {
  const files = { 'a/One.sol': floating, 'a/Two.sol': clean }
  const lastLine = async (folder: string) => (await assayIn(folder, ['scan'])).out.trimEnd().split('\n').at(-1)

  test('analyses nothing when nothing has changed, and says so', async () => {
    const folder = makeFolder(files)
    expect(await lastLine(folder)).toMatch(/^Scanned in \S+ \S+\. /)
    expect(await lastLine(folder)).toMatch(/^Scanned in \S+ \S+, 2 of 2 files as remembered from an earlier scan\. /)
  })

  test('analyses anew what has changed', async () => {
    const folder = makeFolder(files)
    const first = await assayIn(folder, ['scan', '-f', 'json'])
    writeFileSync(join(folder, 'a/Two.sol'), phishable)
    const second = await assayIn(folder, ['scan', '-f', 'json'])
    expect(json(second.out).totals.findings).not.toBe(json(first.out).totals.findings)
  })
})

test('nothing is written beside the scanned files', async () => {
  const folder = makeFolder({ 'Box.sol': floating })
  await assayIn(folder, ['scan', '.'])
  expect(existsSync(join(folder, 'Box.sol'))).toBe(true)
  expect(readFileSync(join(folder, 'Box.sol'), 'utf8')).toBe(floating)
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assayIn, clean, floating, makeFolder } from '../testing/captured-io.ts'

interface Json {
  files: { path: string; dataVulnerabilities: { baselineState: string }[]; suppressed: object[] }[]
}
const scan = async (folder: string, ...words: string[]) => {
  const { code, out, err } = await assayIn(folder, ['scan', '-f', 'json', '--only', '103', ...words])
  return { code, err, files: code === 2 && out === '' ? [] : (JSON.parse(out) as Json).files }
}

describe('--baseline', () => {
  test.each(['json', 'sarif'])(
    '%s: known from any working folder, and when a file is renamed or moved',
    async (format) => {
      const folder = makeFolder({ 'src/Box.sol': floating })
      await assayIn(folder, ['scan', '-f', format, '-o', 'baseline.out', '--only', '103'])
      expect((await scan(folder, '--baseline', 'baseline.out')).code).toBe(0)
      expect((await scan(join(folder, 'src'), '--baseline', '../baseline.out')).code).toBe(0)
      mkdirSync(join(folder, 'core'))
      renameSync(join(folder, 'src/Box.sol'), join(folder, 'core/Crate.sol'))
      expect((await scan(folder, '--baseline', 'baseline.out')).code).toBe(0)
    },
  )

  test('one known finding does not excuse a second one like it', async () => {
    const phishable = `pragma solidity 0.8.28;
contract Safe {
    address private immutable owner = msg.sender;
    function close() external { require(tx.origin == owner); selfdestruct(payable(owner)); }
}
`
    const folder = makeFolder({ 'Box.sol': phishable })
    for (const format of ['json', 'sarif']) await assayIn(folder, ['scan', '-f', format, '-o', `baseline.${format}`])
    expect((await scan(folder, '--only', '115', '--baseline', 'baseline.json')).code).toBe(0)
    writeFileSync(join(folder, 'Copy.sol'), phishable)
    expect((await scan(folder, '--only', '115', '--baseline', 'baseline.json')).code).toBe(1)
    expect((await scan(folder, '--only', '115', '--baseline', 'baseline.sarif')).code).toBe(1)
  })

  test('2: neither a result nor a triage file', async () => {
    const { code, err } = await scan(
      makeFolder({ 'Box.sol': clean, 'x.json': '{"version":2}' }),
      '--baseline',
      'x.json',
    )
    expect(code).toBe(2)
    expect(err).toContain('--baseline x.json: neither a triage file nor a result of')
  })
})

describe('assay triage', () => {
  const read = (folder: string) => JSON.parse(readFileSync(join(folder, 'assay.triage.json'), 'utf8'))
  // One finding: the pragma.
  const triage = (folder: string, words: string[], answers?: string[]) =>
    assayIn(folder, ['triage', ...words], answers ? { answers } : {})

  test('asks, writes down, and the scan then sets it aside', async () => {
    const folder = makeFolder({ 'Box.sol': floating })
    const { err } = await triage(folder, [], ['f', 'it is only a test'])
    expect(err).toContain('1 decided, 0 left')
    expect(read(folder)).toEqual({
      version: 1,
      findings: [
        {
          fingerprint: expect.stringMatching(/^[0-9a-f]+$/),
          detector: 'floating-pragma',
          path: 'Box.sol',
          state: 'false-positive',
          reason: 'it is only a test',
        },
      ],
    })
    const { code, files } = await scan(folder, '--baseline', 'assay.triage.json')
    expect(code).toBe(0)
    expect(files[0]).toMatchObject({
      dataVulnerabilities: [],
      suppressed: [
        { suppression: { kind: 'external', comment: 'triage: false-positive', reason: 'it is only a test' } },
      ],
    })
  })

  test('skip, quit, no reason: nothing is decided', async () => {
    const folder = makeFolder({ 'Box.sol': floating })
    for (const answers of [['s'], ['q'], ['a', ''], []]) {
      expect((await triage(folder, [], answers)).err).toContain('0 decided, 1 left')
    }
  })

  test('open: it is known but stays in sight; the next triage asks for the rest alone', async () => {
    const folder = makeFolder({ 'Box.sol': floating })
    await triage(folder, ['--all', 'open', '--reason', 'before the audit'])
    const { code, files } = await scan(folder, '--baseline', 'assay.triage.json')
    expect(code).toBe(0)
    expect(files[0]?.dataVulnerabilities).toMatchObject([{ baselineState: 'unchanged' }])
    expect((await triage(folder, [], ['f', 'x'])).err).toContain('0 decided, 0 left')
  })

  test('a decision that is out of date sets nothing aside any more', async () => {
    const folder = makeFolder({ 'Box.sol': floating })
    await triage(folder, ['--all', 'accepted', '--reason', 'for now', '--until', '2020-01-31'])
    const { files } = await scan(folder, '--baseline', 'assay.triage.json')
    expect(files[0]?.dataVulnerabilities).toHaveLength(1)
  })

  test('2: a file that is something else is left as it is', async () => {
    const folder = makeFolder({ 'Box.sol': floating, 'assay.triage.json': '{"mine": true}' })
    expect((await triage(folder, ['--all', 'open', '--reason', 'x'])).code).toBe(2)
    expect(read(folder)).toEqual({ mine: true })
    expect((await triage(folder, ['--all', 'open'])).err).toContain('--all needs a --reason')
    expect((await triage(folder, ['--until', 'soon'])).err).toContain('--until soon: must be a date')
  })
})

describe('--diff', () => {
  const token = (body: string, pragma = '0.7.6') => `pragma solidity ${pragma};
contract Token {
    mapping(address => uint256) public balances;

    function mint(uint256 amount) external { balances[msg.sender] += amount; }

${body}
}
`
  function repository(files: Record<string, string>) {
    const folder = makeFolder(files)
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', folder, ...words], {
        stdio: 'pipe',
      })
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('commit', '-qm', 'first')
    return { folder, git }
  }
  const found = async (folder: string, ...words: string[]) =>
    (await assayIn(folder, ['scan', '-q', '--no-advisories', '--skip', '102', ...words])).out
      .trim()
      .split('\n')
      .filter(Boolean)

  test('only what touches a changed line or is new', async () => {
    const { folder } = repository({ 'src/Token.sol': token('') })
    expect((await found(folder)).length).toBe(1)
    expect(await found(folder, '--diff', 'main')).toEqual([])
    writeFileSync(
      join(folder, 'src/Token.sol'),
      token('    function burn(uint256 amount) external { balances[msg.sender] -= amount; }'),
    )
    const lines = await found(folder, '--diff', 'main')
    expect(lines).toEqual([expect.stringMatching(/^src\/Token\.sol:7:\d+: critical: SWC-101/)])
  })

  test('also what a change elsewhere in the file brings about', async () => {
    const { folder } = repository({ 'src/Token.sol': token('', '0.8.28') })
    expect(await found(folder)).toEqual([])
    // The pragma alone changes: the addition in line 5 can wrap now.
    writeFileSync(join(folder, 'src/Token.sol'), token('', '0.7.6'))
    expect(await found(folder, '--diff', 'HEAD')).toEqual([expect.stringMatching(/^src\/Token\.sol:5:\d+: critical/)])
  })

  test('new files count as a whole, committed or not; moved ones do not', async () => {
    const { folder, git } = repository({ 'src/Token.sol': token('') })
    git('mv', 'src/Token.sol', 'src/Coin.sol')
    expect(await found(folder, '--diff', 'main')).toEqual([])
    writeFileSync(join(folder, 'src/Other.sol'), token('').replace('Token', 'Other'))
    expect(await found(folder, '--diff', 'main')).toEqual([expect.stringMatching(/^src\/Other\.sol:5:/)])
  })

  test('2: no repository, no such commit, an option in disguise', async () => {
    const { folder } = repository({ 'A.sol': clean })
    for (const [where, ref] of [
      [makeFolder({ 'A.sol': clean }), 'main'],
      [folder, 'nowhere'],
      [folder, '--output=x'],
    ] as const) {
      const { code, err } = await assayIn(where, ['scan', `--diff=${ref}`])
      expect([code, err]).toEqual([2, expect.stringContaining('--diff')])
    }
  })
})

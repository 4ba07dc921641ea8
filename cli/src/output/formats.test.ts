import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { assay, assayIn, clean, floating, makeFolder } from '../testing/captured-io.ts'

const bank = `pragma solidity 0.8.28;
contract Bank {
    mapping(address => uint256) public balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        balances[msg.sender] = 0;
    }
}
`
const files = {
  'src/Bank.sol': bank,
  'src/my box #1.sol': floating,
  'src/Poem.sol': 'Roses are red.',
  'src/Fine.sol': clean,
}
const run = async (format: string, ...words: string[]) =>
  (await assay(['scan', 'src', '-f', format, ...words], { files })).out

describe('sarif', () => {
  const schemaFile = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
  // The schema is written for an older draft; it uses nothing that the newer one reads differently.
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8'))
  const isValid = new Ajv({ strict: false, unicodeRegExp: false, validateFormats: false, allErrors: true }).compile(
    schema,
  )

  test.each([
    ['findings, a trace and a file that could not be read', []],
    ['a baseline', ['--baseline', 'base.json']],
    ['nothing', ['--only', 'arbitrary-jump']],
  ])('valid by the schema of 2.1.0: %s', async (_what, words) => {
    const folder = makeFolder(files)
    await assayIn(folder, ['scan', 'src', '-f', 'json', '-o', 'base.json', '--skip', '103'])
    const log = JSON.parse((await assayIn(folder, ['scan', 'src', '-f', 'sarif', ...words])).out)
    isValid(log)
    expect(isValid.errors ?? []).toEqual([])
  })

  test('rules carry their page, and link to it where --pages says they are', async () => {
    const rulesOf = async (...words: string[]) =>
      JSON.parse(await run('sarif', '--only', '103,107', ...words)).runs[0].tool.driver.rules as {
        id: string
        help: { markdown: string }
        helpUri?: string
      }[]
    for (const { help, helpUri } of await rulesOf()) {
      expect(help.markdown).toMatch(/## How it is attacked[\s\S]*## Fixed[\s\S]*## Known limits/)
      // Without an address for the pages there is no link, and none to a foreign host.
      expect(helpUri).toBeUndefined()
    }
    for (const { id, helpUri } of await rulesOf('--pages', 'https://pages.example/assay/'))
      expect(helpUri).toBe(`https://pages.example/assay/${id}.md`)
  })

  test('2: --pages is no folder', async () => {
    const { code, err } = await assay(['scan', 'src', '--pages', 'pages.example'], { files })
    expect([code, err]).toEqual([2, expect.stringContaining('--pages pages.example: must be a URL')])
  })

  test('the validator does find mistakes', () => {
    expect(isValid({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).toBe(false)
  })

  test("keeps within GitHub's rules: places, levels, ranks, relative addresses, code flows, rules that exist", async () => {
    const { runs } = JSON.parse(await run('sarif'))
    const [{ results, tool, invocations }] = runs
    for (const result of results) {
      const { artifactLocation, region } = result.locations[0].physicalLocation
      expect(artifactLocation.uri).toMatch(/^src\/[\w%.-]+\.sol$/)
      expect(region.startLine).toBeGreaterThan(0)
      expect(region.startColumn).toBeGreaterThan(0)
      expect(result.rank).toBeGreaterThan(0)
      expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
      expect(result.partialFingerprints.primaryLocationLineHash).toBeTruthy()
    }
    const uris = results.map(
      (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
        result.locations[0]?.physicalLocation.artifactLocation.uri,
    )
    expect(uris).toContain('src/my%20box%20%231.sol')
    const reentrancy = results.find(({ ruleId }: { ruleId: string }) => ruleId === 'reentrancy')
    expect(reentrancy.level).toBe('error')
    expect(reentrancy.codeFlows[0].threadFlows[0].locations.length).toBeGreaterThan(1)
    expect(invocations[0]).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: expect.arrayContaining([
        expect.objectContaining({ level: 'error', descriptor: { id: 'not-scanned' } }),
      ]),
    })
  })

  test('a patch that holds is carried as a fix', async () => {
    const { runs } = JSON.parse(await run('sarif', '--only', '103'))
    const [change] = runs[0].results[0].fixes[0].artifactChanges
    expect(change.replacements).toEqual([
      {
        deletedRegion: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 24 },
        insertedContent: { text: 'pragma solidity 0.8.28;' },
      },
    ])
  })
})

test('json: tool, schema and totals', async () => {
  const document = JSON.parse(await run('json'))
  expect(document).toMatchObject({
    schema: 'urn:assay:scan:1',
    tool: { name: 'Assay', version: expect.any(String) },
    totals: { files: 3, notScanned: 1, lines: 25, bySeverity: { critical: 1, high: 1 }, score: 70 },
  })
})

test('gitlab: a list with unique fingerprints and its own severities', async () => {
  const entries = JSON.parse(await run('gitlab')) as {
    fingerprint: string
    severity: string
    location: { path: string; lines: { begin: number } }
  }[]
  expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size).toBe(entries.length)
  expect(entries.map(({ severity }) => severity)).toEqual(expect.arrayContaining(['blocker', 'critical']))
  expect(entries).toContainEqual(expect.objectContaining({ check_name: 'not-scanned' }))
  for (const { location } of entries) expect(location.lines.begin).toBeGreaterThan(0)
})

test('junit: a suite per file, a failure per finding, an error for what was not read', async () => {
  const xml = await run('junit')
  expect(xml).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="assay" tests="\d+" failures="\d+" errors="1">/,
  )
  expect(xml).toContain('<testsuite name="src/Fine.sol" tests="1" failures="0" errors="0" skipped="0">')
  expect(xml).toContain('<error type="not-scanned"')
  expect(xml.match(/<failure /g)?.length).toBe(Number(/failures="(\d+)"/.exec(xml)?.[1]))
  expect(xml).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#10;)/)
})

test('github: one workflow command per line, everything else escaped', async () => {
  const lines = (await run('github')).trimEnd().split('\n')
  for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) (file=[^,]+,.*|title=Assay)::/)
  expect(lines).toContainEqual(
    expect.stringMatching(/^::error file=src\/Bank\.sol,line=7,endLine=7,col=\d+,endColumn=\d+,title=.*\(SWC-107\)::/),
  )
  expect(lines).toContainEqual(expect.stringMatching(/^::error file=src\/Poem\.sol,title=Not scanned::/))
})

test('markdown and html: one report with contents, traces and what was not read', async () => {
  const markdown = await run('markdown')
  expect(markdown.match(/^# /gm)).toHaveLength(1)
  expect(markdown).toContain('](#file-1)')
  expect(markdown).toContain('src/Poem.sol')
  const html = await run('html')
  expect(html.match(/<h1>/g)).toHaveLength(1)
  expect(html).toContain('<nav id="contents">')
  expect(html).toContain('href="#file-1"')
  expect(html).toContain('name="viewport"')
  expect(html).toContain('src/Poem.sol')
})

test('a trace names the file of a step that lies elsewhere', async () => {
  const split = {
    'Base.sol':
      'pragma solidity 0.8.28;\nabstract contract Base {\n    mapping(address => uint256) balances;\n    function _clear() internal { balances[msg.sender] = 0; }\n}\n',
    'Bank.sol': bank
      .replace(
        'contract Bank {\n    mapping(address => uint256) public balances;',
        'import "./Base.sol";\ncontract Bank is Base {',
      )
      .replace('balances[msg.sender] = 0;', '_clear();'),
  }
  for (const format of ['markdown', 'html', 'text']) {
    const { out } = await assay(['scan', '-f', format, '--only', '107'], { files: split })
    expect(out, format).toMatch(/Base\.sol(:4|`, line 4|<\/code>, line 4)/)
  }
})

test('one scan, several outputs', async () => {
  const folder = makeFolder(files)
  const { out, code } = await assayIn(folder, [
    'scan',
    'src',
    '-q',
    '--report',
    'sarif=a.sarif',
    '--report',
    'junit=a.xml',
  ])
  expect(code).toBe(2)
  expect(out).toContain('src/Bank.sol:7')
  expect(JSON.parse(readFileSync(join(folder, 'a.sarif'), 'utf8')).version).toBe('2.1.0')
  expect(readFileSync(join(folder, 'a.xml'), 'utf8')).toContain('<testsuites')
})

describe('what a pipeline would take for a command', () => {
  const trap = '::set-env name=PATH::/evil ##[command]x ##vso[task.setvariable variable=a]b ##teamcity[x]'
  const source = floating.replace('pragma', `/*\n${trap}\n*/ pragma`).replace('return', `/* ${trap} */ return`)

  test.each(['text', 'json', 'sarif', 'markdown', 'html', 'gitlab', 'junit', 'github', 'github-summary'])(
    '%s',
    async (format) => {
      const { out, err } = await assay(['scan', '.', '-f', format, '--details'], {
        files: { 'Box.sol': source, '##[x]::y.sol': floating },
      })
      const lines = `${out}\n${err}`.split('\n')
      expect(lines.filter((line) => /##(\[|vso\[|teamcity\[)/i.test(line))).toEqual([])
      expect(
        lines.filter((line) => /^\s*::/.test(line) && !/^::(error|warning|notice) (file|title)=/.test(line)),
      ).toEqual([])
    },
  )
})

test('junit: what does not fail the run passes, and says what it is', async () => {
  const failures = async (...words: string[]) =>
    /<testsuites [^>]*failures="(\d+)"/.exec(await run('junit', ...words))?.[1]
  expect(Number(await failures('--fail-on', 'info'))).toBeGreaterThan(1)
  expect(await failures('--fail-on', 'critical')).toBe('1')
  expect(await failures('--fail-on', 'never')).toBe('0')
  expect(await run('junit', '--fail-on', 'never')).toContain('<system-out>critical: ')
})

test('text: with a baseline the first lines say what is new', async () => {
  const folder = makeFolder({ 'A.sol': floating })
  await assayIn(folder, ['scan', '-f', 'json', '-o', 'base.json'])
  expect((await assayIn(folder, ['scan', '--baseline', 'base.json'])).out).toMatch(/0 new, [1-9]\d* known/)
  expect((await assayIn(folder, ['scan'])).out).not.toContain('known')
})

test('an HTML page names project, commit and day, numbers its lines, and hides a severity without a script', async () => {
  const folder = makeFolder({ 'foundry.toml': '', 'src/A.sol': floating, 'src/B.sol': floating })
  const { out } = await assayIn(folder, ['scan', '--format', 'html'], {
    environment: { GITHUB_SHA: 'abc123', GITHUB_REF_NAME: 'feature' },
  })
  expect(out).toContain(`<h1>Security report: ${basename(folder)}</h1>`)
  expect(out).toMatch(/2 files, feature abc123, \d{4}-\d\d-\d\d</)
  expect(out).toMatch(/<span class="no">\d+<\/span> pragma solidity/)
  for (const severity of new Set([...out.matchAll(/<article class="finding (\w+)"/g)].map(([, each]) => each)))
    expect(out).toContain(`main:has(#show-${severity}:not(:checked)) .finding.${severity}{display:none}`)
  expect(out).not.toContain('<script')
})

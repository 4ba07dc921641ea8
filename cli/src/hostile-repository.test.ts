import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { assayIn, clean, floating, makeFolder } from './testing/captured-io.ts'

const secret = 'APIKEY_sk_very_secret'
const outsideContract = `pragma solidity ^0.8.0;\ncontract Outside { string constant key = "${secret}"; uint256 public ${secret}_slot; }\n`

/** A repository that tries to run its code, and to lead outside, by every file that we read. */
function hostile() {
  const outside = makeFolder({
    'Other.sol': outsideContract,
    'libs/evil/src/Evil.sol': outsideContract,
    'libs/evil/remappings.txt': 'stolen/=./\n',
    'settings.json': `{"${secret}": true}`,
    'settings.toml': `${secret} = [\n`,
    'notes.txt': secret,
    'empty/keep': '',
  })
  const folder = makeFolder({
    'src/A.sol': `pragma solidity ^0.8.0;\nimport "${outside}/Other.sol";\nimport "evil/Evil.sol";\nimport "mapped/Other.sol";\nimport "../../${outside.split('/').at(-1)}/Other.sol";\ncontract A { uint256 public x; }\n`,
    'src/legacy/Old.sol': floating,
    'foundry.toml': `[profile.default]\nsrc = "src"\nlibs = ["lib", "${outside}/libs"]\nremappings = ["mapped/=${outside}/"]\nffi = true\n`,
    'remappings.txt': `also/=${outside}/\n`,
    'hardhat.config.js': `require('fs').writeFileSync('${outside}/ran-hardhat', '')\nmodule.exports = {}\n`,
    'package.json': `{"name": "x", "type": "commonjs", "scripts": {"preinstall": "touch ${outside}/ran-npm"}, "workspaces": ["${outside}"]}`,
    '.npmrc': `script-shell=${outside}/shell\n`,
    '.vscode/settings.json': `{"assay.path": "./run.sh"}`,
    'run.sh': `#!/bin/sh\ntouch ${outside}/ran\n`,
    'rule.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync('${outside}/ran-rule', '')\nexport default []\n`,
    'baseline.json': '{"files": []}',
    'assay.triage.json': '{"version": 1, "findings": []}',
    '.gitattributes': '*.sol diff=evil filter=evil\n',
    'assay.config.json': '{"exclude": ["src/legacy"], "minSeverity": "critical", "baseline": ["assay.triage.json"]}',
  })
  chmodSync(join(folder, 'run.sh'), 0o755)
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', folder, ...words], {
      stdio: 'pipe',
    })
  git('init', '-q', '-b', 'main')
  git('add', 'src', 'foundry.toml')
  git('commit', '-qm', 'first')
  const run = join(folder, 'run.sh')
  mkdirSync(join(folder, 'hooks'))
  for (const hook of ['post-index-change', 'pre-commit', 'post-checkout', 'fsmonitor-watchman'])
    symlinkSync(run, join(folder, 'hooks', hook))
  for (const [key, value] of [
    ['core.fsmonitor', run],
    ['core.hooksPath', join(folder, 'hooks')],
    ['core.pager', run],
    ['core.sshCommand', run],
    ['diff.external', run],
    ['diff.evil.textconv', run],
    ['diff.evil.command', run],
    ['filter.evil.clean', run],
    ['filter.evil.smudge', run],
    ['filter.evil.process', run],
    ['protocol.ext.allow', 'always'],
    ['alias.ls-tree', `!${run}`],
  ] as const)
    git('config', key, value)
  symlinkSync(join(outside, 'Other.sol'), join(folder, 'src', 'Linked.sol'))
  symlinkSync(join(outside, 'empty'), join(folder, 'testlink'))
  symlinkSync(join(outside, 'notes.txt'), join(folder, 'report.json'))
  return { folder, outside }
}

/** Nothing ran, and nothing that was there before is different. */
function expectUntouched(outside: string) {
  expect(readdirSync(outside).filter((name) => name.startsWith('ran'))).toEqual([])
  expect(readdirSync(join(outside, 'empty'))).toEqual(['keep'])
  expect(readFileSync(join(outside, 'Other.sol'), 'utf8')).toBe(outsideContract)
  expect(readFileSync(join(outside, 'notes.txt'), 'utf8')).toBe(secret)
}

describe('a hostile repository', () => {
  test.each([
    ['scan', ['scan']],
    ['scan of everything', ['scan', '--scope', 'all', '--details']],
    ['scan since a commit', ['scan', '--diff', 'HEAD', '--fail-on', 'never']],
    ['scan -f json', ['scan', '-f', 'json']],
    ['scan -f sarif', ['scan', '-f', 'sarif']],
    ['fix', ['fix', '--write']],
    ['prove', ['prove', '--write-tests', 'testlink']],
    ['show storage', ['show', 'storage']],
    ['show inheritance', ['show', 'inheritance', '--as', 'json']],
    ['triage', ['triage', '--all', 'open', '--reason', 'x', '--file', 'report.json']],
    ['diff-storage', ['diff-storage', 'src/A.sol', 'src/Linked.sol']],
    ['explain --why', ['explain', '--why', 'src/Linked.sol:2']],
    ['a link that is named', ['scan', 'src/Linked.sol', '-q']],
  ])('%s runs nothing, and neither reads nor writes outside', async (_, words) => {
    const { folder, outside } = hostile()
    // A change in the working tree makes git look at files.
    writeFileSync(join(folder, 'src/A.sol'), `${readFileSync(join(folder, 'src/A.sol'), 'utf8')}\n`)
    const { out, err } = await assayIn(folder, words)
    expect(out + err).not.toContain(secret)
    expectUntouched(outside)
  })

  test('the editor is no exception', async () => {
    const { folder, outside } = hostile()
    const { createIo } = await import('./testing/captured-io.ts')
    const { scanProject } = await import('./scan/scan-project.ts')
    const { toScanRequest } = await import('./scan/scan-request.ts')
    // What the language server asks for: one document by its absolute path.
    const scan = await scanProject(
      toScanRequest([join(folder, 'src/A.sol')], { scope: 'product', include: [], exclude: [], remappings: [] }),
      createIo(folder),
    )
    expect(scan.importedCount).toBe(0)
    expectUntouched(outside)
  })

  test('code is not named by a file that travels with the source', async () => {
    const { folder, outside } = hostile()
    writeFileSync(join(folder, 'assay.config.json'), '{"rules": ["./rule.mjs"]}')
    const { code, err } = await assayIn(folder, ['scan'])
    expect([code, err]).toEqual([2, expect.stringContaining('type --rules on the command line')])
    expectUntouched(outside)
  })

  test.each([
    ['a baseline', (outside: string) => `{"baseline": ["${outside}/settings.json"]}`],
    ['a remapping', (outside: string) => `{"remappings": ["x/=${outside}/"]}`],
    ['a file to write', () => '{"output": "../x.json"}'],
  ])('settings name no %s outside', async (_, config) => {
    const { folder, outside } = hostile()
    writeFileSync(join(folder, 'assay.config.json'), config(outside))
    const { code, err, out } = await assayIn(folder, ['scan'])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/leads outside of the project|is not taken from a settings file/)
    expect(err).not.toContain(secret)
  })

  test.each([
    ['assay.config.json', 'settings.json'],
    ['foundry.toml', 'settings.toml'],
    ['remappings.txt', 'settings.toml'],
    ['hardhat.config.js', 'settings.json'],
  ])('%s as a link to a file elsewhere is not read', async (name, target) => {
    const { folder, outside } = hostile()
    execFileSync('rm', [join(folder, name)])
    if (name === 'hardhat.config.js') execFileSync('rm', [join(folder, 'foundry.toml')])
    symlinkSync(join(outside, target), join(folder, name))
    const { code, out, err } = await assayIn(folder, ['scan'])
    expect(code).toBe(2)
    expect(out + err).toContain('leads outside of the project')
    expect(out + err).not.toContain(secret)
  })

  test('a report is not written through a link of the repository', async () => {
    const { folder, outside } = hostile()
    for (const option of ['--output=report.json', '--report=sarif=report.json', '--report=json=testlink/x.json']) {
      const { code, err } = await assayIn(folder, ['scan', option])
      expect([code, err]).toEqual([2, expect.stringMatching(/nothing (is|was) written/)])
    }
    expectUntouched(outside)
  })

  test.each([
    ['fix', ['fix']],
    ['show', ['show', 'storage', '--as', 'json']],
    ['prove', ['prove']],
    ['prove -f json', ['prove', '-f', 'json']],
    ['triage', ['triage', '--all', 'open', '--reason', 'x', '--file', 'new.json']],
    ['diff-storage', ['diff-storage', 'src/A.sol', 'src/legacy/Old.sol']],
  ])('%s lists what settings it applied and what it did not read', async (_, words) => {
    const { folder, outside } = hostile()
    const { err } = await assayIn(folder, words)
    for (const line of [
      `assay: foundry.toml: libs = lib, ${outside}/libs`,
      `assay: foundry.toml: remappings = mapped/=${outside}/`,
      'assay: remappings.txt: ',
      'Other.sol: outside of the project, not read',
    ])
      expect(err).toContain(line)
  })

  test('every setting that was applied, and everything that was refused, is reported in every format', async () => {
    const { folder } = hostile()
    const formats = ['text', 'json', 'sarif', 'markdown', 'html', 'junit', 'github', 'github-summary']
    for (const format of formats) {
      const { out } = await assayIn(folder, ['scan', '-f', format, '--color', 'never'])
      for (const expected of [
        'exclude',
        'src/legacy',
        'minSeverity',
        'critical',
        'assay.triage.json',
        'libs',
        'remappings.txt',
      ])
        expect(out, `${format}: ${expected}`).toContain(expected)
      expect(out, format).toContain('Other.sol')
    }
    // Where the format has no place for it, and where nothing else is said, the log tells.
    for (const words of [['-q'], ['-f', 'gitlab']])
      expect((await assayIn(folder, ['scan', ...words])).err).toContain('assay.config.json: exclude = src/legacy')
    const { settings, hiddenFindings } = JSON.parse((await assayIn(folder, ['scan', '-f', 'json'])).out)
    expect(settings).toContainEqual({ file: 'assay.config.json', key: 'minSeverity', value: 'critical' })
    expect(hiddenFindings).toBeGreaterThan(0)
  })
})

describe('names of files', () => {
  const name = 'src/A\ncontract Injected {}\n\x1b[31m\u202e.sol'
  const files = { [name]: floating }

  test.each(['text', 'github', 'junit', 'markdown', 'html', 'github-summary'])('are one line in %s', async (format) => {
    const folder = makeFolder(files)
    const { out, err } = await assayIn(folder, ['scan', '-f', format, '--color', 'never'])
    expect(out + err).toContain('Injected')
    expect(out + err).not.toMatch(/[\x1b\u202e]/)
    expect(out + err).not.toMatch(/^contract Injected/m)
  })

  test.each([[['scan', '-q']], [['fix']], [['prove']]])('are one line of %j', async (words) => {
    const { out, err } = await assayIn(makeFolder(files), words)
    expect(out + err).toContain('Injected')
    expect(out + err).not.toMatch(/^contract Injected/m)
  })
})

describe('the editor', () => {
  const manifest = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../editors/vscode/package.json', import.meta.url)), 'utf8'),
  )

  test('says how it behaves in a folder that is not trusted', () => {
    expect(manifest.capabilities.untrustedWorkspaces).toMatchObject({
      supported: 'limited',
      restrictedConfigurations: ['assay.path'],
    })
  })
})

describe('pipelines', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const read = (name: string) => readFileSync(join(root, name), 'utf8')

  test('the command is installed outside of the checkout, whose .npmrc and scripts do not count', () => {
    const { runs } = parse(read('action.yml')) as { runs: { steps: { id?: string; run?: string }[] } }
    expect(runs.steps.find(({ id }) => id === 'install')?.run).toMatch(
      /cd "\$RUNNER_TEMP"[\s\S]*npm install --global --ignore-scripts/,
    )
    const { assay } = parse(read('templates/gitlab.yml')) as { assay: { script: string[] } }
    expect(assay.script.join('\n')).toMatch(/mktemp -d[\s\S]*npm install --global --ignore-scripts/)
    expect(assay.script.join('\n')).not.toContain('CI_PROJECT_DIR/.assay')
  })

  test('the hook scans as the command does: no rules, no settings of its own', () => {
    const [hook] = parse(read('.pre-commit-hooks.yaml')) as { entry: string; args: string[] }[]
    expect([hook?.entry, ...(hook?.args ?? [])].join(' ')).not.toContain('--rules')
    expect(existsSync(join(root, '.pre-commit-hooks.yaml'))).toBe(true)
  })
})

describe('what lies above the folder that was given', () => {
  const library = 'pragma solidity 0.8.28;\ncontract Base { uint256 public stored; }\n'
  const importing = 'pragma solidity 0.8.28;\nimport "@oz/Base.sol";\ncontract A is Base {}\n'
  const missing = async (folder: string, ...words: string[]) =>
    JSON.parse((await assayIn(folder, ['scan', '-f', 'json', ...words])).out) as {
      missingImports: unknown[]
      refused: string[]
    }

  test.each([
    ['a repository', { '.git/HEAD': 'ref: refs/heads/main\n' }],
    ['an npm workspace', { 'package.json': '{"workspaces": ["packages/*"]}' }],
    ['a pnpm workspace', { 'pnpm-workspace.yaml': 'packages: ["packages/*"]\n' }],
  ])('belongs to the project inside %s', async (_, files) => {
    const root = makeFolder({
      ...files,
      'node_modules/@oz/Base.sol': library,
      'packages/a/package.json': '{}',
      'packages/a/contracts/A.sol': importing,
    })
    expect((await missing(join(root, 'packages/a'))).missingImports).toEqual([])
  })

  test('is refused and named elsewhere, unless --root says otherwise', async () => {
    const root = makeFolder({
      'node_modules/@oz/Base.sol': library,
      'packages/a/package.json': '{}',
      'packages/a/contracts/A.sol': importing,
    })
    const folder = join(root, 'packages/a')
    const refused = await missing(folder)
    expect([refused.missingImports.length, refused.refused]).toEqual([1, [join(root, 'node_modules/@oz/Base.sol')]])
    expect((await missing(folder, '--root', '../..')).missingImports).toEqual([])
    expect((await missing(folder, '--remappings', `@oz/=${root}/node_modules/@oz/`)).missingImports).toEqual([])
  })

  test('the home folder is no project', async () => {
    const home = makeFolder({
      '.git/HEAD': '',
      'private/Base.sol': library,
      'evil/A.sol': `import "../private/Base.sol";\n${clean}`,
    })
    const { out } = await assayIn(join(home, 'evil'), ['scan', '-f', 'json'], { environment: { HOME: home } })
    expect(JSON.parse(out).refused).toEqual([join(home, 'private/Base.sol')])
  })
})

import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { detectors } from '@assay/engine'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { parse as parseToml } from 'smol-toml'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { floating, keepFolder, makeFolder as keepHere } from './testing/captured-io.ts'
import { blocksOf } from './testing/documents.ts'
import { annotationsIn, makeGh, uploadSarif } from './testing/github-stand-in.ts'
import { runAction } from './testing/run-action.ts'

const workspace = fileURLToPath(new URL('..', import.meta.url))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const run = (
  command: string,
  words: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
): Promise<Ended> =>
  // A registry that does not exist: whatever is needed must be in the package.
  promisify(execFile)(command, [...words], {
    cwd,
    env: {
      ...process.env,
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_audit: 'false',
      NODE_ENV: '',
      ...environment,
    },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  )

const home = keepFolder({ 'package.json': '{}', 'src/Box.sol': floating })
let tarball = ''
const binary = join(home, 'node_modules', '.bin', 'assay')
const assay = (...words: string[]) => run(binary, words, home)

beforeAll(async () => {
  await run('npm', ['pack', '--pack-destination', home], workspace)
  tarball = readdirSync(home).find((name) => name.endsWith('.tgz')) ?? 'no tarball was made'
  const installed = await run('npm', ['install', '--engine-strict', `./${tarball}`], home)
  if (installed.code !== 0) throw new Error(installed.stderr)
}, 180_000)

describe('the package', () => {
  test('is named after the command, scoped, and stands alone', () => {
    expect(tarball).toMatch(/^assay-cli-\d+\.\d+\.\d+\.tgz$/)
    const manifest = JSON.parse(readFileSync(join(home, 'node_modules/@assay/cli/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: '@assay/cli', publishConfig: { access: 'public', provenance: true } })
    expect([manifest.private, manifest.dependencies]).toEqual([undefined, undefined])
    expect(readdirSync(join(home, 'node_modules'))).toEqual(['.bin', '.package-lock.json', '@assay'])
  })

  test('holds the licences of what it bundles, and no source', () => {
    const folder = join(home, 'node_modules/@assay/cli')
    expect(readdirSync(folder)).not.toContain('src')
    const notices = readFileSync(join(folder, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    expect(notices).toContain('smol-toml')
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(workspace, '../LICENSE'), 'utf8'))
  })

  test('npx runs it in an empty folder, from the tarball alone', async () => {
    const empty = keepHere({ 'Box.sol': floating })
    const words = ['--yes', '--package', join(home, tarball), 'assay', 'scan', '-q', '--only', '103']
    const { code, stdout } = await run('npx', words, empty, { npm_config_cache: join(home, 'npm-cache') })
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Box\.sol:1:1: high: SWC-103/)])
    expect(readdirSync(empty)).toEqual(['Box.sol'])
  })

  test('scans', async () => {
    const { code, stdout } = await assay('scan', 'src', '--only', '103', '--format', 'json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout).files).toMatchObject([{ path: 'src/Box.sol', vulnerabilitiesCount: 1 }])
  })

  test('explains, lists and tells its version', async () => {
    expect((await assay('explain', 'reentrancy')).stdout).toContain('SWC-107')
    expect((await assay('detectors')).stdout.split('\n').length).toBeGreaterThan(30)
    expect((await assay('--version')).stdout).toBe(`${/\d+\.\d+\.\d+/.exec(tarball)?.[0]}\n`)
  })
})

describe('from the tarball alone', () => {
  const { 'language-server': servers } = parseToml(blocksOf('docs/editors-and-agents.md', 'toml')[0] ?? '') as {
    'language-server': Record<string, { command: string; args: string[] }>
  }
  const [lua = ''] = blocksOf('docs/editors-and-agents.md', 'lua')
  const neovim = [...(/cmd = \{(.*?)\}/.exec(lua)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, word = '']) => word)
  test.each([
    ['Helix', [servers.assay?.command ?? '', ...(servers.assay?.args ?? [])]],
    ['Neovim', neovim],
  ])('lsp answers an editor, set up as the documents say: %s', async (_editor, [command, ...words]) => {
    expect(command).toBe('assay')
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { processId: null, rootUri: null, capabilities: {} },
    })
    const answer = await talk(words, `Content-Length: ${body.length}\r\n\r\n${body}`, /hoverProvider/)
    expect(answer).toContain('"name":"assay"')
  })

  test.each(['lsp', 'mcp'])('%s ends at a signal, though its client keeps the pipe open', async (command) => {
    const child = spawn(binary, [command], { cwd: home, stdio: ['pipe', 'pipe', 'ignore'] })
    const ended = once(child, 'exit')
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    child.stdin.write(command === 'lsp' ? `Content-Length: ${body.length}\r\n\r\n${body}` : `${body}\n`)
    // The first answer: by now it listens to signals.
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    const [, signal] = await ended
    expect(signal).toBeNull()
  })

  test('mcp answers an agent through the official client', async () => {
    const { mcpServers } = JSON.parse(blocksOf('docs/editors-and-agents.md', 'json')[0] ?? '')
    expect(mcpServers.assay.command).toBe('assay')
    const transport = new StdioClientTransport({ command: binary, args: mcpServers.assay.args, cwd: home })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    const { content } = await client.callTool({ name: 'scan', arguments: { paths: ['src'] } })
    expect((content as { text: string }[])[0]?.text).toContain('SWC-103')
    await client.close()
  })

  test('fix, show, triage', async () => {
    expect((await assay('fix', 'src', '--only', '103')).stdout).toContain('+pragma solidity 0.8.28;')
    expect((await assay('show', 'entry-points', 'src')).stdout).toContain('next(uint256)')
    expect((await assay('triage', 'src', '--all', 'open', '--reason', 'test', '--file', 't.json')).stderr).toContain(
      '1 decided',
    )
  })

  /** An npm that does just this. */
  const fakeNpm = (lines: string): string => {
    const folder = keepHere({ npm: `#!/bin/sh\n${lines}\n` })
    chmodSync(join(folder, 'npm'), 0o755)
    return `${folder}:${process.env.PATH}`
  }

  test('prove comes with the lock file of compilers and EVM, and says how to get them where they cannot be fetched', async () => {
    const folder = keepHere({ 'Bank.sol': bank })
    const without = await run(binary, ['prove'], folder, {
      ASSAY_PROVER_DIR: join(folder, 'nowhere'),
      PATH: fakeNpm('exit 7'),
    })
    expect(without.code).toBe(2)
    expect(without.stdout).toContain(
      'Not attempted:\n  the prover is not installed (assay prove --install installs it)\n',
    )
    expect(without.stderr).toContain('npm ended with code 7')
    const never = await run(binary, ['scan', '--prove', '-f', 'json'], folder, {
      ASSAY_PROVER_DIR: join(folder, 'nowhere'),
      ASSAY_PROVER_INSTALL: 'never',
      PATH: fakeNpm('echo asked >&2'),
    })
    expect([never.code, never.stderr]).toEqual([1, expect.not.stringContaining('asked')])
    expect(never.stdout).toContain('the prover is not installed')
    const { packages } = JSON.parse(
      readFileSync(join(home, 'node_modules/@assay/cli/dist/prover-packages/package-lock.json'), 'utf8'),
    )
    expect(packages['node_modules/@ethereumjs/evm'].version).toMatch(/^\d/)
  })

  const packages = fileURLToPath(new URL('../../prover/packages', import.meta.url))
  test.skipIf(!existsSync(join(packages, 'node_modules/@ethereumjs/evm')))('prove executes an attack', async () => {
    const folder = keepHere({ 'Bank.sol': bank })
    const { code, stdout } = await run(binary, ['prove', 'Bank.sol'], folder, { ASSAY_PROVER_DIR: packages })
    expect([code, stdout]).toEqual([1, expect.stringMatching(/verified exploit/i)])
  })

  test.skipIf(!existsSync(join(packages, 'node_modules/@ethereumjs/evm')))(
    'the first use of prove fetches compilers and EVM, the second finds them',
    async () => {
      const folder = keepHere({ 'Bank.sol': bank })
      const environment = {
        ASSAY_PROVER_DIR: join(folder, 'prover'),
        PATH: fakeNpm(`echo asked for "$@" >&2; ln -s "${join(packages, 'node_modules')}" node_modules`),
      }
      const first = await run(binary, ['prove'], folder, environment)
      expect([first.code, first.stdout]).toEqual([1, expect.stringMatching(/VERIFIED EXPLOIT/)])
      expect(first.stderr).toContain('asked for ci --no-audit --no-fund --ignore-scripts')
      const second = await run(binary, ['prove'], folder, environment)
      expect([second.code, second.stdout]).toEqual([1, first.stdout])
      expect(second.stderr).not.toContain('asked')
    },
    120_000,
  )

  test('a second scan is read from the cache, with the same result; a damaged entry is scanned anew', async () => {
    const cache = join(home, 'cache')
    const scan = () => run(binary, ['scan', 'src', '-f', 'json'], home, { ASSAY_CACHE_DIR: cache })
    const first = await scan()
    const entries = readdirSync(cache)
    // The results of the partitions of the one program, its reports, and what they come to.
    expect(entries).toEqual([1, 2, 3].map(() => expect.stringMatching(/^[0-9a-f]{64}$/)))
    expect((await scan()).stdout).toBe(first.stdout)
    const damage = (entry: string) => writeFileSync(join(cache, entry), 'damaged')
    for (const entry of entries) {
      damage(entry)
      expect((await scan()).stdout).toBe(first.stdout)
    }
    // The others are enough to answer; with none, all are kept anew.
    entries.forEach(damage)
    expect((await scan()).stdout).toBe(first.stdout)
    const kept = entries.map((entry) => readFileSync(join(cache, entry), 'latin1'))
    expect(kept).not.toContain('damaged')
    expect(
      (await run(binary, ['scan', 'src', '-f', 'json', '--no-cache'], home, { ASSAY_CACHE_DIR: join(home, 'none') }))
        .code,
    ).toBe(1)
    expect(existsSync(join(home, 'none'))).toBe(false)
  })

  test('a second scan of the same files loads nothing of the engine', async () => {
    const environment = { ASSAY_CACHE_DIR: join(home, 'cache-2') }
    const loadedBy = async (...words: string[]) => {
      // Node itself tells which scripts a process has run.
      const coverage = keepHere({})
      await run(binary, words, home, { ...environment, NODE_V8_COVERAGE: coverage })
      const scripts = readdirSync(coverage).flatMap((file): string[] =>
        JSON.parse(readFileSync(join(coverage, file), 'utf8')).result.map(({ url }: { url: string }) => url),
      )
      const own = scripts.filter((url) => url.includes('@assay/cli/dist/')).map((url) => fileURLToPath(url))
      return own.map((path) => readFileSync(path, 'utf8')).join('\n')
    }
    // Words that only detectors have.
    const titles = detectors.map(({ title }) => title)
    const titlesIn = (code: string) => titles.filter((title) => code.includes(title))
    expect(titlesIn(await loadedBy('detectors')).length).toBeGreaterThan(titles.length / 2)
    await loadedBy('scan', 'src')
    expect(titlesIn(await loadedBy('scan', 'src'))).toEqual([])
    expect(titlesIn(await loadedBy('scan', 'src', '-f', 'json', '--report', 'html=report.html'))).toEqual([])
    expect(titlesIn(await loadedBy('--help'))).toEqual([])
  })

  test('a file that takes too long is not scanned, and that is reported', async () => {
    // No time at all: every program is over it as soon as it is looked at.
    const slow = keepHere({ 'src/Long.sol': longFile() })
    const { code, stdout } = await run(binary, ['scan', '-f', 'json', '--timeout', '0', '--no-cache'], slow)
    const files = JSON.parse(stdout).files as { path: string; error?: string }[]
    expect(code).toBe(2)
    expect(files.find(({ path }) => path === 'src/Long.sol')?.error).toMatch(/^The scan timed out after \d+ s\.$/)
  })
})

describe('pipelines', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const project = (more: Record<string, string> = {}) =>
    keepHere({ 'foundry.toml': '', 'src/Box.sol': floating, 'test/T.t.sol': floating, ...more })
  const act = (
    workspace: string,
    inputs: Record<string, string>,
    rest: Partial<Parameters<typeof runAction>[1]> = {},
  ) =>
    runAction(join(root, 'action.yml'), {
      workspace,
      temp: keepHere({}),
      inputs: { package: join(home, tarball), ...inputs },
      ...rest,
    })

  test('the action installs, scans once, annotates, sums up, writes SARIF and fails by its threshold', () => {
    const workspace = project()
    const { code, log, summary, outputs, used } = act(workspace, { upload: 'true' })
    expect(code).toBe(1)
    expect(log).toMatch(/^::error file=src\/Box\.sol,line=1,.*\(SWC-103\)::/m)
    expect(summary).toContain('## Assay')
    expect(outputs).toEqual({ 'exit-code': '1', sarif: 'assay.sarif' })
    expect(JSON.parse(readFileSync(join(workspace, 'assay.sarif'), 'utf8')).runs[0].results).toHaveLength(1)
    expect(used).toEqual(['github/codeql-action/upload-sarif@v4'])
    expect(act(workspace, { 'fail-on': 'critical' })).toMatchObject({ code: 0, used: [] })
  })

  const workflow = parse(blocksOf('docs/ci.md', 'yaml')[0] ?? '')

  test('the workflow of the documents gives the action what it takes, and may do what it needs', () => {
    const { steps } = workflow.jobs.assay as { steps: { uses: string; with: Record<string, string | boolean> }[] }
    const given = steps.find(({ uses }) => uses.includes('/assay@'))?.with ?? {}
    const known = Object.keys(parse(readFileSync(join(root, 'action.yml'), 'utf8')).inputs)
    expect(known).toEqual(expect.arrayContaining(Object.keys(given)))
    expect(workflow.permissions).toMatchObject({ 'security-events': 'write', 'pull-requests': 'write' })
    // On a push there is nothing to compare with, which is what its expression says.
    expect(given.diff).toMatch(/github\.event_name == 'pull_request' && .* \|\| ''/)
    const inputs = Object.fromEntries(
      Object.entries({ ...given, diff: '' }).map(([name, value]) => [name, String(value)]),
    )
    const ended = act(project(), inputs)
    expect([ended.code, ended.outputs, ended.used]).toEqual([
      1,
      { 'exit-code': '1', sarif: 'assay.sarif' },
      ['github/codeql-action/upload-sarif@v4'],
    ])
  })

  test('the image of the command: what its last stage runs gives a command that scans what it may only read', () => {
    const [, stage = ''] = readFileSync(join(root, 'cli/Dockerfile'), 'utf8')
      .split(/^FROM [^\n]*$/m)
      .slice(1)
    const instructions = [...stage.matchAll(/^(COPY|RUN|ENV|ENTRYPOINT|CMD) (.+)$/gm)].map(([, name, rest = '']) => ({
      name,
      rest,
    }))
    const of = (wanted: string) => instructions.filter(({ name }) => name === wanted).map(({ rest }) => rest)
    const image = keepHere({})
    // The first stage packs; its tarball is ours.
    writeFileSync(join(image, tarball), readFileSync(join(home, tarball)))
    const inImage = (text: string) => text.replaceAll('/tmp/', `${image}/`)
    const environment = {
      ...process.env,
      npm_config_prefix: image,
      npm_config_registry: 'http://127.0.0.1:9/',
      ...Object.fromEntries(of('ENV').map((text) => inImage(text).split('='))),
    }
    for (const command of of('RUN')) {
      const made = spawnSync('sh', ['-c', inImage(command)], { cwd: image, env: environment, encoding: 'utf8' })
      expect([command, made.status]).toEqual([command, 0])
    }
    const words = [...JSON.parse(of('ENTRYPOINT')[0] ?? '[]'), ...JSON.parse(of('CMD')[0] ?? '[]')] as string[]
    const mounted = project()
    chmodSync(mounted, 0o555)
    const ended = spawnSync(join(image, 'bin', words[0] ?? ''), [...words.slice(1), '-q'], {
      cwd: mounted,
      env: environment,
      encoding: 'utf8',
    })
    chmodSync(mounted, 0o755)
    expect([ended.status, ended.stdout]).toEqual([1, expect.stringContaining('SWC-103')])
  })

  test('what cannot be scanned fails whatever the threshold is', () => {
    expect(act(project({ 'src/Poem.sol': 'Roses.' }), { 'fail-on': 'never' }).code).toBe(2)
  })

  /** A check as GitHub sees it: the annotations at their lines, the alerts of the upload, the comment of the pull request. */
  const check = (
    workspace: string,
    inputs: Record<string, string>,
    gh = makeGh(keepHere({}), { repository: 'o/r', number: 7 }),
  ) => {
    const github = { event_name: 'pull_request', repository: 'o/r', 'event.pull_request.number': '7', token: 'ghs_x' }
    const ended = act(
      workspace,
      { upload: 'true', comment: 'true', token: 'ghs_x', ...inputs },
      { github, path: gh.folder },
    )
    const [{ sarif_file = '' } = {}] = ended.given
    return {
      ...ended,
      annotations: annotationsIn(ended.log),
      alerts: uploadSarif(workspace, sarif_file),
      comments: gh.comments(),
    }
  }

  test.each([
    ['at the root of the checkout', '.', ''],
    ['in a folder of it', 'packages/vault', 'packages/vault/'],
  ])('a check has annotations, alerts and one comment, %s', (_, folder, prefix) => {
    const workspace = keepHere({ [`${prefix}foundry.toml`]: '', [`${prefix}src/My Box.sol`]: floating })
    const { code, annotations, alerts, comments, summary } = check(workspace, { 'working-directory': folder })
    expect(code).toBe(1)
    const path = `${prefix}src/My Box.sol`
    expect(annotations).toContainEqual(
      expect.objectContaining({ level: 'error', file: path, line: 1, title: 'Floating pragma (SWC-103)' }),
    )
    expect(alerts).toEqual([
      { rule: 'floating-pragma', path, line: 1, fingerprint: expect.stringMatching(/^\w+:\d+$/) },
    ])
    expect(comments.map(({ body }) => body)).toEqual([summary])
  })

  test('the comment is written once and then rewritten, beside those of people', () => {
    const gh = makeGh(keepHere({}), { repository: 'o/r', number: 7 })
    // More than a page of them before ours.
    const others = Array.from({ length: 40 }, (_, id) => ({ id, body: 'What does <!-- assay-report --> mean?' }))
    gh.write(others)
    const first = check(project(), { 'fail-on': 'never' }, gh)
    expect([first.code, first.comments.slice(0, 40), first.comments.length]).toEqual([0, others, 41])
    const clean = keepHere({ 'foundry.toml': '', 'src/Box.sol': 'pragma solidity 0.8.28;\ncontract Box {}\n' })
    const second = check(clean, { 'fail-on': 'never' }, gh)
    expect([second.comments.length, second.comments[40]?.id]).toEqual([41, first.comments[40]?.id])
    expect(first.comments[40]?.body).toContain('Floating pragma')
    expect(second.comments[40]?.body).not.toContain('Floating pragma')
  })

  test('a comment on a project of many findings is one that GitHub takes', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `src/a-folder-with-a-long-name/Contract${n}.sol`,
        `pragma solidity 0.8.28;\ncontract Contract${n} { address owner; function kill${n}() external { require(tx.origin == owner); selfdestruct(payable(msg.sender)); } }\n`,
      ]),
    )
    const { comments, annotations, alerts } = check(keepHere({ 'foundry.toml': '', ...many }), { 'fail-on': 'never' })
    expect(comments).toHaveLength(1)
    expect(alerts.length).toBeGreaterThanOrEqual(300)
    expect(annotations.filter(({ level, file }) => level === 'error' && file)).toHaveLength(10)
  })

  test('the GitLab job fills its reports', () => {
    const { assay: job } = parse(readFileSync(join(root, 'templates/gitlab.yml'), 'utf8'))
    const workspace = project()
    const variables = { ...job.variables, ASSAY_PACKAGE: join(home, tarball), CI_PROJECT_DIR: workspace }
    const ended = spawnSync('bash', ['-eo', 'pipefail', '-c', job.script.join('\n')], {
      cwd: workspace,
      env: { ...process.env, ...variables },
      encoding: 'utf8',
    })
    expect(ended.status).toBe(1)
    expect(JSON.parse(readFileSync(join(workspace, job.artifacts.reports.codequality), 'utf8'))).toHaveLength(1)
    expect(readFileSync(join(workspace, job.artifacts.reports.junit), 'utf8')).toContain('<testsuites')
    expect(existsSync(join(workspace, job.artifacts.paths[0]))).toBe(true)
  })

  test.each(['.pre-commit-hooks.yaml', 'docs/ci.md'])('the hook of %s scans the files of the commit', (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const yaml = file.endsWith('.md') ? (/```yaml\n(repos:[\s\S]*?)```/.exec(text)?.[1] ?? '') : text
    const content = parse(yaml)
    const hook = Array.isArray(content) ? content[0] : content.repos[0].hooks[0]
    expect(text).toContain("additional_dependencies: ['https://<your service>/downloads/assay-cli.tgz']")
    const workspace = project()
    // pre-commit puts the names of the changed files behind entry and arguments.
    const ended = spawnSync('bash', ['-c', `${hook.entry} "$@"`, 'hook', ...hook.args, 'src/Box.sol'], {
      cwd: workspace,
      env: { ...process.env, PATH: `${join(home, 'node_modules/.bin')}:${process.env.PATH}` },
      encoding: 'utf8',
    })
    expect([ended.status, ended.stdout]).toEqual([
      1,
      expect.stringMatching(/^src\/Box\.sol:1:1: high: SWC-103: [^\n]*\n$/),
    ])
  })

  test('without a package the action packs its own checkout, without scripts of packages', () => {
    const bin = keepHere({
      npm: `#!/bin/sh\necho "$PWD: $*" >> "$0.log"\ncase "$1" in pack) cp '${join(home, tarball)}' "$RUNNER_TEMP/" ;; install) exec ${join(dirname(process.execPath), 'npm')} "$@" ;; esac\n`,
    })
    chmodSync(join(bin, 'npm'), 0o755)
    const checkout = keepHere({})
    const ended = act(project(), { package: '', 'fail-on': 'never' }, { github: { action_path: checkout }, path: bin })
    expect([ended.code, ended.log]).toEqual([0, expect.stringContaining('SWC-103')])
    const [installed, packed] = readFileSync(join(bin, 'npm.log'), 'utf8').split('\n')
    expect([installed, packed]).toEqual([
      `${checkout}: ci --include=dev --ignore-scripts --no-audit --no-fund`,
      expect.stringContaining(`${checkout}: pack --workspace cli`),
    ])
  })

  test('no command of a document, template or page names a package that nobody has published', () => {
    const files = [
      'README.md',
      'action.yml',
      'templates/gitlab.yml',
      'docs/ci.md',
      '.pre-commit-hooks.yaml',
      'web/src/landing/page.ts',
    ]
    for (const file of files) expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/@assay\/cli/)
    const [named] = /assay-cli-\d+\.\d+\.\d+\.tgz/.exec(readFileSync(join(root, 'docs/ci.md'), 'utf8')) ?? []
    expect(named).toBe(tarball)
  })
})

/** Long enough that its scan is looked at before it ends. */
function longFile(): string {
  const functions = Array.from(
    { length: 4000 },
    (_, i) => `    function f${i}(uint256 a) external { x = a + ${i}; for (uint256 j; j < a; j++) x += j; }`,
  )
  return `pragma solidity 0.8.28;\ncontract Long {\n    uint256 x;\n${functions.join('\n')}\n}\n`
}

/** Sends to the command and waits until its answer matches. */
function talk(words: readonly string[], input: string, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, [...words], { cwd: home })
    let answer = ''
    const timer = setTimeout(() => child.kill(), 25_000)
    child.stdout.on('data', (chunk) => {
      answer += chunk
      if (wanted.test(answer)) child.stdin.end()
    })
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
    child.stdin.write(input)
  })
}

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

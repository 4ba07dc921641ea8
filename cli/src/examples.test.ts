import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { commands } from './commands/index.ts'
import { labelOf, usage } from './help.ts'
import { assayIn, floating, makeFolder } from './testing/captured-io.ts'

const vault = floating.replace('contract Box {', 'contract Vault {\n    uint256 public total;')

const vaultV2 = vault
  .replace('Vault', 'VaultV2')
  .replace('uint256 public total;', 'uint256 public total;\n    bool public open;')

/** A project in which every example makes sense. */
function makeProject(): string {
  const folder = makeFolder({
    'hardhat.config.js': 'module.exports = {}',
    'contracts/Vault.sol': vault,
    'VaultV2.sol': vaultV2,
    'contracts/legacy/Old.sol': floating,
    // Long enough for an example that asks about its 42nd line.
    'Vault.sol': `${vault}${'\n'.repeat(40)}`,
    'baseline.json': '{"files": []}',
    'assay.triage.json': '{"version": 1, "findings": []}',
  })
  cpSync(fileURLToPath(new URL('../../docs/examples/own-rules', import.meta.url)), join(folder, 'rules'), {
    recursive: true,
  })
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', folder, ...words], {
      stdio: 'pipe',
    })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'first')
  return folder
}

/** The words of a line as a shell reads them; what stands before a pipe becomes standard input. */
function readLine(line: string, folder: string): { words: string[]; stdin?: string } {
  const [before, after] = line.includes('|') ? line.split('|') : [undefined, line]
  const words = [...(after ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')
  const file = /^cat (\S+)/.exec(before?.trim() ?? '')?.[1]
  return { words, ...(file ? { stdin: readFileSync(join(folder, file), 'utf8') } : {}) }
}

const isServer = (line: string) => / (lsp|mcp)\b/.test(line)

describe('examples of the help and the reference', () => {
  const lines = commands.flatMap(({ examples }) => examples.map(({ line }) => line))

  test.each(lines.filter((line) => !isServer(line)))('%s', async (line) => {
    const folder = makeProject()
    const { words, ...situation } = readLine(line, folder)
    expect(words.shift()).toBe('assay')
    const { code, out, err } = await assayIn(folder, words, situation)
    // The compilers are installed by those who want them.
    if (words[0] === 'prove' && err.includes('The prover is not installed')) return
    // 2 means that it could not be done; findings are what the project is made for.
    expect([code, err], out).toEqual([
      expect.toSatisfy((value) => value === 0 || value === 1),
      expect.not.stringMatching(/no such|There is no|must be|mistake/),
    ])
  })

  test('servers are started by others; the test of the package speaks to them', () => {
    expect(lines.filter(isServer).sort()).toEqual(['assay lsp --stdio', 'assay mcp'])
  })
})

describe('examples of the documents', () => {
  const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
  const blocks = (path: string) =>
    [...read(path).matchAll(/```sh\n([\s\S]*?)```/g)].map((match) =>
      (match[1] ?? '').split('\n').filter((line) => /^(cat .*\| )?assay /.test(line)),
    )

  test.each([
    ['docs/ci.md', 5],
    ['cli/README.md', 1],
    ['docs/own-rules.md', 2],
  ])('%s', async (path, least) => {
    const all = blocks(path).filter((block) => block.length > 0)
    expect(all.flat().length).toBeGreaterThanOrEqual(least)
    for (const block of all) {
      const folder = makeProject()
      for (const line of block) {
        const { words, ...situation } = readLine(line, folder)
        const { code, err } = await assayIn(folder, words.slice(1), situation)
        expect([line, code === 2 ? err : '']).toEqual([line, ''])
      }
    }
  })
})

describe('help', () => {
  const reference = readFileSync(fileURLToPath(new URL('../../docs/reference/cli.md', import.meta.url)), 'utf8')

  test.each(commands.map((command) => [command.name, command] as const))(
    '%s: every option stands in the help and in the reference',
    (name, command) => {
      const help = usage(command)
      const section = reference.slice(reference.indexOf(`## assay ${name}\n`)).split(/\n## /)[0] ?? ''
      for (const [option, data] of Object.entries(command.options)) {
        expect(help).toContain(labelOf(option, data))
        expect(section).toContain(`\`${labelOf(option, data)}\``)
      }
      for (const { line } of command.examples) {
        expect(help).toContain(line)
        expect(section).toContain(line)
      }
    },
  )
})

import { expect, test } from 'vitest'
import { commands } from './commands/index.ts'
import { assay } from './testing/captured-io.ts'

test('without a command: help on standard error, exit 2', async () => {
  const { code, out, err } = await assay([])
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain('Usage: assay <command>')
})

test.each([['help'], ['--help'], ['-h']])('%s lists every command', async (word) => {
  const { code, out } = await assay([word])
  expect(code).toBe(0)
  const lines = out.split('\n')
  for (const { name, summary } of commands)
    expect(lines.some((line) => line.startsWith(`  ${name}`) && line.endsWith(summary))).toBe(true)
})

test.each(commands.map(({ name }) => [name]))('help %s tells each option', async (name) => {
  const { out } = await assay(['help', name])
  const command = commands.find((candidate) => candidate.name === name)
  for (const option of Object.keys(command?.options ?? {})) expect(out).toContain(`--${option}`)
  expect((await assay([name, '--help'])).out).toBe(out)
  for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100)
})

test('--version prints the version alone', async () => {
  expect(await assay(['--version'])).toEqual({ code: 0, out: 'development\n', err: '' })
})

test.each([
  [['scna'], 'There is no command "scna". Did you mean scan?'],
  [['contracts/Vault.sol'], 'To scan it: assay scan contracts/Vault.sol'],
  [['scan', '--formta', 'json'], 'There is no option --formta. Did you mean --format?'],
])('%j: a hint, exit 2', async (words, hint) => {
  const { code, err } = await assay(words)
  expect(code).toBe(2)
  expect(err).toContain(hint)
})

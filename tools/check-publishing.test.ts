import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder } from '../cli/src/testing/captured-io.ts'
import { blocksOf, commandsIn } from '../cli/src/testing/documents.ts'
import { whatIsMissing } from './check-publishing.mjs'

const cli = fileURLToPath(new URL('../cli', import.meta.url))
const manifest = JSON.parse(readFileSync(`${cli}/package.json`, 'utf8'))
const repository = { type: 'git', url: 'git+https://git.example/someone/assay.git', directory: 'cli' }

test('all that is missing of the command is what its publisher alone can say', () => {
  expect(manifest).toMatchObject({ publishConfig: { access: 'public', provenance: true } })
  expect(whatIsMissing({ ...manifest, repository })).toEqual([])
  expect(whatIsMissing(manifest)).toEqual([expect.stringContaining('repository.url=')])
})

test.each([
  ['a name without a scope', { name: 'assay' }, 'in a scope that you own'],
  ['a repository that is no address', { repository: 'here' }, 'repository.url='],
  ['a homepage that is no address', { homepage: 'here' }, 'The homepage must'],
  ['pages without a slash', { config: { pages: 'https://pages.example/assay' } }, 'config.pages must'],
])('%s is refused', (_what, change, words) => {
  expect(whatIsMissing({ ...manifest, repository, ...change })).toEqual([expect.stringContaining(words)])
})

test('npm asks before it publishes', () => {
  expect(manifest.scripts.prepublishOnly).toBe('node ../tools/check-publishing.mjs')
  const { status, stderr } = spawnSync('npm', ['run', 'prepublishOnly'], { cwd: cli, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('repository.url=')])
})

test('what the publisher is instructed to say makes the package ready', () => {
  const folder = makeFolder({ 'package.json': JSON.stringify(manifest) })
  const now = () => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(whatIsMissing(now())).not.toEqual([])
  const commands = blocksOf('docs/versioning.md', 'sh').flatMap(commandsIn)
  const settings = commands.filter((command) => command.startsWith('npm pkg set '))
  expect(settings.length).toBeGreaterThan(1)
  for (const command of settings)
    execFileSync(
      'npm',
      command
        .replace(/<[^>]+>/g, 'example')
        .split(' ')
        .slice(1),
      { cwd: folder, stdio: 'pipe' },
    )
  expect(whatIsMissing(now())).toEqual([])
  expect(now()).toMatchObject({ name: '@example/cli', config: { pages: expect.stringMatching(/\/$/) } })
})

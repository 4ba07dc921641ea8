import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
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

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBoundary } from '../project/boundary.ts'
import type { Project } from '../project/project.ts'
import { readHints } from './read-hints.ts'

const deploying = (name: string): string => `contract D { function run() external { new ${name}(7); } }`

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-hints-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('scripts and tests of the project are read, and nothing that a link names outside of it', async () => {
  const root = join(folder, 'project')
  for (const each of ['script', 'test/unit']) mkdirSync(join(root, each), { recursive: true })
  writeFileSync(join(folder, 'Outside.s.sol'), deploying('Outside'))
  symlinkSync(join(folder, 'Outside.s.sol'), join(root, 'script', 'Linked.s.sol'))
  writeFileSync(join(root, 'script', 'Deploy.s.sol'), deploying('Vault'))
  writeFileSync(join(root, 'test', 'unit', 'Token.t.sol'), deploying('Token'))
  const project: Project = {
    kind: 'Foundry',
    root,
    sources: [],
    tests: [join(root, 'test')],
    scripts: [join(root, 'script')],
    libraries: [],
    outputs: [],
    remappings: [],
    settings: [],
  }
  const boundary = createBoundary({ paths: ['.'], root }, { folder: root, environment: {} })
  const hints = await readHints(project, boundary)
  expect(hints.map(({ contract }) => contract)).toEqual(['Vault', 'Token'])
  expect(await readHints({ ...project, tests: [join(root, 'none')], scripts: [] }, boundary)).toEqual([])
}, 60_000)

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashFiles, listSources } from './content-hash.mjs'
import { root } from './project.mjs'

function makeSources(): { folder: string; hash(): string } {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'hash-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'inner'))
  writeFileSync(join(folder, 'a.ts'), 'one')
  writeFileSync(join(folder, 'inner/b.ts'), 'two')
  return { folder, hash: () => hashFiles(listSources([relative(root, folder)]).files) }
}

test('times do not matter, contents do', () => {
  const { folder, hash } = makeSources()
  const before = hash()
  utimesSync(join(folder, 'a.ts'), 1, 1)
  expect(hash()).toBe(before)
  writeFileSync(join(folder, 'a.ts'), 'ONE')
  expect(hash()).not.toBe(before)
  writeFileSync(join(folder, 'a.ts'), 'one')
  expect(hash()).toBe(before)
})

test('a new, a renamed and a moved piece of text each change it', () => {
  const { folder, hash } = makeSources()
  const before = hash()
  writeFileSync(join(folder, 'c.ts'), '')
  const added = hash()
  expect(added).not.toBe(before)
  rmSync(join(folder, 'c.ts'))
  writeFileSync(join(folder, 'a.ts'), 'onet')
  writeFileSync(join(folder, 'inner/b.ts'), 'wo')
  expect(hash()).not.toBe(before)
})

test('tests and built files are no sources', () => {
  const { folder, hash } = makeSources()
  const before = hash()
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/a.js'), 'built')
  writeFileSync(join(folder, 'a.test.ts'), 'test')
  expect(hash()).toBe(before)
})

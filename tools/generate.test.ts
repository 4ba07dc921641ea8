import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { collectGenerated, inWords } from './generate.ts'
import { findStale, writeGenerated } from './generated-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-generate-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** It reads the whole project: once for all tests. */
let generated: ReturnType<typeof collectGenerated> | undefined
const allGenerated = () => {
  generated ??= collectGenerated()
  return generated
}

test('every derived file of the project is up to date', { timeout: 120_000 }, async () => {
  const files = await allGenerated()
  expect(files.length).toBeGreaterThan(0)
  expect(findStale(files).map(inWords)).toEqual([])
})

test('no two generators write the same file', { timeout: 120_000 }, async () => {
  const paths = (await allGenerated()).map(({ path }) => path)
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([])
})

test('a missing and a changed file are named with the command that fixes them', () => {
  writeFileSync(join(folder, 'b.md'), 'old')
  const stale = findStale(
    [
      { path: 'docs/a.md', content: 'a' },
      { path: 'b.md', content: 'new' },
    ],
    folder,
  )
  expect(stale.map(inWords)).toEqual([
    'docs/a.md is stale (missing): run `npm run generate`',
    'b.md is stale (changed): run `npm run generate`',
  ])
})

test('a page that nobody generates any more is stale, and goes', () => {
  const pages = join(folder, 'docs/reference/detectors')
  mkdirSync(pages, { recursive: true })
  writeFileSync(join(pages, 'gone.md'), '')
  const files = [{ path: 'docs/reference/detectors/kept.md', content: 'kept' }]
  expect(findStale(files, folder)).toContainEqual({ path: 'docs/reference/detectors/gone.md', reason: 'left over' })
  writeGenerated(files, folder)
  expect(findStale(files, folder)).toEqual([])
  expect(readFileSync(join(pages, 'kept.md'), 'utf8')).toBe('kept')
})

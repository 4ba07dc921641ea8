import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const gzipped = (path: string): number => gzipSync(readFileSync(join(dist, path))).length

test('the first load stays under 250 KB gzip', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const first = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1] ?? '')
  expect(first.some((path) => path.endsWith('.js'))).toBe(true)
  const total = first.reduce((sum, path) => sum + gzipped(path), gzipped('index.html'))
  expect(total).toBeLessThan(250 * 1024)
})

test('the engine is a chunk of its own that the first load does not name', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const worker = readdirSync(join(dist, 'assets')).find((name) => name.startsWith('worker-'))
  expect(worker).toBeDefined()
  expect(page).not.toContain('worker-')
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { headline } from '../src/landing/words.ts'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const gzipped = (path: string): number => gzipSync(readFileSync(join(dist, path))).length

const linked = (name: string): string[] =>
  [...readFileSync(join(dist, name), 'utf8').matchAll(/<(?:script|link)[^>]*?(?:src|href)="\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  )
const weigh = (name: string): number => linked(name).reduce((sum, path) => sum + gzipped(path), gzipped(name))

test('the first load stays under 150 KB on the wire, of the first page and of the application', () => {
  for (const name of ['index.html', 'shell.html']) {
    expect(linked(name).some((path) => path.endsWith('.js'))).toBe(true)
    expect(weigh(name), name).toBeLessThan(150 * 1000)
  }
})

/** 400 kbit/s carry 50 KB in a second. */
const bytesPerSecond = 50_000

test('the first page works within a second of the wire: it does not load the application', () => {
  expect(weigh('index.html')).toBeLessThan(bytesPerSecond)
  const scripts = linked('index.html').filter((path) => path.endsWith('.js'))
  for (const path of scripts) expect(readFileSync(join(dist, path), 'utf8'), path).not.toContain('react-dom')
})

test('the first page can be read and typed into before any script has come', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  expect(page).toContain(headline)
  expect(page).toContain('<textarea')
  expect(page).toContain('href="/register"')
  // What a browser waits for before it paints: the page, its style, and the script of the theme.
  const blocking = [...page.matchAll(/(?:<link rel="stylesheet"[^>]*href|<script src)="\/([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  expect(blocking.some((path) => path.endsWith('.css'))).toBe(true)
  const total = blocking.reduce((sum, path) => sum + gzipped(path), gzipped('index.html'))
  expect(total).toBeLessThan(bytesPerSecond / 2)
})

test('other addresses do not show the first page while they load', () => {
  expect(readFileSync(join(dist, 'shell.html'), 'utf8')).not.toContain(headline)
})

test('both pages have the same head, with the theme before the first paint', () => {
  for (const name of ['index.html', 'shell.html']) {
    const page = readFileSync(join(dist, name), 'utf8')
    expect(page, name).not.toContain('<!--head-->')
    for (const part of ['name="viewport"', 'name="description"', '<script src="/theme.js">', '<title>Assay'])
      expect(page, name).toContain(part)
  }
})

test('the engine is a chunk of its own that the first load does not name', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const worker = readdirSync(join(dist, 'assets')).find((name) => name.startsWith('worker-'))
  expect(worker).toBeDefined()
  expect(page).not.toContain('worker-')
})

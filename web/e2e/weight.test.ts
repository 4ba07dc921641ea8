import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { headline } from '../src/landing/words.ts'
import { run } from '../src/messages/run.ts'
import { readDropped } from '../src/messages/scan-form.ts'
import { shareForm } from '../src/messages/share-form.ts'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const assets = join(dist, 'assets')

/** What the service sends a browser: the compressed copy that the build left, or a small file as it is. */
const sent = (path: string): number => {
  const compressed = join(dist, `${path}.br`)
  return readFileSync(existsSync(compressed) ? compressed : join(dist, path)).length
}
/** Of an answer: its status line and headers, measured. */
const HEADERS = 1000
const total = (paths: Iterable<string>): number => [...paths].reduce((sum, path) => sum + sent(path) + HEADERS, 0)

const linked = (name: string): string[] =>
  [...readFileSync(join(dist, name), 'utf8').matchAll(/<(?:script|link)[^>]*?(?:src|href)="\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  )
const weigh = (name: string): number => total([name, ...linked(name)])

/** A script and everything that it imports before it runs. */
function withImports(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const text = readFileSync(join(dist, path), 'utf8')
  for (const [, name = ''] of text.matchAll(/(?:^|[;}\s])(?:import|export)\b[^'"()]*?["']\.\/([\w~.-]+\.js)["']/g))
    withImports(`assets/${name}`, found)
  return found
}

const pages = readdirSync(fileURLToPath(new URL('../src/pages', import.meta.url))).map((name) => name.split('.')[0])
const partsOfPages = readdirSync(assets).filter((name) => pages.includes(/^(.+)-[\w-]{8}\.js$/.exec(name)?.[1] ?? ''))

test('the first page stays below 32 KB on the wire', () => {
  expect(linked('index.html').some((path) => path.endsWith('.js'))).toBe(true)
  expect(weigh('index.html')).toBeLessThan(32_000)
  const scripts = linked('index.html').filter((path) => path.endsWith('.js'))
  for (const path of scripts) expect(readFileSync(join(dist, path), 'utf8'), path).not.toContain('react-dom')
})

/** Of 250 KB: 25 are for the typefaces, the rest for what a page asks the service for, a tenth of a kilobyte for each finding. */
const FOR_SCRIPTS = 180_000

test('every page of the application leaves room for its data below 250 KB', () => {
  expect(partsOfPages.length).toBeGreaterThan(20)
  const ofShell = ['shell.html', ...linked('shell.html')].filter((path) => !path.endsWith('.woff2'))
  for (const name of partsOfPages)
    expect(total(new Set([...ofShell, ...withImports(`assets/${name}`)])), name).toBeLessThan(FOR_SCRIPTS)
})

test('a result leaves what few readers open to be loaded when it is opened', () => {
  const loaded = [...withImports(`assets/${partsOfPages.find((name) => name.startsWith('scan-result-'))}`)]
  const text = loaded.map((path) => readFileSync(join(dist, path), 'utf8')).join('\n')
  const parts = {
    share: shareForm.anyoneLinkCanView,
    run: run.survives,
    uploads: readDropped.uploadOneArchiveTime,
  }
  for (const [part, words] of Object.entries(parts)) expect(text.includes(words), part).toBe(false)
})

test('both typefaces together weigh less than 25 KB', () => {
  const fonts = readdirSync(assets).filter((name) => name.endsWith('.woff2'))
  expect(fonts.map((name) => name.replace(/-[\w-]{8}\.woff2$/, '')).sort()).toEqual(['inter', 'jetbrains-mono'])
  expect(total(fonts.map((name) => `assets/${name}`))).toBeLessThan(25_000)
  for (const name of fonts)
    expect(existsSync(join(assets, name.replace(/-[\w-]{8}\.woff2$/, '-license.txt'))), name).toBe(true)
})

test('a page comes in few files', () => {
  for (const name of partsOfPages) expect(withImports(`assets/${name}`).size, name).toBeLessThan(8)
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
  const total = blocking.reduce((sum, path) => sum + sent(path), sent('index.html'))
  expect(total).toBeLessThan(25_000)
})

test('other addresses do not show the first page while they load', () => {
  expect(readFileSync(join(dist, 'shell.html'), 'utf8')).not.toContain(headline)
})

test('both pages have the same head, with the theme before the first paint', () => {
  for (const name of ['index.html', 'shell.html']) {
    const page = readFileSync(join(dist, name), 'utf8')
    expect(page, name).not.toContain('<!--head-->')
    // The service puts there what its operator configured.
    expect(page, name).toContain('<!--site-facts-->')
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

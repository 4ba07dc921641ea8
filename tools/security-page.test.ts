import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8')
const page = read('security.md')

/** Levels 1 and 2 of OWASP ASVS 5.0.0; OAuth and WebRTC are answered as a whole. */
const items: Record<string, readonly number[]> = {
  ...{ '1.1': [1, 2], '1.2': [1, 2, 3, 4, 5, 6, 7, 8, 9], '1.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  ...{ '1.4': [1, 2, 3], '1.5': [1, 2], '2.1': [1, 2, 3], '2.2': [1, 2, 3], '2.3': [1, 2, 3, 4], '2.4': [1] },
  ...{ '3.2': [1, 2], '3.3': [1, 2, 3, 4], '3.4': [1, 2, 3, 4, 5, 6], '3.5': [1, 2, 3, 4, 5], '3.7': [1, 2] },
  ...{ '4.1': [1, 2, 3], '4.2': [1], '4.3': [1, 2], '4.4': [1, 2, 3, 4] },
  ...{ '5.1': [1], '5.2': [1, 2, 3], '5.3': [1, 2], '5.4': [1, 2, 3] },
  ...{ '6.1': [1, 2, 3], '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], '6.3': [1, 2, 3, 4], '6.4': [1, 2, 3, 4] },
  ...{ '6.5': [1, 2, 3, 4, 5], '6.6': [1, 2, 3], '6.8': [1, 2, 3, 4] },
  ...{ '7.1': [1, 2, 3], '7.2': [1, 2, 3, 4], '7.3': [1, 2], '7.4': [1, 2, 3, 4, 5], '7.5': [1, 2], '7.6': [1, 2] },
  ...{ '8.1': [1, 2], '8.2': [1, 2, 3], '8.3': [1], '8.4': [1], '9.1': [1, 2, 3], '9.2': [1, 2, 3, 4] },
  ...{ '11.1': [1, 2], '11.2': [1, 2, 3], '11.3': [1, 2, 3], '11.4': [1, 2, 3, 4], '11.5': [1], '11.6': [1] },
  ...{ '12.1': [1, 2, 3], '12.2': [1, 2], '12.3': [1, 2, 3, 4] },
  ...{ '13.1': [1], '13.2': [1, 2, 3, 4, 5], '13.3': [1, 2], '13.4': [1, 2, 3, 4, 5] },
  ...{ '14.1': [1, 2], '14.2': [1, 2, 3, 4], '14.3': [1, 2, 3] },
  ...{ '15.1': [1, 2, 3], '15.2': [1, 2, 3], '15.3': [1, 2, 3, 4, 5, 6, 7] },
  ...{ '16.1': [1], '16.2': [1, 2, 3, 4, 5], '16.3': [1, 2, 3, 4], '16.4': [1, 2, 3], '16.5': [1, 2, 3] },
}

const places = (path: string) =>
  [path, `server/src/${path}`, `server/src/routes/${path}`].map((place) => join(root, place))

/** A title as a test spells it; what a template fills in is left out. */
const spelt = (text: string): string => text.replace(/\$\{[^}]+\}/g, '…')

const isQuoted = /`([\w./-]+\.test\.ts)` “([^”]+)”/g

test.each([
  ['security.md', 120],
  ['reliability.md', 80],
])('every title that %s quotes is one of the file that it names before it, word for word', (name, atLeast) => {
  const quoting = read(name)
  const quoted = [...quoting.matchAll(isQuoted)]
  expect(quoted.length).toBeGreaterThanOrEqual(atLeast)
  expect(quoting.split('“').length - 1).toBe(quoted.length)
  const isThere = (path: string, title: string): boolean => {
    const file = places(path).find((place) => existsSync(place))
    const text = file === undefined ? '' : spelt(readFileSync(file, 'utf8'))
    return ["'", '`', '"'].some((mark) => text.includes(`${mark}${title}${mark}`))
  }
  expect(quoted.filter(([, path = '', title = '']) => !isThere(path, title)).map(([whole]) => whole)).toEqual([])
})

test('everything that is called met, and every risk of the Top 10, quotes the title of a test that holds it', () => {
  const rows = page.split('\n').filter((line) => /^\| (API\d+ |[\d., ]+ \| met \|)/.test(line))
  expect(rows.length).toBeGreaterThan(80)
  expect(rows.filter((row) => row.search(isQuoted) < 0)).toEqual([])
})

test('every test that the page names is there', () => {
  const named = [...page.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((path) => !places(path).some((place) => existsSync(place)))).toEqual([])
})

test('every item of ASVS levels 1 and 2 is answered once', () => {
  const wanted = Object.entries(items).flatMap(([section, numbers]) => numbers.map((number) => `${section}.${number}`))
  const rows = [...page.matchAll(/^\| ([\d., ]+) \| (met|partly|not met|operator|does not apply) \|/gm)]
  const answered = rows.flatMap(([, list = '']) => list.split(', '))
  expect(answered.filter((item) => !wanted.includes(item))).toEqual([])
  expect(wanted.filter((item) => answered.filter((other) => other === item).length !== 1)).toEqual([])
})

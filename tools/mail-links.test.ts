import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('whatever a mail links to is a page of the dashboard', () => {
  const templates = read('server/src/messages/mails.ts')
  const linked = [...templates.matchAll(/publicUrl\}(\/[a-z-]*)/g)].map(([, path]) => path)
  const pages = [...read('web/src/router.tsx').matchAll(/path: '([^']*)'/g)].map(([, path]) => path)
  expect(linked.length).toBeGreaterThan(5)
  expect(linked.filter((path) => !pages.includes(path))).toEqual([])
})

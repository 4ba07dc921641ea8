import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readAccuracy } from './accuracy-rows.ts'

const page = readFileSync(new URL('../../../docs/reference/accuracy.md', import.meta.url), 'utf8')

test('every row that the first page tells is in what the bench printed', () => {
  const rows = readAccuracy(page)
  expect(rows).toHaveLength(8)
  for (const { assay } of rows) expect(assay).toMatch(/\d/)
})

test('numbers are taken as they are printed', () => {
  const table =
    '| measure | ours | target |  | Slither 0.11.5 | best other peer |\n|---|---|---|---|---|---|\n| smartbugs recall | 98.4 % | ≥ 97 % | pass | 71.9 % | 82.8 % (Remix) |\n'
  expect(readAccuracy(table)).toEqual([
    {
      measure: 'SmartBugs: recall on labeled vulnerabilities',
      assay: '98.4 %',
      slither: '71.9 %',
      other: '82.8 % (Remix)',
    },
  ])
})

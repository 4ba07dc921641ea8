import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { countRead, loadCounted } from './count-steps.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-steps-'))
afterAll(() => {
  loops.stop()
  rmSync(folder, { recursive: true })
})
writeFileSync(
  join(folder, 'loops.ts'),
  `export function once(n: number): number { let x = 0; for (let i = 0; i < n; i++) x += i; return x }
   export function squared(n: number): number { let x = 0; for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) x += j; return x }`,
)
type Loops = Record<'once' | 'squared', (n: number) => number>
const loops = loadCounted<Loops>(pathToFileURL(join(folder, 'loops.ts')))

test('steps are the same every time, and grow as the work does, before and after it is optimised', () => {
  const of = (name: keyof Loops, n: number) => loops.countSteps((module) => module[name](n))
  expect(of('once', 1_000)).toBe(of('once', 1_000))
  expect(of('once', 100_000) / of('once', 10_000)).toBeCloseTo(10, 1)
  expect(of('squared', 2_000) / of('squared', 200)).toBeCloseTo(100, -1)
})

test('text that is read again counts again', () => {
  const text = 'a,'.repeat(500)
  expect(countRead(() => text.replace(/,/g, ';'))).toBeLessThan(1_500)
  const again = () => {
    for (let at = 0; at < text.length; at++) text.slice(at).match(/z/)
  }
  expect(countRead(again)).toBeGreaterThan(500_000)
  expect(/a/.exec('a')?.index).toBe(0)
})

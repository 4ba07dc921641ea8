import { expect, test } from 'vitest'
import type { ViewFinding } from '../result/scan-view.ts'
import { lineRange } from './line-range.ts'
import { marksOf } from './marks.ts'

const finding = (line: number, severity: string, title: string) => ({ line, severity, title }) as ViewFinding

test('a line has one mark, of the most severe that stands there', () => {
  expect(
    marksOf({
      dataVulnerabilities: [
        finding(9, 'low', 'Small'),
        finding(2, 'high', 'Loose pragma'),
        finding(9, 'critical', 'Drained'),
      ],
      advisories: [finding(4, 'medium', 'Think again')],
    }),
  ).toEqual([
    { line: 2, severity: 'high', label: 'Loose pragma' },
    { line: 4, severity: 'medium', label: 'Think again' },
    { line: 9, severity: 'critical', label: 'Small; Drained' },
  ])
})

test('a line of a text is found, the last one and one beyond it too', () => {
  const text = 'one\ntwo\n\nfour'
  const line = (n: number) => {
    const { start, end } = lineRange(text, n)
    return text.slice(start, end)
  }
  expect([1, 2, 3, 4, 9].map(line)).toEqual(['one', 'two', '', 'four', 'four'])
})

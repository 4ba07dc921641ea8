import { expect, test } from 'vitest'
import { highlightLine } from './highlight.ts'
import { columnsOn, markColumns } from './mark-columns.ts'
import { splitCode } from './prose.tsx'

const line = '    total += msg.value;'
const marked = (from: number, to: number) =>
  markColumns(highlightLine(line, false), from, to)
    .filter((piece) => piece.marked)
    .map((piece) => piece.text)
    .join('')

test('exactly the given columns are marked, and no text is lost', () => {
  expect(marked(13, 22)).toBe('msg.value')
  expect(marked(0, 0)).toBe('')
  const all = markColumns(highlightLine(line, false), 6, 15)
  expect(all.map((piece) => piece.text).join('')).toBe(line)
})

test('a range of one line covers its columns', () => {
  expect(columnsOn({ line: 3, column: 14, endLine: 3, endColumn: 23 }, 3, line)).toEqual({ from: 13, to: 22 })
  expect(columnsOn({ line: 3, column: 14, endLine: 3, endColumn: 23 }, 4, line)).toBeNull()
})

test('a range of several lines covers the first to its end and the last from its indentation', () => {
  const range = { line: 1, column: 5, endLine: 3, endColumn: 6 }
  expect(columnsOn(range, 1, 'if (x) {')).toEqual({ from: 4, to: 8 })
  expect(columnsOn(range, 2, '    y = 1;')).toEqual({ from: 4, to: 10 })
  expect(columnsOn(range, 3, '    }')).toEqual({ from: 4, to: 5 })
})

test('backticks are code, a lone one is text', () => {
  expect(splitCode('`a` is read before `b`.')).toEqual([
    { code: true, part: 'a' },
    { code: false, part: ' is read before ' },
    { code: true, part: 'b' },
    { code: false, part: '.' },
  ])
  expect(splitCode('5` tall')).toEqual([{ code: false, part: '5` tall' }])
})

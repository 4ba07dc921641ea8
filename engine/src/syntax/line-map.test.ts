import { expect, test } from 'vitest'
import { lineMap } from './line-map.ts'

test('lines and columns are 1-based', () => {
  const map = lineMap('ab\ncd\n', 100)
  expect(map.lineCount).toBe(3)
  expect(map.place(100)).toEqual({ line: 1, column: 1 })
  expect(map.place(102)).toEqual({ line: 1, column: 3 })
  expect(map.place(103)).toEqual({ line: 2, column: 1 })
  expect(map.place(106)).toEqual({ line: 3, column: 1 })
  expect(map.lineStart(2)).toBe(103)
})

test('every kind of line end counts once', () => {
  const map = lineMap('a\r\nb\rc\nd')
  expect([0, 3, 5, 7].map((offset) => map.line(offset))).toEqual([1, 2, 3, 4])
  expect(map.lineCount).toBe(4)
})

test('positions outside the text are clamped', () => {
  const map = lineMap('ab\ncd', 10)
  expect(map.place(0)).toEqual({ line: 1, column: 1 })
  expect(map.place(999)).toEqual({ line: 2, column: 3 })
  expect(lineMap('').place(5)).toEqual({ line: 1, column: 1 })
})

import { expect, test } from 'vitest'
import { createLineMap } from './line-map.ts'

const placeOf = (text: string, start: number, end = start) => Object.values(createLineMap(text).place(start, end))

test('lines and columns are 1-based, the end is exclusive', () => {
  expect(placeOf('ab\ncd\n', 0, 2)).toEqual([1, 1, 1, 3])
  expect(placeOf('ab\ncd\n', 1, 4)).toEqual([1, 2, 2, 2])
  expect(placeOf('ab\ncd\n', 3)).toEqual([2, 1, 2, 1])
  expect(placeOf('ab\ncd\n', 6)).toEqual([3, 1, 3, 1])
  expect(createLineMap('ab\ncd\n').lineCount).toBe(3)
  expect(createLineMap('ab\ncd\n').startOf(2)).toBe(3)
})

test('lines may be asked for in any order', () => {
  const text = 'a\n\nbc\nd\n'
  const lines = createLineMap(text)
  const expected = [1, 1, 2, 3, 3, 3, 4, 4, 5]
  for (const offset of [6, 0, 8, 2, 5, 1, 7, 3, 4]) expect(lines.lineOf(offset)).toBe(expected[offset])
  expect([5, 1, 4, 2, 3].map((line) => createLineMap(text).startOf(line))).toEqual([8, 0, 6, 2, 3])
  expect(createLineMap(text).startOf(99)).toBe(8)
})

test('every kind of line end counts once', () => {
  const lines = createLineMap('a\r\nb\rc\nd')
  expect([0, 3, 5, 7].map((offset) => lines.lineOf(offset))).toEqual([1, 2, 3, 4])
  expect(lines.lineCount).toBe(4)
})

test('positions outside the text are clamped', () => {
  expect(placeOf('ab\ncd', -10)).toEqual([1, 1, 1, 1])
  expect(placeOf('ab\ncd', 999)).toEqual([2, 3, 2, 3])
  expect(placeOf('', 5)).toEqual([1, 1, 1, 1])
})

import { expect, test } from 'vitest'
import { excerptAround } from './excerpt.ts'

const lines = (count: number, indent = 0): string =>
  Array.from({ length: count }, (_, index) => `${' '.repeat(indent)}line ${index + 1}`).join('\n')

const at = (line: number) => ({ line, endLine: line })

test('ten lines, the place among them, also at the ends of the file', () => {
  for (const [line, first] of [
    [1, 1],
    [20, 16],
    [40, 31],
  ] as const) {
    const { text, firstLine } = excerptAround(lines(40), at(line))
    expect([firstLine, text.split('\n').length]).toEqual([first, 10])
    expect(text).toContain(`line ${line}`)
  }
})

test('a short file is shown whole', () => {
  expect(excerptAround(lines(3), at(2))).toMatchObject({ firstLine: 1, text: lines(3) })
})

test('the indentation that all lines have is cut off, and columns move with it', () => {
  const source = '  contract A {\n\n    function f() {}\n  }'
  const excerpt = excerptAround(source, at(3))
  expect(excerpt.text).toBe('contract A {\n\n  function f() {}\n}')
  expect(excerpt.within({ line: 3, column: 5, endLine: 3, endColumn: 17 })).toEqual({
    line: 3,
    column: 3,
    endLine: 3,
    endColumn: 15,
  })
})

test('lines are counted from the first one shown', () => {
  expect(excerptAround(lines(40), at(20)).within(at(21))).toMatchObject({ line: 6, endLine: 6 })
})

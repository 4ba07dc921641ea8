import { expect, test } from 'vitest'
import { codeFrame } from './code-frame.ts'
import { choosePaint } from './paint.ts'
import { printable } from './printable.ts'

const terminal = { isTerminal: false, columns: 80, write: () => {} }
const paint = choosePaint('never', { environment: {}, out: terminal })
const frame = (text: string, line: number, column: number, endLine: number, endColumn: number) =>
  codeFrame(text.split('\n'), { line, column, endLine, endColumn }, paint)

test('marks the place under its line with two lines around', () => {
  expect(frame('one\ntwo\nthree four\nfive\nsix\nseven', 3, 7, 3, 11)).toEqual([
    '  1 │ one',
    '  2 │ two',
    '> 3 │ three four',
    '    │       ^^^^',
    '  4 │ five',
    '  5 │ six',
  ])
})

test('blank lines at the edges are left out, numbers stay aligned', () => {
  const text = `${'\n'.repeat(8)}nine\nten`
  expect(frame(text, 10, 1, 10, 4)).toEqual(['   9 │ nine', '> 10 │ ten', '     │ ^^^'])
})

test('tabs are as wide under the line as in it', () => {
  expect(frame('\t\tcall();', 1, 3, 1, 7)).toEqual(['> 1 │         call();', '    │         ^^^^'])
})

test('wide characters move the mark, not the column', () => {
  expect(frame('"漢字" x', 1, 6, 1, 7)).toEqual(['> 1 │ "漢字" x', '    │        ^'])
})

test('several lines are marked; a long one is cut with its end named', () => {
  expect(frame('  a\n  b', 1, 3, 2, 4)).toEqual(['> 1 │   a', '    │   ^', '> 2 │   b', '    │   ^'])
  const long = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')
  expect(frame(long, 2, 1, 40, 1).at(-1)).toBe('    │ … to line 40')
})

test('an empty place still gets one mark', () => {
  expect(frame('abc', 1, 2, 1, 2)).toEqual(['> 1 │ abc', '    │  ^'])
})

test('controls and bidirectional marks are written out', () => {
  expect(printable('a\x1b[31m\u202eb\u200b')).toBe('a\\u{1b}[31m\\u{202e}b\\u{200b}')
  expect(frame('\u202ex', 1, 2, 1, 3)).toEqual(['> 1 │ \\u{202e}x', '    │         ^'])
})

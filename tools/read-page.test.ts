import { expect, test } from 'vitest'
import { readPage } from './read-page.ts'

test('a page is four lists under their headings', () => {
  const text =
    '# How it is attacked\n\n1. First.\n2. Then.\n\n# Stays silent when\n\n- nothing is held\n\n# Known limits\n\n- Loops.\n'
  expect(readPage(text)).toEqual({
    attack: ['First.', 'Then.'],
    silentWhen: ['nothing is held'],
    limits: ['Loops.'],
    incidents: [],
  })
})

test.each([
  ['# How to mend it\n', '"How to mend it" is none of'],
  ['- a loose end\n', '"- a loose end" belongs to no list'],
  ['# Known limits\n\nsome prose\n', '"some prose" belongs to no list'],
])('%j is refused', (text, words) => {
  expect(() => readPage(text)).toThrow(words)
})

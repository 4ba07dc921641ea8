import { expect, test } from 'vitest'
import { findPlaces } from './find-places.ts'

test('every place is found, also several on one line, whatever the case', () => {
  expect(findPlaces(['uint a = b + B;', '', 'Aa a = aa;'], 'aa')).toEqual([
    { line: 3, column: 1, endLine: 3, endColumn: 3 },
    { line: 3, column: 8, endLine: 3, endColumn: 10 },
  ])
})

test('a single letter is no search, and a word that is everywhere ends somewhere', () => {
  expect(findPlaces(['aaa'], 'a')).toEqual([])
  expect(
    findPlaces(
      Array.from({ length: 900 }, () => 'xy xy'),
      'xy',
    ),
  ).toHaveLength(1000)
})

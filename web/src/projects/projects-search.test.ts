import { expect, test } from 'vitest'
import { readProjectsSearch } from './projects-search.ts'

test('a link carries words, order and tag', () => {
  const search = { q: 'vault', sort: 'oldest', tag: 'defi' }
  expect(readProjectsSearch(search)).toEqual(search)
})

test('what is usual or not understood is left out', () => {
  expect(readProjectsSearch({ q: ' ', sort: 'latest', tag: '' })).toEqual({})
  expect(readProjectsSearch({ q: {}, sort: 'nothing', tag: ['a'], page: '2' })).toEqual({})
  expect(readProjectsSearch({ q: 2026 })).toEqual({ q: '2026' })
})

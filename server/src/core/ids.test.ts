import { expect, test } from 'vitest'
import { looksLikeId, newId, newSortableId } from './ids.ts'

test('an id names its kind and holds 130 random bits', () => {
  expect(newId('user')).toMatch(/^usr_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('a thousand ids differ', () => {
  expect(new Set(Array.from({ length: 1000 }, () => newId('key'))).size).toBe(1000)
})

test('sortable ids sort by the moment of their making', () => {
  const moments = ['1999-12-31', '2026-03-10', '2026-03-11', '2199-01-01'].map((day) => new Date(day))
  const ids = moments.map((moment) => newSortableId('scan', moment))
  expect([...ids].sort()).toEqual(ids)
})

test('a malformed id is reported without a query', () => {
  expect(looksLikeId('key', newId('key'))).toBe(true)
  for (const text of ['', 'key_', newId('user'), 'key_../../etc', 'key_\0', `key_${'a'.repeat(100)}`]) {
    expect(looksLikeId('key', text), text).toBe(false)
  }
})

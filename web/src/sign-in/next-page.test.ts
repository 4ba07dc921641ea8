import { expect, test } from 'vitest'
import { keepNext, takeNext } from './next-page.ts'

function emptyStore() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

test('the page to go on with is kept over the way to the provider, once', () => {
  const store = emptyStore()
  keepNext('/projects/prj_1?tab=runs', store)
  expect(takeNext(store)).toBe('/projects/prj_1?tab=runs')
  expect(takeNext(store)).toBe('/home')
})

test('another site is never gone on to, nor what an earlier sign-in kept', () => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', undefined]) {
    const store = emptyStore()
    keepNext('/scans', store)
    keepNext(next, store)
    expect(takeNext(store), String(next)).toBe('/home')
    store.setItem('assay-sign-in-next', String(next))
    expect(takeNext(store), String(next)).toBe('/home')
  }
})

import { expect, test } from 'vitest'
import { systemRandomness } from '../core/randomness.ts'
import { isWellFormedKey, makeKeyValue } from './key-format.ts'

test('keys of both types match their own checksum', () => {
  for (const type of ['PRODUCTION', 'TEST'] as const) {
    const key = makeKeyValue(type, systemRandomness)
    expect(key).toMatch(type === 'TEST' ? /^assay_test_\w{38}$/ : /^assay_live_\w{38}$/)
    expect(isWellFormedKey(key)).toBe(true)
  }
})

test('a change of any one letter is noticed', () => {
  const key = makeKeyValue('PRODUCTION', systemRandomness)
  for (let place = 0; place < key.length; place++) {
    const letter = key[place] === 'x' ? 'y' : 'x'
    const changed = key.slice(0, place) + letter + key.slice(place + 1)
    expect(isWellFormedKey(changed), `letter ${place}`).toBe(false)
  }
})

test.each(['', 'assay_live_', 'sk_live_abc', 'assay_live_'.padEnd(60, 'a')])('%j is no key', (text) => {
  expect(isWellFormedKey(text)).toBe(false)
})

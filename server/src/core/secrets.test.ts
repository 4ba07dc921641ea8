import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createSecrets, isEqualSecret, obtainMasterSecret } from './secrets.ts'

const secrets = createSecrets('the first master secret')

test('a sealed text opens where it was sealed for', () => {
  const sealed = secrets.seal('api-key', 'value', 'key_1')
  expect(sealed).not.toContain('value')
  expect(secrets.open('api-key', sealed, 'key_1')).toBe('value')
})

test('the same text is sealed differently each time', () => {
  expect(secrets.seal('api-key', 'value', 'key_1')).not.toBe(secrets.seal('api-key', 'value', 'key_1'))
})

test('a sealed text does not open for another purpose, another owner, or after a change', () => {
  const sealed = secrets.seal('api-key', 'value', 'key_1')
  const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
  expect(() => secrets.open('mail', sealed, 'key_1')).toThrow()
  expect(() => secrets.open('api-key', sealed, 'key_2')).toThrow()
  expect(() => secrets.open('api-key', changed, 'key_1')).toThrow()
})

test('an index is the same each time, and another for each purpose', () => {
  expect(secrets.index('session', 'token')).toBe(secrets.index('session', 'token'))
  expect(secrets.index('session', 'token')).not.toBe(secrets.index('reset', 'token'))
})

test('after a rotation the previous secret still opens and finds', () => {
  const sealed = secrets.seal('api-key', 'value', 'key_1')
  const index = secrets.index('api-key', 'value')
  const rotated = createSecrets('the second master secret', 'the first master secret')
  expect(rotated.open('api-key', sealed, 'key_1')).toBe('value')
  expect(rotated.isStale(sealed)).toBe(true)
  expect(rotated.indexes('api-key', 'value')).toContain(index)
  expect(rotated.indexes('api-key', 'value')[0]).not.toBe(index)
  const resealed = rotated.seal('api-key', 'value', 'key_1')
  expect(rotated.isStale(resealed)).toBe(false)
  expect(createSecrets('the second master secret').open('api-key', resealed, 'key_1')).toBe('value')
})

test('an unknown master secret opens nothing', () => {
  const sealed = createSecrets('somebody else’s secret').seal('api-key', 'value', 'key_1')
  expect(() => secrets.open('api-key', sealed, 'key_1')).toThrow('unknown master secret')
})

test('secrets of different length are unequal, not an error', () => {
  expect([isEqualSecret('a', 'a'), isEqualSecret('a', 'b'), isEqualSecret('a', 'ab')]).toEqual([true, false, false])
})

test('the embedded secret is made once and is its owner’s alone', () => {
  const folder = join(temporaryFolder(), 'data')
  const secret = obtainMasterSecret(folder)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(obtainMasterSecret(folder)).toBe(secret)
  expect(statSync(join(folder, 'master-secret')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(folder, 'master-secret'), 'utf8')).toBe(`${secret}\n`)
  writeFileSync(join(folder, 'master-secret'), 'torn')
  expect(() => obtainMasterSecret(folder)).toThrow('does not hold a whole secret')
})

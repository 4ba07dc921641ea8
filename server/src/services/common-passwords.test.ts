import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openCommonPasswords } from './common-passwords.ts'

const file = fileURLToPath(new URL('../../assets/common-passwords.filter', import.meta.url))
const listPath = fileURLToPath(new URL('../../../tools/common-passwords.txt', import.meta.url))
const { has } = openCommonPasswords(file)

test('knows what people really choose, however it is spelt', () => {
  const chosen = [
    'password',
    'Password',
    'PASSWORD1',
    '123456789',
    'qwertyuiop',
    'iloveyou',
    'trustno1',
    'liverpool1',
    'contraseña',
  ]
  expect(chosen.filter((password) => !has(password))).toEqual([])
})

test('misses none of our own list', () => {
  const list = readFileSync(listPath, 'utf8').trim().split('\n')
  expect(list.length).toBeGreaterThan(700)
  expect(list.filter((password) => !has(password))).toEqual([])
})

test('takes hardly any other password for one of them', () => {
  const others = Array.from({ length: 50_000 }, (_, n) => createHash('sha256').update(String(n)).digest('base64url'))
  expect(others.filter(has).length).toBeLessThan(15)
})

test('stays small', () => {
  expect(statSync(file).size).toBeLessThan(600_000)
})

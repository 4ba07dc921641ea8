import { expect, test } from 'vitest'
import { isGuessable } from './guessable-passwords.ts'

const owner = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' }

test.each([
  '        ',
  'aaaaaaaa',
  'abababababab',
  'ada.lovelace@example.com',
  'Ada.Lovelace',
  'lovelace1815'.replace('1815', '123'),
  'assay123',
  'Assay!!!',
  '4ss4y-4ss4y',
  'ASSAYassay1',
  'qwertzuiop'.replace('z', 'y'),
  'abcdefgh1234',
  '87654321',
  'correcthorse',
  'correct horse battery staple',
  'example.com',
  '  assay  ',
])('%j is guessed', (password) => {
  expect(isGuessable(password, owner)).toBe(true)
})

test.each([
  'a long enough password',
  'xkqz7b2w',
  'the assay of a silver coin',
  'mein Hund heißt Ernst',
  'пароль на память',
  'Tulpe-Regen-42',
  '日本語のパスワード',
])('%j is not', (password) => {
  expect(isGuessable(password, owner)).toBe(false)
})

test('the work does not explode with the length', () => {
  expect(isGuessable('ab'.repeat(64), owner)).toBe(true)
  expect(isGuessable(`${'a'.repeat(63)}b${'a'.repeat(64)}`, owner)).toBe(true)
})

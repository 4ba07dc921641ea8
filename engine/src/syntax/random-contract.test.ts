import { expect, test } from 'vitest'
import { scan } from '../index.ts'
import { mutate, randomFrom } from './testing/mutate.ts'
import { randomContract } from './testing/random-contract.ts'

test('the same seed gives the same text', () => {
  expect(randomContract(randomFrom(7))).toBe(randomContract(randomFrom(7)))
  expect(randomContract(randomFrom(7))).not.toBe(randomContract(randomFrom(8)))
})

test('whatever the grammar allows is analysed, whole or damaged, without an exception', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed)
    const text = randomContract(random)
    expect(() => scan(text), `seed ${seed}`).not.toThrow()
    expect(() => scan(mutate(text, random)), `seed ${seed}, damaged`).not.toThrow()
  }
})

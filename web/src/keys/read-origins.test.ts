import { expect, test } from 'vitest'
import { readOrigins } from './read-origins.ts'

test('reads origins that commas or spaces separate, each once', () => {
  expect(readOrigins(' https://a.example, https://b.example\nhttps://a.example,')).toEqual([
    'https://a.example',
    'https://b.example',
  ])
  expect(readOrigins(' , ')).toEqual([])
})

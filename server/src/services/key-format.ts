import { crc32 } from 'node:zlib'
import type { KeyType } from '../core/plans.ts'
import { type Randomness, randomBase62, toBase62 } from '../core/randomness.ts'

const prefixes: Record<KeyType, string> = { PRODUCTION: 'assay_live_', TEST: 'assay_test_' }
const RANDOM_LETTERS = 32
const CHECK_LETTERS = 6
const KEY = /^assay_(?:live|test)_[0-9A-Za-z]{38}$/

/** `assay_live_` or `assay_test_`, 32 random letters, and six that a typo does not match. */
export function makeKeyValue(type: KeyType, randomness: Randomness): string {
  const body = prefixes[type] + randomBase62(randomness, RANDOM_LETTERS)
  return body + checkLetters(body)
}

/** Whether a text can be a key at all: refuses typos and garbage without a query. */
export const isWellFormedKey = (text: string): boolean =>
  KEY.test(text) && checkLetters(text.slice(0, -CHECK_LETTERS)) === text.slice(-CHECK_LETTERS)

const checkLetters = (body: string): string => toBase62(crc32(body), CHECK_LETTERS)

import { refuse } from '../core/errors.ts'
import type { CommonPasswords } from './common-passwords.ts'

/** So many letters that nobody guesses a password must have at least. */
const LEAST = 5

/** As famous as they were meant to be safe. */
const famous = new Set(['correcthorse', 'correcthorsebatterystaple', 'tr0ub4dor&3'])

const rows = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '01234567890']
const sequences = [...rows, ...rows.map((row) => [...row].reverse().join(''))]

/** What is written instead of a letter. */
const lookalikes: Readonly<Record<string, string>> = {
  '4': 'a',
  '@': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
}
const plainOf = (text: string): string => text.replace(/[4@3105$7]/g, (letter) => lookalikes[letter] ?? letter)

/** Whose password it is. */
export interface PasswordOwner {
  readonly email: string
  readonly name: string
}

/** Refuses a password that an attacker tries first: from breaches, or made of what anyone knows. */
export function refuseWeakPassword(
  { commonPasswords }: { commonPasswords: CommonPasswords },
  field: string,
  password: string,
  owner: PasswordOwner,
): void {
  if (commonPasswords.has(password)) refuse('passwordCommon', field)
  if (isGuessable(password, owner)) refuse('passwordGuessable', field)
}

/**
 * Counts what cannot be foreseen. The owner's address and name, the name of this product, a repetition, a row of the keyboard and a run of the
 * alphabet count as one letter each, and blanks around it as none.
 */
export function isGuessable(password: string, owner: PasswordOwner): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  if (famous.has(text.replace(/\s/g, ''))) return true
  const left = withoutRepetitions(withoutSequences(withoutKnown(text, knownWords(owner)))).trim()
  return [...left].length < LEAST
}

function knownWords({ email, name }: PasswordOwner): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const parts = [
    ...local.split(/[^\p{L}\p{N}]+/u),
    ...domain.split('.').slice(0, -1),
    ...name.toLowerCase().split(/\s+/),
  ]
  const words = ['assay', email.toLowerCase(), local, domain, ...parts].filter((word) => word.length >= 4)
  return words.sort((a, b) => b.length - a.length)
}

/** One letter for each known word, also in other letters of the same look. */
function withoutKnown(text: string, words: readonly string[]): string {
  const plain = plainOf(text)
  let left = ''
  for (let at = 0; at < text.length; ) {
    const word = words.find((known) => text.startsWith(known, at) || plain.startsWith(plainOf(known), at))
    left += word === undefined ? (text[at] ?? '') : '\u0001'
    at += word?.length ?? 1
  }
  return left
}

function withoutSequences(text: string): string {
  let left = ''
  for (let at = 0; at < text.length; ) {
    let length = 1
    while (at + length < text.length && sequences.some((row) => row.includes(text.slice(at, at + length + 1)))) length++
    left += length < 3 ? text.slice(at, at + 1) : '\u0002'
    at += length < 3 ? 1 : length
  }
  return left
}

const withoutRepetitions = (text: string): string => text.replace(/(.+?)\1+/gsu, '$1')

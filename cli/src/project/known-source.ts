import { createHash } from 'node:crypto'
import { knownSources } from './known-sources.ts'

/** Comments, pragmas and imports differ between copies of the same code, and so do blanks. */
const setAside = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bpragma\s[^;]*;|\bimport\s[^;]*;|\s+/g

/** Below this length different files look the same: an empty contract, an interface of one function. */
const leastLength = 120

/** A digest of the code of a file; undefined where there is too little of it. */
export function digestOf(text: string): string | undefined {
  const code = text.replace(setAside, '')
  if (code.length < leastLength) return undefined
  return createHash('sha256').update(code).digest('base64url').slice(0, 8)
}

let known: ReadonlySet<string> | undefined

/** Whether a file is one of OpenZeppelin, solmate or solady, copied without a change to its code. */
export function isKnownSource(text: string): boolean {
  known ??= new Set(knownSources.match(/[\w-]{8}/g))
  const digest = digestOf(text)
  return digest !== undefined && known.has(digest)
}

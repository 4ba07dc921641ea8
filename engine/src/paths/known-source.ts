import { knownSources } from './known-sources.ts'

/** SHA-256 of a text, in base64url: the engine has no hash of its own that is as strong, and a browser has none that answers at once. */
export type Sha256 = (text: string) => string

/** Comments, pragmas and imports differ between copies of the same code, and so do blanks. Each part ends at the end of the text at the latest, so that the work is linear. */
const setAside = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\bpragma\s[^;]*(?:;|$)|\bimport\s[^;]*(?:;|$)|\s+/g

/** Below this length different files look the same: an empty contract, an interface of one function. */
const leastLength = 120

/** A digest of the code of a file; undefined where there is too little of it. */
export function digestOf(text: string, sha256: Sha256): string | undefined {
  const code = text.replace(setAside, '')
  return code.length < leastLength ? undefined : sha256(code).slice(0, 8)
}

/** Whether a file is one of OpenZeppelin, solmate or solady, copied without a change to its code. */
export function isKnownSource(text: string, sha256: Sha256): boolean {
  const digest = digestOf(text, sha256)
  // A digest has eight characters and no blank, so it can only match a whole entry.
  return digest !== undefined && knownSources.includes(digest)
}

/** The files that the authors of a project wrote. Where most are copies, the project is that library, or there is nothing else. */
export function withoutCopies<File>(files: readonly File[], isCopy: (file: File) => boolean): readonly File[] {
  const own = files.filter((file) => !isCopy(file))
  return own.length > files.length / 2 ? own : files
}

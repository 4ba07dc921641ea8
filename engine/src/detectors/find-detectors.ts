import type { Detector } from './define-detector.ts'
import { detectors } from './index.ts'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9_.]+/g) ?? []

/** Lower case, words separated by one space: `SWC-107` and `swc 107` are the same. */
const normal = (text: string): string => wordsOf(text).join(' ')

/** Every name of the vulnerability elsewhere: SWC, CWE, OWASP and SCWE numbers, ids of other tools, everyday words. */
export const aliasesOf = ({ formerly, swc, cwe, aliases }: Detector): string[] => {
  const { slither = [], aderyn = [], owasp = [], scwe = [], words = [] } = aliases ?? { words: [] }
  const own = [formerly, swc].filter((name): name is string => typeof name === 'string')
  return [...new Set([...own, ...cwe, ...owasp, ...scwe, ...slither, ...aderyn, ...words])]
}

const hasName = (detector: Detector, name: string): boolean =>
  [detector.title, ...aliasesOf(detector)].some((alias) => {
    const known = normal(alias)
    return known === name || known === `swc ${name}` || known === `${name} 2025`
  })

const knownWords = (detector: Detector): ReadonlySet<string> =>
  new Set(wordsOf([detector.id, detector.title, ...aliasesOf(detector)].join(' ')))

const hasWords = (detector: Detector, words: readonly string[]): boolean => {
  const known = knownWords(detector)
  return words.length > 0 && words.every((word) => known.has(word))
}

/** Shorter beginnings are those of too many words. */
const leastBeginning = 4

const hasBeginnings = (detector: Detector, words: readonly string[]): boolean => {
  const known = [...knownWords(detector)]
  return words.every(
    (word) => known.includes(word) || (word.length >= leastBeginning && known.some((other) => other.startsWith(word))),
  )
}

/** The detectors that a query means: the one with that id, else those with that name or number, else those with all its words. */
export const findDetectors = (query: string, among: readonly Detector[] = detectors): Detector[] => {
  const name = normal(query)
  if (name === '') return []
  const byId = among.filter(({ id }) => normal(id) === name)
  if (byId.length > 0) return byId
  const byName = among.filter((detector) => hasName(detector, name))
  return byName.length > 0 ? byName : among.filter((detector) => hasWords(detector, wordsOf(query)))
}

/** As above for a reader who looks for a page: `random` also finds what is called randomness. */
export const searchDetectors = (query: string): Detector[] => {
  const found = findDetectors(query)
  const words = wordsOf(query)
  return found.length > 0 || words.length === 0 ? found : detectors.filter((each) => hasBeginnings(each, words))
}

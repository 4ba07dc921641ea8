/** Which of the compilers serves a set of files, by their pragmas. */
import { type CompilerLine, type CompilerVersion, compilerLines } from '../packages.ts'

const newestPatch: Record<CompilerLine, number> = { 4: 26, 5: 17, 6: 12, 7: 6, 8: 30 }
const pragmaText = /pragma\s+solidity\s+([^;]*);/g

/** 0.8.30 as 8030; versions of the language never had another first digit. */
const toNumber = (minor: number, patch: number): number => minor * 1000 + patch

interface Bound {
  readonly low: number
  readonly high: number
}

const boundOf = (operator: string, minor: number, patch: number | null): Bound => {
  const version = toNumber(minor, patch ?? 0)
  const lineEnd = toNumber(minor, 999)
  const everything = { low: 0, high: Number.POSITIVE_INFINITY }
  if (operator === '>=') return { ...everything, low: version }
  if (operator === '>') return { ...everything, low: version + 1 }
  if (operator === '<') return { ...everything, high: version - 1 }
  if (operator === '<=') return { ...everything, high: patch === null ? lineEnd : version }
  if (operator === '^' || operator === '~' || patch === null) return { low: version, high: lineEnd }
  return { low: version, high: version }
}

/** One alternative of a range: all of its parts must hold. */
const readRange = (text: string): Bound => {
  let low = 0
  let high = Number.POSITIVE_INFINITY
  const hyphenated = text.replace(/v?(\d[\d.]*)\s+-\s+v?(\d[\d.]*)/g, '>=$1 <=$2')
  for (const [, operator = '', minor, patch] of hyphenated.matchAll(
    /(\^|~|>=|<=|>|<|=)?\s*v?["']?0\.(\d+)(?:\.(\d+|[x*]))?/g,
  )) {
    const bound = boundOf(operator, Number(minor), patch && /\d/.test(patch) ? Number(patch) : null)
    low = Math.max(low, bound.low)
    high = Math.min(high, bound.high)
  }
  return { low, high }
}

const readPragmas = (texts: readonly string[]): Bound[][] =>
  texts.flatMap((text) => [...text.matchAll(pragmaText)].map(([, range = '']) => range.split('||').map(readRange)))

const admits = (line: CompilerLine, { low, high }: Bound): boolean =>
  toNumber(line, newestPatch[line]) >= low && toNumber(line, 0) <= high

const admitsNewest = (line: CompilerLine, { low, high }: Bound): boolean => {
  const version = toNumber(line, newestPatch[line])
  return version >= low && version <= high
}

/**
 * Lines worth trying, best first: those whose newest compiler every pragma admits, newest first; then those of which some
 * older compiler is admitted, because the newest of a line compiles what its elders did.
 */
export const chooseLines = (texts: readonly string[]): CompilerLine[] => {
  const pragmas = readPragmas(texts)
  const newestFirst = [...compilerLines].reverse()
  if (pragmas.length === 0) return [8, 4, 5, 6]
  const fits = (test: typeof admits) =>
    newestFirst.filter((line) => pragmas.every((ranges) => ranges.some((range) => test(line, range))))
  return [...new Set([...fits(admitsNewest), ...fits(admits)])].slice(0, 3)
}

/** A compiler for a set of files. */
export interface Choice {
  readonly version: CompilerVersion
  /** What the pragmas ask for, where no installed compiler is admitted by all of them; absent: this one is. */
  readonly pragma?: string
}

/** Installed compilers that every pragma admits, newest first; where there are none, the newest of each line that is admitted in part. */
export const chooseCompilers = (texts: readonly string[], installed: readonly CompilerVersion[]): Choice[] => {
  const pragmas = readPragmas(texts)
  const isAdmitted = ({ line, patch }: CompilerVersion): boolean =>
    pragmas.every((ranges) =>
      ranges.some(({ low, high }) => toNumber(line, patch) >= low && toNumber(line, patch) <= high),
    )
  const admitted = pragmas.length === 0 ? [] : installed.filter(isAdmitted)
  const newest = chooseLines(texts).flatMap((line) => installed.find((each) => each.line === line) ?? [])
  const pragma = [
    ...new Set(texts.flatMap((text) => [...text.matchAll(pragmaText)].map(([, range = '']) => range.trim()))),
  ]
  const others = newest
    .filter((version) => pragmas.length === 0 || !isAdmitted(version))
    .map((version) => ({ version, ...(pragmas.length > 0 ? { pragma: pragma.join(', ') } : {}) }))
  return [...admitted.map((version) => ({ version })), ...others].slice(0, maxChoices)
}

const maxChoices = 4

/** Before 0.8 a pragma asks the compiler to prove things itself, by a solver that may not come to an end. */
const checkerPragma = /pragma\s+experimental\s+["']?SMTChecker["']?\s*;/g

const blank = (text: string, pragma: RegExp): string => text.replace(pragma, (match) => match.replace(/[^\n]/g, ' '))

/** The text as it is, but for what asks the compiler to prove things itself. */
export const withoutChecker = (text: string): string => blank(text, checkerPragma)

/** The pragma in blanks of the same length, so that every place in the file stays where it was. */
export const blankPragmas = (text: string): string => blank(withoutChecker(text), pragmaText)

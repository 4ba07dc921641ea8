/** Results of long runs, kept by what they depend on: a run that was interrupted goes on where it was, and parts join. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Kept<T> {
  readonly result: T
  readonly isKnown: boolean
}

/** The result of an earlier run with the same input, or a new one. */
export const keep = async <T>(folder: string, input: unknown, compute: () => Promise<T>): Promise<Kept<T>> => {
  const known = readKept<T>(folder, input)
  if (known !== undefined) return { result: known, isKnown: true }
  const result = await compute()
  const place = placeOf(folder, input)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${place}.${process.pid}`, JSON.stringify(result))
  renameSync(`${place}.${process.pid}`, place)
  return { result, isKnown: false }
}

export const readKept = <T>(folder: string, input: unknown): T | undefined => {
  try {
    return JSON.parse(readFileSync(placeOf(folder, input), 'utf8')) as T
  } catch {
    return undefined
  }
}

const placeOf = (folder: string, input: unknown): string =>
  join(folder, `${createHash('sha256').update(JSON.stringify(input)).digest('hex')}.json`)

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Complaint } from '../io.ts'
import { remappings as texts } from '../messages/project.ts'
import { type Boundary, readSettingsFile } from './boundary.ts'
import type { Remapping } from './project.ts'

const isRemapping = (text: string): boolean => /^[^=\s]+=[^=]*$/.test(text)

/** `context:prefix=target`, with context and target relative to the folder; undefined for anything else. */
export function parseRemapping(line: string, folder: string): Remapping | undefined {
  const text = line.trim()
  if (text.startsWith('#') || !isRemapping(text)) return undefined
  const equals = text.indexOf('=')
  const colon = text.lastIndexOf(':', equals)
  const target = text.slice(equals + 1)
  return {
    context: colon > 0 ? resolve(folder, text.slice(0, colon)) : '',
    prefix: text.slice(colon + 1, equals),
    // `resolve` drops the slash at the end, which tells a folder from the beginning of a name.
    target: `${resolve(folder, target)}${target.endsWith('/') || target === '' ? '/' : ''}`,
  }
}

export const parseRemappings = (lines: readonly string[], folder: string): Remapping[] =>
  lines.flatMap((line) => parseRemapping(line, folder) ?? [])

export const readRemappingFile = (file: string, boundary: Pick<Boundary, 'holds' | 'refuse'>): Remapping[] =>
  existsSync(file) ? parseRemappings(readSettingsFile(file, boundary).split(/\r?\n/), dirname(file)) : []

/** A file that was typed may lie anywhere. */
const anywhere = { holds: () => true, refuse: () => {} }

/** What `--remappings` was given: `prefix=target`, or a file with such lines. */
export function readGivenRemappings(words: readonly string[], folder: string): Remapping[] {
  return words.flatMap((word) => {
    if (isRemapping(word)) return parseRemappings([word], folder)
    const file = resolve(folder, word)
    if (!existsSync(file)) throw new Complaint(texts.remappingsNeitherPrefixTarget(word))
    return readRemappingFile(file, anywhere)
  })
}

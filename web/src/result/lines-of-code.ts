import type { ViewSource } from './scan-view.ts'

interface Scanned {
  /** Of a project: the files that were judged, without those that were only read. */
  files?: readonly { path: string }[] | undefined
}

/** Lines that are neither empty nor a comment, of the files that findings can be in. */
export function linesOfCode(sources: readonly ViewSource[], { files }: Scanned): number {
  const judged = files && new Set(files.map(({ path }) => path))
  return sources
    .filter(({ path }) => judged?.has(path) ?? true)
    .reduce((sum, { text }) => sum + text.split('\n').filter((line) => isCode(line.trim())).length, 0)
}

/** A comment of several lines begins each with a star, as formatters write it. */
const isCode = (line: string): boolean => line !== '' && !/^(\/\/|\/\*|\*)/.test(line)

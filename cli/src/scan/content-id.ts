import { createHash } from 'node:crypto'

/** A scan on the command line is known by what was scanned: the same file has the same id on every machine. */
export const contentId = (path: string, text: string): string =>
  `scan_${createHash('sha256').update(path).update('\0').update(text).digest('hex').slice(0, 24)}`

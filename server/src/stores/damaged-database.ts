import { resolve } from 'node:path'

/** Names the file and the way back: the driver's own words name neither. */
export class DatabaseDamaged extends Error {
  constructor(path: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(
      `${resolve(path)} is damaged (${why}). Stop the service and restore a backup with \`assay-server restore <folder>\`; the damaged file is kept beside it. \`assay-server doctor\` looks for more damage.`,
      { cause },
    )
    this.name = 'DatabaseDamaged'
  }
}

/** A file that is no database, or one whose pages contradict each other. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))

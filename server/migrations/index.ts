import { jobs } from './001-jobs.ts'
import type { Migration } from './migration.ts'

export type { ColumnTypes, Migration } from './migration.ts'

/** In the order they are applied. A number is taken once and stays. */
export const migrations: readonly Migration[] = [jobs]

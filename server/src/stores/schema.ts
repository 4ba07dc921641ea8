import type { JobTable, ScheduleTable } from './job-tables.ts'

/**
 * Every table of the service, one entry per store. The same columns on both databases: ids are text, times are epoch
 * milliseconds, yes/no is 1/0, bytes are blobs.
 */
export interface Schema {
  jobs: JobTable
  schedules: ScheduleTable
}

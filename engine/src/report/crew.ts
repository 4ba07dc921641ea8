/** What one thread of a crew sees: threads that read the same files with the same options and share the partitions to analyze. */
export interface Crew {
  /** A helper only leaves results in its memory; the other thread takes them from there and makes the reports. */
  readonly isHelper: boolean
  /** Whether this thread analyzes the partition; false: another thread has begun it. */
  claim(partition: number): boolean
  /** What this thread claimed is in its memory, if it can be kept. */
  finish(partition: number): void
  /** Returns when the partition of another thread is in the memory, or never will be. */
  waitFor(partition: number): void
}

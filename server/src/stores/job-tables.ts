/** Waiting and running jobs of the embedded queue; on PostgreSQL this table stays empty and pg-boss keeps its own. */
export interface JobTable {
  id: string
  name: string
  key: string | null
  payload: string
  attempt: number
  state: 'waiting' | 'running' | 'failed'
  run_at: number
  lease_until: number | null
  lease_id: string | null
  created_at: number
  finished_at: number | null
}

/** When each recurring job is due next; one row per job, shared by all replicas. */
export interface ScheduleTable {
  name: string
  next_at: number
}

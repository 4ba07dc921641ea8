import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, type RequestBodyOf } from '../api/client.ts'
import { type Decide, recordFinder, type Triage, toRequest } from './decisions.ts'
import type { FindingRecord } from './scan-view.ts'

interface TriagedScan {
  readonly scanId: string
  readonly project: string | null
  readonly fileName: string
}

/** The records of a stored scan's project, or its own, and how to change them. Undefined while they are on their way. */
export function useTriage(scan: TriagedScan | undefined): Triage | undefined {
  const queries = useQueryClient()
  const of: RecordsOf = scan?.project ? { project: scan.project } : { scanId: scan?.scanId ?? '' }
  const queryKey = [recordsKey, of]
  const records = useQuery({ queryKey, queryFn: () => readRecords(of), enabled: scan !== undefined })
  const home = scan?.fileName ?? ''
  const recordOf = useMemo(() => records.data && recordFinder(records.data, home), [records.data, home])
  if (!recordOf) return undefined
  const decide: Decide = async (some, decision) => {
    const body = toRequest(decision)
    const waiting = [...some]
    const decideRest = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await changeRecord(queries, next.id, body)
    }
    await Promise.all(Array.from({ length: mostAtOnce }, decideRest))
  }
  return { recordOf, decide }
}

const mostAtOnce = 4

/**
 * The answer takes the place of the record that is on show: reading all of a large project again would make each decision wait.
 * Other lists of findings read theirs when they are next opened.
 */
export async function changeRecord(
  queries: QueryClient,
  id: string,
  body: RequestBodyOf<'PATCH /api/v1/findings/{id}'>,
): Promise<void> {
  const { data } = await call('PATCH /api/v1/findings/{id}', { params: { id }, body })
  queries.setQueriesData<FindingRecord[]>({ queryKey: [recordsKey] }, (records) =>
    records?.map((record) => (record.id === id ? data : record)),
  )
  await queries.invalidateQueries({ queryKey: ['findings'] })
}

const recordsKey = 'finding-records'

/** A scan shows at most a few thousand findings; a project that was scanned for years has more records than anyone looks at here. */
const mostPages = 50

type RecordsOf = { project: string } | { scanId: string }

async function readRecords(of: RecordsOf): Promise<FindingRecord[]> {
  const records: FindingRecord[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const { data } = await call('GET /api/v1/findings', { query: { ...of, limit: 100, ...(cursor && { cursor }) } })
    records.push(...data.findings)
    if (!data.nextCursor) break
    cursor = data.nextCursor
  }
  return records
}

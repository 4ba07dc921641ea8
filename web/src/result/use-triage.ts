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
export function useTriage(scan: TriagedScan | undefined, mayDecide: boolean): Triage | undefined {
  const queries = useQueryClient()
  const of: RecordsOf = scan?.project ? { project: scan.project } : { scanId: scan?.scanId ?? '' }
  const queryKey = [recordsKey, of]
  const records = useQuery({ queryKey, queryFn: () => readRecords(of), enabled: scan !== undefined })
  const home = scan?.fileName ?? ''
  const recordOf = useMemo(() => records.data && recordFinder(records.data, home), [records.data, home])
  if (!recordOf) return undefined
  if (!mayDecide) return { recordOf }
  const decide: Decide = async (some, decision) => {
    const body = toRequest(decision)
    const waiting = [...some]
    const changed: FindingRecord[] = []
    const decideRest = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop())
        changed.push((await call('PATCH /api/v1/findings/{id}', { params: { id: next.id }, body })).data)
    }
    try {
      await Promise.all(Array.from({ length: mostAtOnce }, decideRest))
    } finally {
      // All in one go: each time the whole list is laid out anew.
      replaceRecords(queries, changed)
    }
    // Not awaited: until the reader is at the next finding, a key typed ahead would change this one again.
    void readOthersAgain(queries)
  }
  return { recordOf, decide }
}

const mostAtOnce = 4

type Change = RequestBodyOf<'PATCH /api/v1/findings/{id}'>

export async function changeRecord(queries: QueryClient, id: string, body: Change): Promise<void> {
  replaceRecords(queries, [(await call('PATCH /api/v1/findings/{id}', { params: { id }, body })).data])
  await readOthersAgain(queries)
}

/** Answers take the place of the records that are on show: reading all of a large project again would make each decision wait. */
function replaceRecords(queries: QueryClient, changed: readonly FindingRecord[]): void {
  const byId = new Map(changed.map((record) => [record.id, record]))
  queries.setQueriesData<FindingRecord[]>({ queryKey: [recordsKey] }, (records) =>
    records?.map((record) => byId.get(record.id) ?? record),
  )
}

/** Other lists of findings, and how runs fare at the gate of the project. */
async function readOthersAgain(queries: QueryClient): Promise<void> {
  await Promise.all(['findings', 'projects', 'project'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
}

const recordsKey = 'finding-records'

/** A scan shows at most a few thousand findings; a project that was scanned for years has more records, and those seen last come first. */
const mostPages = 5

type RecordsOf = { project: string } | { scanId: string }

async function readRecords(of: RecordsOf): Promise<FindingRecord[]> {
  const records: FindingRecord[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const { data } = await call('GET /api/v1/findings', {
      query: { ...of, sort: '-lastSeenAt', limit: 1000, ...(cursor && { cursor }) },
    })
    records.push(...data.findings)
    if (!data.nextCursor) break
    cursor = data.nextCursor
  }
  return records
}

import type { ResponseOf } from '../api/client.ts'
import { csvOf } from '../result/to-csv.ts'

export type FindingRecord = ResponseOf<'GET /api/v1/findings'>['data']['findings'][number]

const columns = [
  ['project', ({ project }) => project],
  ['file', ({ file }) => file],
  ['line', ({ line }) => line],
  ['severity', ({ severity }) => severity],
  ['confidence', ({ confidence }) => confidence],
  ['swc', ({ vulnerabilityId }) => vulnerabilityId],
  ['detector', ({ detector }) => detector],
  ['title', ({ title }) => title],
  ['message', ({ message }) => message.replaceAll('`', '')],
  ['contract', ({ contract }) => contract],
  ['function', (finding) => finding.function],
  ['status', ({ state }) => state],
  ['reason', ({ reason }) => reason],
  ['decided by', ({ decidedBy }) => decidedBy],
  ['decided at', ({ decidedAt }) => decidedAt],
  ['until', ({ until }) => until],
  ['assignee', ({ assignee }) => assignee],
  ['comment', ({ comment }) => comment],
  ['first seen', ({ firstSeenAt }) => firstSeenAt],
  ['last seen', ({ lastSeenAt }) => lastSeenAt],
  ['id', ({ id }) => id],
] as const satisfies readonly (readonly [string, (finding: FindingRecord) => string | number | null])[]

/** Findings with what was decided about each, for a spreadsheet. */
export const recordsToCsv = (findings: readonly FindingRecord[]): string =>
  csvOf([
    columns.map(([name]) => name),
    ...findings.map((finding) => columns.map(([, read]) => String(read(finding) ?? ''))),
  ])

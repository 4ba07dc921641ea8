import type { ListedFinding } from './scan-view.ts'

const columns = [
  'severity',
  'confidence',
  'id',
  'detector',
  'title',
  'file',
  'contract',
  'function',
  'line',
  'message',
  'fingerprint',
  'status',
  'reason',
  'assignee',
  'comment',
] as const

/** A table for a spreadsheet; `name` is what was uploaded, the file of findings that name none. */
export function toCsv(items: readonly ListedFinding[], name: string): string {
  const rows = items.map(({ finding, record, state }) => [
    finding.severity,
    finding.confidence,
    finding.vulnerabilityId ?? 'advisory',
    finding.detector,
    finding.title,
    finding.file ?? name,
    finding.contract ?? '',
    finding.function ?? '',
    String(finding.line),
    finding.message.replaceAll('`', ''),
    finding.fingerprint,
    state ?? '',
    record?.reason ?? '',
    record?.assignee ?? '',
    record?.comment ?? '',
  ])
  return csvOf([columns, ...rows])
}

export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** A cell that begins like a formula would be run by the spreadsheet: names in uploaded code are anyone's. */
const cell = (text: string): string => {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

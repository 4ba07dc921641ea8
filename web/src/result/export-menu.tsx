import { fillPath } from '../api/client.ts'
import { DownloadLink } from '../components/download-link.tsx'
import { Menu, menuEntryClass } from '../components/menu.tsx'
import { saveText } from '../components/save-text.ts'
import type { Triage } from './decisions.ts'
import { compareFindings } from './order.ts'
import { listFindings, type StateOf, type ViewScan } from './scan-view.ts'
import { toCsv } from './to-csv.ts'

const reports = [
  ['sarif', 'SARIF'],
  ['html', 'HTML'],
  ['markdown', 'Markdown'],
  ['json', 'JSON'],
] as const

/** Every form in which a result can be taken away, under the name of what was uploaded. */
export function ExportMenu({
  scanId,
  scan,
  name,
  recordOf,
  stateOf,
}: {
  /** Whose reports the service makes; absent: only what this page knows can be taken away. */
  scanId?: string
  scan: ViewScan
  name: string
  /** What was decided goes along. */
  recordOf?: Triage['recordOf'] | undefined
  stateOf?: StateOf | undefined
}) {
  return (
    <Menu label="Export">
      {scanId ? (
        reports.map(([format, words]) => (
          <DownloadLink
            key={format}
            className={menuEntryClass}
            href={`${fillPath('/api/v1/scans/{scanId}/report', { scanId })}?format=${format}`}
          >
            {words}
          </DownloadLink>
        ))
      ) : (
        <button
          type="button"
          className={menuEntryClass}
          onClick={() => saveText(JSON.stringify(scan, null, 2), `${stemOf(name)}.json`, 'application/json')}
        >
          JSON
        </button>
      )}
      <button
        type="button"
        className={menuEntryClass}
        onClick={() =>
          saveText(
            toCsv(listFindings(scan, recordOf, stateOf).sort(compareFindings), name),
            `${stemOf(name)}.csv`,
            'text/csv',
          )
        }
      >
        CSV
      </button>
      <button type="button" className={menuEntryClass} onClick={() => print()}>
        Print / PDF
      </button>
    </Menu>
  )
}

const stemOf = (name: string): string => name.replace(/\.sol$/, '')

import { fillPath } from '../api/client.ts'
import { Menu, menuEntryClass } from '../components/menu.tsx'
import { compareFindings } from './order.ts'
import { listFindings, type ViewScan } from './scan-view.ts'
import { toCsv } from './to-csv.ts'

const reports = [
  ['sarif', 'SARIF'],
  ['html', 'HTML'],
  ['markdown', 'Markdown'],
  ['json', 'JSON'],
] as const

/** Every form in which a result can be taken away, under the name of what was uploaded. */
export function ExportMenu({ scanId, scan, name }: { scanId: string; scan: ViewScan; name: string }) {
  return (
    <Menu label="Export">
      {reports.map(([format, words]) => (
        <a
          key={format}
          className={menuEntryClass}
          href={`${fillPath('/api/v1/scans/{scanId}/report', { scanId })}?format=${format}`}
          download
        >
          {words}
        </a>
      ))}
      <button type="button" className={menuEntryClass} onClick={() => saveCsv(scan, name)}>
        CSV
      </button>
      <button type="button" className={menuEntryClass} onClick={() => print()}>
        PDF, by printing
      </button>
    </Menu>
  )
}

function saveCsv(scan: ViewScan, name: string): void {
  const text = toCsv(listFindings(scan).sort(compareFindings))
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name.replace(/\.sol$/, '')}.csv`
  link.click()
  URL.revokeObjectURL(url)
}

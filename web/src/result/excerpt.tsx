import { SourceView } from '../components/source-view.tsx'
import type { ListedFinding } from './scan-view.ts'

/** Ten lines around a finding, for a screen that has no room for the whole file. */
export function Excerpt({ source, item }: { source: string; item: ListedFinding }) {
  const { finding } = item
  const lines = source.split(/\r\n|\r|\n/)
  const first = Math.max(1, finding.line - 4)
  const text = lines.slice(first - 1, first + 9).join('\n')
  const shift = first - 1
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <SourceView
        source={text}
        firstLine={first}
        marks={[]}
        focus={null}
        selected={{ ...finding, line: finding.line - shift, endLine: finding.endLine - shift }}
        height={224}
        label="The lines around the finding"
      />
    </div>
  )
}

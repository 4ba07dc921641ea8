import { filePaths } from './read-sources.ts'
import type { ListedFinding, ViewPlace, ViewSource } from './scan-view.ts'

/** The files of a project with how much was found in each; choosing one shows it from its first finding. */
export function FileChoice({
  all,
  sources,
  path,
  onChoose,
}: {
  all: readonly ListedFinding[]
  sources: readonly ViewSource[]
  path: string | undefined
  onChoose: (place: ViewPlace) => void
}) {
  const open = (file: string) => {
    const first = all.find(({ finding }) => finding.file === file)?.finding
    onChoose({ file, line: first?.line ?? 1, endLine: first?.endLine ?? 1 })
  }
  return (
    <select
      aria-label="File"
      className="w-full max-w-md truncate rounded-md border border-line bg-panel px-2 py-1 font-mono text-xs"
      value={path}
      onChange={(event) => open(event.target.value)}
    >
      {filePaths(all, sources).map(({ path: one, count }) => (
        <option key={one} value={one}>
          {one}
          {count > 0 ? ` (${count})` : ''}
        </option>
      ))}
    </select>
  )
}

import { Button } from '../components/controls.tsx'
import { formatBytes } from '../components/format.ts'
import type { Chosen } from './read-dropped.ts'

export type ChosenProject = Exclude<Chosen, { kind: 'nothing' }>

/** The files of a project before it is scanned: what came, and a way to leave something out. */
export function ProjectFiles({
  project,
  onChange,
  onClear,
}: {
  project: ChosenProject
  onChange: (project: ChosenProject) => void
  onClear: () => void
}) {
  const words =
    project.kind === 'archive'
      ? `${project.file.name}, ${formatBytes(project.file.size)}; it is unpacked by the service.`
      : `${project.sources.length} files, ${formatBytes(sizeOf(project))}. Imports are resolved among them.`
  return (
    <section aria-label="Files of the project" className="rounded-lg border border-line bg-panel">
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-2 text-sm">
        <p>{words}</p>
        <Button onClick={onClear}>Scan one contract instead</Button>
      </header>
      {project.kind === 'sources' && (
        <ul className="max-h-96 divide-y divide-line overflow-y-auto text-sm">
          {project.sources.map(({ path, text }) => (
            <li key={path} className="flex items-center gap-3 px-3 py-1">
              <span className="min-w-0 flex-1 truncate font-mono text-xs">{path}</span>
              <span className="text-xs text-soft tabular-nums">{formatBytes(byteLength(text))}</span>
              <Button
                look="quiet"
                aria-label={`Leave out ${path}`}
                onClick={() =>
                  onChange({ ...project, sources: project.sources.filter((source) => source.path !== path) })
                }
              >
                ✕
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length

export const sizeOf = (project: ChosenProject): number =>
  project.kind === 'archive' ? project.file.size : project.sources.reduce((sum, { text }) => sum + byteLength(text), 0)

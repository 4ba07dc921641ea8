import { X } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from '../components/controls.tsx'
import { formatBytes } from '../components/format.ts'
import { projectFiles as texts } from '../messages/scan-form.ts'
import { type FileRole, fileRoles, findRoles, sortByRole } from '../playground/file-roles.ts'
import { type FileState, fileStates, stateWords } from './file-states.ts'
import type { Chosen } from './read-dropped.ts'

export type ChosenProject = Exclude<Chosen, { kind: 'nothing' }> & {
  /** Kinds of files that stay here. */
  leftOut?: readonly FileRole[] | undefined
}

/** Tests say nothing about what gets deployed. */
const usuallyLeftOut: readonly FileRole[] = ['test']

/** What goes to the service. A project of tests alone is what the reader wants to have scanned. */
export function sentSources(
  project: Extract<ChosenProject, { kind: 'sources' }>,
): readonly { path: string; text: string }[] {
  const leftOut = project.leftOut ?? usuallyLeftOut
  const roleOf = rolesIn(project)
  const sent = project.sources.filter(({ path }) => !leftOut.includes(roleOf(path)))
  return sent.length > 0 ? sent : project.sources
}

const rolesIn = ({ sources }: { sources: readonly { path: string }[] }) => findRoles(sources.map(({ path }) => path))

/** The files of a project before it is scanned: what came, how each of them stands, and a way to leave something out. */
export function ProjectFiles({
  project,
  isScanning,
  onChange,
  onClear,
}: {
  project: ChosenProject
  isScanning: boolean
  onChange: (project: ChosenProject) => void
  onClear: () => void
}) {
  const words =
    project.kind === 'archive'
      ? `${project.file.name}, ${formatBytes(project.file.size)}`
      : texts.importsBetweenTheseFiles(
          sentSources(project).length,
          project.sources.length,
          formatBytes(sizeOf(project)),
          project.tool,
        )
  return (
    <section aria-label="Project files" className="rounded-lg border border-line bg-panel">
      <header className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm">
        {project.kind === 'sources' && (
          <input
            aria-label="Project name"
            className="w-36 rounded border border-field bg-panel px-2 py-1 font-mono text-xs"
            value={project.name}
            disabled={isScanning}
            onChange={(event) => onChange({ ...project, name: event.target.value })}
          />
        )}
        <p className="min-w-0 flex-1">{words}</p>
        <Button disabled={isScanning} onClick={onClear}>
          Clear files
        </Button>
      </header>
      {project.kind === 'sources' && <Roles project={project} isScanning={isScanning} onChange={onChange} />}
      {project.kind === 'sources' && (
        <SourceList
          sources={sortByRole(sentSources(project))}
          isScanning={isScanning}
          onLeaveOut={(path) =>
            onChange({ ...project, sources: project.sources.filter((source) => source.path !== path) })
          }
        />
      )}
    </section>
  )
}

/** What of the project is sent, by what it is to it; shown where there is more than one kind. */
function Roles({
  project,
  isScanning,
  onChange,
}: {
  project: Extract<ChosenProject, { kind: 'sources' }>
  isScanning: boolean
  onChange: (project: ChosenProject) => void
}) {
  const leftOut = project.leftOut ?? usuallyLeftOut
  const roleOf = rolesIn(project)
  const counts = fileRoles.map(
    (role) => [role, project.sources.filter(({ path }) => roleOf(path) === role).length] as const,
  )
  const present = counts.filter(([, count]) => count > 0)
  if (present.length < 2) return null
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-1 border-b border-line px-3 py-2 text-sm">
      <legend className="sr-only">{texts.whatIsSent}</legend>
      {present.map(([role, count]) => (
        <label key={role} className="flex min-h-6 items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={!leftOut.includes(role)}
            disabled={isScanning || role === 'product'}
            onChange={(event) =>
              onChange({
                ...project,
                leftOut: event.target.checked ? leftOut.filter((one) => one !== role) : [...leftOut, role],
              })
            }
          />
          {texts.roles[role](count)}
        </label>
      ))}
    </fieldset>
  )
}

function SourceList({
  sources,
  isScanning,
  onLeaveOut,
}: {
  sources: readonly { path: string; text: string }[]
  isScanning: boolean
  onLeaveOut: (path: string) => void
}) {
  const states = useMemo(() => fileStates(sources), [sources])
  return (
    <ul className="max-h-96 divide-y divide-line overflow-y-auto text-sm">
      {sources.map(({ path, text }, index) => (
        <li key={path} className="flex items-center gap-3 py-1 pr-1 pl-3">
          <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-3">
            <span className="block min-w-0 flex-1 truncate font-mono text-xs">{path}</span>
            <State state={states[index]} isScanning={isScanning} />
          </span>
          <span className="w-18 shrink-0 text-right text-xs text-soft tabular-nums">
            {formatBytes(byteLength(text))}
          </span>
          <Button look="quiet" disabled={isScanning} aria-label={`Remove ${path}`} onClick={() => onLeaveOut(path)}>
            <X size={16} aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  )
}

const stateColor: Record<FileState['kind'], string> = {
  ready: 'text-good',
  empty: 'text-soft',
  incomplete: 'text-medium',
}

function State({ state, isScanning }: { state: FileState | undefined; isScanning: boolean }) {
  if (!state) return null
  return (
    <span className={`text-xs ${isScanning ? 'text-soft' : stateColor[state.kind]}`}>
      {isScanning ? 'Scanning' : stateWords(state)}
    </span>
  )
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length

export const sizeOf = (project: ChosenProject): number =>
  project.kind === 'archive'
    ? project.file.size
    : sentSources(project).reduce((sum, { text }) => sum + byteLength(text), 0)

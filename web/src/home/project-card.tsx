import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, type ResponseOf } from '../api/client.ts'
import { formatAgo, formatTime } from '../components/format.ts'
import { severityColor } from '../components/severities.ts'
import { projectCard as texts } from '../messages/home.ts'
import { changeOf, type ProjectChange, sparkline } from './project-change.ts'

export type Project = ResponseOf<'GET /api/v1/projects'>['data']['projects'][number]

const width = 96
const height = 28

/** Where a project stands: its score, how it moved, what is open and what the last scan saw for the first time. */
export function ProjectCard({ project }: { project: Project }) {
  // What a branch is about to change is not how the project stands.
  const own = project.trend.filter(({ ref }) => ref === project.defaultRef)
  const trend = own.length > 0 ? own : project.trend
  const newest = trend[0]
  const moved = changeOf(trend)
  const open = useQuery({
    // What is new depends on the newest scan, which a list read earlier does not have yet.
    queryKey: ['findings', project.name, 'open', newest?.at],
    queryFn: () => readOpen(project.name, newest?.at ?? ''),
    enabled: newest !== undefined,
  })
  if (!newest || !moved) return null
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line bg-panel p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <Link
            to="/projects/$projectId"
            params={{ projectId: project.id }}
            className="block truncate font-medium text-accent underline"
          >
            {project.name}
          </Link>
          <span className="text-xs text-soft" title={formatTime(newest.at)}>
            {formatAgo(newest.at)} · {project.scans} {project.scans === 1 ? 'scan' : 'scans'}
            {project.defaultRef !== null && ` · ${project.defaultRef}`}
          </span>
        </div>
        <p className="text-right">
          <span className="text-2xl font-semibold tabular-nums">{project.score}</span>
          <Change moved={moved} />
        </p>
      </div>
      {trend.length > 1 && (
        <svg
          viewBox={`0 -2 ${width} ${height + 4}`}
          className="h-8 w-full"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path
            d={sparkline(trend, width, height)}
            fill="none"
            stroke="var(--accent)"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      )}
      {open.data && <OpenCounts counts={open.data} moved={moved} />}
    </li>
  )
}

/** An arrow and a number for the eye, a sentence for every reader. */
function Change({ moved: { change } }: { moved: ProjectChange }) {
  if (change === null) return null
  const words = change === 0 ? texts.noChangeSinceLast : texts.sinceLastScan(change > 0 ? '+' : '', change)
  return (
    <span
      title={words}
      className={`block text-xs whitespace-nowrap tabular-nums ${change < 0 ? 'text-critical' : change > 0 ? 'text-good' : 'text-soft'}`}
    >
      <span aria-hidden="true">{change < 0 ? `▼ ${-change}` : change > 0 ? `▲ ${change}` : 'unchanged'}</span>
      <span className="sr-only">{words}</span>
    </span>
  )
}

interface Open {
  critical: number
  high: number
  fresh: number
}

function OpenCounts({ counts: { critical, high, fresh }, moved }: { counts: Open; moved: ProjectChange }) {
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
      {critical > 0 && <span style={{ color: severityColor.critical }}>{critical} critical open</span>}
      {high > 0 && <span style={{ color: severityColor.high }}>{high} high open</span>}
      {critical + high === 0 && <span className="text-soft">{texts.noOpenCriticalHigh}</span>}
      {fresh > 0 && moved.before && (
        <Link
          to="/compare"
          search={{ before: moved.before, after: moved.newest }}
          className="font-medium text-accent underline"
        >
          {fresh}
          {texts.newSinceLastScan}
        </Link>
      )}
    </p>
  )
}

async function readOpen(project: string, newestAt: string): Promise<Open> {
  const count = async (more: { severity?: 'critical' | 'high'; firstSeenSince?: string }) =>
    (await call('GET /api/v1/findings', { query: { project, state: 'open', review: 'exclude', limit: 1, ...more } }))
      .data.total
  const [critical, high, fresh] = await Promise.all([
    count({ severity: 'critical' }),
    count({ severity: 'high' }),
    count({ firstSeenSince: newestAt }),
  ])
  return { critical, high, fresh }
}

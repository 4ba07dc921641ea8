import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { call, type ResponseOf } from '../api/client.ts'
import { mayAct } from '../api/session.ts'
import { Button, buttonClass } from '../components/controls.tsx'
import { formatAgo, formatTime } from '../components/format.ts'
import { Guarded, type Me } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { openCounts, ratingColor, ratingOf } from '../components/rating-color.ts'
import { type Severity, severities, severityColor } from '../components/severities.ts'
import { SeverityBadge } from '../components/severity.tsx'
import { Card, Failure, Page } from '../components/surfaces.tsx'
import { TrendChart } from '../components/trend-chart.tsx'
import { WhoMay } from '../components/who-may.tsx'
import { ScanLine } from '../history/scan-row.tsx'
import { project as texts } from '../messages/pages/project.ts'
import { ProjectBadge } from '../projects/badge.tsx'
import { branchesOf } from '../projects/branches-of.ts'
import { FindingsChart } from '../projects/findings-chart.tsx'
import { GateMark } from '../projects/gate-mark.tsx'
import { NewSince } from '../projects/new-since.tsx'
import { openAndFixed } from '../projects/open-and-fixed.ts'
import { runFacts } from '../projects/run-facts.ts'
import { ProjectSettings } from '../projects/settings.tsx'
import { codePlace, linePlace } from '../result/scan-view.ts'
import { leaveDraft } from '../scan-form/draft.ts'
import { unnamedFile } from '../scan-form/suggest-project.ts'

type Project = ResponseOf<'GET /api/v1/projects/{id}'>['data']
type Finding = ResponseOf<'GET /api/v1/findings'>['data']['findings'][number]

const mostFindings = 10
const mostScans = 10
/** As many as one answer has. */
const mostCharted = 100

export function ProjectPage() {
  return (
    <Guarded title="Project" shape="home">
      {(me) => <OneProject me={me} />}
    </Guarded>
  )
}

function OneProject({ me }: { me: Me }) {
  const { projectId } = useParams({ from: '/projects/$projectId' })
  const found = useQuery({
    queryKey: ['project', projectId],
    queryFn: () => call('GET /api/v1/projects/{id}', { params: { id: projectId } }),
  })
  if (found.isError)
    return (
      <Page title="Project">
        <Failure error={found.error} retry={() => found.refetch()} />
        <Link to="/projects" className="mt-4 inline-block text-accent underline">
          {texts.allProjects}
        </Link>
      </Page>
    )
  if (!found.data)
    return (
      <Page title="Project">
        <Loading what={texts.loadingProject} shape="home" />
      </Page>
    )
  return <ProjectView project={found.data.data} me={me} />
}

function ProjectView({ project, me }: { project: Project; me: Me }) {
  const open = useOpenFindings(project.name)
  const isLoading = [open, useScans(project.name)].some(({ isPending }) => isPending)
  const count = (of: Severity) => open.data?.data.findings.filter(({ severity }) => severity === of).length ?? 0
  const counts = openCounts({ critical: count('critical'), high: count('high'), medium: count('medium') })
  // A branch shows what it is about to change, not the state of the project.
  const own = project.trend.filter(({ ref }) => ref === project.defaultRef)
  const newest = own[0] ?? project.trend[0]
  const rating = newest ? ratingOf(newest, counts) : null
  return (
    <Page
      title={project.name}
      lead={
        <>
          Score <strong style={{ color: ratingColor(rating) }}>{project.score}</strong> of 100
          {rating !== null && ` (${rating})`}
          {project.setAside &&
            project.setAside.securityScore.score !== project.score &&
            texts.withoutDismissed(project.setAside.securityScore.score)}
          {project.defaultRef !== null && ` on ${project.defaultRef}`} · {project.scans}{' '}
          {project.scans === 1 ? 'scan' : 'scans'}
          {project.gate && newest?.gate && (
            <span className="mt-1 block">
              <GateMark gate={newest.gate} long />
            </span>
          )}
        </>
      }
      actions={
        <>
          {newest && (
            <Link to="/scans/$scanId" params={{ scanId: newest.scanId }} className={buttonClass()}>
              {texts.openLastScan}
            </Link>
          )}
          {mayAct(me, 'member') && (
            <Link
              to="/scan"
              className={buttonClass('primary')}
              onClick={() => leaveDraft({ source: '', name: unnamedFile, belongsTo: project.name })}
            >
              Scan again
            </Link>
          )}
        </>
      }
    >
      {/* All at once: cards that come one after the other push each other down. */}
      {isLoading ? (
        <Loading what={texts.loadingProject} shape="home" />
      ) : (
        <div className="space-y-6">
          <OpenFindings project={project} />
          <FindingsOverTime project={project} />
          {own.length > 1 && (
            <Card title={texts.scoreOverTime}>
              <TrendChart
                name={project.name}
                points={own.toReversed().map((point) => ({ ...point, rating: ratingOf(point) }))}
              />
            </Card>
          )}
          <Runs project={project} />
          <Branches project={project} />
          <ProjectSettings me={me} project={project} />
          {newest && mayAct(me, 'member') && <ProjectBadge name={project.name} scanId={newest.scanId} />}
        </div>
      )}
    </Page>
  )
}

const useScans = (name: string) =>
  useQuery({
    queryKey: ['scans', 'of', name],
    queryFn: () => call('GET /api/v1/scans', { query: { project: name, limit: mostCharted } }),
  })

const useOpenFindings = (name: string) =>
  useQuery({
    queryKey: ['findings', name, 'open', 'first'],
    queryFn: () => readFindings(name, { limit: mostFindings }),
  })

/** Where the project comes from: more or less open than before, and what was done about it. */
function FindingsOverTime({ project }: { project: Project }) {
  const scans = useScans(project.name)
  const fixed = useQuery({
    queryKey: ['findings', project.name, 'fixed'],
    queryFn: () =>
      call('GET /api/v1/findings', {
        query: { project: project.name, state: 'fixed', sort: '-lastSeenAt', limit: mostCharted },
      }),
  })
  const points = openAndFixed(scans.data?.data.scans ?? [], project.defaultRef, fixed.data?.data.findings ?? [])
  if (points.length < 2) return null
  return (
    <Card title={texts.findingsOverTime(points.length)}>
      <FindingsChart name={project.name} scans={points} />
    </Card>
  )
}

/** What needs review is a number of its own, as in the counts of a scan. */
const readFindings = (project: string, more: { severity?: Severity; limit: number; review?: 'only' }) =>
  call('GET /api/v1/findings', { query: { project, state: 'open', sort: 'severity', review: 'exclude', ...more } })

function OpenFindings({ project }: { project: Project }) {
  const listed = useOpenFindings(project.name)
  const counts = useQueries({
    queries: severities.map((severity) => ({
      queryKey: ['findings', project.name, 'open', severity],
      queryFn: () => readFindings(project.name, { severity, limit: 1 }),
    })),
  })
  const unsure = useQuery({
    queryKey: ['findings', project.name, 'open', 'review'],
    queryFn: () => readFindings(project.name, { review: 'only', limit: 1 }),
  })
  const inReview = unsure.data?.data.total ?? 0
  const findings = listed.data?.data.findings ?? []
  const total = listed.data?.data.total ?? 0
  return (
    <Card title="Open findings">
      <NewSince project={project} />
      {listed.isError && <Failure error={listed.error} retry={() => listed.refetch()} />}
      {listed.isSuccess && total === 0 && <p className="text-sm text-soft">{texts.noOpenFindings}</p>}
      {total > 0 && (
        <>
          <dl className="mb-3 flex min-h-8 flex-wrap gap-x-6 gap-y-2">
            {severities.map((severity, index) => {
              const count = counts[index]?.data?.data.total
              if (!count) return null
              return (
                <div key={severity} className="flex items-baseline gap-2">
                  <dt className="text-sm text-soft capitalize">{severity}</dt>
                  <dd className="text-2xl font-semibold tabular-nums" style={{ color: severityColor[severity] }}>
                    {count}
                  </dd>
                </div>
              )
            })}
          </dl>
          <ul aria-label="Open findings" className="divide-y divide-line border-t border-line">
            {findings.map((finding) => (
              <FindingLine key={finding.id} finding={finding} />
            ))}
          </ul>
          {total > findings.length && (
            <p className="mt-2 text-sm text-soft">
              The {findings.length}
              {texts.mostSevere}
              {total}.{' '}
              <Link to="/findings" search={{ project: project.name }} className="text-accent underline">
                {texts.allFindings}
              </Link>
            </p>
          )}
        </>
      )}
      {inReview > 0 && (
        <p className="mt-2 text-sm">
          <Link
            to="/findings"
            search={{ project: project.name, review: true }}
            className="text-soft underline hover:text-ink"
          >
            {texts.needReview(inReview)}
          </Link>
        </p>
      )}
    </Card>
  )
}

function FindingLine({ finding }: { finding: Finding }) {
  const { severity, title, file, line, lastScanId, firstSeenAt, fingerprint } = finding
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <SeverityBadge severity={severity} />
      <Link
        to="/scans/$scanId"
        params={{ scanId: lastScanId }}
        search={{ f: fingerprint }}
        className="min-w-48 flex-1 font-medium text-accent underline sm:min-w-0 sm:truncate"
      >
        {title}
      </Link>
      <span className="text-xs text-soft tabular-nums">
        {codePlace(finding) && `${codePlace(finding)} · `}
        {linePlace({ file, line })} ·{' '}
        <time dateTime={firstSeenAt} title={formatTime(firstSeenAt)}>
          {formatAgo(firstSeenAt)}
        </time>
      </span>
    </li>
  )
}

/** Each branch with its newest scan; the default one decides the states of findings, and another can be chosen. */
function Branches({ project }: { project: Project }) {
  const queries = useQueryClient()
  const choose = useMutation({
    mutationFn: (defaultRef: string | null) =>
      call('PATCH /api/v1/projects/{id}', { params: { id: project.id }, body: { defaultRef } }),
    onSuccess: () => queries.invalidateQueries(),
  })
  const branches = branchesOf(project.trend)
  if (branches.length < 2 && branches[0]?.ref === null) return null
  return (
    <Card title="Branches">
      {choose.isError && <Failure error={choose.error} />}
      <ul aria-label="Branches" className="divide-y divide-line">
        {branches.map(({ ref, scanId, at, score, commit, ...scan }) => (
          <li key={ref ?? ''} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
            <span className="w-10 text-right font-semibold tabular-nums" style={{ color: ratingColor(ratingOf(scan)) }}>
              {score}
            </span>
            <span className="min-w-0 flex-1 break-words">
              <Link to="/scans/$scanId" params={{ scanId }} className="font-medium text-accent underline">
                {ref ?? texts.withoutBranch}
              </Link>
              <span className="block text-xs text-soft" title={formatTime(at)}>
                {formatAgo(at)}
                {commit !== null && ` · ${commit.slice(0, 7)}`}
              </span>
            </span>
            {ref === project.defaultRef ? (
              <span className="text-xs text-soft">default branch</span>
            ) : (
              <WhoMay least="member">
                <Button busy={choose.isPending} onClick={() => choose.mutate(ref)}>
                  Make default
                </Button>
              </WhoMay>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** A scan as a run of its project: which state of the code, what was read of it, by which engine. */
function Runs({ project }: { project: Project }) {
  const scans = useScans(project.name)
  return (
    <Card title={texts.runs}>
      {scans.isError && <Failure error={scans.error} retry={() => scans.refetch()} />}
      <ul aria-label={texts.scansProject} className="divide-y divide-line">
        {scans.data?.data.scans.slice(0, mostScans).map((scan) => (
          <ScanLine key={scan.scanId} scan={scan} facts={runFacts(scan)} />
        ))}
      </ul>
    </Card>
  )
}

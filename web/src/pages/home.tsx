import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { mayAct, usePlan } from '../api/session.ts'
import { buttonClass } from '../components/controls.tsx'
import { formatTime } from '../components/format.ts'
import { Guarded, type Me } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Card, Failure, Page } from '../components/surfaces.tsx'
import { ScanLine } from '../history/scan-row.tsx'
import { FirstSteps } from '../home/first-steps.tsx'
import { KeptResult } from '../home/kept-result.tsx'
import { ProjectCard } from '../home/project-card.tsx'
import { firstSteps } from '../home/project-change.ts'
import { home as texts } from '../messages/pages/home.ts'

const mostProjects = 9
const mostScans = 5

export function HomePage() {
  return (
    <Guarded title="Home" shape="home">
      {(me) => <Home me={me} />}
    </Guarded>
  )
}

function Home({ me }: { me: Me }) {
  const scans = useQuery({
    queryKey: ['scans', 'latest'],
    queryFn: () => call('GET /api/v1/scans', { query: { limit: mostScans } }),
  })
  const projects = useQuery({ queryKey: ['projects'], queryFn: () => call('GET /api/v1/projects', {}) })
  const keys = useQuery({
    queryKey: ['keys', me.userId],
    queryFn: () => call('GET /api/v1/user-api-keys', { query: { userId: me.userId } }),
    enabled: mayAct(me, 'owner'),
  })
  const failed = scans.error ?? projects.error ?? keys.error
  const latest = scans.data?.data.scans
  const owned = keys.data?.data.apiKeys
  return (
    <Page
      title={`Welcome, ${me.name}`}
      lead={<QuotaWords userId={me.userId} />}
      actions={
        mayAct(me, 'member') && (
          <Link to="/scan" className={buttonClass('primary')}>
            {texts.scanContract}
          </Link>
        )
      }
    >
      <KeptResult />
      {failed && (
        <Failure
          error={failed}
          retry={() => {
            scans.refetch()
            projects.refetch()
            keys.refetch()
          }}
        />
      )}
      {!failed && !(latest && !keys.isLoading && projects.data) && <Loading what="Loading…" shape="home" />}
      {latest && !keys.isLoading && projects.data && (
        <div className="space-y-6">
          {owned && (
            <FirstSteps
              steps={firstSteps({
                scans: latest.length,
                keys: owned.length,
                usedKeys: owned.filter(({ lastUsedAt }) => lastUsedAt !== null).length,
              })}
            />
          )}
          {projects.data.data.projects.length > 0 && (
            <section aria-labelledby="projects">
              <div className="mb-3 flex items-baseline justify-between">
                <h2 id="projects" className="font-semibold">
                  Projects
                </h2>
                <Link to="/projects" className="text-sm text-accent underline">
                  All projects
                </Link>
              </div>
              <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
                {projects.data.data.projects.slice(0, mostProjects).map((project) => (
                  <ProjectCard key={project.name} project={project} />
                ))}
              </ul>
            </section>
          )}
          {latest.length > 0 && (
            <Card
              title="Latest scans"
              actions={
                <Link to="/scans" className="text-sm text-accent underline">
                  All scans
                </Link>
              }
            >
              <ul className="divide-y divide-line">
                {latest.map((scan) => (
                  <ScanLine key={scan.scanId} scan={scan} />
                ))}
              </ul>
            </Card>
          )}
        </div>
      )}
    </Page>
  )
}

function QuotaWords({ userId }: { userId: string }) {
  const plan = usePlan(userId)
  // A line of the same height until it is known.
  if (!plan.data) return '\u00a0'
  const { plan: name, usage } = plan.data.data
  return texts.planResets(name, formatTime(usage.resetsAt))
}

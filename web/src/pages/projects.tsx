import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import { Button, buttonClass } from '../components/controls.tsx'
import { formatAgo, formatTime } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { ratingColor } from '../components/rating-color.ts'
import { Empty, Failure, Page } from '../components/surfaces.tsx'
import { projects as texts } from '../messages/pages.ts'
import { orderProjects, type ProjectOrder, projectOrders } from '../projects/order-projects.ts'

type Project = ResponseOf<'GET /api/v1/projects'>['data']['projects'][number]

const pageSize = 100
const look = 'rounded-md border border-field bg-panel px-3 py-1.5 text-sm min-h-9'
const orderWords: Record<ProjectOrder, string> = {
  latest: texts.lastScannedFirst,
  name: 'By name',
  score: texts.lowestScoreFirst,
}

export function ProjectsPage() {
  return (
    <Guarded title="Projects" shape="history">
      {() => <Projects />}
    </Guarded>
  )
}

function Projects() {
  const [words, setWords] = useState('')
  const [order, setOrder] = useState<ProjectOrder>('latest')
  const list = useInfiniteQuery({
    queryKey: ['projects', 'all'],
    queryFn: ({ pageParam }) =>
      call('GET /api/v1/projects', { query: { limit: pageSize, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.data.nextCursor ?? undefined,
  })
  const all = list.data?.pages.flatMap(({ data }) => data.projects) ?? []
  const shown = orderProjects(all, words, order)
  return (
    <Page
      title="Projects"
      actions={
        <Link to="/scan" className={buttonClass('primary')}>
          {texts.scanProject}
        </Link>
      }
    >
      {list.isPending && <Loading what={texts.loadingYourProjects} shape="history" />}
      {list.isError && <Failure error={list.error} retry={() => list.refetch()} />}
      {list.isSuccess && all.length === 0 && <Empty title="No projects">{texts.nameProjectWhenYou}</Empty>}
      {all.length > 0 && (
        <div className="space-y-4">
          <div className="flex flex-wrap gap-2">
            <input
              type="search"
              aria-label={texts.searchProjectName}
              placeholder={texts.searchProjectName}
              className={`${look} min-w-48 flex-1`}
              value={words}
              onChange={(event) => setWords(event.target.value)}
            />
            <select
              aria-label="Order"
              className={look}
              value={order}
              onChange={(event) => setOrder(event.target.value as ProjectOrder)}
            >
              {projectOrders.map((value) => (
                <option key={value} value={value}>
                  {orderWords[value]}
                </option>
              ))}
            </select>
          </div>
          {shown.length === 0 && <p className="text-sm text-soft">{texts.noProjectHasName}</p>}
          {shown.length > 0 && (
            <ul aria-label="Your projects" className="divide-y divide-line rounded-lg border border-line bg-panel">
              {shown.map((project) => (
                <ProjectRow key={project.id} project={project} />
              ))}
            </ul>
          )}
          {list.hasNextPage && (
            <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              {texts.showMoreProjects}
            </Button>
          )}
        </div>
      )}
    </Page>
  )
}

function ProjectRow({ project }: { project: Project }) {
  const newest = project.trend[0]
  // The one that decides the score.
  const deciding = project.trend.find(({ ref }) => ref === project.defaultRef) ?? newest
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <span
        className="w-10 text-right text-lg font-semibold tabular-nums"
        style={{ color: ratingColor(project.rating) }}
      >
        {project.score}
      </span>
      <span className="min-w-0 flex-1 break-words">
        <Link
          to="/projects/$projectId"
          params={{ projectId: project.id }}
          className="font-medium text-accent underline"
        >
          {project.name}
        </Link>
        <span className="block text-xs text-soft">
          {project.rating} score
          {deciding && ` · ${texts.found(deciding.vulnerabilitiesCount)}`}
          {project.defaultRef !== null && ` · ${project.defaultRef}`}
          {newest && (
            <>
              {' · scanned '}
              <time dateTime={newest.at} title={formatTime(newest.at)}>
                {formatAgo(newest.at)}
              </time>
            </>
          )}
        </span>
      </span>
      <span className="text-xs text-soft tabular-nums">
        {project.scans} {project.scans === 1 ? 'scan' : 'scans'}
      </span>
    </li>
  )
}

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import { Button, buttonClass } from '../components/controls.tsx'
import { formatAgo, formatTime } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { ratingColor, ratingOf } from '../components/rating-color.ts'
import { Empty, Failure, Page } from '../components/surfaces.tsx'
import { useTyped } from '../components/use-typed.ts'
import { WhoMay } from '../components/who-may.tsx'
import { projects as texts } from '../messages/pages/projects.ts'
import { GateMark } from '../projects/gate-mark.tsx'
import { projectOrders, readProjectsSearch } from '../projects/projects-search.ts'

type Project = ResponseOf<'GET /api/v1/projects'>['data']['projects'][number]

const pageSize = 50
const look = 'rounded-md border border-field bg-panel px-3 py-1.5 text-sm min-h-9'
export function ProjectsPage() {
  return (
    <Guarded title="Projects" shape="history">
      {() => <Projects />}
    </Guarded>
  )
}

function Projects() {
  const { q = '', sort = 'latest', tag } = useSearch({ from: '/projects' })
  const navigate = useNavigate({ from: '/projects' })
  const change = (next: Record<string, unknown>) =>
    navigate({ search: readProjectsSearch({ q: words, sort, tag, ...next }), replace: true, resetScroll: false })
  const [words, setWords] = useTyped(q, (text) => change({ q: text }))
  const search = useDeferredValue(words.trim())
  const query = { sort, limit: pageSize, ...(search && { search }), ...(tag && { tag }) }
  const list = useInfiniteQuery({
    queryKey: ['projects', 'all', query],
    queryFn: ({ pageParam }) =>
      call('GET /api/v1/projects', { query: { ...query, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.data.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
  const shown = list.data?.pages.flatMap(({ data }) => data.projects) ?? []
  const total = list.data?.pages[0]?.data.total ?? 0
  const isFiltered = search !== '' || tag !== undefined
  return (
    <Page
      title="Projects"
      actions={
        <WhoMay least="member">
          <Link to="/scan" className={buttonClass('primary')}>
            {texts.scanProject}
          </Link>
        </WhoMay>
      }
    >
      {list.isPending && <Loading what={texts.loadingYourProjects} shape="history" />}
      {list.isError && <Failure error={list.error} retry={() => list.refetch()} />}
      {list.isSuccess && shown.length === 0 && !isFiltered && (
        <Empty title="No projects">{texts.nameProjectWhenYou}</Empty>
      )}
      {list.isSuccess && (shown.length > 0 || isFiltered) && (
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
              value={sort}
              onChange={(event) => change({ sort: event.target.value })}
            >
              {projectOrders.map((value) => (
                <option key={value} value={value}>
                  {texts.orders[value]}
                </option>
              ))}
            </select>
          </div>
          <p role="status" className="flex flex-wrap items-center gap-2 text-sm text-soft tabular-nums">
            {shown.length === 0 ? texts.noProjectMatches : texts.count(shown.length, total)}
            {tag !== undefined && (
              <Button look="quiet" aria-label={texts.allTags(tag)} onClick={() => change({ tag: undefined })}>
                {tag} <span aria-hidden="true">✕</span>
              </Button>
            )}
          </p>
          {shown.length > 0 && (
            <ul aria-label="Your projects" className="divide-y divide-line rounded-lg border border-line bg-panel">
              {shown.map((project) => (
                <ProjectRow key={project.id} project={project} onTag={(next) => change({ tag: next })} />
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

function ProjectRow({ project, onTag }: { project: Project; onTag: (tag: string) => void }) {
  const newest = project.trend[0]
  // The one that decides the score.
  const deciding = project.trend.find(({ ref }) => ref === project.defaultRef) ?? newest
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <span
        className="w-10 text-right text-lg font-semibold tabular-nums"
        style={deciding ? { color: ratingColor(ratingOf(deciding)) } : {}}
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
          {deciding &&
            texts.found(
              deciding.tally?.findings ?? deciding.vulnerabilitiesCount,
              deciding.tally?.bySeverity ?? deciding,
            )}
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
      {project.gate && (
        <span className="max-sm:order-last max-sm:w-full max-sm:pl-14">
          <GateMark gate={deciding?.gate} />
        </span>
      )}
      {project.tags.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-label={texts.onlyTag(tag)}
          className="min-h-6 cursor-pointer rounded-full border border-line px-2 text-xs text-soft hover:text-ink"
          onClick={() => onTag(tag)}
        >
          {tag}
        </button>
      ))}
      <span className="text-xs text-soft tabular-nums">
        {project.scans} {project.scans === 1 ? 'scan' : 'scans'}
      </span>
    </li>
  )
}

import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../api/client.ts'
import { Button, Select } from '../components/controls.tsx'
import { formatAgo, formatTime } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { saveText } from '../components/save-text.ts'
import { severities } from '../components/severities.ts'
import { SeverityBadge } from '../components/severity.tsx'
import { Cell, Empty, Failure, Page, Row, Table } from '../components/surfaces.tsx'
import { type FindingsSearch, findingSorts, readFindingsSearch, toQuery } from '../findings/findings-search.ts'
import { type FindingRecord, recordsToCsv } from '../findings/records-csv.ts'
import { findings as texts } from '../messages/findings.ts'
import { stateWords } from '../result/decisions.ts'
import { findingStates, linePlace } from '../result/scan-view.ts'

const pageSize = 50

export function FindingsPage() {
  return (
    <Guarded title={texts.title} shape="history">
      {({ email }) => <AllFindings email={email} />}
    </Guarded>
  )
}

/** One list over all projects, for someone who is responsible for many of them. */
function AllFindings({ email }: { email: string }) {
  const search = useSearch({ from: '/findings' })
  const navigate = useNavigate({ from: '/findings' })
  const change = (next: Record<string, unknown>) =>
    navigate({ search: readFindingsSearch({ ...search, ...next }), replace: true, resetScroll: false })
  const list = useInfiniteQuery({
    queryKey: ['findings', 'all', search],
    queryFn: ({ pageParam }) => readPage(search, email, pageSize, pageParam),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const rows = list.data?.pages.flatMap(({ findings }) => findings) ?? []
  const total = list.data?.pages[0]?.total ?? 0
  return (
    <Page title={texts.title} lead={texts.lead} actions={<ExportCsv search={search} email={email} />}>
      <div className="space-y-4">
        <Overview email={email} />
        <Filters search={search} onChange={change} />
        {list.isPending && <Loading what={texts.loading} shape="rows" />}
        {list.isError && <Failure error={list.error} retry={() => list.refetch()} />}
        {list.isSuccess && rows.length === 0 && <Empty title={texts.none}>{texts.noneYet}</Empty>}
        {rows.length > 0 && (
          <>
            <p role="status" className="text-sm text-soft tabular-nums">
              {texts.count(rows.length, total)}
            </p>
            <Table caption={texts.title} head={['Severity', 'Finding', 'Project', 'Place', 'First seen', 'Status']}>
              {rows.map((finding) => (
                <FindingRow key={finding.id} finding={finding} />
              ))}
            </Table>
          </>
        )}
        {list.hasNextPage && (
          <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {texts.more}
          </Button>
        )}
      </div>
    </Page>
  )
}

async function readPage(search: FindingsSearch, email: string, limit: number, cursor: string) {
  const query = { ...toQuery(search, Date.now(), email), limit, ...(cursor && { cursor }) }
  return (await call('GET /api/v1/findings', { query })).data
}

function FindingRow({ finding }: { finding: FindingRecord }) {
  const {
    severity,
    title,
    project,
    file,
    line,
    firstSeenAt,
    state,
    reason,
    assignee,
    comment,
    lastScanId,
    fingerprint,
  } = finding
  return (
    <Row>
      <Cell>
        <SeverityBadge severity={severity} />
      </Cell>
      <Cell>
        <Link
          to="/scans/$scanId"
          params={{ scanId: lastScanId }}
          search={{ f: fingerprint }}
          className="font-medium text-accent underline"
        >
          {title}
        </Link>
      </Cell>
      <Cell className="min-w-32 break-words text-soft">{project ?? texts.noProject}</Cell>
      <Cell className="font-mono text-xs break-all text-soft">{linePlace({ file, line })}</Cell>
      <Cell className="whitespace-nowrap text-soft">
        <time dateTime={firstSeenAt} title={formatTime(firstSeenAt)}>
          {formatAgo(firstSeenAt)}
        </time>
      </Cell>
      <Cell>
        {stateWords[state]}
        {reason && <span className="block text-xs text-soft">{reason}</span>}
        {assignee && <span className="block text-xs break-all text-soft">{texts.assignedTo(assignee)}</span>}
        {comment && <span className="block text-xs break-words text-soft">{comment}</span>}
      </Cell>
    </Row>
  )
}

function Filters({
  search: { severity, state = 'open', project, sort = 'severity', mine = false, review = false },
  onChange,
}: {
  search: FindingsSearch
  onChange: (next: Record<string, unknown>) => void
}) {
  const projects = useProjects()
  return (
    <div className="flex flex-wrap gap-3">
      <Select label="Severity" value={severity ?? ''} onChange={(event) => onChange({ severity: event.target.value })}>
        <option value="">{texts.all}</option>
        {severities.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </Select>
      <Select label="Status" value={state} onChange={(event) => onChange({ state: event.target.value })}>
        {findingStates.map((one) => (
          <option key={one} value={one}>
            {stateWords[one]}
          </option>
        ))}
      </Select>
      <Select
        label={texts.certainty}
        value={review ? 'review' : ''}
        onChange={(event) => onChange({ review: event.target.value === 'review' })}
      >
        <option value="">{texts.title}</option>
        <option value="review">{texts.needsReview}</option>
      </Select>
      <Select label="Project" value={project ?? ''} onChange={(event) => onChange({ project: event.target.value })}>
        <option value="">{texts.all}</option>
        {projects.data?.data.projects.map(({ id, name }) => (
          <option key={id}>{name}</option>
        ))}
      </Select>
      <Select
        label={texts.assignee}
        value={mine ? 'me' : ''}
        onChange={(event) => onChange({ mine: event.target.value === 'me' })}
      >
        <option value="">{texts.all}</option>
        <option value="me">{texts.assignedToMe}</option>
      </Select>
      <Select label="Order" value={sort} onChange={(event) => onChange({ sort: event.target.value })}>
        {findingSorts.map((one) => (
          <option key={one} value={one}>
            {texts.sorts[one]}
          </option>
        ))}
      </Select>
    </div>
  )
}

/** All of them, as on home. */
const useProjects = () => useQuery({ queryKey: ['projects'], queryFn: () => call('GET /api/v1/projects', {}) })

const WEEK_MS = 7 * 86_400_000

/** What a lead looks at first: each figure opens its list. */
function Overview({ email }: { email: string }) {
  const projects = useProjects()
  const now = Date.now()
  const listed = projects.data?.data.projects
  const scanned = listed?.filter(({ trend }) => Date.parse(trend[0]?.at ?? '') >= now - WEEK_MS)
  return (
    <section aria-label={texts.overview} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure email={email} words={texts.openCritical} search={{ severity: 'critical' }} />
      <Figure email={email} words={texts.openHigh} search={{ severity: 'high' }} />
      <Figure email={email} words={texts.newThisWeek} search={{ fresh: true }} />
      <Tile words={texts.scannedThisWeek}>
        <Link to="/projects" search={{ sort: 'oldest' }} className="text-2xl font-semibold tabular-nums">
          {listed && scanned ? texts.some(scanned.length, listed.length) : '–'}
        </Link>
      </Tile>
    </section>
  )
}

function Figure({ words, search, email }: { words: string; search: FindingsSearch; email: string }) {
  const oldestFirst = { ...search, sort: 'firstSeenAt' } as const
  const found = useQuery({
    queryKey: ['findings', 'figure', search],
    queryFn: () => readPage(oldestFirst, email, 1, ''),
  })
  const oldest = found.data?.findings[0]
  return (
    <Tile words={words}>
      <Link to="/findings" search={oldestFirst} className="text-2xl font-semibold tabular-nums">
        {found.data?.total ?? '–'}
      </Link>
      {oldest && search.severity && (
        <span className="block text-xs text-soft">
          {texts.oldest} {formatAgo(oldest.firstSeenAt)}
        </span>
      )}
    </Tile>
  )
}

const Tile = ({ words, children }: { words: string; children: ReactNode }) => (
  // As high with the line about the oldest as without it.
  <div className="min-h-23 rounded-lg border border-line bg-panel px-4 py-3">
    <p className="text-sm text-soft">{words}</p>
    {children}
  </div>
)

const mostExported = 10_000

/** Everything that the filters let through, with decisions. */
function ExportCsv({ search, email }: { search: FindingsSearch; email: string }) {
  const save = useMutation({
    mutationFn: async () => {
      const findings: FindingRecord[] = []
      let cursor: string | null = ''
      while (cursor !== null && findings.length < mostExported) {
        const page: Awaited<ReturnType<typeof readPage>> = await readPage(search, email, 100, cursor)
        findings.push(...page.findings)
        cursor = page.nextCursor
      }
      saveText(recordsToCsv(findings), 'findings.csv', 'text/csv')
    },
  })
  return (
    <>
      <Button busy={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? texts.exporting : texts.exportCsv}
      </Button>
      {save.isError && <Failure error={save.error} />}
    </>
  )
}

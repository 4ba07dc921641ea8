import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { call } from '../api/client.ts'
import { openIn } from '../components/all-counts.ts'
import { Button, buttonClass } from '../components/controls.tsx'
import { Confirm } from '../components/dialog.tsx'
import { Guarded } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { shownRating } from '../components/rating-color.ts'
import { Card, Empty, Failure, Page } from '../components/surfaces.tsx'
import { TrendChart } from '../components/trend-chart.tsx'
import { useTyped } from '../components/use-typed.ts'
import { daysToQuery, filteredSeverities, type HistorySearch, isSearching, ratings } from '../history/history-search.ts'
import { type ListedScan, ScanRow } from '../history/scan-row.tsx'
import { history as texts } from '../messages/pages/history.ts'

export function HistoryPage() {
  return (
    <Guarded title="History" shape="history">
      {() => <History />}
    </Guarded>
  )
}

function History() {
  const search = useSearch({ from: '/scans' })
  const navigate = useNavigate({ from: '/scans' })
  const [chosen, setChosen] = useState<string[]>([])
  const [leaving, setLeaving] = useState<ListedScan | null>(null)
  const queries = useQueryClient()
  const list = useInfiniteQuery({
    queryKey: ['scans', search],
    queryFn: ({ pageParam }) =>
      call('GET /api/v1/scans', {
        query: {
          limit: 50,
          ...(search.name && { nameContains: search.name }),
          ...(search.kind && { kind: search.kind }),
          ...(search.rating && { rating: search.rating }),
          ...(search.severity && { severity: search.severity }),
          ...(search.via && { via: search.via }),
          ...daysToQuery(search),
          ...(pageParam && { cursor: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.data.nextCursor ?? undefined,
    placeholderData: (previous) => previous,
  })
  const remove = useMutation({
    mutationFn: (scanId: string) => call('DELETE /api/v1/scans/{scanId}', { params: { scanId } }),
    onSuccess: (_, scanId) => {
      setLeaving(null)
      setChosen((ids) => ids.filter((id) => id !== scanId))
      return queries.invalidateQueries({ queryKey: ['scans'] })
    },
  })
  const scans = useMemo(() => list.data?.pages.flatMap((page) => page.data.scans) ?? [], [list.data])
  const choose = (id: string) =>
    setChosen((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids.slice(-1), id]))
  const pair = scans.filter((scan) => chosen.includes(scan.scanId))

  return (
    <Page
      title="History"
      lead={texts.selectTwoScansCompare}
      actions={
        pair.length === 2 && (
          <Link
            to="/compare"
            search={{ before: pair[1]?.scanId ?? '', after: pair[0]?.scanId ?? '' }}
            className={buttonClass('primary')}
          >
            Compare
          </Link>
        )
      }
    >
      <Filters search={search} onSearch={(next) => navigate({ search: next, replace: true })} />
      {list.isPending && <Loading what={texts.loadingYourScans} shape="history" />}
      {list.isError && <Failure error={list.error} retry={() => list.refetch()} />}
      {list.isSuccess && scans.length === 0 && <NoScans isSearching={isSearching(search)} />}
      {scans.length > 0 && (
        <div className="space-y-4">
          <Trends scans={scans} />
          <ul aria-label="Your scans" className="divide-y divide-line rounded-lg border border-line bg-panel">
            {scans.map((scan) => (
              <ScanRow
                key={scan.scanId}
                scan={scan}
                isChosen={chosen.includes(scan.scanId)}
                onChoose={() => choose(scan.scanId)}
                onDelete={() => setLeaving(scan)}
              />
            ))}
          </ul>
          {list.hasNextPage && (
            <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              {texts.showOlderScans}
            </Button>
          )}
        </div>
      )}
      <Confirm
        title={texts.deleteScan}
        open={leaving !== null}
        action="Delete"
        busy={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving.scanId)}
        onClose={() => setLeaving(null)}
      >
        {texts.permanentlyDeletesResultSource}
        {remove.isError && <Failure error={remove.error} />}
      </Confirm>
    </Page>
  )
}

const look = 'rounded-md border border-field bg-panel px-3 py-1.5 text-sm min-h-9'

function Filters({ search, onSearch }: { search: HistorySearch; onSearch: (search: HistorySearch) => void }) {
  const set = (name: keyof HistorySearch) => (event: { target: { value: string } }) => {
    const { [name]: _, ...rest } = search
    onSearch({ ...rest, ...(event.target.value && { [name]: event.target.value }) } as HistorySearch)
  }
  const [name, setName] = useTyped(search.name ?? '', (value) => set('name')({ target: { value } }))
  return (
    <div className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <input
        type="search"
        aria-label={texts.searchFileName}
        placeholder={texts.searchFileName}
        className={`${look} min-w-48 flex-1 max-sm:col-span-2`}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <select aria-label="Rating" className={look} value={search.rating ?? ''} onChange={set('rating')}>
        <option value="">All ratings</option>
        {ratings.map((rating) => (
          <option key={rating}>{rating}</option>
        ))}
      </select>
      <select aria-label="Severity" className={look} value={search.severity ?? ''} onChange={set('severity')}>
        <option value="">All severities</option>
        {filteredSeverities.map((severity) => (
          <option key={severity} value={severity}>
            with {severity} findings
          </option>
        ))}
      </select>
      <select aria-label="Scan type" className={look} value={search.kind ?? ''} onChange={set('kind')}>
        <option value="">All types</option>
        <option value="standard">Standard</option>
        <option value="ai">AI-assisted</option>
      </select>
      <select aria-label="Source" className={look} value={search.via ?? ''} onChange={set('via')}>
        <option value="">All sources</option>
        <option value="session">{texts.fromBrowser}</option>
        <option value="key">{texts.apiKey}</option>
      </select>
      {/* The next row takes both. */}
      <span className="contents sm:flex sm:gap-2">
        <DayField label="From" value={search.from} onChange={set('from')} />
        <DayField label="To" value={search.to} onChange={set('to')} />
      </span>
    </div>
  )
}

function DayField({
  label,
  ...rest
}: {
  label: string
  value: string | undefined
  onChange: (event: { target: { value: string } }) => void
}) {
  return (
    <label className="flex items-center gap-2 text-sm text-soft">
      {label}
      <input type="date" className={`${look} min-w-0 flex-1 text-ink`} {...rest} value={rest.value ?? ''} />
    </label>
  )
}

function NoScans({ isSearching: searching }: { isSearching: boolean }) {
  if (searching) return <Empty title={texts.noScansMatch}>{texts.removeFiltersSearchTerms}</Empty>
  return (
    <Empty title={texts.noScansYet}>
      <Link to="/scan" className={buttonClass('primary')}>
        {texts.scanContract}
      </Link>
    </Empty>
  )
}

const mostCharted = 30

/** A trend for every file name that was scanned more than once, most recent names first. */
function Trends({ scans }: { scans: readonly ListedScan[] }) {
  const byName = new Map<string, ListedScan[]>()
  for (const scan of scans) {
    if (scan.status === 'completed') byName.set(scan.fileName, [...(byName.get(scan.fileName) ?? []), scan])
  }
  const repeated = [...byName].filter(([, group]) => group.length > 1).slice(0, 4)
  if (repeated.length === 0) return null
  return (
    <section
      aria-label="Score trend"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="flex gap-4 overflow-x-auto max-sm:-mx-4 max-sm:px-4"
    >
      {repeated.map(([name, group]) => (
        <Card key={name} title={texts.scoreOf(name, Math.min(group.length, mostCharted))} className="min-w-72 flex-1">
          <TrendChart
            name={name}
            points={group
              .slice(0, mostCharted)
              .reverse()
              .flatMap((scan) =>
                scan.securityScore
                  ? [
                      {
                        scanId: scan.scanId,
                        at: scan.createdAt,
                        score: scan.securityScore.score,
                        rating: shownRating(
                          { completeness: scan.completeness ?? 'full', securityScore: scan.securityScore },
                          openIn(scan),
                        ),
                      },
                    ]
                  : [],
              )}
          />
        </Card>
      ))}
    </section>
  )
}

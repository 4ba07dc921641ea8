import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import { Button, buttonClass } from '../components/controls.tsx'
import { Confirm } from '../components/dialog.tsx'
import { formatTime } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { ratingColor } from '../components/score-gauge.tsx'
import { Card, Cell, Empty, Failure, Loading, Page, Table } from '../components/surfaces.tsx'
import { TrendChart } from '../components/trend-chart.tsx'

type Scan = ResponseOf<'GET /api/v1/scans'>['data']['scans'][number]

export function HistoryPage() {
  return <Guarded title="History">{() => <History />}</Guarded>
}

function History() {
  const [chosen, setChosen] = useState<string[]>([])
  const [leaving, setLeaving] = useState<Scan | null>(null)
  const queries = useQueryClient()
  const list = useInfiniteQuery({
    queryKey: ['scans'],
    queryFn: ({ pageParam }) =>
      call('GET /api/v1/scans', { query: { limit: 50, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.data.nextCursor ?? undefined,
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
      lead="Newest first. Choose two scans to see what is new, fixed and unchanged."
      actions={
        pair.length === 2 && (
          <Link
            to="/compare"
            search={{ before: pair[1]?.scanId ?? '', after: pair[0]?.scanId ?? '' }}
            className={buttonClass('primary')}
          >
            Compare the two
          </Link>
        )
      }
    >
      {list.isPending && <Loading what="Loading your scans" />}
      {list.isError && <Failure error={list.error} retry={() => list.refetch()} />}
      {list.isSuccess && scans.length === 0 && (
        <Empty title="No scans yet.">
          <Link to="/scan" className={buttonClass('primary')}>
            Scan a contract
          </Link>
        </Empty>
      )}
      {scans.length > 0 && (
        <div className="space-y-4">
          <Trends scans={scans} />
          <Table caption="Your scans" head={['Compare', 'File', 'Scanned', 'Score', 'Findings', '']}>
            {scans.map((scan) => (
              <tr key={scan.scanId}>
                <Cell>
                  <input
                    type="checkbox"
                    className="size-4 accent-(--accent)"
                    aria-label={`Choose the scan of ${scan.fileName} at ${scan.createdAt} for comparison`}
                    checked={chosen.includes(scan.scanId)}
                    onChange={() => choose(scan.scanId)}
                  />
                </Cell>
                <Cell>
                  <Link
                    to="/scans/$scanId"
                    params={{ scanId: scan.scanId }}
                    className="font-medium text-accent underline"
                  >
                    {scan.fileName}
                  </Link>
                  {scan.kind === 'ai' && (
                    <span className="ml-2 rounded border border-line px-1 text-xs text-soft">AI</span>
                  )}
                </Cell>
                <Cell className="whitespace-nowrap text-soft">{formatTime(scan.createdAt)}</Cell>
                <Cell>
                  <span
                    className="font-semibold tabular-nums"
                    style={{ color: ratingColor(scan.securityScore.rating) }}
                  >
                    {scan.securityScore.score}
                  </span>{' '}
                  <span className="text-soft">{scan.securityScore.rating}</span>
                </Cell>
                <Cell className="tabular-nums">{scan.vulnerabilitiesCount}</Cell>
                <Cell className="text-right">
                  <Button
                    look="danger"
                    aria-label={`Delete the scan of ${scan.fileName}`}
                    onClick={() => setLeaving(scan)}
                  >
                    Delete
                  </Button>
                </Cell>
              </tr>
            ))}
          </Table>
          {list.hasNextPage && (
            <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              Show older scans
            </Button>
          )}
        </div>
      )}
      <Confirm
        title="Delete this scan?"
        open={leaving !== null}
        action="Delete it"
        busy={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving.scanId)}
        onClose={() => setLeaving(null)}
      >
        The result, the source and its reports are removed for good.
        {remove.isError && <Failure error={remove.error} />}
      </Confirm>
    </Page>
  )
}

/** A trend for every file name that was scanned more than once, most recent names first. */
function Trends({ scans }: { scans: readonly Scan[] }) {
  const byName = new Map<string, Scan[]>()
  for (const scan of scans) byName.set(scan.fileName, [...(byName.get(scan.fileName) ?? []), scan])
  const repeated = [...byName].filter(([, group]) => group.length > 1).slice(0, 4)
  if (repeated.length === 0) return null
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {repeated.map(([name, group]) => (
        <Card key={name} title={name}>
          <TrendChart
            name={name}
            points={group
              .slice(0, 30)
              .reverse()
              .map((scan) => ({
                at: scan.createdAt,
                score: scan.securityScore.score,
                rating: scan.securityScore.rating,
              }))}
          />
        </Card>
      ))}
    </div>
  )
}

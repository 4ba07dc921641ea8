import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { Button } from '../components/controls.tsx'
import { formatAgo } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Cell, Failure, Page, Row, Table } from '../components/surfaces.tsx'
import { batch as texts } from '../messages/pages/batch.ts'

export function BatchPage() {
  return (
    <Guarded title={texts.title} shape="rows">
      {() => <OneBatch />}
    </Guarded>
  )
}

const LOOK_MS = 2000

/** Many scans that were queued in one go, and how far each of them got. */
function OneBatch() {
  const { batchId } = useParams({ from: '/batches/$batchId' })
  const queries = useQueryClient()
  const queryKey = ['batch', batchId]
  const batch = useQuery({
    queryKey,
    queryFn: () => call('GET /api/v1/scans/batch/{batchId}', { params: { batchId }, query: { limit: 100 } }),
    refetchInterval: ({ state }) => (state.data?.data.status === 'running' ? LOOK_MS : false),
  })
  const cancel = useMutation({
    mutationFn: () => call('DELETE /api/v1/scans/batch/{batchId}', { params: { batchId } }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  const data = batch.data?.data
  if (!data)
    return (
      <Page title={texts.title}>
        {batch.isError ? (
          <Failure error={batch.error} retry={() => batch.refetch()} />
        ) : (
          <Loading what={texts.loading} shape="rows" />
        )}
      </Page>
    )
  const { completed, failed, cancelled } = data.counts
  const done = completed + failed + cancelled
  return (
    <Page
      title={texts.title}
      lead={texts.counts(done, data.total)}
      actions={
        data.status === 'running' && (
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.cancel}
          </Button>
        )
      }
    >
      <progress
        className="mb-4 block h-2 w-full accent-(--accent)"
        aria-label={texts.title}
        value={done}
        max={data.total}
      />
      {cancel.isError && <Failure error={cancel.error} />}
      <Table caption={texts.title} head={['File', 'Status', 'Queued']}>
        {data.scans.map((scan) => (
          <Row key={scan.scanId}>
            <Cell>
              <Link to="/scans/$scanId" params={{ scanId: scan.scanId }} className="text-accent underline">
                {scan.fileName}
              </Link>
            </Cell>
            <Cell>
              {scan.status}
              {scan.reason && <span className="block text-xs text-soft">{scan.reason}</span>}
            </Cell>
            <Cell className="text-soft">{formatAgo(scan.createdAt)}</Cell>
          </Row>
        ))}
      </Table>
      {data.nextCursor && <p className="mt-3 text-sm text-soft">{texts.more}</p>}
    </Page>
  )
}

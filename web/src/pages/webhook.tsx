import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { mayAct } from '../api/session.ts'
import { Button } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { Confirm } from '../components/dialog.tsx'
import { formatTime } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Cell, Empty, Failure, Note, Page, Row, Table } from '../components/surfaces.tsx'
import { WhoMay } from '../components/who-may.tsx'
import { webhook as texts } from '../messages/pages/webhook.ts'

export function WebhookPage() {
  return (
    <Guarded title="Webhook endpoint" shape="rows">
      {(me) => <Webhook canSend={me.plan === 'pro' && mayAct(me, 'owner')} />}
    </Guarded>
  )
}

function Webhook({ canSend }: { canSend: boolean }) {
  const { webhookId: id } = useParams({ from: '/webhooks/$webhookId' })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState(false)
  const list = useQuery({ queryKey: ['webhooks'], queryFn: () => call('GET /api/v1/webhooks', {}) })
  const deliveries = useQuery({
    queryKey: ['deliveries', id],
    queryFn: () => call('GET /api/v1/webhooks/{id}/deliveries', { params: { id }, query: {} }),
    refetchInterval: 3_000,
  })
  const refresh = () => queries.invalidateQueries()
  const test = useMutation({
    mutationFn: () => call('POST /api/v1/webhooks/{id}/test', { params: { id } }),
    onSuccess: refresh,
  })
  const rotate = useMutation({
    mutationFn: () => call('POST /api/v1/webhooks/{id}/rotate-secret', { params: { id }, body: {} }),
  })
  const redeliver = useMutation({
    mutationFn: (deliveryId: string) =>
      call('POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params: { id, deliveryId } }),
    onSuccess: refresh,
  })
  const setStatus = useMutation({
    mutationFn: (status: 'active' | 'disabled') =>
      call('PATCH /api/v1/webhooks/{id}', { params: { id }, body: { status } }),
    onSuccess: refresh,
  })
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/v1/webhooks/{id}', { params: { id } }),
    onSuccess: () => navigate({ to: '/webhooks' }),
  })
  const hook = list.data?.data.webhooks.find((item) => item.id === id)
  const failed = test.error ?? rotate.error ?? redeliver.error ?? setStatus.error ?? remove.error
  return (
    <Page
      title="Webhook endpoint"
      lead={hook && <span className="break-all">{hook.url}</span>}
      actions={
        hook && (
          <>
            {canSend && (
              <>
                <Button busy={test.isPending} onClick={() => test.mutate()}>
                  {texts.sendTest}
                </Button>
                <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
                  Rotate secret
                </Button>
                <Button
                  busy={setStatus.isPending}
                  onClick={() => setStatus.mutate(hook.status === 'active' ? 'disabled' : 'active')}
                >
                  {hook.status === 'active' ? 'Disable' : 'Enable'}
                </Button>
              </>
            )}
            <WhoMay least="owner">
              <Button look="danger" onClick={() => setLeaving(true)}>
                Delete
              </Button>
            </WhoMay>
          </>
        )
      }
    >
      <div className="space-y-4">
        {list.isError && <Failure error={list.error} retry={() => list.refetch()} />}
        {list.data && !hook && <Empty title={texts.endpointNotFound} />}
        {failed && <Failure error={failed} />}
        {rotate.data && (
          <Note tone="good">
            <p className="mb-2 font-medium">{texts.newSigningSecretShown}</p>
            <CopyBox value={rotate.data.data.secret} label="signing secret" />
          </Note>
        )}
        {deliveries.isPending && <Loading what={texts.loadingDeliveries} shape="rows" />}
        {deliveries.isError && <Failure error={deliveries.error} retry={() => deliveries.refetch()} />}
        {deliveries.data?.data.deliveries.length === 0 && (
          <Empty title={texts.noDeliveriesYet}>{texts.sendTestEventScan}</Empty>
        )}
        {deliveries.data && deliveries.data.data.deliveries.length > 0 && (
          <Table caption="Deliveries" head={['When', 'Event', 'Result', 'Response', 'Tries', '']}>
            {deliveries.data.data.deliveries.map((delivery) => (
              <Row key={delivery.id}>
                <Cell className="whitespace-nowrap text-soft">{formatTime(delivery.createdAt)}</Cell>
                <Cell>{delivery.type}</Cell>
                <Cell
                  className={
                    delivery.status === 'delivered' ? 'text-good' : delivery.status === 'failed' ? 'text-critical' : ''
                  }
                >
                  {delivery.status}
                </Cell>
                <Cell className="max-w-72 break-words text-soft">
                  {delivery.lastStatusCode ?? ''} {delivery.lastError ?? ''}
                </Cell>
                <Cell className="tabular-nums" label="tries">
                  {delivery.attempts}
                </Cell>
                <Cell className="text-right max-sm:ml-auto">
                  {canSend && (
                    <Button
                      aria-label={`Redeliver ${delivery.type} of ${delivery.createdAt}`}
                      busy={redeliver.isPending && redeliver.variables === delivery.id}
                      onClick={() => redeliver.mutate(delivery.id)}
                    >
                      Redeliver
                    </Button>
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </div>
      <Confirm
        title={texts.deleteEndpoint}
        open={leaving}
        action="Delete"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setLeaving(false)}
      >
        {texts.alsoDeletesSecretDelivery}
      </Confirm>
    </Page>
  )
}

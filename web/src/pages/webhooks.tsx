import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call, Refusal, type RequestBodyOf } from '../api/client.ts'
import { mayAct } from '../api/session.ts'
import { Button, buttonClass, Field } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { Form } from '../components/form.tsx'
import { Guarded } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Card, Cell, Empty, Failure, Note, Page, Row, Table } from '../components/surfaces.tsx'
import { webhooks as texts } from '../messages/pages/webhooks.ts'
import { isLocal } from '../webhooks/is-local.ts'

export function WebhooksPage() {
  return (
    <Guarded title="Webhooks" shape="form">
      {(me) => <Webhooks canSend={me.plan === 'pro'} isOwner={mayAct(me, 'owner')} />}
    </Guarded>
  )
}

function Webhooks({ canSend, isOwner }: { canSend: boolean; isOwner: boolean }) {
  const queries = useQueryClient()
  const [secret, setSecret] = useState<string | null>(null)
  const list = useQuery({ queryKey: ['webhooks'], queryFn: () => call('GET /api/v1/webhooks', {}), retry: false })
  return (
    <Page title="Webhooks" lead={texts.receiveSignedHttpCallbacks}>
      <div className="space-y-6">
        {list.isPending && <Loading what={texts.loadingYourEndpoints} shape="form" />}
        {list.isError &&
          (isNotOnPlan(list.error) ? (
            <OtherPlan>{texts.webhooksNeedPro}</OtherPlan>
          ) : (
            <Failure error={list.error} retry={() => list.refetch()} />
          ))}
        {list.data && (
          <>
            {!isOwner ? (
              <Note>{texts.onlyOwners}</Note>
            ) : canSend ? (
              <AddEndpoint
                onAdded={(added) => {
                  setSecret(added)
                  queries.invalidateQueries({ queryKey: ['webhooks'] })
                }}
              />
            ) : (
              <OtherPlan>{texts.webhooksPausedYourPlan}</OtherPlan>
            )}
            {secret && (
              <Note tone="good">
                <p className="mb-2 font-medium">{texts.signingSecretShownOnly}</p>
                <CopyBox value={secret} label="signing secret" />
              </Note>
            )}
            {list.data.data.webhooks.length === 0 ? (
              <Empty title={texts.noEndpointsYet}>{isOwner && canSend && texts.addOneAboveNothing}</Empty>
            ) : (
              <Table caption={texts.yourWebhookEndpoints} head={['Address', 'Events', 'Status', '']}>
                {list.data.data.webhooks.map((hook) => (
                  <Row key={hook.id}>
                    <Cell className="max-w-96 min-w-56 break-all max-sm:w-full">
                      {hook.url}
                      {hook.description && <span className="block text-xs text-soft">{hook.description}</span>}
                    </Cell>
                    <Cell className="text-soft">{hook.events.join(', ')}</Cell>
                    <Cell>{hook.status}</Cell>
                    <Cell className="text-right max-sm:ml-auto">
                      <Link to="/webhooks/$webhookId" params={{ webhookId: hook.id }} className={buttonClass()}>
                        Open
                      </Link>
                    </Cell>
                  </Row>
                ))}
              </Table>
            )}
          </>
        )}
      </div>
    </Page>
  )
}

/** The refusal of a plan that has no webhooks is no failure of the page. */
const isNotOnPlan = (error: unknown): boolean => error instanceof Refusal && error.status === 403

const OtherPlan = ({ children }: { children: string }) => (
  <Note>
    <p className="mb-3">{children}</p>
    <Link to="/plan" className={buttonClass('primary')}>
      {texts.seePlans}
    </Link>
  </Note>
)

type EventName = keyof typeof texts.events
const eventNames = Object.keys(texts.events) as EventName[]
/** As the service chooses where nothing is said. */
const usualEvents: readonly EventName[] = ['scan.completed', 'scan.failed']

function AddEndpoint({ onAdded }: { onAdded: (secret: string) => void }) {
  const [isEventless, setEventless] = useState(false)
  const add = useMutation({
    mutationFn: (body: RequestBodyOf<'POST /api/v1/webhooks'>) => call('POST /api/v1/webhooks', { body }),
    onSuccess: ({ data }) => onAdded(data.secret),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const description = String(fields.get('description'))
    const events = eventNames.filter((name) => fields.getAll('event').includes(name))
    setEventless(events.length === 0)
    if (events.length === 0) return
    const body = { url: String(fields.get('url')), events, ...(description && { description }) }
    add.mutate(body, { onSuccess: () => form.reset() })
  }
  return (
    <Card title={texts.addEndpoint}>
      <Form error={add.error} onSubmit={submit} className="grid items-start gap-4 sm:grid-cols-[2fr_1fr_auto]">
        <Field
          label="Address"
          name="url"
          type="url"
          required
          placeholder="https://example.com/hooks/assay"
          hint={isLocal(location.hostname) ? texts.httpsOrThisMachine : texts.mustHttpsReachableFrom}
        />
        <Field label="Description" name="description" maxLength={200} />
        <Button type="submit" look="primary" busy={add.isPending} className="sm:mt-6">
          Add
        </Button>
        <fieldset className="sm:col-span-3">
          <legend className="mb-1 text-sm font-medium">Events</legend>
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            {eventNames.map((name) => (
              <label key={name} className="flex min-h-6 items-center gap-2 text-sm" title={name}>
                <input
                  type="checkbox"
                  name="event"
                  value={name}
                  defaultChecked={usualEvents.includes(name)}
                  className="size-4 accent-(--accent)"
                />
                {texts.events[name]}
              </label>
            ))}
          </div>
          {isEventless && (
            <p role="alert" className="mt-1 text-xs text-critical">
              {texts.chooseEvent}
            </p>
          )}
        </fieldset>
        {add.isError && (
          <div className="sm:col-span-3">
            <Failure error={add.error} />
          </div>
        )}
      </Form>
    </Card>
  )
}

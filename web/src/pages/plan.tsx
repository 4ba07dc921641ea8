import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { mayAct, usePlan } from '../api/session.ts'
import { Button } from '../components/controls.tsx'
import { Confirm, Dialog } from '../components/dialog.tsx'
import { formatBytes, formatDate, formatTime, formatUsd } from '../components/format.ts'
import { Guarded, type Me } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Card, Cell, Empty, Failure, Note, Page, Row, Table } from '../components/surfaces.tsx'
import { type PlanName, planOffers } from '../generated/plan-offers.ts'
import { plan as texts } from '../messages/pages/plan.ts'

export function PlanPage() {
  return (
    <Guarded title="Plan" shape="plan">
      {(me) => <Plan me={me} />}
    </Guarded>
  )
}

function Plan({ me }: { me: Me }) {
  const plan = usePlan(me.userId)
  if (plan.isPending)
    return (
      <Page title="Plan">
        <Loading what={texts.loadingYourPlan} shape="plan" />
      </Page>
    )
  if (plan.isError)
    return (
      <Page title="Plan">
        <Failure error={plan.error} retry={() => plan.refetch()} />
      </Page>
    )
  const { data } = plan.data
  return (
    <Page title="Plan" lead={texts.youPlan(data.plan)}>
      <div className="space-y-6">
        {!mayAct(me, 'owner') && <Note>{texts.onlyOwners}</Note>}
        <Standing me={me} plan={data.plan} renewsAt={data.renewsAt} cancelsAt={data.cancelsAt} />
        {data.graceEndsAt && (
          <Note tone="warn">
            {texts.paymentFailedWeWill} {formatDate(data.graceEndsAt)}.
          </Note>
        )}
        <Card title={texts.limitsUsage}>
          <dl className="grid grid-cols-2 gap-4 text-sm sm:grid-cols-3 lg:grid-cols-5">
            <Figure
              name="Scans today"
              value={`${data.usage.scansToday} of ${data.quotas.scansPerDay}`}
              note={`resets ${formatTime(data.usage.resetsAt)}`}
              share={data.usage.scansToday / data.quotas.scansPerDay}
            />
            <Figure
              name={texts.scansMonth}
              value={String(data.usage.scansThisMonth)}
              note={`month ends ${formatDate(data.renewsAt)}`}
            />
            <Figure name={texts.requestsHour} value={String(data.usage.requestsThisHour)} note={texts.apiKeys} />
            <Figure name="Largest file" value={formatBytes(data.quotas.maxFileSize)} />
            <Figure name="Largest contract" value={formatBytes(data.quotas.maxContractSize)} />
          </dl>
        </Card>
        <Offers me={me} current={data.plan as PlanName} />
        <Usage />
        {mayAct(me, 'owner') && <Invoices me={me} />}
      </div>
    </Page>
  )
}

/** By day and key: which pipeline used the quota. */
function Usage() {
  const usage = useQuery({ queryKey: ['usage'], queryFn: () => call('GET /api/v1/usage', { query: { days: 31 } }) })
  const days = usage.data?.data.days
  return (
    <Card title={texts.usageByDay}>
      {usage.isPending && <Loading what={texts.loadingUsage} shape="rows" />}
      {usage.isError && <Failure error={usage.error} retry={() => usage.refetch()} />}
      {days?.length === 0 && <p className="text-sm text-soft">{texts.nothingUsed}</p>}
      {days && days.length > 0 && (
        <Table caption={texts.usageByDay} head={['Day (UTC)', 'Scans', texts.requestsByKey]}>
          {days.map(({ date, scans, keys }) => (
            <Row key={date}>
              <Cell className="whitespace-nowrap">{date}</Cell>
              <Cell className="tabular-nums">{scans}</Cell>
              <Cell className="text-soft">{keys.map(({ name, requests }) => `${name}: ${requests}`).join(' · ')}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Card>
  )
}

function Figure({ name, value, note, share }: { name: string; value: string; note?: string; share?: number }) {
  return (
    <div>
      <dt className="text-soft">{name}</dt>
      <dd className="text-lg font-semibold tabular-nums">
        {value}
        {share !== undefined && (
          <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded bg-sunken">
            <span className="block h-full bg-accent" style={{ width: `${Math.min(100, Math.round(share * 100))}%` }} />
          </span>
        )}
        {note && <span className="block text-xs font-normal text-soft">{note}</span>}
      </dd>
    </div>
  )
}

/** Renewal, or the end that was requested, and the way to change either. */
function Standing({
  me,
  plan,
  renewsAt,
  cancelsAt,
}: {
  me: Me
  plan: string
  renewsAt: string
  cancelsAt: string | null
}) {
  const queries = useQueryClient()
  const [isConfirming, setIsConfirming] = useState(false)
  const done = () => {
    setIsConfirming(false)
    return queries.invalidateQueries({ queryKey: ['plan'] })
  }
  const cancel = useMutation({
    mutationFn: () => call('POST /api/v1/cancel-plan', { body: { userId: me.userId } }),
    onSuccess: done,
  })
  const resume = useMutation({
    mutationFn: () => call('POST /api/v1/resume-plan', { body: { userId: me.userId } }),
    onSuccess: done,
  })
  if (plan === 'free') return null
  return (
    <Note tone={cancelsAt ? 'warn' : 'plain'}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{cancelsAt ? texts.yourPlanEndsUntil(formatDate(cancelsAt)) : texts.yourPlanRenews(formatDate(renewsAt))}</p>
        {!mayAct(me, 'owner') ? null : cancelsAt ? (
          <Button busy={resume.isPending} onClick={() => resume.mutate()}>
            Resume plan
          </Button>
        ) : (
          <Button look="danger" onClick={() => setIsConfirming(true)}>
            Cancel plan
          </Button>
        )}
      </div>
      {resume.isError && <Failure error={resume.error} />}
      <Confirm
        title="Cancel plan?"
        open={isConfirming}
        action="Cancel plan"
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
        onClose={() => setIsConfirming(false)}
      >
        {texts.staysActiveUntil}
        {formatDate(renewsAt)}
        {texts.thenYouFreeYou}
        {cancel.isError && <Failure error={cancel.error} />}
      </Confirm>
    </Note>
  )
}

function Offers({ me, current }: { me: Me; current: PlanName }) {
  const [wanted, setWanted] = useState<PlanName | null>(null)
  const rank = planOffers.findIndex((offer) => offer.name === current)
  return (
    <section aria-label="Plans" className="grid gap-4 md:grid-cols-3">
      {planOffers.map((offer, index) => (
        <Card
          key={offer.name}
          title={<span className="capitalize">{offer.name}</span>}
          // The actions stand at one height: the list above them takes the room that is left.
          className={`flex flex-col *:last:flex *:last:flex-1 *:last:flex-col ${offer.name === current ? 'ring-2 ring-accent' : ''}`}
        >
          <p className="text-2xl font-semibold">
            {offer.monthlyUsd === 0 ? (
              'Free'
            ) : (
              <>
                {formatUsd(offer.monthlyUsd)} <span className="text-sm font-normal text-soft">a month</span>
              </>
            )}
          </p>
          <ul className="mt-3 flex-1 space-y-1 text-sm text-soft">
            {offer.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <div className="mt-4">
            {offer.name === current && <p className="text-sm font-medium">Your plan</p>}
            {index > rank && mayAct(me, 'owner') && (
              <Button look="primary" onClick={() => setWanted(offer.name)}>
                Upgrade to {offer.name}
              </Button>
            )}
          </div>
        </Card>
      ))}
      {wanted && <UpgradeDialog me={me} wanted={wanted} onClose={() => setWanted(null)} />}
    </section>
  )
}

/** The price and its proration, before anything is charged. */
function UpgradeDialog({ me, wanted, onClose }: { me: Me; wanted: PlanName; onClose: () => void }) {
  const queries = useQueryClient()
  const preview = useQuery({
    queryKey: ['upgrade-preview', me.userId, wanted],
    queryFn: () => call('GET /api/v1/upgrade-preview', { query: { newPlan: wanted } }),
  })
  const upgrade = useMutation({
    mutationFn: () => call('POST /api/upgrade-plan', { body: { newPlan: wanted } }),
    onSuccess: async (answer) => {
      if (answer.checkoutUrl) return location.assign(answer.checkoutUrl)
      await queries.invalidateQueries()
      onClose()
    },
  })
  return (
    <Dialog title={`Upgrade to ${wanted}`} open onClose={onClose}>
      {preview.isPending && <Loading what={texts.loadingPrice} />}
      {preview.isError && <Failure error={preview.error} retry={() => preview.refetch()} />}
      {preview.data && (
        <dl className="grid grid-cols-2 gap-y-2 text-sm">
          <dt className="text-soft">Due today</dt>
          <dd className="text-right font-semibold tabular-nums">{formatUsd(preview.data.data.amountDueCents / 100)}</dd>
          <dt className="text-soft">{texts.creditRestYourCurrent}</dt>
          <dd className="text-right tabular-nums">
            {formatUsd((preview.data.data.proration?.creditCents ?? 0) / 100)}
          </dd>
          <dt className="text-soft">Then monthly</dt>
          <dd className="text-right tabular-nums">{formatUsd(preview.data.data.monthlyPriceCents / 100)}</dd>
          <dt className="text-soft">Renews on</dt>
          <dd className="text-right">{formatDate(preview.data.data.renewsAt)}</dd>
        </dl>
      )}
      {upgrade.isError && (
        <div className="mt-3">
          <Failure error={upgrade.error} />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={upgrade.isPending} disabled={!preview.data} onClick={() => upgrade.mutate()}>
          {preview.data?.data.proration ? texts.payUpgrade : texts.goCheckout}
        </Button>
      </div>
    </Dialog>
  )
}

function Invoices({ me }: { me: Me }) {
  const invoices = useQuery({
    queryKey: ['invoices', me.userId],
    queryFn: () => call('GET /api/v1/invoices', { query: {} }),
  })
  return (
    <Card title="Invoices">
      {invoices.isPending && <Loading what={texts.loadingYourInvoices} />}
      {invoices.isError && <Failure error={invoices.error} retry={() => invoices.refetch()} />}
      {invoices.data?.data.invoices.length === 0 && <Empty title={texts.noInvoicesYet} />}
      {invoices.data && invoices.data.data.invoices.length > 0 && (
        <Table caption="Your invoices" head={['Date', 'For', 'Amount', 'Status']}>
          {invoices.data.data.invoices.map((invoice) => (
            <Row key={invoice.id}>
              <Cell>{formatDate(invoice.createdAt)}</Cell>
              <Cell>{invoice.lines.map((line) => line.description).join(', ')}</Cell>
              <Cell className="tabular-nums">{formatUsd(invoice.amountCents / 100)}</Cell>
              <Cell>{invoice.status}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Card>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Profile } from '../account/profile.tsx'
import { Sessions } from '../account/sessions.tsx'
import { YourData } from '../account/your-data.tsx'
import { call, callPersonally } from '../api/client.ts'
import { Toggle } from '../components/controls.tsx'
import { formatTime } from '../components/format.ts'
import { Guarded, type Me } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Card, Cell, Empty, Failure, Page, Row, Table } from '../components/surfaces.tsx'
import { account as texts } from '../messages/pages/account.ts'
import { SecondFactors } from '../second-factor/second-factors.tsx'
import { LinkList } from '../share/link-list.tsx'

export function AccountPage() {
  return (
    <Guarded title="Account" shape="sections">
      {(me) => <Account me={me} />}
    </Guarded>
  )
}

function Account({ me }: { me: Me }) {
  return (
    <Page title="Account" lead={`${me.name}, ${me.email}`}>
      <div className="space-y-6">
        <Profile me={me} />
        <SecondFactors />
        <Sessions />
        <Card title="Shared links">
          <LinkList empty={texts.noSharedLinksUse} />
        </Card>
        <MailPreferences />
        <SecurityLog />
        <YourData me={me} />
      </div>
    </Page>
  )
}

const mailKinds: Record<string, string> = {
  scanFindings: texts.scanFoundCriticalHigh,
  quotaUsage: texts.dailyQuota,
  keyExpiring: texts.keyAboutExpire,
  planChanged: texts.planChanged,
  paymentFailed: texts.paymentFailed,
  webhookDisabled: texts.webhookWasDisabled,
  weeklyDigest: texts.weeklyDigest,
}

function MailPreferences() {
  const queries = useQueryClient()
  const preferences = useQuery({
    queryKey: ['mail-preferences'],
    queryFn: () => call('GET /api/v1/mail-preferences', {}),
  })
  const change = useMutation({
    mutationFn: (body: Record<string, boolean>) => call('PATCH /api/v1/mail-preferences', { body }),
    onSuccess: (answer) => queries.setQueryData(['mail-preferences'], answer),
  })
  return (
    <Card title="Mail">
      <p className="mb-3 text-sm text-soft">{texts.securityEmailsAlwaysSent}</p>
      {preferences.isPending && <Loading what={texts.loadingYourPreferences} />}
      {(preferences.error ?? change.error) && <Failure error={preferences.error ?? change.error} />}
      {preferences.data && (
        <div className="space-y-2">
          {Object.entries(preferences.data.data).map(([kind, on]) => (
            <Toggle
              key={kind}
              label={mailKinds[kind] ?? kind}
              checked={on}
              disabled={change.isPending}
              onChange={(checked) => change.mutate({ [kind]: checked })}
            />
          ))}
        </div>
      )}
    </Card>
  )
}

function SecurityLog() {
  const log = useQuery({
    queryKey: ['security-log'],
    queryFn: () => callPersonally('GET /api/v1/security-log', { query: {} }),
  })
  const place = useRef<HTMLDivElement>(null)
  const isLinkTarget = useLocation({ select: ({ hash }) => hash === 'security-log' })
  // Mails lead here; what stands above has come by then.
  useEffect(() => {
    if (isLinkTarget && log.data) place.current?.scrollIntoView()
  }, [isLinkTarget, log.data])
  return (
    <div ref={place} className="scroll-mt-20">
      <Card title="Security log">
        {log.isPending && <Loading what={texts.loadingLog} />}
        {log.isError && <Failure error={log.error} retry={() => log.refetch()} />}
        {log.data?.data.events.length === 0 && <Empty title={texts.noEventsYet} />}
        {log.data && log.data.data.events.length > 0 && (
          <Table caption="Security events" head={['When', 'What', 'Address']}>
            {log.data.data.events.map((event) => (
              <Row key={event.id}>
                <Cell className="whitespace-nowrap text-soft">{formatTime(event.at)}</Cell>
                <Cell>{event.description}</Cell>
                <Cell className="text-soft">{event.address ?? ''}</Cell>
              </Row>
            ))}
          </Table>
        )}
      </Card>
    </div>
  )
}

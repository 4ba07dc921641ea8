import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { actFor } from '../api/acting-for.ts'
import { call } from '../api/client.ts'
import { useMe } from '../api/session.ts'
import { Button, buttonClass, Field } from '../components/controls.tsx'
import { EntranceForm, linkClass } from '../components/entrance.tsx'
import type { Me } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Empty, Failure, Note, Page } from '../components/surfaces.tsx'
import { forgetInvitationToken, takeInvitationToken } from '../join/invitation-token.ts'
import { join as texts } from '../messages/pages/join.ts'

const title = texts.joinOrganization

/** Where the link in an invitation leads. */
export function JoinPage() {
  const [token] = useState(() => takeInvitationToken(location.hash, sessionStorage))
  const me = useMe()
  if (me.data) return <JoinForm me={me.data} token={token} />
  return (
    <Page title={title}>
      {me.isPending && <Loading />}
      {me.isError && <Failure error={me.error} retry={() => me.refetch()} />}
      {me.data === null && (
        <Empty title={texts.logEmailAddressReceived}>
          <Link to="/login" search={{ next: '/join' }} className={buttonClass('primary')}>
            Log in
          </Link>
          <p className="mt-4">
            {texts.noAccountYet}{' '}
            <Link to="/register" className={linkClass}>
              Sign up
            </Link>{' '}
            {texts.withThatAddress}
          </p>
        </Empty>
      )}
    </Page>
  )
}

function JoinForm({ me, token: linked }: { me: Me; token: string }) {
  const queries = useQueryClient()
  const join = useMutation({
    mutationFn: (token: string) => call('POST /api/v1/invitations/accept', { body: { token } }),
    onSuccess: async () => {
      forgetInvitationToken(sessionStorage)
      history.replaceState(null, '', location.pathname)
      await queries.invalidateQueries()
    },
  })
  const joined = join.data?.data
  if (joined)
    return (
      <Page title={`You joined ${joined.name}`}>
        <Note tone="good">
          {texts.yourRole}
          {joined.role}.
        </Note>
        <Button look="primary" className="mt-4" onClick={() => actFor(joined.id)}>
          {texts.workIn(joined.name)}
        </Button>
      </Page>
    )
  return (
    <EntranceForm
      title={title}
      lead={
        <>
          {texts.youLoggedAs}
          <strong>{me.email}</strong>
          {texts.invitationMustHaveBeen}
        </>
      }
      action="Join"
      busy={join.isPending}
      error={join.error}
      onSubmit={({ token = linked }) => join.mutate(token.trim())}
    >
      {!linked && <Field label={texts.tokenFromEmail} name="token" autoComplete="off" required />}
    </EntranceForm>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { useMe } from '../api/session.ts'
import { buttonClass, Field } from '../components/controls.tsx'
import { EntranceForm, linkClass } from '../components/entrance.tsx'
import type { Me } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Empty, Failure, Note, Page } from '../components/surfaces.tsx'
import { forgetInvitationToken, takeInvitationToken } from '../join/invitation-token.ts'

const title = 'Join an organization'

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
        <Empty title="Log in with the email address that received the invitation.">
          <Link to="/login" search={{ next: '/join' }} className={buttonClass('primary')}>
            Log in
          </Link>
          <p className="mt-4">
            No account yet?{' '}
            <Link to="/register" className={linkClass}>
              Sign up
            </Link>{' '}
            with that address, then open the link again.
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
          Your role is {joined.role}. Requests with <code>X-Organisation: {joined.id}</code> act for it.
        </Note>
        <Link to="/scan" className={`${buttonClass('primary')} mt-4`}>
          Go on
        </Link>
      </Page>
    )
  return (
    <EntranceForm
      title={title}
      lead={
        <>
          You are logged in as <strong>{me.email}</strong>. The invitation must have been sent to this address.
        </>
      }
      action="Join"
      busy={join.isPending}
      error={join.error}
      onSubmit={({ token = linked }) => join.mutate(token.trim())}
    >
      {!linked && <Field label="Token from the email" name="token" autoComplete="off" required />}
    </EntranceForm>
  )
}

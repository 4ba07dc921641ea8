import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { actFor } from '../api/acting-for.ts'
import { call, type ResponseOf } from '../api/client.ts'
import { useLogout, useMe } from '../api/session.ts'
import { Button, buttonClass, Field } from '../components/controls.tsx'
import { EntranceForm, linkClass } from '../components/entrance.tsx'
import type { Me } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Empty, Failure, Note, Page } from '../components/surfaces.tsx'
import { forgetInvitationToken, takeInvitationToken } from '../join/invitation-token.ts'
import { join as texts } from '../messages/pages/join.ts'

type Invitation = ResponseOf<'POST /api/v1/invitations/read'>['data']

const titleOf = (invitation: Invitation | undefined): string =>
  invitation ? texts.join(invitation.organisation) : texts.joinOrganization

/** Where the link in an invitation leads. */
export function JoinPage() {
  const [token] = useState(() => takeInvitationToken(location.hash, sessionStorage))
  const me = useMe()
  const read = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('POST /api/v1/invitations/read', { body: { token } }),
    enabled: token !== '',
    retry: false,
  })
  const invitation = read.data?.data
  if (me.isPending || read.isLoading)
    return (
      <Page title={texts.joinOrganization}>
        <Loading />
      </Page>
    )
  if (me.data) return <JoinForm me={me.data} token={token} invitation={invitation} unreadable={read.error} />
  return (
    <Page title={titleOf(invitation)} lead={invitation && texts.invited(invitation.organisation, invitation.role)}>
      {me.isError && <Failure error={me.error} retry={() => me.refetch()} />}
      {read.isError && <Failure error={read.error} />}
      {me.data === null && (
        <Empty title={invitation ? texts.logInAs(invitation.email) : texts.logEmailAddressReceived}>
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

function JoinForm({
  me,
  token: linked,
  invitation,
  unreadable,
}: {
  me: Me
  token: string
  invitation: Invitation | undefined
  /** Why the linked invitation could not be read. */
  unreadable: Error | null
}) {
  const queries = useQueryClient()
  const join = useMutation({
    mutationFn: (token: string) => call('POST /api/v1/invitations/accept', { body: { token } }),
    onSuccess: async () => {
      forgetInvitationToken(sessionStorage)
      history.replaceState(null, '', location.pathname)
      // The invitation is used: it cannot be read again.
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' })
    },
  })
  const logout = useLogout()
  const isForeign = invitation !== undefined && invitation.email !== me.email
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
      title={titleOf(invitation)}
      lead={
        <>
          {invitation && <>{texts.invited(invitation.organisation, invitation.role)} </>}
          {texts.youLoggedAs}
          <strong>{me.email}</strong>
          {isForeign ? texts.sentTo(invitation.email) : invitation ? '.' : texts.invitationMustHaveBeen}
        </>
      }
      action={isForeign ? 'Log out' : 'Join'}
      busy={join.isPending || logout.isPending}
      error={join.error ?? logout.error ?? unreadable}
      onSubmit={({ token = linked }) => (isForeign ? logout.mutate() : join.mutate(token.trim()))}
    >
      {!linked && <Field label={texts.tokenFromEmail} name="token" autoComplete="off" required />}
    </EntranceForm>
  )
}

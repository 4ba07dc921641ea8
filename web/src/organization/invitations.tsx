import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../api/client.ts'
import type { Organization } from '../api/session.ts'
import { Button, Field, Select } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { formatDate } from '../components/format.ts'
import { Card, Failure } from '../components/surfaces.tsx'
import { invitations as texts } from '../messages/organizations.ts'
import { roles } from './members.tsx'

/** Invites by email, and shows what was not answered yet. */
export function Invitations({ organization: { id, role: own } }: { organization: Organization }) {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Organization['role']>('member')
  const queryKey = ['invitations', id]
  const open = useQuery({
    enabled: own === 'owner',
    queryKey,
    queryFn: () =>
      call('GET /api/v1/organisations/{organisationId}/invitations', {
        params: { organisationId: id },
        query: { limit: 100 },
      }),
  })
  const invite = useMutation({
    mutationFn: () =>
      call('POST /api/v1/organisations/{organisationId}/invitations', {
        params: { organisationId: id },
        body: { email: email.trim(), role },
      }),
    onSuccess: async () => {
      setEmail('')
      // The audit log stands on the same page.
      await queries.invalidateQueries()
    },
  })
  const withdraw = useMutation({
    mutationFn: (invitationId: string) =>
      call('DELETE /api/v1/organisations/{organisationId}/invitations/{invitationId}', {
        params: { organisationId: id, invitationId },
      }),
    onSettled: () => queries.invalidateQueries(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate()
  }
  if (own !== 'owner')
    return (
      <Card title={texts.title}>
        <p className="text-sm text-soft">{texts.onlyOwners}</p>
      </Card>
    )
  const failed = open.error ?? withdraw.error
  return (
    <Card title={texts.title}>
      <Form error={invite.error} className="flex flex-wrap items-start gap-3" onSubmit={submit}>
        <Field
          label="Email"
          name="email"
          type="email"
          required
          className="min-w-60 flex-1"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Select label="Role" value={role} onChange={(event) => setRole(event.target.value as typeof role)}>
          {roles.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
        <Button type="submit" look="primary" className="mt-6" busy={invite.isPending}>
          Invite
        </Button>
        {invite.error && <Failure error={invite.error} />}
      </Form>
      <p role="status" className="text-sm text-good">
        {invite.data && texts.sent(invite.data.data.email)}
      </p>
      {failed && <Failure error={failed} />}
      {open.data?.data.invitations.length === 0 && <p className="text-sm text-soft">{texts.none}</p>}
      <ul aria-label={texts.title} className="divide-y divide-line">
        {open.data?.data.invitations.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-3 py-2 text-sm">
            <span className="min-w-0 flex-1">
              {one.email}{' '}
              <span className="text-soft">
                · {one.role} · {texts.expires(formatDate(one.expiresAt))}
              </span>
            </span>
            <Button aria-label={texts.withdraw(one.email)} onClick={() => withdraw.mutate(one.id)}>
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { actFor } from '../api/acting-for.ts'
import { call, type ResponseOf } from '../api/client.ts'
import type { Organization } from '../api/session.ts'
import { Button, Select } from '../components/controls.tsx'
import { Confirm, Dialog } from '../components/dialog.tsx'
import { formatDate } from '../components/format.ts'
import { Loading } from '../components/loading.tsx'
import { Menu, menuEntryClass } from '../components/menu.tsx'
import { Card, Cell, Failure, Row, Table } from '../components/surfaces.tsx'
import { organizationPage, members as texts } from '../messages/organizations.ts'

type Member = ResponseOf<'GET /api/v1/organisations/{organisationId}/members'>['data']['members'][number]
type Role = Organization['role']
export const roles: readonly Role[] = ['owner', 'member', 'auditor']

const queryKey = (id: string) => ['members', id]

/** Who belongs to it, in which role; an owner changes both. */
export function Members({ organization }: { organization: Organization }) {
  const { id } = organization
  const members = useQuery({
    queryKey: queryKey(id),
    queryFn: () =>
      call('GET /api/v1/organisations/{organisationId}/members', {
        params: { organisationId: id },
        query: { limit: 100 },
      }),
  })
  return (
    <Card title={texts.title}>
      {members.isPending && <Loading what={organizationPage.loadingMembers} shape="rows" />}
      {members.isError && <Failure error={members.error} retry={() => members.refetch()} />}
      {members.data && (
        <Table caption={texts.title} head={['Name', 'Role', texts.maySharesSource, 'Joined', '']}>
          {members.data.data.members.map((member) => (
            <MemberRow key={member.memberId} member={member} organization={organization} />
          ))}
        </Table>
      )}
      <p className="mt-3 text-xs text-soft">
        {texts.owner} · {texts.member} · {texts.auditor}
      </p>
    </Card>
  )
}

function useChange({ id }: Organization, memberId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { role?: Role; canPublishSource?: boolean }) =>
      call('PATCH /api/v1/organisations/{organisationId}/members/{memberId}', {
        params: { organisationId: id, memberId },
        body,
      }),
    onSettled: () => queries.invalidateQueries(),
  })
}

function MemberRow({ member, organization }: { member: Member; organization: Organization }) {
  const { memberId, name, email, role, canPublishSource, joinedAt } = member
  const isOwner = organization.role === 'owner'
  const isSelf = memberId === organization.memberId
  const change = useChange(organization, memberId)
  const [dialog, setDialog] = useState<'transfer' | 'remove' | null>(null)
  const close = () => setDialog(null)
  return (
    <Row>
      <Cell>
        <span className="font-medium">{name}</span>
        {isSelf && <span className="ml-2 text-xs text-good">you</span>}
        <span className="block text-xs text-soft">{email}</span>
        {change.isError && <Failure error={change.error} />}
      </Cell>
      <Cell>
        {isOwner ? (
          <select
            aria-label={texts.roleOf(name)}
            className="min-h-9 rounded-md border border-field bg-panel px-2 text-sm"
            value={role}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ role: event.target.value as Role })}
          >
            {roles.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        ) : (
          role
        )}
      </Cell>
      <Cell label={texts.maySharesSource}>
        <input
          type="checkbox"
          className="size-6 accent-(--accent)"
          aria-label={texts.publishesSource(name)}
          checked={canPublishSource}
          disabled={!isOwner || role === 'owner' || change.isPending}
          onChange={(event) => change.mutate({ canPublishSource: event.target.checked })}
        />
      </Cell>
      <Cell className="text-soft">{formatDate(joinedAt)}</Cell>
      <Cell className="text-right">
        {isSelf ? (
          <Button onClick={() => setDialog('remove')}>Leave</Button>
        ) : (
          isOwner && (
            <Menu label={<Ellipsis size={16} aria-hidden="true" />} name={`More for ${name}`}>
              <button type="button" className={menuEntryClass} onClick={() => setDialog('transfer')}>
                {texts.transfer}
              </button>
              <button type="button" className={menuEntryClass} onClick={() => setDialog('remove')}>
                Remove
              </button>
            </Menu>
          )
        )}
        {dialog === 'transfer' && <Transfer member={member} organization={organization} onClose={close} />}
        {dialog === 'remove' && <Remove member={member} organization={organization} isSelf={isSelf} onClose={close} />}
      </Cell>
    </Row>
  )
}

interface MemberDialog {
  member: Member
  organization: Organization
  onClose: () => void
}

/** The other becomes an owner first: there is always one. */
function Transfer({ member, organization, onClose }: MemberDialog) {
  const raise = useChange(organization, member.memberId)
  const stepDown = useChange(organization, organization.memberId)
  const transfer = useMutation({
    mutationFn: async () => {
      await raise.mutateAsync({ role: 'owner' })
      await stepDown.mutateAsync({ role: 'member' })
    },
    onSuccess: onClose,
  })
  return (
    <Confirm
      title={texts.transferTo(member.name)}
      open
      action={texts.transfer}
      look="primary"
      busy={transfer.isPending}
      onConfirm={() => transfer.mutate()}
      onClose={onClose}
    >
      {texts.transferWords(member.name)}
      {transfer.isError && <Failure error={transfer.error} />}
    </Confirm>
  )
}

function Remove({ member, organization, isSelf, onClose }: MemberDialog & { isSelf: boolean }) {
  const queries = useQueryClient()
  const [links, setLinks] = useState<'end' | 'keep'>('end')
  const [webhooks, setWebhooks] = useState<'end' | 'keep'>('end')
  const [keys, setKeys] = useState<'end' | 'keep' | 'end-all'>('end')
  const remove = useMutation({
    mutationFn: () =>
      call('DELETE /api/v1/organisations/{organisationId}/members/{memberId}', {
        params: { organisationId: organization.id, memberId: member.memberId },
        query: isSelf ? {} : { links, webhooks, keys },
      }),
    onSuccess: async () => {
      if (isSelf) return actFor(null)
      await queries.invalidateQueries()
      onClose()
    },
  })
  const both = [
    <option key="end" value="end">
      {texts.revoke}
    </option>,
    <option key="keep" value="keep">
      {texts.keep}
    </option>,
  ]
  return (
    <Dialog title={isSelf ? texts.leaveWhat(organization.name) : texts.removeWho(member.name)} open onClose={onClose}>
      <div className="space-y-3 text-left text-sm">
        <p className="text-soft">{isSelf ? texts.leaveWords : texts.removeWords}</p>
        {!isSelf && (
          <>
            <Select label={texts.links} value={links} onChange={(event) => setLinks(event.target.value as 'end')}>
              {both}
            </Select>
            <Select
              label={texts.webhooks}
              value={webhooks}
              onChange={(event) => setWebhooks(event.target.value as 'end')}
            >
              {both}
            </Select>
            <Select label={texts.keys} value={keys} onChange={(event) => setKeys(event.target.value as 'end')}>
              {both}
              <option value="end-all">{texts.revokeAll}</option>
            </Select>
          </>
        )}
        {remove.isError && <Failure error={remove.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {isSelf ? 'Leave' : 'Remove'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { actFor } from '../api/acting-for.ts'
import { call } from '../api/client.ts'
import type { Organization } from '../api/session.ts'
import { Button, Field } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Form } from '../components/form.tsx'
import { formatTime } from '../components/format.ts'
import { Loading } from '../components/loading.tsx'
import { Card, Cell, Failure, Row, Table } from '../components/surfaces.tsx'
import { auditLog, settings as texts } from '../messages/organizations.ts'
import { detailWords } from './detail-words.ts'

/** Its name, and its end. */
export function Settings({ organization }: { organization: Organization }) {
  const queries = useQueryClient()
  const [name, setName] = useState(organization.name)
  const rename = useMutation({
    mutationFn: () =>
      call('PATCH /api/v1/organisations/{organisationId}', {
        params: { organisationId: organization.id },
        body: { name: name.trim() },
      }),
    onSuccess: () => queries.invalidateQueries(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <Card title={texts.title}>
      <Form error={rename.error} className="flex flex-wrap items-start gap-3" onSubmit={submit}>
        <Field
          label="Name"
          name="name"
          required
          maxLength={100}
          className="min-w-60 flex-1"
          value={name}
          hint={rename.isSuccess ? texts.renamed : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" className="mt-6" busy={rename.isPending}>
          Rename
        </Button>
        {rename.isError && <Failure error={rename.error} />}
      </Form>
      <Delete organization={organization} />
    </Card>
  )
}

function Delete({ organization: { id, name } }: { organization: Organization }) {
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const end = useMutation({
    mutationFn: () =>
      call('DELETE /api/v1/organisations/{organisationId}', {
        params: { organisationId: id },
        query: { confirm: typed.trim() },
      }),
    onSuccess: () => actFor(null),
  })
  return (
    <>
      <Button look="danger" className="mt-3" onClick={() => setOpen(true)}>
        {texts.deleteTitle}
      </Button>
      <Dialog title={texts.deleteTitle} open={isOpen} onClose={() => setOpen(false)}>
        <p className="mb-3 text-sm text-soft">{texts.deleteWords}</p>
        <Field
          label={texts.typeName(name)}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {end.isError && <Failure error={end.error} />}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button look="danger" disabled={typed.trim() !== name} busy={end.isPending} onClick={() => end.mutate()}>
            Delete
          </Button>
        </div>
      </Dialog>
    </>
  )
}

/** Who did what to the organization, newest first. */
export function AuditLog({ organization: { id } }: { organization: Organization }) {
  const log = useQuery({
    queryKey: ['audit-log', id],
    queryFn: () => call('GET /api/v1/security-log', { query: { limit: 50 } }),
  })
  const members = useQuery({
    queryKey: ['members', id, 'addresses'],
    queryFn: () =>
      call('GET /api/v1/organisations/{organisationId}/members', {
        params: { organisationId: id },
        query: { limit: 1000 },
      }),
  })
  const emails = new Map(members.data?.data.members.map((member) => [member.memberId, member.email]))
  const events = log.data?.data.events
  return (
    <Card title={auditLog.title}>
      {log.isPending && <Loading what={auditLog.loading} shape="rows" />}
      {log.isError && <Failure error={log.error} retry={() => log.refetch()} />}
      {events?.length === 0 && <p className="text-sm text-soft">{auditLog.none}</p>}
      {events && events.length > 0 && (
        <Table caption={auditLog.title} head={['When', 'What', 'Details', 'Address']}>
          {events.map((event) => (
            <Row key={event.id}>
              <Cell className="whitespace-nowrap text-soft">{formatTime(event.at)}</Cell>
              <Cell>{event.description}</Cell>
              <Cell className="text-xs break-words text-soft">{detailWords(event.detail, emails)}</Cell>
              <Cell className="text-soft">{event.address ?? ''}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Card>
  )
}

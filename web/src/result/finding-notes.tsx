import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call, type RequestBodyOf } from '../api/client.ts'
import { useMe } from '../api/session.ts'
import { Button } from '../components/controls.tsx'
import { Menu, menuEntryClass } from '../components/menu.tsx'
import { Failure } from '../components/surfaces.tsx'
import { findingNotes as texts } from '../messages/result.ts'
import type { FindingRecord } from './scan-view.ts'
import { changeRecord } from './use-triage.ts'

/** Who works on a finding and what they note about it, beside its status; both stay whatever is decided. */
export function FindingNotes({
  record: { id, assignee, comment },
  about,
  children,
}: {
  record: FindingRecord
  /** What was decided, and why. */
  about: ReactNode
  children: ReactNode
}) {
  const queries = useQueryClient()
  const people = usePeople()
  const [draft, setDraft] = useState<string>()
  const change = (body: RequestBodyOf<'PATCH /api/v1/findings/{id}'>) => changeRecord(queries, id, body)
  const assign = useMutation({ mutationFn: (to: string | null) => change({ assignee: to }) })
  const save = useMutation({
    mutationFn: (text: string) => change({ comment: text }),
    onSuccess: () => setDraft(undefined),
  })
  const others = people.filter((email) => email !== assignee)
  return (
    <div className="text-sm">
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <Menu
          name={texts.changeAssignee(assignee ?? texts.unassigned)}
          label={
            <>
              {assignee ?? texts.unassigned} <ChevronDown size={14} aria-hidden="true" />
            </>
          }
        >
          {others.map((email) => (
            <button key={email} type="button" className={menuEntryClass} onClick={() => assign.mutate(email)}>
              {texts.assignTo(email)}
            </button>
          ))}
          {assignee && (
            <button type="button" className={menuEntryClass} onClick={() => assign.mutate(null)}>
              {texts.unassign}
            </button>
          )}
        </Menu>
        {draft === undefined && (
          <Button onClick={() => setDraft(comment ?? '')}>{comment ? texts.editComment : texts.addComment}</Button>
        )}
      </div>
      {about}
      {comment && draft === undefined && <p className="mt-2 break-words whitespace-pre-wrap">{comment}</p>}
      {draft !== undefined && (
        <form
          className="mt-2 space-y-2"
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate(draft)
          }}
        >
          <textarea
            // biome-ignore lint/a11y/noAutofocus: the reader has just requested it
            autoFocus
            aria-label={texts.comment}
            rows={3}
            maxLength={2000}
            className="w-full rounded-md border border-field bg-panel px-3 py-2 text-sm"
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          <div className="flex justify-end gap-2">
            <Button onClick={() => setDraft(undefined)}>Cancel</Button>
            <Button look="primary" type="submit" busy={save.isPending}>
              {texts.saveComment}
            </Button>
          </div>
        </form>
      )}
      {assign.isError && <Failure error={assign.error} />}
      {save.isError && <Failure error={save.error} />}
    </div>
  )
}

/** Those who can be given work: the members of the organization in force, or the reader alone. */
function usePeople(): string[] {
  const me = useMe().data
  const organisationId = me?.organization?.id
  const members = useQuery({
    queryKey: ['members', organisationId, 'addresses'],
    queryFn: () =>
      call('GET /api/v1/organisations/{organisationId}/members', {
        params: { organisationId: organisationId ?? '' },
        query: { limit: 1000 },
      }),
    enabled: organisationId !== undefined,
    staleTime: 60_000,
  })
  if (organisationId !== undefined) return members.data?.data.members.map(({ email }) => email) ?? []
  return me ? [me.email] : []
}

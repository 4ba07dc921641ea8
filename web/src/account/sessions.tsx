import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { Button } from '../components/controls.tsx'
import { Confirm } from '../components/dialog.tsx'
import { formatAgo, formatTime } from '../components/format.ts'
import { Loading } from '../components/loading.tsx'
import { Card, Failure } from '../components/surfaces.tsx'
import { sessions as texts } from '../messages/account.ts'
import { forgetDrafts } from '../scan-form/draft.ts'
import { deviceWords } from './device-words.ts'

/** Where someone is logged in, in words, and the ways to end it. */
export function Sessions() {
  const queries = useQueryClient()
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => call('GET /api/v1/sessions', {}) })
  const end = useMutation({
    mutationFn: (id: string) => call('DELETE /api/v1/sessions/{id}', { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <Card title="Sessions" actions={<LogOutEverywhere />}>
      {sessions.isPending && <Loading what={texts.loadingYourSessions} shape="rows" />}
      {(sessions.error ?? end.error) && <Failure error={sessions.error ?? end.error} />}
      <ul aria-label="Active sessions" className="divide-y divide-line">
        {sessions.data?.data.sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
            <span className="min-w-0 flex-1 basis-56">
              <span className="font-medium" title={session.userAgent ?? undefined}>
                {deviceWords(session.userAgent)}
              </span>
              {session.current && <span className="ml-2 text-xs text-good">this browser</span>}
              <span className="block text-xs text-soft">
                <span title={formatTime(session.lastUsedAt)}>Last used {formatAgo(session.lastUsedAt)}</span>
                {session.address && ` from ${session.address}`} ·{' '}
                <span title={formatTime(session.createdAt)}>logged in {formatAgo(session.createdAt)}</span> · expires{' '}
                {formatTime(session.expiresAt)}
              </span>
            </span>
            {!session.current && (
              <Button
                busy={end.isPending && end.variables === session.id}
                aria-label={texts.logOutSessionLogged(deviceWords(session.userAgent), formatAgo(session.createdAt))}
                onClick={() => end.mutate(session.id)}
              >
                Log out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function LogOutEverywhere() {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const end = useMutation({
    mutationFn: () => call('DELETE /api/v1/sessions', {}),
    onSuccess: async () => {
      forgetDrafts(sessionStorage)
      await navigate({ to: '/' })
      await queries.resetQueries()
    },
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.logOutEverywhere}</Button>
      <Confirm
        title={texts.logOutEverywhere2}
        open={isOpen}
        action={texts.logOutEverywhere3}
        keep="Stay"
        busy={end.isPending}
        onConfirm={() => end.mutate()}
        onClose={() => setOpen(false)}
      >
        {texts.logsOutEveryBrowser}
        {end.isError && <Failure error={end.error} />}
      </Confirm>
    </>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { Button } from '../components/controls.tsx'
import { Loading } from '../components/loading.tsx'
import { Failure } from '../components/surfaces.tsx'
import { keptResult as texts } from '../messages/home.ts'
import { type Draft, leaveDraft, takeKeptDraft } from '../scan-form/draft.ts'
import { suggestProject } from '../scan-form/suggest-project.ts'

/** What someone scanned before they signed up becomes a scan of their account, without being requested again. */
export function KeptResult() {
  const [draft] = useState(() => takeKeptDraft(sessionStorage))
  const isSent = useRef(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const scan = useMutation({
    mutationFn: ({ source, name }: Draft) => {
      const body = new FormData()
      body.append('file', new File([source], name, { type: 'text/plain' }))
      body.append('project', suggestProject({ name, source }))
      return call('POST /api/v1/scan', { query: {}, body })
    },
    onSuccess: ({ scanId }) => navigate({ to: '/scans/$scanId', params: { scanId } }),
    onSettled: () => queries.invalidateQueries(),
  })
  useEffect(() => {
    if (!draft || isSent.current) return
    isSent.current = true
    scan.mutate(draft)
  }, [draft, scan])
  if (!draft) return null
  if (!scan.isError) return <Loading what={texts.savingResult(draft.name)} />
  return (
    <div className="mb-4 space-y-2">
      <Failure error={scan.error} />
      <Button
        onClick={() => {
          leaveDraft(draft)
          return navigate({ to: '/scan' })
        }}
      >
        Open {draft.name}
        {texts.inTheForm}
      </Button>
    </div>
  )
}

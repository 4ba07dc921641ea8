import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callForEvents } from '../api/client.ts'
import { aiScanForm as texts } from '../messages/components.ts'
import { Button, Field } from './controls.tsx'
import { linkClass } from './entrance.tsx'
import { Failure } from './surfaces.tsx'

/** The gateway key stays in this form's memory: it is sent with the scan and kept nowhere. */
export function AiScanForm({
  source,
  name,
  allowed,
  onDone,
}: {
  source: string
  name: string
  allowed: boolean
  onDone?: () => void
}) {
  const [gatewayKey, setGatewayKey] = useState('')
  const [model, setModel] = useState('')
  const [stage, setStage] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const scan = useMutation({
    mutationFn: () => {
      const body = new FormData()
      body.append('openrouterApiKey', gatewayKey)
      body.append('model', model)
      body.append('file', new File([source], name, { type: 'text/plain' }))
      return callForEvents('POST /api/v1/ai-scan', { query: {}, body }, ({ stage: reached }) => setStage(reached))
    },
    // The opinion stays with the scan: it is read there, now and later.
    onSuccess: ({ scanId }) => {
      onDone?.()
      return navigate({ to: '/scans/$scanId', params: { scanId } })
    },
    onSettled: () => queries.invalidateQueries(),
  })
  if (!allowed)
    return (
      <p className="text-sm text-soft">
        {texts.aiModelYourChoice}{' '}
        <Link to="/plan" className={linkClass}>
          pro plan
        </Link>
        .
      </p>
    )
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        scan.mutate()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={texts.openrouterApiKey}
          type="password"
          autoComplete="off"
          required
          value={gatewayKey}
          onChange={(event) => setGatewayKey(event.target.value)}
          hint={texts.sentScanOnlyNever}
        />
        <Field
          label="Model"
          required
          value={model}
          onChange={(event) => setModel(event.target.value)}
          placeholder="vendor/model"
          hint={texts.openrouterModelIdE}
        />
      </div>
      <Button type="submit" look="primary" busy={scan.isPending} disabled={source.trim() === ''}>
        {scan.isPending ? texts.aiReviewProgress : texts.scanAiReview}
      </Button>
      <div aria-live="polite">
        {scan.isPending && (
          <p className="text-sm text-soft">
            {stageWords[stage] ?? 'Uploading.'}
            {texts.canTakeMinuteTwo}
          </p>
        )}
        {scan.isError && <Failure error={scan.error} />}
      </div>
    </form>
  )
}

const stageWords: Record<string, string> = {
  scanning: 'Scanning.',
  asking: texts.findingsSentModel,
  receiving: texts.modelResponding,
  checking: texts.checkingResponseAgainstSource,
}

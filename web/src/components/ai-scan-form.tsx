import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callForEvents, type ResponseOf } from '../api/client.ts'
import { Button, Field } from './controls.tsx'
import { linkClass } from './entrance.tsx'
import { SeverityBadge } from './severity.tsx'
import { Failure } from './surfaces.tsx'

type AiResult = ResponseOf<'POST /api/v1/ai-scan'>

/** The gateway key stays in this form's memory: it is sent with the scan and kept nowhere. */
export function AiScanForm({ source, name, allowed }: { source: string; name: string; allowed: boolean }) {
  const [gatewayKey, setGatewayKey] = useState('')
  const [model, setModel] = useState('')
  const [stage, setStage] = useState('')
  const queries = useQueryClient()
  const scan = useMutation({
    mutationFn: () => {
      const body = new FormData()
      body.append('openrouterApiKey', gatewayKey)
      body.append('model', model)
      body.append('file', new File([source], name, { type: 'text/plain' }))
      return callForEvents('POST /api/v1/ai-scan', { query: {}, body }, ({ stage: reached }) => setStage(reached))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['plan'] }),
  })
  if (!allowed)
    return (
      <p className="text-sm text-soft">
        A model of your choice checks the engine's findings and looks for more. Part of the{' '}
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
          label="Your OpenRouter key"
          type="password"
          autoComplete="off"
          required
          value={gatewayKey}
          onChange={(event) => setGatewayKey(event.target.value)}
          hint="Sent with this scan only. Never stored, here or on the server."
        />
        <Field
          label="Model"
          required
          value={model}
          onChange={(event) => setModel(event.target.value)}
          placeholder="vendor/model"
          hint="The gateway's identifier of the model."
        />
      </div>
      <Button type="submit" look="primary" busy={scan.isPending} disabled={source.trim() === ''}>
        {scan.isPending ? 'The model is reading' : 'Scan with AI'}
      </Button>
      <div aria-live="polite">
        {scan.isPending && (
          <p className="text-sm text-soft">{stageWords[stage] ?? 'Uploading.'} This can take a minute or two.</p>
        )}
        {scan.isError && <Failure error={scan.error} />}
        {scan.data && <AiResultView result={scan.data} />}
      </div>
    </form>
  )
}

function AiResultView({ result }: { result: AiResult }) {
  const { summary, vulnerabilities, recommendations } = result.results
  return (
    <div className="space-y-3 text-sm">
      <p className="font-medium">{summary}</p>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {vulnerabilities.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an unchanging list without other identity
          <li key={index} className="p-3">
            <span className="flex flex-wrap items-center gap-2">
              <SeverityBadge severity={item.severity} />
              <strong>{item.title}</strong>
              <span className="text-xs text-soft">
                line {item.line} · {agreementWords[item.agreement]}
              </span>
            </span>
            <p className="mt-1">{item.description}</p>
            {item.aiReason && (
              <p className="mt-1 text-soft">
                The model {verdictWords[item.aiVerdict ?? 'unsure']} {item.aiReason}
              </p>
            )}
            <p className="mt-1 text-soft">{item.recommendation}</p>
          </li>
        ))}
      </ul>
      {recommendations.length > 0 && (
        <ul className="list-disc pl-5">
          {recommendations.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <p className="text-xs text-soft">
        Took {result.timeTaken}.{' '}
        <a className={linkClass} href={`/api/v1/reports/${encodeURIComponent(result.outputFile)}`} download>
          Download the report
        </a>
      </p>
    </div>
  )
}

const agreementWords: Record<string, string> = {
  both: 'found by the engine and confirmed by the model',
  ai: 'found by the model alone',
  static: 'found by the engine alone',
}

const verdictWords: Record<string, string> = {
  confirmed: 'confirms it:',
  doubted: 'doubts it:',
  unsure: 'is not sure:',
}

const stageWords: Record<string, string> = {
  scanning: 'The engine scans first.',
  asking: 'The findings were sent to the model.',
  receiving: 'The model is answering.',
  checking: 'The answer is checked against the source.',
}

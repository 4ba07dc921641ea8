import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { usePlan } from '../api/session.ts'
import { AiScanForm } from '../components/ai-scan-form.tsx'
import { Button } from '../components/controls.tsx'
import { formatBytes } from '../components/format.ts'
import { Guarded, type Me } from '../components/guarded.tsx'
import { SourceInput } from '../components/source-input.tsx'
import { Card, Failure, Page } from '../components/surfaces.tsx'
import { takeDraft } from '../scan-form/draft.ts'
import { LocalResult } from '../scan-form/local-result.tsx'
import { refusalBeforeUpload, refusalOfService } from '../scan-form/refusal-words.ts'
import { WaysOn } from '../scan-form/ways-on.tsx'

export function ScanPage() {
  return <Guarded title="Scan">{(me) => <NewScan me={me} />}</Guarded>
}

/** The upload the service expects: a file part called `file`. */
export function uploadOf(source: string, name: string): FormData {
  const form = new FormData()
  form.append('file', new File([source], name, { type: 'text/plain' }))
  return form
}

function NewScan({ me }: { me: Me }) {
  const [draft] = useState(takeDraft)
  const [source, setSource] = useState(draft?.source ?? '')
  const [name, setName] = useState(draft?.name ?? 'Contract.sol')
  const [isLocal, setLocal] = useState(false)
  const plan = usePlan(me.userId)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const scan = useMutation({
    mutationFn: () => call('POST /api/v1/scan', { query: {}, body: uploadOf(source, name) }),
    onSuccess: ({ scanId }) => navigate({ to: '/scans/$scanId', params: { scanId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['plan'] }),
  })
  const account = plan.data?.data
  const early = account && refusalBeforeUpload(source, account)
  const late = scan.error && account ? refusalOfService(scan.error, account) : undefined
  const refusal = late ?? (source === '' ? undefined : early)
  return (
    <Page
      title="Scan a contract"
      lead={
        account &&
        `Your plan takes files up to ${formatBytes(account.quotas.maxFileSize)} and single contracts up to ${formatBytes(account.quotas.maxContractSize)}.`
      }
    >
      <div className="space-y-4">
        <SourceInput
          name={name}
          source={source}
          onChange={(text, fileName) => {
            setSource(text)
            setName(fileName)
            // What was said of the old input says nothing of the new one.
            scan.reset()
            setLocal(false)
          }}
          rows={20}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            busy={scan.isPending}
            disabled={source.trim() === '' || early !== undefined}
            onClick={() => scan.mutate()}
          >
            {scan.isPending ? 'Scanning' : 'Scan'}
          </Button>
          <span role="status" className="text-sm text-soft">
            {scan.isPending && 'Uploading and analysing. Most contracts take well under a second.'}
          </span>
        </div>
        {refusal && <WaysOn refusal={refusal} onScanHere={() => setLocal(true)} />}
        {scan.isError && !late && <Failure error={scan.error} />}
        {isLocal && <LocalResult source={source} name={name} />}
        <Card title="AI-assisted scan">
          <AiScanForm source={source} name={name} allowed={account?.plan === 'pro'} />
        </Card>
      </div>
    </Page>
  )
}

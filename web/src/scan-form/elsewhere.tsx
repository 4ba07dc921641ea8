import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { Button, Field, Select } from '../components/controls.tsx'
import { Failure } from '../components/surfaces.tsx'
import { elsewhere as texts } from '../messages/scan-form.ts'
import { namedFiles, readChosen } from './read-dropped.ts'

export const origins = ['code', 'address', 'repository', 'batch'] as const
export type Origin = (typeof origins)[number]

/** Where the code to be scanned is. */
export function Origins({ origin, onChange }: { origin: Origin; onChange: (origin: Origin) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">{texts.scanFrom}</legend>
      {origins.map((one) => (
        <Button
          key={one}
          look={one === origin ? 'plain' : 'quiet'}
          aria-pressed={one === origin}
          onClick={() => onChange(one)}
        >
          {texts[one]}
        </Button>
      ))}
    </fieldset>
  )
}

const chains = [
  ['1', 'Ethereum'],
  ['10', 'Optimism'],
  ['56', 'BNB Chain'],
  ['137', 'Polygon'],
  ['8453', 'Base'],
  ['42161', 'Arbitrum One'],
  ['43114', 'Avalanche'],
  ['11155111', 'Sepolia'],
] as const

/** Sends a form's fields, and opens the page of the scan at once. */
function QueuedForm({
  submit,
  children,
}: {
  submit: (fields: Record<string, string>) => Promise<{ scanId: string }>
  children: ReactNode
}) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const scan = useMutation({
    mutationFn: submit,
    onSuccess: ({ scanId }) => navigate({ to: '/scans/$scanId', params: { scanId } }),
    onSettled: () => queries.invalidateQueries(),
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()] as const)
    scan.mutate(Object.fromEntries(fields.filter(([, value]) => value !== '')))
  }
  return (
    <form onSubmit={onSubmit} className="max-w-xl space-y-3">
      {children}
      <Field label="Project (optional)" name="project" maxLength={200} />
      {scan.isError && <Failure error={scan.error} />}
      <Button type="submit" look="primary" busy={scan.isPending}>
        Scan
      </Button>
    </form>
  )
}

export function AddressForm() {
  return (
    <QueuedForm
      submit={({ address = '', chain = '1', ...rest }) =>
        call('POST /api/v1/scan/address', {
          query: { async: 'true' },
          body: { address, chain: Number(chain), ...rest },
        })
      }
    >
      <Field
        label={texts.addressLabel}
        name="address"
        required
        pattern="0x[0-9a-fA-F]{40}"
        placeholder="0x…"
        hint={texts.addressHint}
        autoFocus
      />
      <Select label={texts.chain} name="chain">
        {chains.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </QueuedForm>
  )
}

export function RepositoryForm() {
  return (
    <QueuedForm
      submit={({ repository = '', ...rest }) =>
        call('POST /api/v1/scan/repository', { query: { async: 'true' }, body: { repository, ...rest } })
      }
    >
      <Field
        label={texts.repositoryLabel}
        name="repository"
        required
        placeholder="owner/name"
        hint={texts.repositoryHint}
        autoFocus
      />
      <Field label={texts.path} name="path" />
      <Field label={texts.ref} name="ref" />
    </QueuedForm>
  )
}

/** Many files, each a scan of its own. */
export function BatchForm() {
  const picker = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState<readonly { path: string; text: string }[]>([])
  const [problem, setProblem] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const queue = useMutation({
    mutationFn: () =>
      call('POST /api/v1/scans/batch', {
        body: { sources: Object.fromEntries(files.map(({ path, text }) => [path, { content: text }])) },
      }),
    onSuccess: ({ batchId }) => navigate({ to: '/batches/$batchId', params: { batchId } }),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <div className="space-y-3">
      <p className="text-sm text-soft">{texts.batchHint}</p>
      <input
        ref={picker}
        type="file"
        multiple
        accept=".sol,.zip,.tar.gz,.tgz"
        aria-label={texts.batchFiles}
        className="sr-only"
        tabIndex={-1}
        onChange={async (event) => {
          const chosen = await readChosen(namedFiles(event.target.files ?? []))
          queue.reset()
          setProblem(chosen.kind === 'nothing' ? chosen.problem : '')
          setFiles(chosen.kind === 'sources' ? chosen.sources.filter(({ path }) => path.endsWith('.sol')) : [])
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => picker.current?.click()}>{texts.batchFiles}</Button>
        <Button look="primary" disabled={files.length === 0} busy={queue.isPending} onClick={() => queue.mutate()}>
          Scan
        </Button>
        <span role="status" className="text-sm text-soft">
          {problem || (files.length > 0 && texts.ready(files.length))}
        </span>
      </div>
      {queue.isError && <Failure error={queue.error} />}
    </div>
  )
}

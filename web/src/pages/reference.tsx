import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { useMe } from '../api/session.ts'
import { Select, Toggle } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { Card, Failure, Loading, Page } from '../components/surfaces.tsx'

interface OpenApi {
  paths: Record<
    string,
    Record<
      string,
      { summary?: string; description?: string; tags?: string[]; responses?: Record<string, { description?: string }> }
    >
  >
}

export function ReferencePage() {
  const api = useQuery({
    queryKey: ['openapi'],
    queryFn: async () => (await (await fetch('/openapi.json')).json()) as OpenApi,
    staleTime: 600_000,
  })
  return (
    <Page
      title="API"
      lead={
        <>
          The same service over HTTP. The full reference with every field is at{' '}
          <a className="text-accent underline" href="/docs">
            /docs
          </a>
          , the machine-readable one at{' '}
          <a className="text-accent underline" href="/openapi.json">
            /openapi.json
          </a>
          .
        </>
      }
    >
      <div className="space-y-6">
        <FirstScan />
        {api.isPending && <Loading what="Loading the reference" />}
        {api.isError && <Failure error={api.error} retry={() => api.refetch()} />}
        {api.data && <Operations api={api.data} />}
      </div>
    </Page>
  )
}

/** Lines to paste, carrying the reader's own key when asked. */
function FirstScan() {
  const me = useMe()
  const [wantsKey, setWantsKey] = useState(false)
  const [language, setLanguage] = useState<keyof typeof snippets>('curl')
  const keys = useQuery({
    queryKey: ['keys', me.data?.userId],
    queryFn: () => call('GET /api/v1/user-api-keys', { query: { userId: me.data?.userId ?? '' } }),
    enabled: wantsKey && Boolean(me.data),
  })
  const own = keys.data?.data.apiKeys.find((key) => key.status === 'ACTIVE')?.keyValue
  const text = snippets[language](location.origin, wantsKey && own ? own : '$ASSAY_API_KEY')
  return (
    <Card title="Your first scan from a program">
      <div className="mb-4 flex flex-wrap items-end gap-4">
        <Select
          label="Language"
          value={language}
          onChange={(event) => setLanguage(event.target.value as keyof typeof snippets)}
          className="w-44"
        >
          <option value="curl">curl</option>
          <option value="typescript">TypeScript</option>
          <option value="python">Python</option>
        </Select>
        {me.data && <Toggle label="Put my own key into the lines" checked={wantsKey} onChange={setWantsKey} />}
      </div>
      {wantsKey && keys.data && !own && (
        <p className="mb-2 text-sm text-soft">You have no active key yet: create one under Keys.</p>
      )}
      <CopyBox value={text} label={`${language} example`} />
    </Card>
  )
}

const snippets = {
  curl: (base: string, key: string) => `curl -H "X-API-Key: ${key}" -F file=@Contract.sol ${base}/api/v1/scan`,
  typescript: (base: string, key: string) =>
    [
      `import { readFile } from 'node:fs/promises'`,
      '',
      'const form = new FormData()',
      `form.append('file', new File([await readFile('Contract.sol')], 'Contract.sol'))`,
      `const response = await fetch('${base}/api/v1/scan', {`,
      `  method: 'POST',`,
      `  headers: { 'X-API-Key': ${key.startsWith('$') ? 'process.env.ASSAY_API_KEY!' : `'${key}'`} },`,
      '  body: form,',
      '})',
      'console.log(await response.json())',
    ].join('\n'),
  python: (base: string, key: string) =>
    [
      'import os, requests',
      '',
      'with open("Contract.sol", "rb") as source:',
      `    answer = requests.post("${base}/api/v1/scan",`,
      `        headers={"X-API-Key": ${key.startsWith('$') ? 'os.environ["ASSAY_API_KEY"]' : `"${key}"`}},`,
      '        files={"file": source})',
      'print(answer.json())',
    ].join('\n'),
}

function Operations({ api }: { api: OpenApi }) {
  return (
    <Card title="Endpoints">
      <ul className="divide-y divide-line text-sm">
        {Object.entries(api.paths).flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, operation]) => (
            <li key={`${method} ${path}`} className="py-2">
              <details>
                <summary className="flex cursor-pointer flex-wrap gap-x-3 gap-y-1">
                  <code className="font-semibold uppercase">{method}</code>
                  <code className="break-all">{path}</code>
                  <span className="text-soft">{operation.summary}</span>
                </summary>
                <div className="mt-2 space-y-2 pl-4">
                  {operation.description && <p className="whitespace-pre-line">{operation.description}</p>}
                  <ul className="text-soft">
                    {Object.entries(operation.responses ?? {}).map(([status, response]) => (
                      <li key={status}>
                        <strong>{status}</strong> {response.description}
                      </li>
                    ))}
                  </ul>
                </div>
              </details>
            </li>
          )),
        )}
      </ul>
    </Card>
  )
}

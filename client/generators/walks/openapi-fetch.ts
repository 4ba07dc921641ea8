import createClient from 'openapi-fetch'
import type { paths } from './assay.js'
import { file, type Given, must, other, password, type Seen, vulnerable } from './walk.js'

export async function walk({ baseUrl, email, readCode, tick }: Given): Promise<Seen> {
  const client = createClient<paths>({ baseUrl })
  const registered = await client.POST('/api/register', { body: { email, password, name: 'Ada' } })
  const { userId } = must(registered.data, 'account')
  await client.POST('/api/verify-email', { body: { email, otp: await readCode() } })
  const session = must((await client.POST('/api/login', { body: { email, password } })).data, 'session')
  if (!('token' in session)) throw new Error('a second factor is due')
  const made = await client.POST('/api/generate-api-key', {
    body: { userId, type: 'TEST', name: 'ci' },
    headers: { authorization: `Bearer ${session.token}` },
  })
  const headers = { 'x-api-key': must(made.data, 'key').apiKey.keyValue }
  const toForm = (parts: { file: (string | File)[]; project?: string }): FormData => {
    const form = new FormData()
    for (const part of parts.file) form.append('file', part)
    if (parts.project) form.append('project', parts.project)
    return form
  }
  // The document says `string` in format binary; what is sent is what the serializer makes of it.
  const sent = (...files: File[]) => files as unknown as string[]
  const one = await client.POST('/api/v1/scan', {
    body: { file: sent(file('Open.sol', vulnerable)), project: 'walk' },
    bodySerializer: toForm,
    headers,
  })
  const scan = must(one.data, 'scan')
  if (typeof scan === 'string' || !('dataVulnerabilities' in scan)) throw new Error('the scan was queued')
  const queued = await client.POST('/api/v1/scan', {
    params: { query: { async: 'true' } },
    body: { file: sent(file('src/Open.sol', vulnerable), file('src/Other.sol', other)) },
    bodySerializer: toForm,
    headers,
  })
  const accepted = must(queued.data, 'queued scan')
  if (typeof accepted === 'string' || !('scanId' in accepted)) throw new Error('not JSON')
  const { scanId } = accepted
  let project: readonly string[] | undefined
  while (!project) {
    await tick()
    const read = await client.GET('/api/v1/scans/{scanId}', { params: { path: { scanId } }, headers })
    const { data } = must(read.data, 'state')
    if (data.status === 'completed') project = data.dataVulnerabilities.map(({ vulnerabilityId }) => vulnerabilityId)
  }
  const found = await client.GET('/api/v1/findings', { params: { query: { project: 'walk' } }, headers })
  const [finding] = must(found.data, 'findings').data.findings
  const { id } = must(finding, 'finding')
  const decided = await client.PATCH('/api/v1/findings/{id}', {
    params: { path: { id } },
    body: { state: 'false-positive', reason: 'a test' },
    headers,
  })
  const report = await client.GET('/api/v1/scans/{scanId}/report', {
    params: { path: { scanId: scan.scanId }, query: { format: 'sarif' } },
    headers: { ...headers, accept: 'application/sarif+json' },
  })
  const missing = await client.GET('/api/v1/scans/{scanId}', { params: { path: { scanId: 'none' } }, headers })
  return {
    scanned: scan.dataVulnerabilities.map(({ vulnerabilityId }) => vulnerabilityId),
    project,
    state: decided.data?.data.state,
    sarif: typeof report.data === 'object' && 'version' in report.data ? String(report.data.version) : undefined,
    refused: missing.error?.error,
  }
}

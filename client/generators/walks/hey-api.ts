import { createClient } from './hey-api/client/index.js'
import * as assay from './hey-api/sdk.gen.js'
import { file, type Given, must, other, password, type Seen, vulnerable } from './walk.js'

export async function walk({ baseUrl, email, readCode, tick }: Given): Promise<Seen> {
  const client = createClient({ baseUrl })
  const { userId } = must(
    (await assay.accountRegister({ client, body: { email, password, name: 'Ada' } })).data,
    'account',
  )
  await assay.accountVerifyEmail({ client, body: { email, otp: await readCode() } })
  const session = must((await assay.accountLogIn({ client, body: { email, password } })).data, 'session')
  if (!('token' in session)) throw new Error('a second factor is due')
  const headers = { authorization: `Bearer ${session.token}` }
  const made = await assay.keysCreate({ client, body: { userId, type: 'TEST', name: 'ci' }, headers })
  const keyed = createClient({ baseUrl, auth: must(made.data, 'key').apiKey.keyValue })
  const one = await assay.scansCreate({
    client: keyed,
    body: { file: [file('Open.sol', vulnerable)], project: 'walk' },
  })
  const scan = must(one.data, 'scan')
  if (!('dataVulnerabilities' in scan)) throw new Error('the scan was queued')
  const queued = await assay.scansCreate({
    client: keyed,
    body: { file: [file('src/Open.sol', vulnerable), file('src/Other.sol', other)] },
    query: { async: 'true' },
  })
  const { scanId } = must(queued.data, 'queued scan') as { scanId: string }
  let project: readonly string[] | undefined
  while (!project) {
    await tick()
    const { data } = must((await assay.scansGet({ client: keyed, path: { scanId } })).data, 'state')
    if (data.status === 'completed') project = data.dataVulnerabilities.map(({ vulnerabilityId }) => vulnerabilityId)
  }
  const found = await assay.findingsList({ client: keyed, query: { project: 'walk' } })
  const { id } = must(must(found.data, 'findings').data.findings[0], 'finding')
  const decided = await assay.findingsUpdate({
    client: keyed,
    path: { id },
    body: { state: 'false-positive', reason: 'a test' },
  })
  const report = await assay.scansReport({
    client: keyed,
    path: { scanId: scan.scanId },
    query: { format: 'sarif' },
    parseAs: 'json',
  })
  const missing = await assay.scansGet({ client: keyed, path: { scanId: 'none' } })
  return {
    scanned: scan.dataVulnerabilities.map(({ vulnerabilityId }) => vulnerabilityId),
    project,
    state: decided.data?.data.state,
    sarif: typeof report.data === 'object' && 'version' in report.data ? String(report.data.version) : undefined,
    refused: missing.error?.error,
  }
}

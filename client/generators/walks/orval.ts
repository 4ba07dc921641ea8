import * as assay from './orval/assay.js'
import { file, type Given, must, other, password, type Seen, vulnerable } from './walk.js'

/** The generated functions know no base address: they are given one by the fetch that they call. */
export async function walk({ email, readCode, tick }: Given): Promise<Seen> {
  const registered = await assay.accountRegister({ email, password, name: 'Ada' })
  if (registered.status !== 201) throw new Error('not registered')
  const { userId } = registered.data
  await assay.accountVerifyEmail({ email, otp: await readCode() })
  const session = await assay.accountLogIn({ email, password })
  if (session.status !== 200) throw new Error('not logged in')
  const bearer = { authorization: `Bearer ${session.data.token}` }
  const made = await assay.keysCreate(
    { userId, type: 'TEST', name: 'ci' },
    {
      headers: bearer,
    },
  )
  if (made.status !== 201) throw new Error('no key')
  const headers = { 'x-api-key': made.data.apiKey.keyValue }
  const one = await assay.scansCreate({ file: [file('Open.sol', vulnerable)], project: 'walk' }, undefined, { headers })
  if (one.status !== 200) throw new Error('not scanned')
  const scan = one.data
  if (typeof scan === 'string' || !('dataVulnerabilities' in scan)) throw new Error('not JSON')
  const queued = await assay.scansCreate(
    { file: [file('src/Open.sol', vulnerable), file('src/Other.sol', other)] },
    { async: 'true' },
    { headers },
  )
  if (queued.status !== 202) throw new Error('not queued')
  const { scanId } = queued.data
  let project: readonly string[] | undefined
  while (!project) {
    await tick()
    const read = await assay.scansGet(scanId, { headers })
    if (read.status !== 200) throw new Error('not read')
    const { data } = read.data
    if (data.status === 'completed') project = data.dataVulnerabilities.map(({ vulnerabilityId }) => vulnerabilityId)
  }
  const found = await assay.findingsList({ project: 'walk' }, { headers })
  if (found.status !== 200) throw new Error('no findings')
  const { id } = must(found.data.data.findings[0], 'finding')
  const decided = await assay.findingsUpdate(
    id,
    { state: 'false-positive', reason: 'a test' },
    {
      headers,
    },
  )
  const report = await assay.scansReport(scan.scanId, { format: 'sarif' }, { headers })
  const sarif = report.status === 200 ? report.data : undefined
  const missing = await assay.scansGet('none', { headers })
  return {
    scanned: scan.dataVulnerabilities.map(({ vulnerabilityId }) => vulnerabilityId),
    project,
    state: decided.status === 200 ? decided.data.data.state : undefined,
    sarif: typeof sarif === 'object' && 'version' in sarif ? sarif.version : undefined,
    refused: missing.status === 404 ? missing.data.error : undefined,
  }
}

import { readFileSync } from 'node:fs'
import { findPackages, isInstalled, notAttempted, usePackages } from '@assay/prover'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Analysis, createAnalysis } from '../analysis/analysis.ts'
import { PoolFull, TaskAbandoned, TaskOverrun } from '../analysis/pool.ts'
import type { PlanName } from '../core/plans.ts'
import { makeZip } from '../testing/archives.ts'
import { type Form, form, sourceForm } from '../testing/form.ts'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'

const source = readFileSync(
  new URL('../../../prover/fixtures/unprotected-selfdestruct/vulnerable.sol', import.meta.url),
  'utf8',
)
/** The same weakness in a second contract. */
const again = source.slice(source.indexOf('contract Stall {')).replace('Stall', 'Booth')
const patience = 240_000

interface Answer {
  readonly scanId: string
  readonly dataVulnerabilities: {
    readonly vulnerabilityId: string
    readonly file?: string
    readonly fingerprint: string
    readonly evidence?: { readonly status: string; readonly summary: string; readonly steps: readonly unknown[] }
  }[]
}

describe('POST /api/v1/scan?prove=true', () => {
  let service: TestApp
  let real: Analysis
  let prove: Analysis['prove'] | undefined
  let attachUnfinished: Analysis['attachUnfinished'] | undefined

  beforeAll(async () => {
    real = createAnalysis({
      scanWorkers: 1,
      scanTimeoutMs: 60_000,
      scanMemoryMb: 256,
      scanQueue: 10,
      scanWaitMs: 60_000,
    })
    const analysis: Analysis = {
      ...real,
      prove: (task, options) => (prove ?? real.prove)(task, options),
      attachUnfinished: (task, options) => (attachUnfinished ?? real.attachUnfinished)(task, options),
    }
    service = await startTestApp({ analysis })
  })
  afterEach(() => {
    prove = undefined
    attachUnfinished = undefined
  })
  afterAll(async () => {
    await service.close()
    await real.close()
  })

  const scan = async (query: string, { payload, headers }: Form = sourceForm(source), plan: PlanName = 'free') => {
    const { keyValue } = await service.makeKey(await service.signUp({ plan }), 'PRODUCTION')
    const key = { 'x-api-key': keyValue }
    const answer = await service.inject({
      method: 'POST',
      url: `/api/v1/scan${query}`,
      payload,
      headers: { ...headers, ...key },
    })
    return { answer, key }
  }
  const destruct = (answer: Answer) => answer.dataVulnerabilities.find((each) => each.vulnerabilityId === 'SWC-106')

  test(
    '200: without it no finding carries evidence',
    async () => {
      const { answer } = await scan('')
      expect(answer.statusCode).toBe(200)
      expect(destruct(answer.json<Answer>())).not.toHaveProperty('evidence')
    },
    patience,
  )

  test(
    '200: a prover that is stopped does not fail the scan; what it reported before is kept, and the rest says why there is nothing',
    async () => {
      const evidence = { ...notAttempted('nobody is at home'), summary: 'not reproduced in 7 calls' }
      prove = (_, { onEvidence }) => {
        onEvidence?.({ index: 0, evidence: Buffer.from(JSON.stringify(evidence)) })
        return Promise.reject(new TaskOverrun('timeout'))
      }
      const { answer, key } = await scan('?prove=true', sourceForm(source + again))
      expect(answer.statusCode).toBe(200)
      const { scanId, dataVulnerabilities } = answer.json<Answer>()
      const [first, ...others] = dataVulnerabilities
      expect(first?.evidence).toEqual(evidence)
      expect(others.length).toBeGreaterThan(0)
      for (const other of others) {
        expect(other.evidence?.status).toBe('not-attempted')
        expect(other.evidence?.summary).toBe('not attempted: the prover ran out of time')
      }
      const stored = await service.inject({ method: 'GET', url: `/api/v1/scans/${scanId}`, headers: key })
      expect(stored.json<{ data: Answer }>().data.dataVulnerabilities).toEqual(dataVulnerabilities)
    },
    patience,
  )

  test.each([
    [new PoolFull(30), 'not attempted: too many proofs are under way; scan again in 30 s'],
    [new Error('wires crossed'), 'not attempted: the prover failed'],
  ])(
    '200: why nothing was attempted, in one line: %s',
    async (error, words) => {
      prove = () => Promise.reject(error)
      const { answer } = await scan('?prove=true')
      expect(answer.statusCode).toBe(200)
      expect(destruct(answer.json<Answer>())?.evidence?.summary).toBe(words)
    },
    patience,
  )

  test(
    '429: five proofs that were stopped within an hour make the account pause, as scans do',
    async () => {
      prove = () => Promise.reject(new TaskOverrun('timeout'))
      const { key } = await scan('?prove=true', sourceForm(source), 'pro')
      const { payload, headers } = sourceForm(source)
      const request = {
        method: 'POST',
        url: '/api/v1/scan?prove=true',
        payload,
        headers: { ...headers, ...key },
      } as const
      const next = () => service.inject(request)
      const statuses: number[] = []
      for (let count = 2; count <= 6; count++) statuses.push((await next()).statusCode)
      expect(statuses).toEqual([200, 200, 200, 200, 429])
    },
    patience,
  )

  test.each([
    ['while the prover works', new TaskAbandoned()],
    ['while what it told is kept', new TaskOverrun('timeout')],
  ])(
    '503: a client that leaves %s is no failure of the prover: nothing is kept, charged or warned of',
    async (_, error) => {
      prove = () => Promise.reject(error)
      attachUnfinished = () => Promise.reject(new TaskAbandoned())
      const linesBefore = service.logLines.length
      const { answer, key } = await scan('?prove=true')
      const lines = service.logLines.slice(linesBefore).join('')
      expect(answer.statusCode).toBe(503)
      expect(lines.includes('the prover did not finish a scan')).toBe(error instanceof TaskOverrun)
      expect(lines).not.toContain('was lost')
      for (const status of ['completed', 'failed']) {
        const list = await service.inject({ method: 'GET', url: `/api/v1/scans?status=${status}`, headers: key })
        const { scans, withoutResult = [] } = list.json().data
        expect([scans, withoutResult]).toEqual([[], []])
      }
    },
    patience,
  )

  test(
    '400: anything but true and false',
    async () => {
      expect((await scan('?prove=maybe')).answer.statusCode).toBe(400)
    },
    patience,
  )

  test(
    '200: without the prover every finding says how to install it',
    async () => {
      const folder = findPackages()
      usePackages(null)
      const { answer } = await scan('?prove=true').finally(() => usePackages(folder))
      const { evidence } = destruct(answer.json<Answer>()) ?? {}
      expect(evidence?.status).toBe('not-attempted')
      expect(evidence?.summary).toMatch(/the prover is not installed \(npm run setup:prover installs it\)/)
    },
    patience,
  )

  test(
    '200: basic has more time than free, and pro more than basic',
    async () => {
      const counts: number[] = []
      prove = (task) => {
        counts.push(task.budgetMs)
        return Promise.reject(new TaskOverrun('timeout'))
      }
      for (const plan of ['free', 'basic', 'pro'] as const)
        expect((await scan('?prove=true', undefined, plan)).answer.statusCode).toBe(200)
      const [free = 0, basic = 0, pro = 0] = counts
      expect([free > 0, basic > free, pro > basic]).toEqual([true, true, true])
    },
    patience,
  )

  const [head = '', body = ''] = source.split('contract Stall {')
  const project = {
    'src/Base.sol': `${head}contract Base { uint256 public opened; }\n`,
    'src/Stall.sol': `${head}import "./Base.sol";\ncontract Stall is Base {${body.replace('uint256 public opened;', '')}`,
    'src/Broken.sol': `${head}contract Broken { function take() public { msg.sender.transfer(missing); } }\n`,
  }
  const parts = Object.entries(project).map(([fileName, bytes]) => ({ name: 'file', fileName, bytes }))
  test.skipIf(!isInstalled()).each([
    ['several files', form(...parts)],
    ['a zip', form({ name: 'file', fileName: 'project.zip', bytes: makeZip(project) })],
  ])(
    '200: of a project each file is proved with what it imports: %s',
    async (_, upload) => {
      const { answer, key } = await scan('?prove=true', upload, 'pro')
      expect(answer.statusCode).toBe(200)
      const result = answer.json<Answer>()
      const finding = destruct(result)
      expect(finding?.evidence).toMatchObject({ status: 'confirmed' })
      const broken = result.dataVulnerabilities.filter(({ file }) => file === 'src/Broken.sol')
      expect(broken.length).toBeGreaterThan(0)
      for (const { evidence } of broken) expect(evidence?.summary).toMatch(/do not compile: .*Undeclared identifier/)
      const url = `/api/v1/scans/${result.scanId}/tests/${finding?.fingerprint}`
      const download = await service.inject({ method: 'GET', url, headers: key })
      expect(download.body).toContain('contract Stall is Base {')
      expect(download.body).toContain('contract Base {')
      expect(download.body).not.toMatch(/^import |contract Broken/m)
    },
    patience,
  )

  test.skipIf(!isInstalled())(
    '200: the attack comes with the finding, and its test can be downloaded',
    async () => {
      const { answer, key } = await scan('?prove=true')
      expect(answer.statusCode).toBe(200)
      const result = answer.json<Answer>()
      const finding = destruct(result)
      expect(finding?.evidence).toMatchObject({ status: 'confirmed', steps: [expect.anything(), ...[]] })
      const url = `/api/v1/scans/${result.scanId}/tests`
      const download = await service.inject({ method: 'GET', url: `${url}/${finding?.fingerprint}`, headers: key })
      expect(download.statusCode).toBe(200)
      expect(download.body).toContain('contract Stall {')
      expect(download.body).toContain('function testExploit() public')
      const unknown = await service.inject({ method: 'GET', url: `${url}/nothing`, headers: key })
      expect(unknown.statusCode).toBe(404)
    },
    patience,
  )
})

import { readFileSync } from 'node:fs'
import { findPackages, isInstalled, usePackages } from '@assay/prover'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Analysis, createAnalysis } from '../analysis/analysis.ts'
import { TaskOverrun } from '../analysis/pool.ts'
import { sourceForm } from '../testing/form.ts'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'

const source = readFileSync(
  new URL('../../../prover/fixtures/unprotected-selfdestruct/vulnerable.sol', import.meta.url),
  'utf8',
)
const patience = 240_000

interface Answer {
  readonly scanId: string
  readonly dataVulnerabilities: {
    readonly vulnerabilityId: string
    readonly fingerprint: string
    readonly evidence?: { readonly status: string; readonly summary: string; readonly steps: readonly unknown[] }
  }[]
}

describe('POST /api/v1/scan?prove=true', () => {
  let service: TestApp
  let real: Analysis
  let prove: Analysis['prove'] | undefined

  beforeAll(async () => {
    real = createAnalysis({
      scanWorkers: 1,
      scanTimeoutMs: 60_000,
      scanMemoryMb: 256,
      scanQueue: 10,
      scanWaitMs: 60_000,
    })
    const analysis: Analysis = { ...real, prove: (task, options) => (prove ?? real.prove)(task, options) }
    service = await startTestApp({ analysis })
  })
  afterEach(() => {
    prove = undefined
  })
  afterAll(async () => {
    await service.close()
    await real.close()
  })

  const scan = async (query: string) => {
    const { keyValue } = await service.makeKey(await service.signUp({}), 'PRODUCTION')
    const { payload, headers } = sourceForm(source)
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
    '200: a prover that is stopped does not fail the scan',
    async () => {
      prove = () => Promise.reject(new TaskOverrun('timeout'))
      const { answer } = await scan('?prove=true')
      expect(answer.statusCode).toBe(200)
      expect(destruct(answer.json<Answer>())).toBeDefined()
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
      expect(download.body).toContain('function testAttack() public')
      const unknown = await service.inject({ method: 'GET', url: `${url}/nothing`, headers: key })
      expect(unknown.statusCode).toBe(404)
    },
    patience,
  )
})

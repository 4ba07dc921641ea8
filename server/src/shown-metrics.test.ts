import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { backUp } from './admin/backup.ts'
import { serveOperator } from './admin/serve-operator.ts'
import { createAnalysis } from './analysis/analysis.ts'
import { createMetrics, observePool } from './http/metrics.ts'
import { noteSwept } from './services/sweep-guard.ts'
import { describeOnEachDatabase } from './testing/describe-on-each-database.ts'
import { useTestApp } from './testing/start-test-app.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const deployed = (file: string): string => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
const names = (text: string): string[] => [...new Set(text.match(/\b(?:assay|nodejs|process)_\w+(?=[{[) ]|$)/gm))]

describeOnEachDatabase('what /metrics shows', (context) => {
  const suite = useTestApp(context)
  let shown: () => Promise<string>
  beforeAll(() => {
    shown = () => suite.app.deps.metrics.registry.metrics()
  })

  test('jobs that are due, by kind, whether there are any or not', async () => {
    const { app } = suite
    await app.post('/api/register', { email: 'ada@example.com', password: 'a long enough password', name: 'Ada' })
    await app.deps.background.drain()
    expect(await shown()).toContain('assay_jobs_waiting{kind="mail"} 1')
    expect(await shown()).toContain('assay_jobs_waiting{kind="deliver-webhook"} 0')
    await app.runJobs()
    expect(await shown()).toContain('assay_jobs_waiting{kind="mail"} 0')
  })

  test('the age of the last backup', async () => {
    const { deps, clock } = suite.app
    expect(await shown()).toContain('assay_backup_age_seconds +Inf')
    const { databaseUrl, dataDir } = context.settings
    const served = { ...deps, config: { ...deps.config, dataDir } }
    const operator = databaseUrl ? undefined : await serveOperator(served)
    await backUp({ databaseUrl, dataDir }, clock, join(temporaryFolder(), 'backup'))
    await operator?.close()
    clock.travel('PT1H')
    expect(await shown()).toContain('assay_backup_age_seconds 3600')
  })

  test('rows that a sweep removed', async () => {
    await noteSwept(suite.app.deps, 'scans', 7)
    await noteSwept(suite.app.deps, 'scans', 2)
    expect(await shown()).toContain('assay_swept_rows_total{sweep="scans"} 9')
  })

  test('connections, on PostgreSQL', async () => {
    const states = [...(await shown()).matchAll(/assay_database_connections\{state="(\w+)"\} (\d+)/g)]
    expect(states.map(([, state]) => state)).toEqual(context.dialect === 'postgres' ? ['used', 'idle', 'waiting'] : [])
  })

  test('every metric of the alert rules and the dashboard, and each rule has its section in the runbook', async () => {
    const text = await shown()
    const rules = deployed('prometheus/alerts.yaml')
    const queried = [...names(rules), ...names(deployed('grafana/assay.json'))]
    expect(queried.length).toBeGreaterThan(15)
    const base = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '')
    const isOther = (name: string): boolean => context.dialect === 'sqlite' && name === 'assay_database_connections'
    expect(queried.filter((name) => !isOther(name) && !text.includes(`# TYPE ${base(name)} `))).toEqual([])
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
    const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
    expect(alerts.filter((name) => !runbook.includes(`\n## ${name}\n`))).toEqual([])
    expect(alerts.filter((name) => !rules.includes(`docs/runbook.md#${name.toLowerCase()}'`))).toEqual([])
  })
})

test('workers that ended with their task are counted by reason', async () => {
  const metrics = createMetrics()
  const settings = { scanWorkers: 1, scanTimeoutMs: 1, scanMemoryMb: 256, scanQueue: 10, scanWaitMs: 10_000 }
  const analysis = createAnalysis(settings, observePool(metrics))
  const task = { bytes: new Uint8Array(1_000_000), maxContractBytes: 1, kind: 'archive' } as never
  await analysis.unpack(task, { owner: { account: 'a', rank: 0 } }).catch(() => {})
  await analysis.close()
  // On a busy machine the worker may have had no time at all.
  expect(await metrics.registry.metrics()).toMatch(/^assay_workers_replaced_total\{reason="(timeout|starved)"\} 1$/m)
})

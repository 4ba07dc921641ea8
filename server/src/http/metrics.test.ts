import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createAnalysis } from '../analysis/analysis.ts'
import { createMetrics, observePool, showGauge } from './metrics.ts'

test('waiting and work of each task are measured, by outcome', async () => {
  const metrics = createMetrics()
  const settings = { scanWorkers: 1, scanTimeoutMs: 20_000, scanMemoryMb: 256, scanQueue: 10, scanWaitMs: 10_000 }
  const analysis = createAnalysis(settings, observePool(metrics))
  const task = { result: new Uint8Array([1]), format: 'html', scannedAt: '2026-03-10T12:00:00.000Z' } as const
  await expect(analysis.render(task, { owner: { account: 'a', rank: 0 } })).rejects.toThrow()
  await analysis.close()
  const text = await metrics.registry.metrics()
  expect(text).toContain('assay_scan_wait_seconds_count 1')
  expect(text).toContain('assay_scan_duration_seconds_count{outcome="failed"} 1')
})

test('every metric on the dashboard is one that the service has', async () => {
  const metrics = createMetrics()
  showGauge(metrics, 'assay_scans_running', 'Running.', () => 0)
  showGauge(metrics, 'assay_scans_waiting', 'Waiting.', () => 0)
  const known = new Set(metrics.registry.getMetricsAsArray().map(({ name }) => name))
  const dashboard = readFileSync(new URL('../../../deploy/grafana/assay.json', import.meta.url), 'utf8')
  const queried = new Set(dashboard.match(/\b(?:assay|nodejs|process)_\w+(?=[{[)])/g))
  expect(queried.size).toBeGreaterThan(8)
  const base = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '')
  expect([...queried].filter((name) => !known.has(name) && !known.has(base(name)))).toEqual([])
})

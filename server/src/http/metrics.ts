import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Gauges } from '../core/gauges.ts'
import { whenRequestEnds } from './request-end.ts'

export interface Metrics {
  registry: Registry
  requests: Counter<'method' | 'route' | 'status'>
  duration: Histogram<'method' | 'route'>
  refusals: Counter<'refusal'>
  scanWait: Histogram
  scanDuration: Histogram<'outcome'>
  cpuSeconds: Counter
  overruns: Counter
  jobs: Counter<'kind' | 'outcome'>
  workersReplaced: Counter<'reason'>
  swept: Counter<'sweep'>
}

const seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Counter({
      name: 'assay_http_requests_total',
      help: 'Requests answered, by route and status.',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    }),
    duration: new Histogram({
      name: 'assay_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['method', 'route'],
      buckets: seconds,
      registers: [registry],
    }),
    refusals: new Counter({
      name: 'assay_refusals_total',
      help: 'Requests refused, by the name of the refusal in the catalogue of errors.',
      labelNames: ['refusal'],
      registers: [registry],
    }),
    scanWait: new Histogram({
      name: 'assay_scan_wait_seconds',
      help: 'Time that tasks waited for a worker.',
      buckets: seconds,
      registers: [registry],
    }),
    scanDuration: new Histogram({
      name: 'assay_scan_duration_seconds',
      help: 'Time that a worker was busy with a task, by outcome: done, failed, or stopped at a limit.',
      labelNames: ['outcome'],
      buckets: seconds,
      registers: [registry],
    }),
    cpuSeconds: new Counter({
      name: 'assay_cpu_seconds_total',
      help: 'CPU time that workers used, however the tasks ended.',
      registers: [registry],
    }),
    overruns: new Counter({
      name: 'assay_overruns_total',
      help: 'Tasks that were stopped at a limit, or given up after a second of work.',
      registers: [registry],
    }),
    jobs: new Counter({
      name: 'assay_jobs_total',
      help: 'Tries of background jobs, by kind and outcome: done, retried, postponed or given-up. Mails and webhooks are jobs.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    workersReplaced: new Counter({
      name: 'assay_workers_replaced_total',
      help: 'Worker processes that ended with their task, by reason: timeout, starved, memory, crash or given-up.',
      labelNames: ['reason'],
      registers: [registry],
    }),
    swept: new Counter({
      name: 'assay_swept_rows_total',
      help: 'Rows that recurring deletions removed, by sweep: scans or deliveries.',
      labelNames: ['sweep'],
      registers: [registry],
    }),
  }
}

/** What the worker pool tells of each task. */
export const observePool = (
  { scanWait, scanDuration, cpuSeconds, workersReplaced }: Metrics,
  onUsed?: (account: string, cpuMs: number) => void,
) => ({
  onUsed(account: string, cpuMs: number): void {
    cpuSeconds.inc(cpuMs / 1000)
    onUsed?.(account, cpuMs)
  },
  onReplaced: (reason: string) => workersReplaced.inc({ reason }),
  onStart: (waitedMs: number) => scanWait.observe(waitedMs / 1000),
  onEnd: (ranMs: number, outcome: string) => scanDuration.observe({ outcome }, ranMs / 1000),
})

/** Shows a number that is kept elsewhere, read when it is requested. */
export function showGauge(
  { registry }: Metrics,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read())
    },
  })
}

/** The same for several numbers of one name, distinguished by a label; those of before are forgotten. */
export function showGauges(
  { registry }: Metrics,
  { name, help, label }: { readonly name: string; readonly help: string; readonly label: string },
  read: () => Iterable<readonly [string, number]> | Promise<Iterable<readonly [string, number]>>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await read()
      this.reset()
      for (const [value, count] of values) this.set({ [label]: value }, count)
    },
  })
}

/** Shows everything that is held, so that a count which nobody lowers is seen before it does harm. */
export function showHeld(metrics: Metrics, gauges: Pick<Gauges, 'read'>): void {
  const help = 'What this process holds just now, by resource; all of them are 0 when it has nothing to do.'
  showGauges(metrics, { name: 'assay_held', help, label: 'resource' }, () => Object.entries(gauges.read()))
}

/** Counts every request under its route's pattern; unknown addresses share one label, so that nobody can flood it. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  whenRequestEnds(app, (request, _reply, { status, ms }) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.requests.inc({ method: request.method, route, status })
    metrics.duration.observe({ method: request.method, route }, ms / 1000)
    if (request.refusal) metrics.refusals.inc({ refusal: request.refusal })
  })
}

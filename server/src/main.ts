import { setTimeout as delay } from 'node:timers/promises'
import { serveOperator } from './admin/serve-operator.ts'
import { buildApp, buildWorkerApp } from './app.ts'
import { type Config, ConfigProblems, readConfig } from './core/config.ts'
import { DatabaseAway } from './core/errors.ts'
import type { Log } from './core/log.ts'
import { createDeps, type Deps } from './deps.ts'
import { acceptFaster } from './gateways/accept-faster.ts'
import { stopListening } from './gateways/stop-listening.ts'
import { isTrialInstallation } from './http/trial.ts'
import { bindJobs } from './jobs/index.ts'
import { routes, workerRoutes } from './routes/index.ts'
import { startNotingAvailability } from './services/availability.ts'
import { countLostKeys } from './services/keys.ts'
import { queuedScanJob } from './services/queue-scans.ts'
import { startInstance } from './services/scan-quota.ts'
import { reviveScans } from './services/tend-scan-queue.ts'
import { DatabaseDamaged } from './stores/damaged-database.ts'
import { DataDirectoryInUse, lockDataDirectory } from './stores/data-directory-lock.ts'
import { DatabaseMissing, SecretMissing } from './stores/missing-database.ts'

/** A process that serves until it is stopped. */
export interface Service {
  /** Where it really listens. */
  address: string
  log: Log
  /** Opens what is for the person at the console. */
  trialToken: string
  /**
   * Says for a while that it will stop, then lets requests in flight finish and takes no new ones; queued work stays queued. Calling it again
   * waits for the same end.
   */
  stop(delayMs?: number): Promise<void>
}

/** Connections that may wait to be accepted; the system's own limit is usually lower. */
const BACKLOG = 4_096

/** Serves and does queued work; a worker does the work alone. */
export type Role = 'server' | 'worker'

export async function start(environment?: Record<string, string | undefined>, role: Role = 'server'): Promise<Service> {
  const config = readConfig(environment)
  if (role === 'worker' && !config.databaseUrl) throw new WorkerAlone()
  const lock = config.databaseUrl ? undefined : lockDataDirectory(config.dataDir)
  // What was opened, to be closed in reverse order, whether the start fails half-way or the service stops.
  const closers: (() => unknown)[] = [() => lock?.release()]
  let stopping: Promise<void> | undefined
  let announceStop = (): void => {}
  let closeListener = async (): Promise<void> => {}
  const stop = (delayMs = 0): Promise<void> => {
    announceStop()
    stopping ??= delay(delayMs)
      .then(() => closeListener())
      .then(() => closeAll(closers))
    return stopping
  }
  try {
    const deps = await createDeps(config)
    closers.push(deps.close)
    if (lock) {
      const operator = await serveOperator(deps)
      closers.push(operator.close)
    }
    announceStop = deps.lifecycle.announceStop
    for (const warning of config.warnings) deps.log.warn(warning)
    await warnOfLostKeys(deps)
    const instance = await startInstance(deps, {
      isAlone: lock !== undefined,
      onError: (error) => deps.log.warn({ err: error }, 'could not announce this process'),
      onBeat: () => reviveScans(deps),
    })
    closers.push(instance.stop)
    if (role === 'worker') {
      closers.push(() => deps.queue.rest())
      await deps.queue.start(bindJobs(deps))
      const address = await listenAsWorker(deps, closers)
      return { address, log: deps.log, trialToken: deps.trialToken, stop }
    }
    const availability = startNotingAvailability(deps, (error) => deps.log.warn({ err: error }, 'not available'))
    closers.push(availability.stop)
    const app = await buildApp<Deps>(deps, routes)
    const accepted = acceptFaster(app)
    closeListener = () => stopListening(app, accepted)
    // Work that waits for nobody goes on while requests in flight finish, and ends before this process is no longer announced.
    closers.push(() => Promise.all([app.close().then(accepted.ended), deps.queue.rest()]))
    const isLeft = config.queuedScans === 'workers' && lock === undefined
    const jobs = bindJobs(deps).filter(({ kind }) => !isLeft || kind.name !== queuedScanJob.name)
    await deps.queue.start(jobs, { isAlone: lock !== undefined })
    return {
      address: await app.listen({ host: config.host, port: config.port, backlog: BACKLOG }),
      log: deps.log,
      trialToken: deps.trialToken,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** For probes and monitoring, until the work has ended. */
async function listenAsWorker(deps: Deps, closers: (() => unknown)[]): Promise<string> {
  const { host, workerPort } = deps.config
  if (workerPort === undefined) return ''
  const app = await buildWorkerApp<Deps>(deps, workerRoutes)
  closers.unshift(() => app.close())
  return app.listen({ host, port: workerPort })
}

/** The embedded database belongs to one process. */
class WorkerAlone extends Error {
  constructor() {
    super(
      'A worker shares the work of a service through PostgreSQL. Set DATABASE_URL; on the embedded database the service does it by itself.',
    )
  }
}

/** Said once, here: to the owners of these keys it looks like any wrong key. */
async function warnOfLostKeys(deps: Deps): Promise<void> {
  const lost = await countLostKeys(deps)
  if (lost === 0) return
  const keys = lost === 1 ? '1 API key does' : `${lost} API keys do`
  deps.log.warn(
    `${keys} not work, because MASTER_SECRET is not the one they were made with. Set MASTER_SECRET_PREVIOUS to the secret before, restart, and run \`assay-server admin reseal\`.`,
  )
}

async function closeAll(closers: (() => unknown)[]): Promise<void> {
  for (const close of closers.reverse()) await close()
}

/** The running process: starts, says where to go, and stops on a signal, however often it comes. */
async function run(): Promise<void> {
  const role: Role = process.argv[2] === 'worker' ? 'worker' : 'server'
  const service = await start(undefined, role)
  const config = readConfig()
  announce(role, config, service)
  const onSignal = (signal: NodeJS.Signals): void => {
    // However many clients and receivers hang on: what is not done by then never will be.
    setTimeout(() => process.exit(1), config.stopWithinMs).unref()
    // A person at the keyboard has no load balancer in front.
    service.stop(signal === 'SIGTERM' && role === 'server' ? config.stopDelayMs : 0).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The service did not stop cleanly: ${inWords(error)}\n`)
        process.exit(1)
      },
    )
  }
  // Nobody knows what state such a failure leaves behind. The log masks secrets, which Node's own report would not.
  process.on('uncaughtException', (error) => {
    service.log.fatal({ err: error }, 'the service stops after a failure that nothing caught')
    process.exit(1)
  })
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/** Standard output holds the log alone; people read the other one. */
function announce(role: Role, config: Config, service: Service): void {
  const { address, log } = service
  const where = address && ` on ${address}`
  const words = role === 'worker' ? `Assay is working on what is queued${where}` : `Assay is serving${where}`
  log.info({ role, address }, words)
  if (!config.isProduction)
    process.stderr.write(`${[words, ...(role === 'worker' ? [] : hints(config, service))].join('\n')}\n`)
}

function hints(config: Config, { address, trialToken }: Service): string[] {
  const home = config.port === 0 ? address : config.publicUrl
  const trial = isTrialInstallation(config)
    ? [`  mails       ${home}/dev/mail?token=${trialToken}`, `  metrics     ${home}/metrics?token=${trialToken}`]
    : []
  return [`  dashboard   ${home}`, `  reference   ${home}/docs`, ...trial]
}

type StartFailure = NodeJS.ErrnoException & { port?: number; severity?: string }

const portSetting = process.argv[2] === 'worker' ? 'WORKER_PORT' : 'PORT'

function inWords(error: unknown): string {
  if (
    [ConfigProblems, DataDirectoryInUse, DatabaseMissing, DatabaseDamaged, SecretMissing, WorkerAlone].some(
      (kind) => error instanceof kind,
    )
  )
    return (error as Error).message
  // Says what is wrong with it, and of which file.
  if (error instanceof DatabaseAway && error.cause instanceof Error) return inWords(error.cause)
  const { code, message, port, path, syscall, severity } = error as StartFailure
  if (code?.startsWith('SQLITE_')) return `The database in DATA_DIR cannot be used: ${message}`
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Stop what uses it, or choose another with ${portSetting}.`
  if (code === 'EACCES' && syscall === 'listen')
    return `This user may not listen on port ${port}. Choose another with ${portSetting}.`
  if (code === 'EADDRNOTAVAIL') return 'HOST is not an address of this machine.'
  if (path) return `DATA_DIR cannot be used: ${message}`
  // Before it listens, the service connects to nothing but its database; a refusal of PostgreSQL has a severity.
  if (syscall === 'connect' || syscall === 'getaddrinfo' || severity) return `DATABASE_URL cannot be used: ${message}`
  return message ?? String(error)
}

// What is written here holds secrets.
process.umask(0o077)
try {
  await run()
} catch (error) {
  process.stderr.write(`${inWords(error)}\n`)
  process.exit(1)
}

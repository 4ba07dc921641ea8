import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Analysis, createAnalysis } from './analysis/analysis.ts'
import { type Background, createBackground } from './core/background.ts'
import { type Clock, elapsedMs, pause, systemClock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import { refuse } from './core/errors.ts'
import { createGauges, type Gauges } from './core/gauges.ts'
import { newId } from './core/ids.ts'
import { createLifecycle } from './core/lifecycle.ts'
import { createLog, type Log } from './core/log.ts'
import { type Randomness, randomFraction, randomHex, systemRandomness } from './core/randomness.ts'
import type { Role } from './core/roles.ts'
import { createSecrets, obtainMasterSecret } from './core/secrets.ts'
import { createAddressGuard } from './gateways/address-guard.ts'
import { type AiGateway, createAiGateway } from './gateways/ai-gateway.ts'
import type { BillingProvider } from './gateways/billing-provider.ts'
import { createDownload } from './gateways/download.ts'
import { createEtherscan } from './gateways/etherscan.ts'
import { createForge } from './gateways/forge.ts'
import { createGithubSignIn } from './gateways/github-sign-in.ts'
import { createOidcSignIn, type OidcOptions } from './gateways/oidc-sign-in.ts'
import { startOtlpTraces } from './gateways/otlp-traces.ts'
import { createOutbox } from './gateways/outbox.ts'
import { createSandboxBilling, type SandboxBilling } from './gateways/sandbox-billing.ts'
import type { SignInProvider, SignInProviderId } from './gateways/sign-in-provider.ts'
import { createSmtpGateway, type SmtpGateway } from './gateways/smtp.ts'
import type { SourceHost } from './gateways/source-host.ts'
import { createSourcify } from './gateways/sourcify.ts'
import { createStripeBilling } from './gateways/stripe-billing.ts'
import { createWebhookSender, type WebhookSender } from './gateways/webhook-sender.ts'
import { createMetrics, type Metrics, observePool, showGauge, showGauges, showHeld } from './http/metrics.ts'
import { createRefusalWatch } from './http/refusal-watch.ts'
import { jobKinds } from './jobs/index.ts'
import { createQueue, type Queue } from './queue/queue.ts'
import { admitUserId } from './services/account.ts'
import { allowsOrigin, isAllowedBySome } from './services/allowed-origins.ts'
import { announceScan } from './services/announce-scan.ts'
import { createKeyAuthenticator } from './services/authenticate-key.ts'
import type { Client, KeyCaller, SessionCaller } from './services/caller.ts'
import { openCommonPasswords } from './services/common-passwords.ts'
import { createDeliverySlots, type DeliverySlots } from './services/delivery-slots.ts'
import { admitRequest } from './services/limits.ts'
import { actForOrganisation } from './services/organisations.ts'
import { createPasswords, type Passwords } from './services/passwords.ts'
import type { ScanEvent } from './services/scan-events.ts'
import { createScanWatch, type ScanWatch } from './services/scan-watch.ts'
import { findSession } from './services/sessions.ts'
import { createSlots, type Slots } from './services/slots.ts'
import { createWorkMeter } from './services/work-meter.ts'
import { type Database, type Db, openDatabase } from './stores/database.ts'
import { readDatabaseClock } from './stores/inspect-database.ts'
import { refuseMissingSecret } from './stores/missing-database.ts'
import { createOperatorMarkStore } from './stores/operator-marks.ts'
import { createReadinessCheck } from './stores/readiness.ts'
import { createSandboxBillingStore } from './stores/sandbox-billing.ts'
import { createScanCountStore } from './stores/scan-counts.ts'
import { createScanRequestStore } from './stores/scan-requests.ts'
import { createSweepStateStore } from './stores/sweep-states.ts'

/** Parts that a test or a command hands in instead of the real ones. */
export interface Replacements {
  database?: Database
  clock?: Clock
  pause?: (ms: number) => Promise<void>
  randomness?: Randomness
  log?: Log
  passwords?: Passwords
  mailer?: SmtpGateway
  analysis?: Analysis
  webhookSender?: WebhookSender
  aiGateway?: AiGateway
}

export type Deps = Awaited<ReturnType<typeof createDeps>>

/** The one place where things are wired. */
export async function createDeps(config: Config, replacements: Replacements = {}) {
  const log = replacements.log ?? createLog({ level: config.logLevel })
  const clock = replacements.clock ?? systemClock(config.clockOffset)
  const randomness = replacements.randomness ?? systemRandomness
  const database =
    replacements.database ??
    (await openDatabase({
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      onConnectionLost: (error) => log.warn({ err: error }, 'a database connection was lost'),
      onTakenAway: (error) => log.fatal({ err: error }, error.message),
    }))
  const { db } = database
  // After the database: a secret without one means that the data was lost.
  if (!config.masterSecret) await refuseMissingSecret(config.dataDir, database.db)
  const master = config.masterSecret ?? obtainMasterSecret(config.dataDir, randomness)
  const secrets = createSecrets(master, config.masterSecretPrevious, randomness)
  const metrics = createMetrics()
  // Before those that ask the database, and so need connections themselves.
  showConnections(metrics, database)
  const onOutcome = (kind: string, outcome: string): void => metrics.jobs.inc({ kind, outcome })
  const queue = await createQueue({ database, clock, randomness, log, onOutcome }, jobKinds)
  const outbox = config.smtpUrl ? undefined : createOutbox(join(config.dataDir, 'outbox'), sayOnConsole)
  const mailer = replacements.mailer ?? outbox ?? createSmtpGateway({ url: config.smtpUrl ?? '' })
  const gauges = createGauges()
  const onMeterError = (error: unknown) => log.warn({ err: error }, 'CPU time could not be noted')
  const workMeter = createWorkMeter({ db, clock, onError: onMeterError })
  showHeld(metrics, gauges)
  const analysis = replacements.analysis ?? createAnalysis(config, observePool(metrics, workMeter.note))
  const keyAuthenticator = createKeyAuthenticator({ db, clock, secrets })
  const background = createBackground(log)
  const passwords = replacements.passwords ?? createPasswords({ parallel: Math.max(2, availableParallelism()), gauges })
  const refusalWatch = createRefusalWatch({ analysis, gauges, log })
  showGauge(metrics, 'assay_scans_running', 'Scans that a worker is busy with.', () => analysis.running)
  showGauge(metrics, 'assay_scans_waiting', 'Scans that wait for a worker.', () => analysis.waiting)
  showGauge(metrics, 'assay_scans_queued', 'Scans in the database that no process has begun.', () => countQueued(db))
  showGauge(metrics, 'assay_sweeps_waiting', 'Recurring deletions that wait for a trusted clock or the operator.', () =>
    countWaitingSweeps(db),
  )
  const requests = createScanRequestStore(db)
  showGauge(metrics, 'assay_oldest_queued_scan_seconds', 'How long the scan has waited that waits longest.', () =>
    requests.findOldestQueued().then((at) => (at === undefined ? 0 : (clock.now().getTime() - at) / 1000), notKnown),
  )
  showGauge(metrics, 'assay_reservations', 'Places of the day that scans under way hold, of all processes.', () =>
    createScanCountStore(db).countReservations().catch(notKnown),
  )
  showGauge(
    metrics,
    'assay_refuses_without_reason',
    '1 while uploads are refused although nothing is under way.',
    () => (refusalWatch.isStuck ? 1 : 0),
  )
  showJobs(metrics, queue)
  showGauge(metrics, 'assay_backup_age_seconds', 'Since the last backup; infinite when there was none.', () =>
    readBackupAge(db, clock).catch(notKnown),
  )
  const { billing, sandbox } = createBilling(config, { database, clock, secrets, randomness })
  const webhookSender = replacements.webhookSender ?? createSender(config)
  const aiGateway =
    replacements.aiGateway ??
    createAiGateway({
      baseUrl: config.aiGatewayUrl,
      totalTimeoutMs: config.aiTimeoutMs,
      random: () => randomFraction(randomness),
    })
  const tracing = config.otlpTracesUrl ? await startOtlpTraces(config) : undefined
  const sessionDeps = { db, clock, secrets, randomness }
  const slots = createAllSlots()
  const scansAtHand = new Set<string>()
  const scanWatch = createScanWatch()
  const deliverySlots = createDeliverySlots()
  showAll(gauges, { analysis, background, scanWatch, deliverySlots, scansAtHand, ...slots })

  return {
    config,
    log,
    gauges,
    refusalWatch,
    clock,
    pause: replacements.pause ?? pause,
    randomness,
    secrets,
    database,
    db,
    queue,
    outbox,
    mailer,
    analysis,
    workMeter,
    keyAuthenticator,
    background,
    passwords,
    metrics,
    lifecycle: createLifecycle(),
    tracing,
    billing,
    sandbox,
    scanWatch,
    ...slots,
    scansAtHand,
    /** Names this process among the replicas. */
    instanceId: newId('job', randomness),
    /** Opens what is for the person at the console. */
    trialToken: randomHex(randomness, 16),
    commonPasswords: openCommonPasswords(fileURLToPath(new URL('../assets/common-passwords.filter', import.meta.url))),
    siteDir: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    downloadsDir: fileURLToPath(new URL('../../downloads/dist', import.meta.url)),
    webhookSender,
    deliverySlots,
    aiGateway,
    ...createSourceHosts(config, clock),
    signInProviders: createSignInProviders(config),
    announceScan: (tx: Db, event: ScanEvent) => announceScan({ clock, queue, secrets, config }, tx, event),
    authenticateKey: (value: string) => keyAuthenticator.authenticate(value),
    findSession: (token: string) => findSession(sessionDeps, token),
    admitRequest: (caller: KeyCaller | SessionCaller, setHeaders: (headers: Record<string, string>) => void) =>
      admitRequest({ db, clock }, caller, setHeaders),
    actForOrganisation: (session: SessionCaller, organisationId: string, least: Role | undefined) =>
      actForOrganisation({ db }, session, organisationId, least),
    admitUserId: (userId: string, client: Client, action: string) =>
      admitUserId({ db, clock, secrets, config }, userId, client, action),
    allowsOrigin: (accountId: string, origin: string) => allowsOrigin({ db }, accountId, origin),
    isAllowedBySome: (origin: string) => isAllowedBySome({ db }, origin),
    /** A clock that was moved on purpose differs from every other. */
    readDatabaseClock: async () => (replacements.clock || config.clockOffset ? undefined : readDatabaseClock(database)),
    noteSweptRows: (sweep: string, rows: number) => metrics.swept.inc({ sweep }, rows),
    checkDatabase: createReadinessCheck({ database, clock, dataDir: config.dataDir }),
    /** Ends everything in the order that loses nothing; the database goes last. */
    async close() {
      await queue.stop()
      await background.drain()
      await keyAuthenticator.flushUses()
      await analysis.close()
      await workMeter.flush()
      mailer.close()
      await tracing?.close()
      if (!replacements.database) await database.close()
    },
  }
}

interface Holders {
  readonly analysis: Analysis
  readonly background: Background
  readonly scanWatch: ScanWatch
  readonly deliverySlots: DeliverySlots
  readonly scansAtHand: ReadonlySet<string>
  readonly streamSlots: Slots
  readonly batchSlots: Slots
}

/** What the parts of this process hold; uploads and passwords show theirs by themselves. */
function showAll(gauges: Gauges, holders: Holders): void {
  const { analysis, background, scanWatch, deliverySlots, scansAtHand, streamSlots, batchSlots } = holders
  gauges.add('tasks_running', () => analysis.running)
  gauges.add('tasks_waiting', () => analysis.waiting)
  gauges.add('background_tasks', () => background.size)
  gauges.add('scan_listeners', () => scanWatch.size)
  gauges.add('deliveries', () => deliverySlots.held)
  gauges.add('queued_scans_at_hand', () => scansAtHand.size)
  gauges.add('event_streams', () => streamSlots.taken)
  gauges.add('batches_arriving', () => batchSlots.taken)
}

/** Every kind is shown, so that a rule can tell none from not known. */
function showJobs(metrics: Metrics, queue: Queue): void {
  const name = 'assay_jobs_waiting'
  const help = 'Background jobs that are due and not begun, of all processes, by kind.'
  showGauges(metrics, { name, help, label: 'kind' }, async () => {
    const due = await queue.countDue().catch(() => undefined)
    return jobKinds.map((kind) => [kind.name, due ? (due.get(kind.name) ?? 0) : Number.NaN] as const)
  })
}

async function readBackupAge(db: Db, clock: Clock): Promise<number> {
  const at = await createOperatorMarkStore(db).find('backup')
  return at === undefined ? Number.POSITIVE_INFINITY : (clock.now().getTime() - at) / 1000
}

function showConnections(metrics: Metrics, { pool }: Database): void {
  if (!pool) return
  const name = 'assay_database_connections'
  const help = 'Connections to PostgreSQL by state, used or idle; waiting: requests for one that none is free for.'
  showGauges(metrics, { name, help, label: 'state' }, () => [
    ['used', pool.totalCount - pool.idleCount],
    ['idle', pool.idleCount],
    ['waiting', pool.waitingCount],
  ])
}

/** Monitoring goes on while the database is away. */
const countQueued = (db: Db): Promise<number> => createScanRequestStore(db).countQueued().catch(notKnown)

const notKnown = (): number => Number.NaN

const countWaitingSweeps = (db: Db): Promise<number> =>
  createSweepStateStore(db)
    .listWaiting()
    .then((waiting) => waiting.length)
    .catch(() => Number.NaN)

const MAX_STREAMS = 20

/** What one process holds open: each stream costs a socket and a query a second, each batch that arrives as much memory as it has. */
const createAllSlots = () => ({
  streamSlots: createSlots({
    perAccount: MAX_STREAMS,
    total: 500,
    onOwn: () => refuse('tooManyStreams', MAX_STREAMS),
    onTotal: () => refuse('busy', 5),
  }),
  batchSlots: createSlots({
    perAccount: 2,
    total: 4,
    onOwn: () => refuse('scanQueueFull', 2),
    onTotal: () => refuse('scanQueueFull', 5),
  }),
})

/** For a person in front of the terminal: the code they need stands in the subject. */
const sayOnConsole = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** Someone trying the service out may deliver to a server on their own machine. */
function createSender(config: Config): WebhookSender {
  const isTrial = config.isLocal && !config.isProduction
  const guard = createAddressGuard({ allowedSubnets: config.webhookAllowedSubnets, isLoopbackAllowed: isTrial })
  return createWebhookSender({ guard, isPlainLoopbackAllowed: isTrial, elapsed: elapsedMs })
}

/** Hosts of sources, as far as the operator named them; the rules for addresses are those of webhooks. */
function createSourceHosts(config: Config, clock: Clock) {
  const isTrial = config.isLocal && !config.isProduction
  const guard = createAddressGuard({ allowedSubnets: config.sourceAllowedSubnets, isLoopbackAllowed: isTrial })
  const download = createDownload({ guard, isPlainLoopbackAllowed: isTrial, timeoutMs: config.sourceTimeoutMs })
  const now = () => clock.now()
  const { sourcifyUrl, etherscanUrl, etherscanApiKey: apiKey, etherscanChain: chain, forgeToken } = config
  const sourceHosts: SourceHost[] = []
  if (sourcifyUrl) sourceHosts.push(createSourcify({ baseUrl: sourcifyUrl, download, now }))
  if (etherscanUrl) sourceHosts.push(createEtherscan({ apiUrl: etherscanUrl, apiKey, chain, download, now }))
  const forges = config.forges.map((forge, at) =>
    createForge({ ...forge, token: at === 0 ? forgeToken : undefined }, download, now),
  )
  return { sourceHosts, forges }
}

const SIGN_IN_TIMEOUT_MS = 10_000

/** Whom people may sign in with, as far as the operator named them; the rules for addresses are those of webhooks. */
function createSignInProviders(config: Config): SignInProvider[] {
  const isTrial = config.isLocal && !config.isProduction
  const guard = createAddressGuard({ allowedSubnets: config.signInAllowedSubnets, isLoopbackAllowed: isTrial })
  const transport = { guard, isPlainLoopbackAllowed: isTrial, timeoutMs: SIGN_IN_TIMEOUT_MS }
  const redirectUrl = (id: SignInProviderId): string => `${config.publicUrl}/sign-in/${id}`
  const { signInGithubId, signInGoogleId, signInOidcIssuer, signInOidcId } = config
  const providers: SignInProvider[] = []
  if (signInGithubId) {
    const [baseUrl, apiUrl, clientSecret] = [
      config.signInGithubUrl,
      config.signInGithubApiUrl,
      config.signInGithubSecret ?? '',
    ]
    const given = { baseUrl, apiUrl, clientId: signInGithubId, clientSecret, redirectUrl: redirectUrl('github') }
    providers.push(createGithubSignIn(given, transport))
  }
  const addOidc = (id: SignInProviderId, given: Omit<OidcOptions, 'id' | 'redirectUrl'>): void =>
    void providers.push(createOidcSignIn({ id, redirectUrl: redirectUrl(id), ...given }, transport))
  if (signInGoogleId) {
    const clientSecret = config.signInGoogleSecret ?? ''
    addOidc('google', { name: 'Google', issuer: GOOGLE, clientId: signInGoogleId, clientSecret })
  }
  if (signInOidcIssuer && signInOidcId) {
    const clientSecret = config.signInOidcSecret ?? ''
    addOidc('oidc', { name: config.signInOidcName, issuer: signInOidcIssuer, clientId: signInOidcId, clientSecret })
  }
  return providers
}

const GOOGLE = 'https://accounts.google.com'

interface BillingParts {
  database: Database
  clock: Clock
  secrets: ReturnType<typeof createSecrets>
  randomness: Randomness
}

function createBilling(
  config: Config,
  { database, clock, secrets, randomness }: BillingParts,
): { billing: BillingProvider; sandbox: SandboxBilling | undefined } {
  if (config.billingProvider === 'stripe') {
    const billing = createStripeBilling({
      secretKey: config.stripeSecretKey ?? '',
      webhookSecret: config.stripeWebhookSecret ?? '',
      prices: { basic: config.stripePriceBasic ?? '', pro: config.stripePricePro ?? '' },
      apiBase: config.stripeApiBase,
      clock,
    })
    return { billing, sandbox: undefined }
  }
  const sandbox = createSandboxBilling({
    store: createSandboxBillingStore(database.db),
    clock,
    publicUrl: config.publicUrl,
    newId: (kind) => newId(kind, randomness),
    sign: (text) => secrets.index('sandbox-billing', text),
  })
  return { billing: sandbox, sandbox }
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Duration, parseDuration } from './clock.ts'
import { type Machine, memoryNeededMb, readMachine, workersThatFit } from './machine.ts'

/**
 * The only reader of the environment. Each setting is one row: parsing, the reference page and `.env.example` derive
 * from it. Every problem is collected and reported in words before anything starts.
 */
export interface Setting<Value> {
  variable: string
  /** What applies when the variable is absent, as the reference says it. */
  fallback: string
  meaning: string
  group: SettingGroup
  isSecret?: boolean
  example?: string
  /** Throws a `Problem` that finishes the sentence "<VARIABLE> …". */
  parse(text: string): Value
}

export type SettingGroup =
  | 'Serving'
  | 'Storage'
  | 'Mail'
  | 'AI gateway'
  | 'Billing'
  | 'Access'
  | 'Sign-in'
  | 'Scanning'
  | 'Source hosts'
  | 'Operation'

class Problem extends Error {}

const fail = (words: string): never => {
  throw new Problem(words)
}

const text = (value: string): string => value

const integer =
  (min: number, max: number) =>
  (value: string): number => {
    const parsed = /^\d+$/.test(value) ? Number(value) : Number.NaN
    return parsed >= min && parsed <= max ? parsed : fail(`must be a whole number from ${min} to ${max}`)
  }

const oneOf =
  <const Choice extends string>(...choices: Choice[]) =>
  (value: string): Choice =>
    choices.find((choice) => choice === value) ?? fail(`must be one of ${choices.join(', ')}`)

const url =
  (...protocols: string[]) =>
  (value: string): string => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    if (!parsed || !protocols.includes(parsed.protocol)) {
      return fail(`must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
    }
    return value
  }

const webUrl = (value: string): string => url('http:', 'https:')(value).replace(/\/+$/, '')

/** A site of its own: cookies, the CSRF rule and every link assume that it is served from the root. */
function siteUrl(value: string): string {
  const parsed = new URL(webUrl(value))
  if (parsed.pathname !== '/' || parsed.search || parsed.hash || parsed.username) {
    return fail('must be a scheme, a host and perhaps a port, without path, query or user')
  }
  return parsed.origin
}

const GOOD_SECRET = '`openssl rand -hex 32` makes a good one'

function secret(value: string): string {
  if (value.length < 16) return fail(`must have at least 16 characters; ${GOOD_SECRET}`)
  const isRepeated = /^(.{1,8})\1+.{0,7}$/s.test(value)
  if (new Set(value).size < 8 || isRepeated) return fail(`is too easy to guess; ${GOOD_SECRET}`)
  return value
}

/** Words and names, not random letters: short for what it protects. */
const isGuessable = (value: string): boolean =>
  value.length < 32 || /change.?me|secret|password|example|default|assay|test/i.test(value)

/** The lesser address ranges: a number of leading bits that fits the family. */
function subnets(value: string): string[] {
  const items = value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
  for (const item of items) {
    const match = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(item)
    const bits = Number(match?.[2])
    const fits = match && bits <= (match[1]?.includes(':') ? 128 : 32)
    if (!fits) fail(`must be ranges such as 10.0.0.0/8, separated by commas; "${item}" is not one`)
  }
  return items
}

/** `name=value` pairs, their values percent-encoded. */
function headerList(value: string): Record<string, string> {
  const items = value.split(',').map((item) => item.trim())
  return Object.fromEntries(items.filter(Boolean).map(headerOf))
}

function headerOf(item: string): [string, string] {
  const [, name = '', value = ''] =
    /^([\w-]+)=(.*)$/.exec(item) ?? fail('must be pairs such as name=value, separated by commas')
  try {
    return [name, decodeURIComponent(value)]
  } catch {
    return [name, value]
  }
}

function ratio(value: string): number {
  const number = Number(value)
  return number >= 0 && number <= 1 ? number : fail('must be a number from 0 to 1')
}

/** `off`, `on`, a number of proxies, or their addresses. */
function proxies(value: string): boolean | number | string[] {
  if (['off', 'false', 'no', '0'].includes(value)) return false
  if (['on', 'true', 'yes'].includes(value)) return true
  if (/^\d+$/.test(value)) return Number(value)
  const addresses = value.split(',').map((item) => item.trim())
  return addresses.every((address) => /^[0-9a-fA-F.:/]+$/.test(address))
    ? addresses
    : fail('must be off, on, a number of proxies, or their addresses separated by commas')
}

/** `github.com=https://api.github.com`, several separated by commas. */
function forges(value: string): { host: string; apiUrl: string }[] {
  return value.split(',').map((item) => {
    const [host = '', apiUrl = '', ...rest] = item.trim().split('=')
    const isPair = /^[a-z0-9.-]+(:\d+)?$/i.test(host) && rest.length === 0 && apiUrl !== ''
    if (!isPair) return fail(`must be pairs such as github.com=https://api.github.com; "${item.trim()}" is not one`)
    return { host: host.toLowerCase(), apiUrl: webUrl(apiUrl) }
  })
}

/** A page of the operator: an address elsewhere, or a text that is served here. */
export type OwnPage = { readonly url: string } | { readonly markdown: string }

function ownPage(value: string): OwnPage {
  if (/^(?:https?|mailto):/i.test(value)) return { url: url('http:', 'https:', 'mailto:')(value) }
  try {
    return { markdown: readFileSync(value, 'utf8') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return fail(`must be an address (https://…, mailto:…) or a file that can be read; "${value}" is not one (${code})`)
  }
}

const duration = (value: string): Duration =>
  parseDuration(value) ?? fail('must be an ISO 8601 duration such as P1D or PT90M')

const setting = <Value>(row: Setting<Value>): Setting<Value> => row

export const settings = {
  nodeEnv: setting({
    variable: 'NODE_ENV',
    fallback: '–',
    group: 'Serving',
    meaning: '`production` turns on the stricter rules marked below.',
    example: 'production',
    parse: text,
  }),
  port: setting({
    variable: 'PORT',
    fallback: '3000',
    group: 'Serving',
    meaning: 'Port to listen on.',
    parse: integer(0, 65_535),
  }),
  host: setting({
    variable: 'HOST',
    fallback: '127.0.0.1',
    group: 'Serving',
    meaning: 'Address to listen on. `0.0.0.0` for every interface.',
    parse: text,
  }),
  workerPort: setting({
    variable: 'WORKER_PORT',
    fallback: '–',
    group: 'Serving',
    meaning:
      'Port on which `assay-server worker` answers `/health`, `/ready` and `/metrics` and nothing else. Without it a worker does not listen.',
    example: '3001',
    parse: integer(0, 65_535),
  }),
  publicUrl: setting({
    variable: 'PUBLIC_URL',
    fallback: 'from `HOST` and `PORT`',
    group: 'Serving',
    meaning: 'Where users reach the service: links in mails, the `Secure` mark of the cookie (https), the CSRF origin.',
    example: 'https://assay.example.com',
    parse: siteUrl,
  }),
  stopDelayMs: setting({
    variable: 'STOP_DELAY_MS',
    fallback: '2000',
    group: 'Serving',
    meaning:
      'After SIGTERM: how long requests are still taken while `/ready` says no and each answer closes its connection, so that a load balancer can turn away.',
    parse: integer(0, 4_000),
  }),
  stopWithinMs: setting({
    variable: 'STOP_WITHIN_MS',
    fallback: '20000',
    group: 'Serving',
    meaning:
      'How long a stop takes at most, whatever clients do. Requests that are still arriving are cut after a quarter of it, answers after 70 %.',
    parse: integer(100, 20_000),
  }),
  trustProxy: setting({
    variable: 'TRUST_PROXY',
    fallback: 'off',
    group: 'Serving',
    meaning:
      'Whose `X-Forwarded-*` headers to believe: `off`, `on`, a number of proxies in front, or their addresses separated by commas.',
    example: '1',
    parse: proxies,
  }),
  termsPage: setting({
    variable: 'TERMS_PAGE',
    fallback: 'no link',
    group: 'Serving',
    meaning:
      'Your terms of service: a Markdown file, served as `/terms`, or an address elsewhere. Linked in the footer of every page.',
    example: '/etc/assay/terms.md',
    parse: ownPage,
  }),
  privacyPage: setting({
    variable: 'PRIVACY_PAGE',
    fallback: 'no link',
    group: 'Serving',
    meaning: 'Your privacy policy, in the same way: `/privacy`.',
    example: 'https://example.com/privacy',
    parse: ownPage,
  }),
  contactPage: setting({
    variable: 'CONTACT_PAGE',
    fallback: 'no link',
    group: 'Serving',
    meaning: 'How to reach you, in the same way: `/contact`; `mailto:` works too.',
    example: 'mailto:support@example.com',
    parse: ownPage,
  }),
  dataDir: setting({
    variable: 'DATA_DIR',
    fallback: './data',
    group: 'Storage',
    meaning: 'Folder of the embedded database, the mail outbox and the generated master secret. One process serves it.',
    parse: (value) => resolve(value),
  }),
  databaseUrl: setting({
    variable: 'DATABASE_URL',
    fallback: '–',
    group: 'Storage',
    meaning: 'PostgreSQL instead of the embedded database; any number of replicas may share it.',
    isSecret: true,
    example: 'postgres://assay:password@localhost:5432/assay',
    parse: url('postgres:', 'postgresql:'),
  }),
  masterSecret: setting({
    variable: 'MASTER_SECRET',
    fallback: 'generated into `DATA_DIR` once',
    group: 'Storage',
    meaning:
      'Root of all sealing and signing keys, at least 16 characters. Required with `DATABASE_URL`. Losing it loses the stored API keys.',
    isSecret: true,
    parse: secret,
  }),
  masterSecretPrevious: setting({
    variable: 'MASTER_SECRET_PREVIOUS',
    fallback: '–',
    group: 'Storage',
    meaning: 'The former secret during a rotation: what it sealed still opens.',
    isSecret: true,
    parse: secret,
  }),
  smtpUrl: setting({
    variable: 'SMTP_URL',
    fallback: '–',
    group: 'Mail',
    meaning:
      '`smtp://` (STARTTLS if offered) or `smtps://`. Without it mails are files in `DATA_DIR/outbox`, one console line each; on a local trial installation the console also says where to read them (`/dev/mail?token=…`).',
    isSecret: true,
    example: 'smtps://user:password@mail.example.com',
    parse: url('smtp:', 'smtps:'),
  }),
  printMails: setting({
    variable: 'PRINT_MAILS',
    fallback: 'off',
    group: 'Mail',
    meaning:
      'Must be `on` for production without `SMTP_URL`: nobody receives a mail, and anyone who can read the console or `DATA_DIR/outbox` sees every code.',
    parse: (value) => oneOf('on', 'off')(value) === 'on',
  }),
  mailFrom: setting({
    variable: 'MAIL_FROM',
    fallback: '`Assay <no-reply@…>` with the host of `PUBLIC_URL`',
    group: 'Mail',
    meaning: 'Sender of all mails.',
    example: 'Assay <no-reply@assay.example.com>',
    parse: (value) => (/^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/.test(value) ? value : fail('must be an email address')),
  }),
  aiGatewayUrl: setting({
    variable: 'AI_GATEWAY_URL',
    fallback: 'https://openrouter.ai/api/v1',
    group: 'AI gateway',
    meaning: 'The AI model gateway; `/chat/completions` is added.',
    parse: webUrl,
  }),
  aiTimeoutMs: setting({
    variable: 'AI_TIMEOUT_MS',
    fallback: '120000',
    group: 'AI gateway',
    meaning: 'How long an AI scan may wait for the gateway.',
    parse: integer(1, 3_600_000),
  }),
  billingProvider: setting({
    variable: 'BILLING_PROVIDER',
    fallback: 'sandbox',
    group: 'Billing',
    meaning:
      '`stripe`, or `sandbox`: a local checkout page where nothing is charged. Must be set explicitly in production or when `PUBLIC_URL` is not loopback.',
    parse: oneOf('sandbox', 'stripe'),
  }),
  stripeSecretKey: setting({
    variable: 'STRIPE_SECRET_KEY',
    fallback: '–',
    group: 'Billing',
    meaning: 'Required with `stripe`.',
    isSecret: true,
    parse: text,
  }),
  stripeWebhookSecret: setting({
    variable: 'STRIPE_WEBHOOK_SECRET',
    fallback: '–',
    group: 'Billing',
    meaning: 'Required with `stripe`: signs the events sent to `/api/billing/webhook`.',
    isSecret: true,
    parse: text,
  }),
  stripePriceBasic: setting({
    variable: 'STRIPE_PRICE_BASIC',
    fallback: '–',
    group: 'Billing',
    meaning: 'Required with `stripe`: id of the price of the basic plan.',
    parse: text,
  }),
  stripePricePro: setting({
    variable: 'STRIPE_PRICE_PRO',
    fallback: '–',
    group: 'Billing',
    meaning: 'Required with `stripe`: id of the price of the pro plan.',
    parse: text,
  }),
  stripeApiBase: setting({
    variable: 'STRIPE_API_BASE',
    fallback: 'https://api.stripe.com',
    group: 'Billing',
    meaning: 'Another address of the Stripe API, for tests.',
    parse: webUrl,
  }),
  accountAccess: setting({
    variable: 'ACCOUNT_ACCESS',
    fallback: 'login',
    group: 'Access',
    meaning:
      'Who may use the endpoints that take a userId. `login`: the session that owns it, and for 15 minutes after a log-in a request from the same client address without a credential, unless the account has a second factor or the request came through a proxy that `TRUST_PROXY` does not cover. `session`: a session always; advised where clients share an address and `TRUST_PROXY` cannot be set. `user-id`: the bare userId is enough.',
    parse: oneOf('login', 'session', 'user-id'),
  }),
  metricsToken: setting({
    variable: 'METRICS_TOKEN',
    fallback: '–',
    group: 'Access',
    meaning:
      'Bearer token that opens `/metrics`. A local trial installation also prints an address with a token of its own.',
    isSecret: true,
    parse: secret,
  }),
  webhookAllowedSubnets: setting({
    variable: 'WEBHOOK_ALLOWED_SUBNETS',
    fallback: '–',
    group: 'Access',
    meaning: 'Private ranges that webhooks may reach, separated by commas.',
    example: '10.1.0.0/16',
    parse: subnets,
  }),
  signInGithubId: setting({
    variable: 'SIGN_IN_GITHUB_ID',
    fallback: '–',
    group: 'Sign-in',
    meaning:
      'Turns on sign-in with GitHub: the client ID of an OAuth app whose callback URL is `PUBLIC_URL/sign-in/github`.',
    parse: text,
  }),
  signInGithubSecret: setting({
    variable: 'SIGN_IN_GITHUB_SECRET',
    fallback: '–',
    group: 'Sign-in',
    meaning: 'The client secret of the OAuth app.',
    isSecret: true,
    parse: text,
  }),
  signInGithubUrl: setting({
    variable: 'SIGN_IN_GITHUB_URL',
    fallback: 'https://github.com',
    group: 'Sign-in',
    meaning: 'A GitHub Enterprise Server instead of github.com.',
    parse: webUrl,
  }),
  signInGithubApiUrl: setting({
    variable: 'SIGN_IN_GITHUB_API_URL',
    fallback: 'https://api.github.com',
    group: 'Sign-in',
    meaning: 'The API of that server.',
    example: 'https://github.example.com/api/v3',
    parse: webUrl,
  }),
  signInGoogleId: setting({
    variable: 'SIGN_IN_GOOGLE_ID',
    fallback: '–',
    group: 'Sign-in',
    meaning:
      'Turns on sign-in with Google: an OAuth client ID of type web application whose redirect URI is `PUBLIC_URL/sign-in/google`.',
    parse: text,
  }),
  signInGoogleSecret: setting({
    variable: 'SIGN_IN_GOOGLE_SECRET',
    fallback: '–',
    group: 'Sign-in',
    meaning: 'The secret of that client.',
    isSecret: true,
    parse: text,
  }),
  signInOidcIssuer: setting({
    variable: 'SIGN_IN_OIDC_ISSUER',
    fallback: '–',
    group: 'Sign-in',
    meaning:
      'Turns on sign-in with an OpenID Connect issuer (Keycloak, Okta, Auth0, GitLab and others); its redirect URI is `PUBLIC_URL/sign-in/oidc`. The issuer must send `email_verified`: an account belongs to anyone for whom it says so.',
    example: 'https://login.example.com/realms/main',
    parse: webUrl,
  }),
  signInOidcId: setting({
    variable: 'SIGN_IN_OIDC_ID',
    fallback: '–',
    group: 'Sign-in',
    meaning: 'The client ID at that issuer.',
    parse: text,
  }),
  signInOidcSecret: setting({
    variable: 'SIGN_IN_OIDC_SECRET',
    fallback: '–',
    group: 'Sign-in',
    meaning: 'The client secret at that issuer.',
    isSecret: true,
    parse: text,
  }),
  signInOidcName: setting({
    variable: 'SIGN_IN_OIDC_NAME',
    fallback: 'single sign-on',
    group: 'Sign-in',
    meaning: 'What the button calls it: “Continue with …”.',
    example: 'Example Corp',
    parse: text,
  }),
  signInAllowedSubnets: setting({
    variable: 'SIGN_IN_ALLOWED_SUBNETS',
    fallback: '–',
    group: 'Sign-in',
    meaning: 'Private ranges in which providers may be, separated by commas.',
    example: '10.1.0.0/16',
    parse: subnets,
  }),
  scanWorkers: setting({
    variable: 'SCAN_WORKERS',
    fallback: 'cores, as far as the memory goes',
    group: 'Scanning',
    meaning:
      'Worker processes that scan. They need up to (`SCAN_WORKERS` + 2) × `SCAN_MEMORY_MB` + 300 MB; cores and memory are those of the container where it has limits.',
    parse: integer(1, 256),
  }),
  queuedScans: setting({
    variable: 'QUEUED_SCANS',
    fallback: 'here',
    group: 'Scanning',
    meaning:
      'Who does queued scans: `here`: this process too; `workers`: only processes started as `assay-server worker`, on PostgreSQL.',
    parse: oneOf('here', 'workers'),
  }),
  scanTimeoutMs: setting({
    variable: 'SCAN_TIMEOUT_MS',
    fallback: '30000',
    group: 'Scanning',
    meaning:
      'CPU time of a scan; a queued one gets four times as much. When it is used up, the result is what was analyzed by then; a scan without any result takes no scan of the day.',
    parse: integer(1, 600_000),
  }),
  scanMemoryMb: setting({
    variable: 'SCAN_MEMORY_MB',
    fallback: '512',
    group: 'Scanning',
    meaning: 'A scan that needs more memory is stopped and not charged.',
    parse: integer(32, 65_536),
  }),
  scanQueue: setting({
    variable: 'SCAN_QUEUE',
    fallback: '200',
    group: 'Scanning',
    meaning: 'How many scans may wait; beyond that 503 with `Retry-After`.',
    parse: integer(0, 100_000),
  }),
  scanWaitMs: setting({
    variable: 'SCAN_WAIT_MS',
    fallback: '5000',
    group: 'Scanning',
    meaning: 'How long a scan may wait for a worker; one that would wait longer gets 503 with `Retry-After` at once.',
    parse: integer(0, 600_000),
  }),
  sourcifyUrl: setting({
    variable: 'SOURCIFY_URL',
    fallback: 'off',
    group: 'Source hosts',
    meaning:
      'Turns on scans by `address`: a Sourcify server; the paths of its API, version 2, are added. It is asked before the explorer.',
    example: 'https://sourcify.dev/server',
    parse: webUrl,
  }),
  etherscanUrl: setting({
    variable: 'ETHERSCAN_URL',
    fallback: 'off',
    group: 'Source hosts',
    meaning: 'Turns on scans by `address`: an API that speaks as Etherscan does.',
    example: 'https://api.etherscan.io/v2/api',
    parse: webUrl,
  }),
  etherscanApiKey: setting({
    variable: 'ETHERSCAN_API_KEY',
    fallback: '–',
    group: 'Source hosts',
    meaning: 'Sent along to `ETHERSCAN_URL`.',
    isSecret: true,
    parse: text,
  }),
  etherscanChain: setting({
    variable: 'ETHERSCAN_CHAIN',
    fallback: 'all',
    group: 'Source hosts',
    meaning: 'The one chain that the explorer at `ETHERSCAN_URL` serves, by its number.',
    example: '100',
    parse: integer(1, Number.MAX_SAFE_INTEGER),
  }),
  forges: setting({
    variable: 'FORGES',
    fallback: 'off',
    group: 'Source hosts',
    meaning:
      'Turns on scans of a `repository`: hosts and their GitHub-compatible APIs, separated by commas. The first is meant when a repository is given as owner/name.',
    example: 'github.com=https://api.github.com',
    parse: forges,
  }),
  forgeToken: setting({
    variable: 'FORGE_TOKEN',
    fallback: '–',
    group: 'Source hosts',
    meaning:
      'Sent to the API of the first forge, for its higher limits. Whatever it can read, every account can scan: give it public repositories only.',
    isSecret: true,
    parse: text,
  }),
  sourceTimeoutMs: setting({
    variable: 'SOURCE_TIMEOUT_MS',
    fallback: '20000',
    group: 'Source hosts',
    meaning: 'How long fetching from one of them may take, redirects included.',
    parse: integer(1, 600_000),
  }),
  sourceAllowedSubnets: setting({
    variable: 'SOURCE_ALLOWED_SUBNETS',
    fallback: '–',
    group: 'Source hosts',
    meaning: 'Private ranges that sources may be fetched from, separated by commas.',
    example: '10.1.0.0/16',
    parse: subnets,
  }),
  otlpEndpoint: setting({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '–',
    group: 'Operation',
    meaning:
      'Where OpenTelemetry traces go, by OTLP over HTTP (`/v1/traces` is added): request, queue, worker, store. Without it there are none.',
    example: 'http://127.0.0.1:4318',
    parse: webUrl,
  }),
  otlpTracesEndpoint: setting({
    variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    fallback: '–',
    group: 'Operation',
    meaning: 'The same as a whole address.',
    example: 'http://127.0.0.1:4318/v1/traces',
    parse: webUrl,
  }),
  otlpHeaders: setting({
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: '–',
    group: 'Operation',
    meaning: 'Headers to send traces with: `name=value`, separated by commas.',
    isSecret: true,
    parse: headerList,
  }),
  otelServiceName: setting({
    variable: 'OTEL_SERVICE_NAME',
    fallback: 'assay',
    group: 'Operation',
    meaning: 'What traces call this service.',
    parse: text,
  }),
  otelSamplerRatio: setting({
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    group: 'Operation',
    meaning: 'The part of requests that is traced, from 0 to 1; where a trusted proxy decided, its decision holds.',
    parse: ratio,
  }),
  otelDelayMs: setting({
    variable: 'OTEL_BSP_SCHEDULE_DELAY',
    fallback: '5000',
    group: 'Operation',
    meaning: 'How long traces are collected before they are sent, in milliseconds.',
    parse: integer(1, 600_000),
  }),
  logLevel: setting({
    variable: 'LOG_LEVEL',
    fallback: 'info',
    group: 'Operation',
    meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
    parse: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  }),
  clockOffset: setting({
    variable: 'CLOCK_OFFSET',
    fallback: '–',
    group: 'Operation',
    meaning: 'ISO 8601 duration added to the clock, for trying out resets, expiry and renewals. Refused in production.',
    example: 'P1D',
    parse: duration,
  }),
} as const

type Given = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> | undefined }

type WithFallback =
  | 'port'
  | 'host'
  | 'publicUrl'
  | 'stopDelayMs'
  | 'stopWithinMs'
  | 'trustProxy'
  | 'dataDir'
  | 'printMails'
  | 'mailFrom'
  | 'aiGatewayUrl'
  | 'aiTimeoutMs'
  | 'billingProvider'
  | 'accountAccess'
  | 'webhookAllowedSubnets'
  | 'signInGithubUrl'
  | 'signInGithubApiUrl'
  | 'signInOidcName'
  | 'signInAllowedSubnets'
  | 'scanWorkers'
  | 'queuedScans'
  | 'scanTimeoutMs'
  | 'scanMemoryMb'
  | 'scanQueue'
  | 'scanWaitMs'
  | 'forges'
  | 'sourceTimeoutMs'
  | 'sourceAllowedSubnets'
  | 'logLevel'
  | 'otlpHeaders'
  | 'otelServiceName'
  | 'otelSamplerRatio'
  | 'otelDelayMs'

export type Config = Omit<Given, WithFallback | 'nodeEnv'> & {
  [Name in WithFallback]: NonNullable<Given[Name]>
} & {
  isProduction: boolean
  /** Where traces go; undefined: nowhere. */
  otlpTracesUrl: string | undefined
  /** Whether both the listening host and the public address are loopback: a machine of one's own. */
  isLocal: boolean
  /** What the operator should know at start-up. */
  warnings: string[]
}

/** The start was refused: every problem, one sentence each. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:
${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigProblems'
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** For commands that judge the environment themselves. */
export const readEnvironment = (): Environment => process.env

/** Reads and checks the environment; throws `ConfigProblems` with all of them at once. */
export function readConfig(environment: Environment = process.env, machine: Machine = readMachine()): Config {
  const problems: string[] = []
  const given = readGiven(environment, problems)
  const config = withFallbacks(given, machine)
  problems.push(...contradictions(config, given))
  if (problems.length > 0) throw new ConfigProblems(problems)
  return { ...config, warnings: [...warningsFor(config), ...memoryWarnings(config, machine)] }
}

function readGiven(environment: Environment, problems: string[]): Given {
  const entries = Object.entries(settings).map(([name, { variable, parse, isSecret }]) => {
    try {
      const value = isSecret ? readSecret(environment, variable) : environment[variable]?.trim()
      if (!value) return [name, undefined]
      return [name, parse(value)]
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      problems.push(`${variable} ${error.message}.`)
      return [name, undefined]
    }
  })
  return Object.fromEntries(entries) as Given
}

/** A secret may stand in a file, which is how containers are handed theirs. */
function readSecret(environment: Environment, variable: string): string | undefined {
  const value = environment[variable]?.trim()
  const file = environment[`${variable}_FILE`]?.trim()
  if (!file) return value
  if (value) fail(`and ${variable}_FILE are both set`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    return fail(`cannot be read from the file that ${variable}_FILE names (${(error as NodeJS.ErrnoException).code})`)
  }
}

function withFallbacks({ nodeEnv, ...given }: Given, machine: Machine): Config {
  const scanMemoryMb = given.scanMemoryMb ?? 512
  const host = given.host ?? '127.0.0.1'
  const port = given.port ?? 3000
  const publicUrl = given.publicUrl ?? defaultUrl(host, port)
  return {
    ...given,
    host,
    port,
    publicUrl,
    stopDelayMs: given.stopDelayMs ?? 2000,
    stopWithinMs: given.stopWithinMs ?? 20_000,
    trustProxy: given.trustProxy ?? false,
    dataDir: given.dataDir ?? resolve('data'),
    printMails: given.printMails ?? false,
    mailFrom: given.mailFrom ?? `Assay <no-reply@${mailHost(publicUrl)}>`,
    aiGatewayUrl: given.aiGatewayUrl ?? 'https://openrouter.ai/api/v1',
    aiTimeoutMs: given.aiTimeoutMs ?? 120_000,
    billingProvider: given.billingProvider ?? 'sandbox',
    accountAccess: given.accountAccess ?? 'login',
    webhookAllowedSubnets: given.webhookAllowedSubnets ?? [],
    signInGithubUrl: given.signInGithubUrl ?? 'https://github.com',
    signInGithubApiUrl: given.signInGithubApiUrl ?? 'https://api.github.com',
    signInOidcName: given.signInOidcName ?? 'single sign-on',
    signInAllowedSubnets: given.signInAllowedSubnets ?? [],
    scanWorkers: given.scanWorkers ?? workersThatFit(machine, scanMemoryMb),
    queuedScans: given.queuedScans ?? 'here',
    scanTimeoutMs: given.scanTimeoutMs ?? 30_000,
    scanMemoryMb,
    scanQueue: given.scanQueue ?? 200,
    scanWaitMs: given.scanWaitMs ?? 5000,
    forges: given.forges ?? [],
    sourceTimeoutMs: given.sourceTimeoutMs ?? 20_000,
    sourceAllowedSubnets: given.sourceAllowedSubnets ?? [],
    logLevel: given.logLevel ?? 'info',
    otlpHeaders: given.otlpHeaders ?? {},
    otelServiceName: given.otelServiceName ?? 'assay',
    otelSamplerRatio: given.otelSamplerRatio ?? 1,
    otelDelayMs: given.otelDelayMs ?? 5000,
    otlpTracesUrl: given.otlpTracesEndpoint ?? (given.otlpEndpoint && `${given.otlpEndpoint}/v1/traces`),
    isProduction: nodeEnv === 'production',
    isLocal: isLoopbackHost(host) && isLoopbackHost(new URL(publicUrl).hostname),
    warnings: [],
  }
}

/** An address that a browser can open even when the service listens everywhere. */
function defaultUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return new URL(`http://${name}:${port}`).origin
}

/** Mail addresses need a name: an IP address gets one that cannot be mistaken for a real domain. */
const mailHost = (publicUrl: string): string => {
  const { hostname } = new URL(publicUrl)
  return /^[\d.]+$|^\[/.test(hostname) ? 'assay.localhost' : hostname
}

export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** What belongs together: all of a group, or none. */
const signInGroups = [
  ['signInGithubId', 'signInGithubSecret'],
  ['signInGoogleId', 'signInGoogleSecret'],
  ['signInOidcIssuer', 'signInOidcId', 'signInOidcSecret'],
] as const

/** Settings that are fine alone but not together. */
function contradictions(config: Config, given: Given): string[] {
  const problems: string[] = []
  const isPublic = !isLoopbackHost(new URL(config.publicUrl).hostname)
  if (!given.billingProvider && (config.isProduction || isPublic)) {
    problems.push(
      `BILLING_PROVIDER must be set (stripe, or sandbox where nothing is charged) ${config.isProduction ? 'when NODE_ENV is production' : 'when PUBLIC_URL is not loopback'}.`,
    )
  }
  if (config.billingProvider === 'stripe') {
    const needed = ['stripeSecretKey', 'stripeWebhookSecret', 'stripePriceBasic', 'stripePricePro'] as const
    for (const name of needed) {
      if (!config[name]) problems.push(`${settings[name].variable} is required when BILLING_PROVIDER is stripe.`)
    }
  }
  for (const group of signInGroups) {
    const missing = group.filter((name) => !config[name])
    if (missing.length === group.length) continue
    const [first] = group.filter((name) => config[name])
    for (const name of missing)
      problems.push(`${settings[name].variable} is required with ${settings[first ?? name].variable}.`)
  }
  if (config.isProduction && !config.smtpUrl && !config.printMails) {
    problems.push(
      'SMTP_URL is required when NODE_ENV is production; PRINT_MAILS=on keeps mails in the outbox and prints their codes instead.',
    )
  }
  if (config.isProduction && config.trustProxy === true) {
    problems.push(
      'TRUST_PROXY=on is refused when NODE_ENV is production: any client could name its own address. Give the number of proxies or their addresses.',
    )
  }
  if (config.clockOffset && config.isProduction) {
    problems.push('CLOCK_OFFSET is refused when NODE_ENV is production.')
  }
  if (config.stopDelayMs > config.stopWithinMs / 4) {
    problems.push('STOP_DELAY_MS must be at most a quarter of STOP_WITHIN_MS.')
  }
  if (config.databaseUrl && !config.masterSecret) {
    problems.push('MASTER_SECRET is required with DATABASE_URL: every replica must share it.')
  }
  if (config.etherscanApiKey && !config.etherscanUrl) {
    problems.push('ETHERSCAN_API_KEY needs ETHERSCAN_URL: where to send it.')
  }
  if (config.forgeToken && config.forges.length === 0) problems.push('FORGE_TOKEN needs FORGES: where to send it.')
  if (config.masterSecretPrevious && !config.masterSecret) {
    problems.push('MASTER_SECRET_PREVIOUS needs MASTER_SECRET: the secret that replaces it.')
  }
  return problems
}

/** What is not lowered is said: the system ends a process that takes more than it may. */
function memoryWarnings({ scanWorkers, scanMemoryMb }: Config, { cores, memoryMb }: Machine): string[] {
  const neededMb = memoryNeededMb(scanWorkers, scanMemoryMb)
  const needs = `${scanWorkers} scan workers of SCAN_MEMORY_MB=${scanMemoryMb} need up to ${neededMb} MB`
  if (neededMb > memoryMb)
    return [
      `${needs}, and this process may use ${memoryMb} MB. Lower SCAN_WORKERS or SCAN_MEMORY_MB, or give it more memory.`,
    ]
  if (scanWorkers < workersThatFit({ cores, memoryMb: Number.POSITIVE_INFINITY }, scanMemoryMb))
    return [`${needs}; more would not fit into ${memoryMb} MB, so ${cores} cores are not all used.`]
  return []
}

function warningsFor(config: Config): string[] {
  const warnings: string[] = []
  if (config.accountAccess === 'user-id') {
    warnings.push('ACCOUNT_ACCESS=user-id: anyone who knows a userId can read that account and its API keys.')
  }
  if (config.billingProvider === 'sandbox' && (config.isProduction || !config.isLocal)) {
    warnings.push('BILLING_PROVIDER=sandbox: plans can be had without paying.')
  }
  if (config.trustProxy === true) {
    warnings.push(
      'TRUST_PROXY=on: any client can name its own address, so limits by address and ACCOUNT_ACCESS=login protect nothing. Give the number of proxies or their addresses.',
    )
  }
  if (config.masterSecret && isGuessable(config.masterSecret) && (config.isProduction || !config.isLocal)) {
    warnings.push(`MASTER_SECRET looks like words; ${GOOD_SECRET}.`)
  }
  if (config.clockOffset) warnings.push('CLOCK_OFFSET is set: the service does not live in the present.')
  if (config.isProduction && !config.publicUrl.startsWith('https:')) {
    warnings.push('PUBLIC_URL is not https: the session cookie travels without the Secure mark.')
  }
  if (!config.smtpUrl && !config.isLocal) {
    warnings.push('SMTP_URL is not set: mails stay in the outbox and nobody receives them.')
  }
  return warnings
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { addDuration } from './clock.ts'
import { ConfigProblems, type Environment, isLoopbackHost, readConfig, settings } from './config.ts'

const problemsOf = (environment: Environment): readonly string[] => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
  return []
}

test('an empty environment serves on loopback with everything embedded', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://127.0.0.1:3000',
    databaseUrl: undefined,
    smtpUrl: undefined,
    billingProvider: 'sandbox',
    accountAccess: 'login',
    aiGatewayUrl: 'https://openrouter.ai/api/v1',
    aiTimeoutMs: 120_000,
    stopDelayMs: 2000,
    stopWithinMs: 20_000,
    scanTimeoutMs: 30_000,
    scanMemoryMb: 512,
    scanQueue: 200,
    trustProxy: false,
    logLevel: 'info',
    isLocal: true,
    isProduction: false,
    warnings: [],
  })
  expect(config.dataDir).toMatch(/\/data$/)
  expect(config.scanWorkers).toBeGreaterThan(0)
})

test('a stop takes twenty seconds at most, and its notice a quarter of that', () => {
  expect(problemsOf({ STOP_WITHIN_MS: '20001' })).toEqual(['STOP_WITHIN_MS must be a whole number from 100 to 20000.'])
  expect(problemsOf({ STOP_DELAY_MS: '4001' })).toEqual(['STOP_DELAY_MS must be a whole number from 0 to 4000.'])
  expect(problemsOf({ STOP_DELAY_MS: '1001', STOP_WITHIN_MS: '4000' })).toEqual([
    'STOP_DELAY_MS must be at most a quarter of STOP_WITHIN_MS.',
  ])
  expect(problemsOf({ STOP_DELAY_MS: '1000', STOP_WITHIN_MS: '4000' })).toEqual([])
})

test('every problem is reported at once, in words', () => {
  const problems = problemsOf({
    PORT: '99999',
    PUBLIC_URL: 'assay.example.com',
    DATABASE_URL: 'mysql://localhost/assay',
    SCAN_WORKERS: 'many',
    ACCOUNT_ACCESS: 'open',
    LOG_LEVEL: 'loud',
    CLOCK_OFFSET: 'tomorrow',
    WEBHOOK_ALLOWED_SUBNETS: '10.0.0.0/8,everything',
    TRUST_PROXY: 'some of them',
    MASTER_SECRET: 'short',
    MAIL_FROM: 'nobody',
    SMTP_URL: 'mail.example.com',
  })
  expect(problems).toEqual([
    'PORT must be a whole number from 0 to 65535.',
    'PUBLIC_URL must be an address that starts with http:// or https://.',
    'TRUST_PROXY must be off, on, a number of proxies, or their addresses separated by commas.',
    'DATABASE_URL must be an address that starts with postgres:// or postgresql://.',
    'MASTER_SECRET must have at least 16 characters; `openssl rand -hex 32` makes a good one.',
    'SMTP_URL must be an address that starts with smtp:// or smtps://.',
    'MAIL_FROM must be an email address.',
    'ACCOUNT_ACCESS must be one of login, session, user-id.',
    'WEBHOOK_ALLOWED_SUBNETS must be ranges such as 10.0.0.0/8, separated by commas; "everything" is not one.',
    'SCAN_WORKERS must be a whole number from 1 to 256.',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.',
    'CLOCK_OFFSET must be an ISO 8601 duration such as P1D or PT90M.',
  ])
})

test('production wants a billing provider and a mail server, and neither a moved clock nor any proxy believed', () => {
  expect(problemsOf({ NODE_ENV: 'production', CLOCK_OFFSET: 'P1D', TRUST_PROXY: 'on' })).toEqual([
    'BILLING_PROVIDER must be set (stripe, or sandbox where nothing is charged) when NODE_ENV is production.',
    'SMTP_URL is required when NODE_ENV is production; PRINT_MAILS=on keeps mails in the outbox and prints their codes instead.',
    'TRUST_PROXY=on is refused when NODE_ENV is production: any client could name its own address. Give the number of proxies or their addresses.',
    'CLOCK_OFFSET is refused when NODE_ENV is production.',
  ])
})

test('a public address wants the billing provider chosen, and warns of the sandbox', () => {
  expect(problemsOf({ PUBLIC_URL: 'https://assay.example.com' })).toEqual([
    'BILLING_PROVIDER must be set (stripe, or sandbox where nothing is charged) when PUBLIC_URL is not loopback.',
  ])
  const config = readConfig({ PUBLIC_URL: 'https://assay.example.com/', BILLING_PROVIDER: 'sandbox' })
  expect(config.publicUrl).toBe('https://assay.example.com')
  expect(config.mailFrom).toBe('Assay <no-reply@assay.example.com>')
  expect(config.warnings).toContain('BILLING_PROVIDER=sandbox: plans can be had without paying.')
})

test('PostgreSQL wants a master secret that replicas can share', () => {
  expect(problemsOf({ DATABASE_URL: 'postgres://localhost/assay' })).toEqual([
    'MASTER_SECRET is required with DATABASE_URL: every replica must share it.',
  ])
})

test('stripe wants all four of its settings', () => {
  expect(problemsOf({ BILLING_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'k' })).toEqual([
    'STRIPE_WEBHOOK_SECRET is required when BILLING_PROVIDER is stripe.',
    'STRIPE_PRICE_BASIC is required when BILLING_PROVIDER is stripe.',
    'STRIPE_PRICE_PRO is required when BILLING_PROVIDER is stripe.',
  ])
})

test('a page of the operator is an address or a file that can be read', () => {
  const file = join(temporaryFolder(), 'terms.md')
  writeFileSync(file, 'Terms.')
  const { termsPage, privacyPage, contactPage } = readConfig({ TERMS_PAGE: file, CONTACT_PAGE: 'mailto:a@example.com' })
  expect([termsPage, privacyPage, contactPage]).toEqual([
    { markdown: 'Terms.' },
    undefined,
    { url: 'mailto:a@example.com' },
  ])
  expect(problemsOf({ PRIVACY_PAGE: '/nowhere/privacy.md' })).toEqual([
    'PRIVACY_PAGE must be an address (https://…, mailto:…) or a file that can be read; "/nowhere/privacy.md" is not one (ENOENT).',
  ])
})

test('a sign-in provider wants all of its settings', () => {
  expect(problemsOf({ SIGN_IN_GITHUB_ID: 'a', SIGN_IN_OIDC_ISSUER: 'https://a.example' })).toEqual([
    'SIGN_IN_GITHUB_SECRET is required with SIGN_IN_GITHUB_ID.',
    'SIGN_IN_OIDC_ID is required with SIGN_IN_OIDC_ISSUER.',
    'SIGN_IN_OIDC_SECRET is required with SIGN_IN_OIDC_ISSUER.',
  ])
})

test('the bare userId mode warns at start', () => {
  const { warnings } = readConfig({ ACCOUNT_ACCESS: 'user-id' })
  expect(warnings).toEqual([
    'ACCOUNT_ACCESS=user-id: anyone who knows a userId can read that account and its API keys.',
  ])
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ port: 3000, smtpUrl: undefined })
})

test('a listener on every interface is still reached by loopback', () => {
  expect(readConfig({ HOST: '0.0.0.0', PORT: '8080' })).toMatchObject({
    publicUrl: 'http://127.0.0.1:8080',
    isLocal: false,
  })
})

test('the clock offset is a duration by the calendar', () => {
  const { clockOffset } = readConfig({ CLOCK_OFFSET: 'P1M' })
  expect(addDuration(new Date('2026-01-31T10:00:00Z'), clockOffset!).toISOString()).toBe('2026-02-28T10:00:00.000Z')
})

test('trusted proxies are none, all, a number or addresses', () => {
  const read = (value: string) => readConfig({ TRUST_PROXY: value }).trustProxy
  expect([read('off'), read('on'), read('2'), read('10.0.0.1, 10.0.0.2')]).toEqual([
    false,
    true,
    2,
    ['10.0.0.1', '10.0.0.2'],
  ])
})

test.each(['127.0.0.1', '127.1.2.3', 'localhost', 'assay.localhost', '::1', '[::1]'])('%s is loopback', (host) => {
  expect(isLoopbackHost(host)).toBe(true)
})

test.each(['0.0.0.0', '10.0.0.1', 'localhost.example.com', '127.0.0.1.example.com', '::', ''])(
  '%s is not loopback',
  (host) => {
    expect(isLoopbackHost(host)).toBe(false)
  },
)

test('every setting has words for the reference', () => {
  for (const { variable, meaning, fallback } of Object.values(settings)) {
    expect(variable).toMatch(/^[A-Z_]+$/)
    expect(meaning, variable).toMatch(/\.$/)
    expect(fallback, variable).not.toBe('')
  }
})

test.each(['0'.repeat(32), 'abcabcabcabcabcabc', 'passwordpassword', '1212121212121212'])(
  'the master secret %s is too easy to guess',
  (value) => {
    expect(problemsOf({ MASTER_SECRET: value })).toEqual([
      'MASTER_SECRET is too easy to guess; `openssl rand -hex 32` makes a good one.',
    ])
  },
)

test('a master secret made of words, and a proxy believed from anywhere, are warned of', () => {
  const production = { NODE_ENV: 'production', BILLING_PROVIDER: 'sandbox', PRINT_MAILS: 'on' }
  const warned = readConfig({ ...production, MASTER_SECRET: 'our very own secret of the year' }).warnings
  expect(warned).toContain('MASTER_SECRET looks like words; `openssl rand -hex 32` makes a good one.')
  const random = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
  expect(readConfig({ ...production, MASTER_SECRET: random }).warnings.join()).not.toContain('MASTER_SECRET')
  expect(readConfig({ TRUST_PROXY: 'on' }).warnings.join()).toContain('TRUST_PROXY=on')
  expect(readConfig({ TRUST_PROXY: '1' }).warnings.join()).not.toContain('TRUST_PROXY')
})

test('forges are pairs of a host and its API; a credential needs someone to send it to', () => {
  const { forges } = readConfig({
    FORGES: 'GitHub.com=https://api.github.com/, git.example=https://git.example/api/v3',
  })
  expect(forges).toEqual([
    { host: 'github.com', apiUrl: 'https://api.github.com' },
    { host: 'git.example', apiUrl: 'https://git.example/api/v3' },
  ])
  expect(readConfig({})).toMatchObject({ forges: [], sourceAllowedSubnets: [], sourcifyUrl: undefined })
  expect(() => readConfig({ FORGES: 'github.com' })).toThrow('FORGES must be pairs such as')
  expect(() => readConfig({ FORGE_TOKEN: 'x' })).toThrow('FORGE_TOKEN needs FORGES')
  expect(() => readConfig({ ETHERSCAN_API_KEY: 'x' })).toThrow('ETHERSCAN_API_KEY needs ETHERSCAN_URL')
})

test('scan workers: as many as cores and memory allow, and words where that is less than wished', () => {
  const small = { cores: 8, memoryMb: 2_560 }
  const read = (environment: Record<string, string>, machine = small) => {
    const { scanWorkers, warnings } = readConfig(environment, machine)
    return [scanWorkers, warnings]
  }
  expect(read({}, { cores: 4, memoryMb: 8_000 })).toEqual([4, []])
  expect(read({})).toEqual([
    2,
    [
      '2 scan workers of SCAN_MEMORY_MB=512 need up to 2348 MB; more would not fit into 2560 MB, so 8 cores are not all used.',
    ],
  ])
  expect(read({ SCAN_MEMORY_MB: '256' })[0]).toBe(6)
  expect(read({ SCAN_WORKERS: '8' })).toEqual([
    8,
    [
      '8 scan workers of SCAN_MEMORY_MB=512 need up to 5420 MB, and this process may use 2560 MB. Lower SCAN_WORKERS or SCAN_MEMORY_MB, or give it more memory.',
    ],
  ])
  expect(read({}, { cores: 1, memoryMb: 512 })).toEqual([1, [expect.stringContaining('need up to 1836 MB')]])
})

test('a secret may stand in a file, but not in both places', () => {
  const file = join(temporaryFolder(), 'master-secret')
  writeFileSync(file, 'a master secret from a file, long enough\n')
  expect(readConfig({ MASTER_SECRET_FILE: file }).masterSecret).toBe('a master secret from a file, long enough')
  expect(() => readConfig({ MASTER_SECRET_FILE: file, MASTER_SECRET: 'another secret that is long enough' })).toThrow(
    'MASTER_SECRET and MASTER_SECRET_FILE are both set.',
  )
  expect(() => readConfig({ METRICS_TOKEN_FILE: '/nowhere/at/all' })).toThrow(
    'METRICS_TOKEN cannot be read from the file that METRICS_TOKEN_FILE names (ENOENT).',
  )
  // Only secrets are read from files.
  expect(readConfig({ PORT_FILE: file }).port).toBe(3000)
})

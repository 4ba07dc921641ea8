import { Readable } from 'node:stream'
import { unpackElsewhere } from '../core/stored.ts'
import { createScanStore } from '../stores/scans.ts'
import { describeAccount } from './account.ts'
import type { Owner } from './change-account.ts'
import { type ConfirmPasswordDeps, confirmPassword } from './confirm-password.ts'
import { listFindings } from './findings.ts'
import { type KeyDeps, listKeys } from './keys.ts'
import { listScans } from './list-scans.ts'
import { readMailPreferences } from './mail-preferences.ts'
import { listOrganisations } from './organisations.ts'
import { listSecondFactors } from './second-factors.ts'
import { listSecurityEvents, noteSecurityEvent } from './security-log.ts'
import { listSessions, type SessionDeps } from './sessions.ts'
import { listShareLinks } from './share-links.ts'
import { listKeptWebhooks } from './webhooks.ts'

export type ExportDeps = ConfirmPasswordDeps & KeyDeps & SessionDeps

const PAGE = 50

/**
 * Everything that is kept of a person, a JSON document a line: small enough to be read one at a time, however many scans there are. The
 * values of keys and secrets are not in it.
 */
export async function exportAccount(
  deps: ExportDeps,
  { accountId, client }: Owner,
  password: string,
): Promise<Readable> {
  await confirmPassword(deps, accountId, password, client)
  await noteSecurityEvent(deps, accountId, 'account.exported', client)
  return Readable.from(allLines(deps, accountId), { objectMode: false })
}

interface ExportRecord {
  readonly kind: string
  readonly [field: string]: unknown
}

async function* allLines(deps: ExportDeps, accountId: string): AsyncGenerator<string> {
  for await (const record of records(deps, accountId)) yield `${JSON.stringify(record)}\n`
  yield* scanLines(deps, accountId)
}

async function* records(deps: ExportDeps, accountId: string): AsyncGenerator<ExportRecord> {
  yield { kind: 'account', ...(await describeAccount(deps, accountId)) }
  yield { kind: 'mail-preferences', ...(await readMailPreferences(deps, accountId)) }
  for (const session of await listSessions(deps, accountId)) yield { kind: 'session', ...session }
  for (const { kind: means, ...factor } of (await listSecondFactors(deps, accountId)).factors)
    yield { kind: 'second-factor', means, ...factor }
  for (const { keyValue: _value, ...key } of await listKeys(deps, accountId)) yield { kind: 'api-key', ...key }
  for (const organisation of await listOrganisations(deps, accountId)) yield { kind: 'organisation', ...organisation }
  for (const link of await listShareLinks(deps, accountId)) yield { kind: 'link', ...link }
  for (const webhook of await listKeptWebhooks(deps, accountId)) yield { kind: 'webhook', ...webhook }
  yield* securityEvents(deps, accountId)
  yield* findings(deps, accountId)
}

async function* securityEvents(deps: ExportDeps, accountId: string): AsyncGenerator<ExportRecord> {
  for (let cursor: string | undefined; ; ) {
    const { events, nextCursor } = await listSecurityEvents(deps, accountId, { limit: PAGE, cursor })
    for (const event of events) yield { kind: 'security-event', ...event }
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

async function* findings(deps: ExportDeps, accountId: string): AsyncGenerator<ExportRecord> {
  for (let cursor: string | undefined; ; ) {
    const page = await listFindings(deps, accountId, { limit: PAGE, cursor, sort: '-firstSeenAt', filter: {} })
    for (const { kind: of, ...finding } of page.findings) yield { kind: 'finding', of, ...finding }
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}

/** With result and source, one scan in memory at a time; results are JSON already, and are not read. */
async function* scanLines(deps: ExportDeps, accountId: string): AsyncGenerator<string> {
  const store = createScanStore(deps.db)
  for (let cursor: string | undefined; ; ) {
    const page = await listScans(deps, accountId, {
      limit: PAGE,
      cursor,
      sort: '-createdAt',
      statuses: ['completed'],
      filter: {},
    })
    for (const { kind: how, ...scan } of page.scans) {
      const source = await store.findBody(scan.scanId, 'source')
      const result = await store.findBody(scan.scanId, 'result')
      // Deleted since the page was read.
      if (!source || !result) continue
      const text = (await unpackElsewhere(source)).toString()
      const open = JSON.stringify({ kind: 'scan', how, ...scan, source: text }).slice(0, -1)
      yield `${open},"result":${(await unpackElsewhere(result)).toString()}}\n`
    }
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}

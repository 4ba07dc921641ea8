import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { MailFacts } from '../messages/mails.ts'
import { defineJobKind } from '../queue/job.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createFindingStore } from '../stores/findings.ts'
import { createMailPreferenceStore, type Turn } from '../stores/mail-preferences.ts'
import { createMembershipStore } from '../stores/memberships.ts'
import { createProjectStore } from '../stores/projects.ts'
import { isOfProject } from './findings.ts'
import { findOldest } from './history.ts'
import { getLimits, startOfHour } from './limits.ts'
import { type MailDeps, queueMail } from './mail.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** Hourly, so that a week that began while the service was down is served late, not left out. */
export const weeklyDigestJob = defineJobKind({
  name: 'weekly-digests',
  payload: z.object({}),
  retryAfterSeconds: [60, 600],
  timeoutSeconds: 600,
  everySeconds: 3600,
})

export interface WeeklyDigestDeps extends MailDeps {
  db: Db
  clock: Clock
  config: Pick<Config, 'publicUrl'>
}

type AccountWeek = MailFacts<'weeklyDigest'>['accounts'][number]

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const STALE_MS = 30 * DAY_MS
const PAGE = 200
const MAX_OLDEST = 5
const MAX_STALE_NAMES = 10

/** Mails members who requested it what is new and open in their projects and those of their organisations, once in seven days. */
export async function mailWeeklyDigests(deps: WeeklyDigestDeps): Promise<void> {
  // By full hours: the moment at which a job gets its turn must not push the next digest back.
  const turn = { at: startOfHour(deps.clock.now()), intervalMs: WEEK_MS }
  for (let last = ''; ; ) {
    const due = await createMailPreferenceStore(deps.db).listDue('weeklyDigest', turn, last, PAGE)
    for (const accountId of due) await mailDigest(deps, accountId, turn)
    if (due.length < PAGE) return
    last = due.at(-1) ?? ''
  }
}

/** The turn is taken also where there is nothing to report: the next look is a week later. */
async function mailDigest(deps: WeeklyDigestDeps, accountId: string, turn: Turn): Promise<void> {
  const accounts = await describeAccounts(deps, accountId)
  await transaction(deps.db, async (tx) => {
    if (!(await createMailPreferenceStore(tx).takeTurn(accountId, 'weeklyDigest', turn))) return
    const person = await createAccountStore(tx).find(accountId)
    if (!person || accounts.length === 0) return
    const facts = { publicUrl: deps.config.publicUrl, accounts }
    await queueMail(deps, tx, person.email, 'weeklyDigest', facts, unsubscribeUrl(deps, accountId, 'weeklyDigest'))
  })
}

async function describeAccounts(deps: WeeklyDigestDeps, accountId: string): Promise<AccountWeek[]> {
  const joined = await createMembershipStore(deps.db).listOf(accountId)
  const organisations = joined.map(({ organisation_id, name }) => ({ id: organisation_id, name }))
  const weeks: AccountWeek[] = []
  for (const organisation of [undefined, ...organisations]) {
    const week = await describeWeek(deps, organisation?.id ?? accountId)
    if (week) weeks.push({ organisation, ...week })
  }
  return weeks
}

/** Undefined when the plan has no notices, or nothing was scanned, is new, or is open and severe. */
async function describeWeek(
  { db, clock }: WeeklyDigestDeps,
  accountId: string,
): Promise<Omit<AccountWeek, 'organisation'> | undefined> {
  const limits = await getLimits({ db }, accountId)
  if (!limits.features.mailNotices) return undefined
  const now = clock.now().getTime()
  const weekAgo = startOfHour(clock.now()) - WEEK_MS
  const kept = { now, notBefore: findOldest(clock, limits) }
  const findings = createFindingStore(db)
  const severe = { state: ['open'], review: 'exclude', severity: ['critical', 'high'] } as const
  const newBySeverity = await findings.countBySeverity(accountId, {
    ...kept,
    filter: { state: ['open'], review: 'exclude', firstSeenSince: weekAgo },
  })
  const listOldest = (severity: 'critical' | 'high', limit: number) =>
    findings.list(accountId, {
      ...kept,
      limit,
      sort: 'firstSeenAt',
      filter: { state: ['open'], review: 'exclude', severity: [severity] },
    })
  // Critical ones first: of five, none may stay unnamed behind older ones that are less severe.
  const critical = await listOldest('critical', MAX_OLDEST)
  const left = MAX_OLDEST - critical.length
  const oldest = left > 0 ? [...critical, ...(await listOldest('high', left))] : critical
  const projects = await createProjectStore(db).listLastScans(accountId)
  const scanned = projects.filter(({ scannedAt }) => scannedAt >= weekAgo).length
  if (newBySeverity.length === 0 && oldest.length === 0 && scanned === 0) return undefined
  const stale = projects.filter(({ scannedAt }) => scannedAt < now - STALE_MS).map(({ name }) => name)
  return {
    newBySeverity,
    openSevere: await findings.count(accountId, { ...kept, filter: severe }),
    oldest: oldest.map((row) => ({
      scanId: row.last_scan_id,
      fingerprint: row.fingerprint,
      severity: row.severity,
      title: row.title,
      project: isOfProject(row) ? row.project : undefined,
      file: row.file,
      line: row.line,
      days: Math.floor((now - row.first_seen_at) / DAY_MS),
    })),
    projects: projects.length,
    scanned,
    stale: { names: stale.slice(0, MAX_STALE_NAMES), count: stale.length },
  }
}

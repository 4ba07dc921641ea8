import { addSeconds, type Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId, newSortableId } from '../core/ids.ts'
import type { Secrets } from '../core/secrets.ts'
import type { WebhookSender } from '../gateways/webhook-sender.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createWebhookStore, type WebhookChanges, type WebhookRow } from '../stores/webhooks.ts'
import { getLimits } from './limits.ts'
import { makerOf } from './made-by.ts'
import { type Actor, type NoteChangeDeps, noteChange } from './note-change.ts'
import { newWebhookSecret } from './webhook-signature.ts'

export interface WebhookDeps extends NoteChangeDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  webhookSender: WebhookSender
}

/** What can be subscribed to; a test is sent to the caller. */
export const webhookEvents = [
  'scan.completed',
  'scan.failed',
  'finding.new',
  'gate.failed',
  'quota.low',
  'key.expiring',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** What a webhook gets whose owner named none: as it was when there was nothing else. */
const usualEvents: readonly WebhookEvent[] = ['scan.completed', 'scan.failed']

export interface WebhookView {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly status: 'active' | 'disabled'
  readonly disabledReason: string | null
  readonly createdAt: string
}

export interface NewWebhook {
  readonly url: string
  readonly events?: readonly WebhookEvent[] | undefined
  readonly description?: string | undefined
}

/** What is not given stays as it is. */
export interface WebhookPatch {
  readonly url?: string | undefined
  readonly events?: readonly WebhookEvent[] | undefined
  readonly description?: string | undefined
  readonly status?: 'active' | 'disabled' | undefined
}

const maxWebhooks = 10

/** Looks the name of the receiver up, which takes its time. */
export async function assertWebhookAllowed(deps: WebhookDeps, accountId: string, url: string): Promise<void> {
  await assertOnPlan(deps, accountId)
  await assertUrl(deps, url)
}

/** Of one that is allowed. */
export async function createWebhook(
  deps: WebhookDeps,
  actor: Actor,
  given: NewWebhook,
): Promise<WebhookView & { secret: string }> {
  const now = deps.clock.now()
  const id = newSortableId('webhook', now)
  const secret = newWebhookSecret()
  const row: WebhookRow = {
    id,
    account_id: actor.caller.accountId,
    url: given.url,
    events: JSON.stringify(unique(given.events ?? usualEvents)),
    description: given.description ?? null,
    status: 'active',
    disabled_reason: null,
    secret: seal(deps, id, secret),
    previous_secret: null,
    previous_until: null,
    failing_since: null,
    created_at: now.getTime(),
    maker: makerOf(actor.caller),
  }
  await transaction(deps.db, async (tx) => {
    if (!(await createWebhookStore(tx).add(row, maxWebhooks))) refuse('tooManyWebhooks', maxWebhooks)
    await noteChange({ ...deps, db: tx }, actor, 'webhook.created', { webhook: id })
  })
  return { ...toView(row), secret }
}

export async function listWebhooks(deps: WebhookDeps, accountId: string): Promise<WebhookView[]> {
  const kept = await listKeptWebhooks(deps, accountId)
  // Those of an account that had the plan once are kept, and their owner's to see and delete.
  if (kept.length === 0) await assertOnPlan(deps, accountId)
  return kept
}

/** Whatever the plan. */
export async function listKeptWebhooks({ db }: Pick<WebhookDeps, 'db'>, accountId: string): Promise<WebhookView[]> {
  return (await createWebhookStore(db).list(accountId)).map((row) => toView(row))
}

export async function getWebhook(deps: WebhookDeps, accountId: string, id: string): Promise<WebhookView> {
  return toView(await findKeptWebhook(deps, accountId, id))
}

export async function changeWebhook(
  deps: WebhookDeps,
  actor: Actor,
  id: string,
  given: WebhookPatch,
): Promise<WebhookView> {
  const row = await findWebhook(deps, actor.caller.accountId, id)
  if (given.url !== undefined) await assertUrl(deps, given.url)
  const changes: WebhookChanges = {
    ...(given.url !== undefined && { url: given.url, failing_since: null }),
    ...(given.events !== undefined && { events: JSON.stringify(unique(given.events)) }),
    ...(given.description !== undefined && { description: given.description }),
    ...(given.status === 'active' && { status: 'active' as const, disabled_reason: null, failing_since: null }),
    ...(given.status === 'disabled' && { status: 'disabled' as const, disabled_reason: 'Turned off by its owner.' }),
  }
  await transaction(deps.db, async (tx) => {
    await createWebhookStore(tx).change(row.id, changes)
    await noteChange({ ...deps, db: tx }, actor, 'webhook.changed', { webhook: row.id })
  })
  return toView({ ...row, ...changes })
}

export async function deleteWebhook(deps: WebhookDeps, actor: Actor, id: string): Promise<void> {
  const { accountId } = actor.caller
  const row = await findKeptWebhook(deps, accountId, id)
  await transaction(deps.db, async (tx) => {
    if (!(await createWebhookStore(tx).remove(accountId, row.id))) return refuse('webhookNotFound')
    await noteChange({ ...deps, db: tx }, actor, 'webhook.deleted', { webhook: row.id })
  })
}

/** A new secret now; for the overlap every delivery is signed with both, so that a receiver can change over in peace. */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  actor: Actor,
  id: string,
  overlapSeconds: number,
): Promise<WebhookView & { secret: string; previousSecretUntil: string }> {
  const row = await findWebhook(deps, actor.caller.accountId, id)
  const secret = newWebhookSecret()
  const until = addSeconds(deps.clock.now(), overlapSeconds)
  await transaction(deps.db, async (tx) => {
    await createWebhookStore(tx).setSecret(row.id, {
      secret: seal(deps, row.id, secret),
      previous_secret: row.secret,
      previous_until: until.getTime(),
    })
    await noteChange({ ...deps, db: tx }, actor, 'webhook.secret-rotated', { webhook: row.id })
  })
  return { ...toView(row), secret, previousSecretUntil: until.toISOString() }
}

/** One of the account's own, on a plan that has webhooks; the same refusal for any other id. */
export async function findWebhook(deps: Pick<WebhookDeps, 'db'>, accountId: string, id: string): Promise<WebhookRow> {
  await assertOnPlan(deps, accountId)
  return findKeptWebhook(deps, accountId, id)
}

/** One of the account's own, whatever its plan is now. */
export async function findKeptWebhook(
  deps: Pick<WebhookDeps, 'db'>,
  accountId: string,
  id: string,
): Promise<WebhookRow> {
  const row = looksLikeId('webhook', id) ? await createWebhookStore(deps.db).find(accountId, id) : undefined
  if (row) return row
  await assertOnPlan(deps, accountId)
  return refuse('webhookNotFound')
}

/** The secrets a delivery is signed with at this moment. */
export function secretsOf(deps: Pick<WebhookDeps, 'secrets'>, row: WebhookRow, now: Date): string[] {
  const isOverlapping = row.previous_secret !== null && (row.previous_until ?? 0) > now.getTime()
  const sealed = isOverlapping ? [row.secret, row.previous_secret as string] : [row.secret]
  return sealed.map((text) => deps.secrets.open('webhook-secret', text, row.id))
}

const seal = (deps: Pick<WebhookDeps, 'secrets'>, id: string, secret: string): string =>
  deps.secrets.seal('webhook-secret', secret, id)

async function assertOnPlan(deps: Pick<WebhookDeps, 'db'>, accountId: string): Promise<void> {
  const { features } = await getLimits(deps, accountId)
  if (!features.webhooks) refuse('webhooksNotOnPlan')
}

async function assertUrl(deps: WebhookDeps, url: string): Promise<void> {
  const problem = await deps.webhookSender.findProblem(url)
  if (problem) refuse('webhookUrlRefused', problem)
}

const unique = (events: readonly string[]): string[] => [...new Set(events)]

const toView = (row: WebhookRow): WebhookView => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events) as string[],
  description: row.description,
  status: row.status,
  disabledReason: row.disabled_reason,
  createdAt: new Date(row.created_at).toISOString(),
})

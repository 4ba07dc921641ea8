import { z } from 'zod'
import { addDays, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId, newId, newSortableId } from '../core/ids.ts'
import { traced } from '../core/tracing.ts'
import type { WebhookOutcome } from '../gateways/webhook-sender.ts'
import { type Attempt, defineJobKind, NotYet } from '../queue/job.ts'
import type { Queue } from '../queue/queue.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createWebhookDeliveryStore, type WebhookDeliveryRow } from '../stores/webhook-deliveries.ts'
import { createWebhookStore, type WebhookRow } from '../stores/webhooks.ts'
import { bodyFor } from './chat-message.ts'
import type { DeliverySlots } from './delivery-slots.ts'
import { getLimits } from './limits.ts'
import { type MailDeps, queueNotice } from './mail.ts'
import { findSweepMoment, noteSwept, type SweepDeps } from './sweep-guard.ts'
import { throttle } from './throttle.ts'
import { signWebhook } from './webhook-signature.ts'
import { findKeptWebhook, findWebhook, secretsOf, type WebhookDeps } from './webhooks.ts'

/** The schedule is the contract with receivers; the queue adds up to a fifth of each pause at random. */
export const deliverWebhookJob = defineJobKind({
  name: 'deliver-webhook',
  payload: z.object({ deliveryId: z.string() }),
  retryAfterSeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
  timeoutSeconds: 30,
  /** Most of the time of each is waiting for a receiver; `createDeliverySlots` shares them out. */
  concurrency: 64,
})

export interface DeliveryDeps extends WebhookDeps, MailDeps {
  config: Pick<Config, 'publicUrl'>
  queue: Pick<Queue, 'enqueue'>
  deliverySlots: DeliverySlots
}

export interface DeliveryView {
  readonly id: string
  readonly webhookId: string
  /** The `webhook-id` header of every try. */
  readonly messageId: string
  readonly type: string
  readonly status: WebhookDeliveryRow['status']
  readonly attempts: number
  readonly lastStatusCode: number | null
  readonly lastError: string | null
  readonly lastDurationMs: number | null
  readonly lastAttemptAt: string | null
  readonly createdAt: string
}

const failingDays = 5
const keptDays = 30
const gone = 410

/** An event for every webhook that wants it, queued with the change that caused it. Safe to repeat with the same id. */
export async function queueWebhooks(
  deps: { clock: Clock; queue: Pick<Queue, 'enqueue'> },
  tx: Db,
  message: { id: string; accountId: string; type: string; body: object; to: readonly WebhookRow[] },
): Promise<string[]> {
  const now = deps.clock.now()
  const store = createWebhookDeliveryStore(tx)
  if (message.to.length === 0) return []
  await store.addMessage({
    id: message.id,
    account_id: message.accountId,
    type: message.type,
    body: JSON.stringify(message.body),
    created_at: now.getTime(),
  })
  const added: string[] = []
  for (const webhook of message.to) {
    const id = newSortableId('delivery', now)
    const delivery = { id, webhook_id: webhook.id, message_id: message.id, created_at: now.getTime() }
    if (!(await store.add(delivery))) continue
    await deps.queue.enqueue(tx, deliverWebhookJob, { deliveryId: id }, { key: id })
    added.push(id)
  }
  return added
}

/** Sends an event of no consequence, in the shape of a real one. */
export async function testWebhook(deps: DeliveryDeps, accountId: string, id: string): Promise<DeliveryView> {
  const webhook = await findWebhook(deps, accountId, id)
  if (webhook.status !== 'active') refuse('webhookDisabled')
  await throttle(deps, 'webhookTests', accountId)
  const now = deps.clock.now()
  const body = {
    type: 'webhook.test',
    timestamp: now.toISOString(),
    scanId: newSortableId('scan', now),
    status: 'completed',
    securityScore: { score: 100, rating: 'Excellent', summary: { total: 0, critical: 0, high: 0, medium: 0, low: 0 } },
    vulnerabilitiesCount: 0,
  }
  const message = { id: newId('message'), accountId, type: 'webhook.test', body, to: [webhook] }
  const [deliveryId] = await transaction(deps.db, (tx) => queueWebhooks(deps, tx, message))
  return toView(await getDelivery(deps, deliveryId ?? ''))
}

export async function listDeliveries(
  deps: DeliveryDeps,
  accountId: string,
  webhookId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ deliveries: DeliveryView[]; total: number; nextCursor: string | null }> {
  const webhook = await findKeptWebhook(deps, accountId, webhookId)
  if (cursor !== undefined && !looksLikeId('delivery', cursor)) {
    refuse('invalid', 'cursor must be a nextCursor of this list.')
  }
  const notBefore = addDays(deps.clock.now(), -keptDays).getTime()
  const wanted = { notBefore, limit: limit + 1, after: cursor }
  const store = createWebhookDeliveryStore(deps.db)
  const rows = await store.list(webhook.id, wanted)
  const page = rows.slice(0, limit)
  const total = await store.count(webhook.id, notBefore)
  return { deliveries: page.map(toView), total, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** Sends the same message again, under the same id. */
export async function redeliver(
  deps: DeliveryDeps,
  accountId: string,
  webhookId: string | undefined,
  deliveryId: string,
): Promise<DeliveryView> {
  const limits = await getLimits(deps, accountId)
  if (!limits.features.webhooks) refuse('webhooksNotOnPlan')
  const found = looksLikeId('delivery', deliveryId)
    ? await createWebhookDeliveryStore(deps.db).find(accountId, deliveryId)
    : undefined
  if (!found || (webhookId !== undefined && found.webhook_id !== webhookId)) return refuse('deliveryNotFound')
  const webhook = await findWebhook(deps, accountId, found.webhook_id)
  if (webhook.status !== 'active') refuse('webhookDisabled')
  await transaction(deps.db, async (tx) => {
    await createWebhookDeliveryStore(tx).setStatus(found.id, 'pending', null)
    await deps.queue.enqueue(tx, deliverWebhookJob, { deliveryId: found.id }, { key: found.id })
  })
  return toView(await getDelivery(deps, found.id))
}

/** One try. Throws when another one should follow. */
export async function deliverWebhook(
  deps: DeliveryDeps,
  deliveryId: string,
  attempt: Pick<Attempt, 'isLast'>,
): Promise<void> {
  const deliveries = createWebhookDeliveryStore(deps.db)
  const delivery = await deliveries.get(deliveryId)
  if (delivery?.status !== 'pending') return
  const webhook = await createWebhookStore(deps.db).get(delivery.webhook_id)
  const message = await deliveries.findMessage(delivery.message_id)
  if (!webhook || !message) return
  const reason = await reasonToStop(deps, webhook)
  if (reason) return deliveries.setStatus(delivery.id, 'cancelled', reason)

  const place = { webhookId: webhook.id, accountId: webhook.account_id }
  const posted = await deps.deliverySlots.use(place, () => traced('webhook', () => post(deps, webhook, message)))
  if (!posted) throw new NotYet(BUSY_SECONDS)
  await traced('store', () => settle(deps, webhook, delivery, posted.done, attempt.isLast))
}

const BUSY_SECONDS = 5

function post(deps: DeliveryDeps, webhook: WebhookRow, message: { id: string; body: string }): Promise<WebhookOutcome> {
  const now = deps.clock.now()
  const body = bodyFor(webhook.url, message.body, deps.config.publicUrl)
  return deps.webhookSender.post({
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Assay-Webhooks/1',
      ...signWebhook(message.id, now, body, secretsOf(deps, webhook, now)),
    },
    body,
  })
}

async function reasonToStop(deps: DeliveryDeps, webhook: WebhookRow): Promise<string | null> {
  if (webhook.status !== 'active') return 'the webhook is disabled'
  const { features } = await getLimits(deps, webhook.account_id)
  return features.webhooks ? null : 'the plan does not include webhooks'
}

async function settle(
  deps: DeliveryDeps,
  webhook: WebhookRow,
  delivery: WebhookDeliveryRow,
  outcome: WebhookOutcome,
  isLast: boolean,
): Promise<void> {
  const now = deps.clock.now()
  const statusCode = outcome.kind === 'answered' ? outcome.status : null
  const isDelivered = statusCode !== null && statusCode >= 200 && statusCode < 300
  const error = isDelivered ? null : outcome.kind === 'answered' ? `answered ${outcome.status}` : outcome.reason
  const isOver = await transaction(deps.db, async (tx) => {
    const webhooks = createWebhookStore(tx)
    if (isDelivered) await webhooks.noteSuccess(webhook.id)
    const reason = isDelivered ? null : await reasonToDisable(tx, webhook.id, statusCode, now)
    const status = isDelivered ? 'delivered' : reason || isLast ? 'failed' : 'pending'
    await createWebhookDeliveryStore(tx).recordAttempt(delivery.id, {
      status,
      statusCode,
      error,
      durationMs: outcome.durationMs,
      at: now.getTime(),
    })
    if (reason && (await webhooks.disable(webhook.id, reason))) {
      await queueNotice(deps, tx, webhook.account_id, 'webhookDisabled', { url: webhook.url, reason, at: now })
    }
    return status !== 'pending'
  })
  if (!isOver) throw new Error(`webhook delivery failed: ${error}`)
}

async function reasonToDisable(
  tx: Db,
  webhookId: string,
  statusCode: number | null,
  now: Date,
): Promise<string | null> {
  const failingSince = await createWebhookStore(tx).noteFailure(webhookId, now.getTime())
  if (statusCode === gone) return 'The receiver answered 410: it does not want deliveries any more.'
  const isTooLong = addDays(new Date(failingSince), failingDays) <= now
  return isTooLong ? `Every delivery has failed for ${failingDays} days.` : null
}

export async function sweepDeliveries(deps: SweepDeps): Promise<void> {
  const moment = await findSweepMoment(deps, 'deliveries')
  if (moment === undefined) return
  const oldest = addDays(new Date(moment), -keptDays).getTime()
  await noteSwept(deps, 'deliveries', await createWebhookDeliveryStore(deps.db).deleteBefore(oldest))
}

async function getDelivery(deps: Pick<DeliveryDeps, 'db'>, id: string): Promise<WebhookDeliveryRow> {
  return (await createWebhookDeliveryStore(deps.db).get(id)) ?? refuse('deliveryNotFound')
}

const toView = (row: WebhookDeliveryRow): DeliveryView => ({
  id: row.id,
  webhookId: row.webhook_id,
  messageId: row.message_id,
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  lastStatusCode: row.last_status_code,
  lastError: row.last_error,
  lastDurationMs: row.last_duration_ms,
  lastAttemptAt: row.last_attempt_at === null ? null : new Date(row.last_attempt_at).toISOString(),
  createdAt: new Date(row.created_at).toISOString(),
})

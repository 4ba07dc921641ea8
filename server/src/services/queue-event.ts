import type { Clock } from '../core/clock.ts'
import type { Queue } from '../queue/queue.ts'
import type { Db } from '../stores/database.ts'
import { createWebhookStore, type WebhookRow } from '../stores/webhooks.ts'
import { queueWebhooks } from './webhook-deliveries.ts'
import type { WebhookEvent } from './webhooks.ts'

export interface QueueEventDeps {
  clock: Clock
  queue: Pick<Queue, 'enqueue'>
}

export interface OutgoingEvent {
  /** The same whenever the same thing is reported. */
  readonly id: string
  readonly accountId: string
  readonly type: WebhookEvent
  readonly at: Date
  /** Everything beside `type` and `timestamp`. */
  readonly body: object
}

const wants = ({ status, events }: WebhookRow, type: WebhookEvent): boolean =>
  status === 'active' && (JSON.parse(events) as string[]).includes(type)

/** The account's webhooks that want an event of this kind. */
export async function findSubscribers(tx: Db, accountId: string, type: WebhookEvent): Promise<WebhookRow[]> {
  return (await createWebhookStore(tx).list(accountId)).filter((webhook) => wants(webhook, type))
}

/** Queues an event for every webhook that wants it, in the caller's transaction. Safe to repeat with the same id. */
export async function queueEvent(
  deps: QueueEventDeps,
  tx: Db,
  { id, accountId, type, at, body }: OutgoingEvent,
): Promise<void> {
  const to = await findSubscribers(tx, accountId, type)
  if (to.length === 0) return
  const whole = { type, timestamp: at.toISOString(), ...body }
  await queueWebhooks(deps, tx, { id, accountId, type, body: whole, to })
}

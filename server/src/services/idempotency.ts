import type { Clock } from '../core/clock.ts'
import { addDays, addSeconds } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { isEqualSecret, type Secrets } from '../core/secrets.ts'
import { pack } from '../core/stored.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createIdempotentRequestStore } from '../stores/idempotent-requests.ts'

export interface IdempotencyDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  /** Names this process: what one that is gone was working on may be taken over. */
  instanceId: string
}

export interface StoredResponse {
  status: number
  headers: Record<string, string>
  /** The body, compressed where it was made. */
  packed: Uint8Array
}

/** Before bodies were kept compressed they stood beside the status: an answer lives for a day, and survives an upgrade. */
type KeptHead = Omit<StoredResponse, 'packed'> & { readonly body?: string }

/** Either the answer that was given before, or the right to do the work now. */
export type IdempotentTurn =
  | { kind: 'replay'; response: StoredResponse }
  | {
      kind: 'proceed'
      /** Keeps the answer for a day. With `tx` it is kept exactly if the work is. */
      complete(response: StoredResponse, tx?: Db): Promise<void>
      /** The work produced nothing: the same key may be used again. */
      release(): Promise<void>
    }

/** A process that lives but never answers gives its turn up after this long; longer than the longest request. */
const LEASE_SECONDS = 300
const KEY = /^[\x21-\x7e]{1,255}$/

/** Names and values of a request, and bytes of a file: what makes two requests the same. */
export type ContentPart = readonly [name: string, value: string | Uint8Array]

/** A canonical text of a request's content: the boundary of a multipart body is not in it. */
export const contentOf = (parts: readonly ContentPart[]): string =>
  JSON.stringify(
    parts.map(([name, value]) => [name, typeof value === 'string' ? value : Buffer.from(value).toString('base64')]),
  )

/** Refuses an `Idempotency-Key` that is not one; `undefined` when none was sent. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = Array.isArray(header) ? header[0] : header
  if (!key || !KEY.test(key)) return refuse('invalid', 'Idempotency-Key must have 1 to 255 visible ASCII characters.')
  return key
}

/** Takes the turn for an idempotency key, or finds what was answered. Refuses a request in flight or with other content. */
export async function takeTurn(
  deps: IdempotencyDeps,
  request: { accountId: string; route: string; key: string; content: string },
): Promise<IdempotentTurn> {
  const store = createIdempotentRequestStore(deps.db)
  const { accountId, route } = request
  const now = deps.clock.now()
  const row = {
    account_id: accountId,
    route,
    key_index: deps.secrets.index('idempotency-key', request.key),
    content_index: deps.secrets.index('idempotency-content', request.content),
    lease_id: newId('request'),
    instance_id: deps.instanceId,
    lease_until: addSeconds(now, LEASE_SECONDS).getTime(),
    response: null,
    response_body: null,
    expires_at: addDays(now, 1).getTime(),
  }
  const context = `${accountId}/${route}`
  const held = await store.take(row, now.getTime())
  if (!held) {
    return {
      kind: 'proceed',
      complete: ({ packed, ...head }, tx = deps.db) =>
        createIdempotentRequestStore(tx).complete(row, {
          head: deps.secrets.seal('response', JSON.stringify(head), context),
          body: deps.secrets.sealBytes('response-body', packed, context),
        }),
      release: () => store.release(row),
    }
  }
  const isSame = deps.secrets
    .indexes('idempotency-content', request.content)
    .some((index) => isEqualSecret(index, held.content_index))
  // An older program wrote contents in another way: what it answered cannot be compared, and is not done again.
  const isOldForm = held.response !== null && held.response_body === null
  if (!isSame && !isOldForm) return refuse('idempotencyMismatch')
  if (held.response === null) return refuse('idempotencyInFlight')
  const { body, ...head } = JSON.parse(deps.secrets.open('response', held.response, context)) as KeptHead
  const packed =
    held.response_body === null
      ? pack(Buffer.from(body ?? ''))
      : deps.secrets.openBytes('response-body', held.response_body, context)
  return { kind: 'replay', response: { ...head, packed } }
}

/** Work and whatever goes with it become true together. */
export const together = <D extends { db: Db }, T>(deps: D, work: (within: D) => Promise<T>): Promise<T> =>
  transaction(deps.db, (tx) => work({ ...deps, db: tx }))

import { reaches } from '../core/roles.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import type { Db } from '../stores/database.ts'
import { createMembershipStore, type MembershipRow } from '../stores/memberships.ts'
import type { ShareLinkTable } from '../stores/schema.ts'
import { allShows, createShareLinkStore, type Shows } from '../stores/share-links.ts'
import { createWebhookStore } from '../stores/webhooks.ts'
import type { Caller } from './caller.ts'
import { scopesOf } from './key-scopes.ts'

/** The person or the key that a link or a webhook belongs to, within the account. */
export const makerOf = (caller: Caller): string =>
  caller.via === 'key' ? caller.keyId : (caller.via === 'session' && caller.memberId) || caller.accountId

/** Making source public is a right of its own: owners have it, members when an owner gave it to them. */
export const mayPublishSource = ({
  role,
  publishes_source,
}: Pick<MembershipRow, 'role' | 'publishes_source'>): boolean =>
  role === 'owner' || (role === 'member' && publishes_source === 1)

/** Whether the maker of a link still has the right to make it; checked each time it is opened. */
export async function rightsInAccount(
  db: Db,
  accountId: string,
  now: number,
): Promise<(link: Pick<ShareLinkTable, 'maker' | 'shows'>) => boolean> {
  const members = new Map(
    (await createMembershipStore(db).list(accountId)).map((member) => [member.account_id, member]),
  )
  const active = await createApiKeyStore(db).listActive(accountId, now)
  const keys = new Set(active.filter((key) => scopesOf(key).includes('manage')).map(({ id }) => id))
  return ({ maker, shows }) => {
    if (maker === null || maker === accountId || keys.has(maker)) return true
    const member = members.get(maker)
    if (!member || !reaches(member.role, 'member')) return false
    return shows !== 'source' || mayPublishSource(member)
  }
}

/** What becomes of what someone made for an organisation when their right to it ends. */
export interface HandOver {
  readonly links: 'end' | 'keep'
  readonly webhooks: 'end' | 'keep'
  /** `end-all`: also the keys of others, whose values an owner could read. */
  readonly keys: 'end' | 'keep' | 'end-all'
}

export const endEverything: HandOver = { links: 'end', webhooks: 'end', keys: 'end' }

export interface Ended {
  readonly links: number
  readonly webhooks: number
  readonly keys: number
}

interface Leaving {
  readonly organisationId: string
  readonly accountId: string
  /** What they are from now on; undefined: no member. */
  readonly left: Pick<MembershipRow, 'role' | 'publishes_source'> | undefined
  /** The new owner of what is handed over. */
  readonly newOwner: string
}

/** In the transaction that takes the right away. The keys that ended are to be forgotten once it holds. */
export async function endMadeBy(
  tx: Db,
  leaving: Leaving,
  handOver: HandOver,
  now: number,
): Promise<{ ended: Ended; keyIds: readonly string[] }> {
  const { organisationId, accountId, left, newOwner } = leaving
  const keyIds = left?.role === 'owner' ? [] : await endKeys(tx, leaving, handOver.keys, now)
  // What was made with a key of theirs is theirs as well.
  const makers = [accountId, ...keyIds]
  const [links, webhooks] = [createShareLinkStore(tx), createWebhookStore(tx)]
  const ended = { links: 0, webhooks: 0, keys: keyIds.length }
  if (left?.role !== 'owner') {
    if (handOver.webhooks === 'keep') await webhooks.setMaker(organisationId, makers, newOwner)
    else ended.webhooks = await webhooks.removeMadeBy(organisationId, makers)
  }
  const shows = lostLinks(left)
  if (handOver.links === 'keep') await links.setMaker(organisationId, makers, shows, newOwner)
  else ended.links = await links.removeMadeBy(organisationId, makers, shows)
  return { ended, keyIds }
}

function lostLinks(left: Leaving['left']): readonly Shows[] {
  if (!left || !reaches(left.role, 'member')) return allShows
  return mayPublishSource(left) ? [] : ['source']
}

async function endKeys(
  tx: Db,
  { organisationId, accountId, newOwner }: Leaving,
  choice: HandOver['keys'],
  now: number,
): Promise<string[]> {
  const keys = createApiKeyStore(tx)
  if (choice === 'keep') {
    await keys.setMaker(organisationId, accountId, newOwner)
    return []
  }
  const active = await keys.listActive(organisationId, now)
  const ending = active.filter(({ maker }) => choice === 'end-all' || maker === accountId).map(({ id }) => id)
  for (const id of ending) await keys.revoke(organisationId, id, now)
  return ending
}

import type { Readable } from 'node:stream'
import { type Rating, shownRating } from '@assay/engine'
import type { StatedFinding } from '../analysis/tasks.ts'
import { addDays, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId, newSortableId } from '../core/ids.ts'
import { type Randomness, randomBase62 } from '../core/randomness.ts'
import type { Secrets } from '../core/secrets.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createFindingStore } from '../stores/findings.ts'
import { createMembershipStore } from '../stores/memberships.ts'
import { createProjectStore } from '../stores/projects.ts'
import { createScanLabelStore } from '../stores/scan-labels.ts'
import type { ScanLabelTable, ScanTable, ShareLinkTable } from '../stores/schema.ts'
import { createShareLinkStore, type ShareLinkRow } from '../stores/share-links.ts'
import type { AnalyseDeps } from './analyse.ts'
import type { Caller, Client } from './caller.ts'
import { findScan, getSource, type HistoryDeps, streamResult } from './history.ts'
import { makerOf, mayPublishSource, rightsInAccount } from './made-by.ts'
import { nameActor } from './name-actor.ts'
import { type Actor, type NoteChangeDeps, noteChange } from './note-change.ts'
import { listRecords } from './set-aside.ts'
import { throttleClient } from './throttle.ts'

export interface ShareLinkDeps extends HistoryDeps, NoteChangeDeps {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly randomness: Randomness
  readonly config: Pick<Config, 'publicUrl'>
}

const MAX_LINKS = 100
/** 256 bits: anyone who has it needs nothing else. */
const TOKEN_LETTERS = 43
const DEFAULT_DAYS = 30
const MAX_DAYS = 365

export interface ShareLink {
  readonly id: string
  readonly follows: 'scan' | 'project'
  readonly scanId: string | null
  readonly project: string | null
  /** Of the file or the project. */
  readonly name: string
  readonly shows: ShareLinkTable['shows']
  readonly createdBy: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

export interface ShareWish {
  readonly follows: ShareLink['follows']
  readonly shows: ShareLink['shows']
  readonly expiresAt?: string | undefined
}

/** Only here is the token known: the database has its fingerprint. */
export async function createShareLink(
  deps: ShareLinkDeps,
  actor: Actor,
  scanId: string,
  { follows, shows, expiresAt }: ShareWish,
): Promise<ShareLink & { readonly url: string | null; readonly badgeUrl: string }> {
  const { accountId } = actor.caller
  const now = deps.clock.now()
  const { row: scan } = await findScan(deps, accountId, scanId)
  const token = randomBase62(deps.randomness, TOKEN_LETTERS)
  const label = await createScanLabelStore(deps.db).find(scan.id)
  const target = follows === 'scan' ? { scan_id: scan.id, project: null } : { scan_id: null, project: projectOf(label) }
  const row: ShareLinkTable = {
    id: newSortableId('shareLink', now, deps.randomness),
    account_id: accountId,
    ...target,
    shows,
    token_index: deps.secrets.index('share-link', token),
    created_by: await nameActor(deps.db, actor),
    maker: makerOf(actor.caller),
    created_at: now.getTime(),
    expires_at: readEnd(expiresAt, now),
  }
  await transaction(deps.db, async (tx) => {
    await createAccountStore(tx).lock(accountId)
    if (shows === 'source') await assertMayPublish(tx, actor.caller)
    const links = createShareLinkStore(tx)
    if ((await links.countOpen(accountId, now.getTime())) >= MAX_LINKS) refuse('tooManyLinks', MAX_LINKS)
    await links.add(row)
    await noteChange({ ...deps, db: tx }, actor, 'link.created', { linkId: row.id, scanId, shows })
  })
  const { publicUrl } = deps.config
  return {
    ...toLink({ ...row, file_name: scan.file_name }),
    // Behind the #, where no server and no log sees it.
    url: shows === 'badge' ? null : `${publicUrl}/shared#${token}`,
    badgeUrl: `${publicUrl}/api/v1/shared/${token}/badge.svg`,
  }
}

/** A key was made by an owner, for managing. */
async function assertMayPublish(tx: Db, caller: Caller): Promise<void> {
  if (caller.via !== 'session' || !caller.memberId) return
  const membership = await createMembershipStore(tx).find(caller.accountId, caller.memberId)
  if (!membership || !mayPublishSource(membership)) refuse('publishingNotAllowed')
}

const projectOf = (label: Pick<ScanLabelTable, 'project' | 'scan_id'> | undefined): string =>
  label && label.project !== label.scan_id
    ? label.project
    : refuse('invalid', 'follows must be scan: this scan belongs to no project.')

function readEnd(expiresAt: string | undefined, now: Date): number {
  const end = expiresAt === undefined ? addDays(now, DEFAULT_DAYS).getTime() : Date.parse(expiresAt)
  if (end <= now.getTime()) refuse('invalid', 'expiresAt must be in the future.')
  if (end > addDays(now, MAX_DAYS).getTime())
    refuse('invalid', `expiresAt must be at most ${MAX_DAYS} days in the future.`)
  return end
}

const toLink = (row: ShareLinkRow): ShareLink => ({
  id: row.id,
  follows: row.scan_id === null ? 'project' : 'scan',
  scanId: row.scan_id,
  project: row.project,
  name: row.project ?? row.file_name ?? '',
  shows: row.shows,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at).toISOString(),
  expiresAt: new Date(row.expires_at).toISOString(),
})

export async function listShareLinks(
  { db, clock }: Pick<ShareLinkDeps, 'db' | 'clock'>,
  accountId: string,
): Promise<ShareLink[]> {
  const now = clock.now().getTime()
  const isRightHeld = await rightsInAccount(db, accountId, now)
  return (await createShareLinkStore(db).list(accountId, now)).filter(isRightHeld).map(toLink)
}

export async function revokeShareLink(deps: ShareLinkDeps, actor: Actor, id: string): Promise<void> {
  if (!looksLikeId('shareLink', id)) refuse('linkNotFound')
  await transaction(deps.db, async (tx) => {
    if (!(await createShareLinkStore(tx).remove(actor.caller.accountId, id))) refuse('linkNotFound')
    await noteChange({ ...deps, db: tx }, actor, 'link.revoked', { linkId: id })
  })
}

export type SharedDeps = HistoryDeps & AnalyseDeps

type SharedState = Pick<StatedFinding, 'file' | 'fingerprint' | 'state'>

/** What a link shows to anyone who holds it; the words are the same whether it never was, is over, or lost its scan. */
export async function streamShared(
  deps: SharedDeps,
  client: Client,
  token: string,
): Promise<{ body: Readable; version: string }> {
  await throttleClient(deps, 'sharedReads', client.address)
  const { link, scan } = await findShared(deps, token)
  if (link.shows === 'badge') return refuse('linkNotFound')
  const includesSource = link.shows === 'source'
  const shared = {
    includesSource,
    expiresAt: new Date(link.expires_at).toISOString(),
    states: await listDecided(deps, link.account_id, scan.id),
  }
  return streamResult(deps, link.account_id, scan, { shared }, includesSource)
}

/** What is no longer open, without why and by whom. */
async function listDecided(deps: SharedDeps, accountId: string, scanId: string): Promise<SharedState[]> {
  const label = await createScanLabelStore(deps.db).find(scanId)
  const records = label ? await listRecords(deps, accountId, label.project) : []
  return records
    .filter(({ state }) => state !== 'open')
    .map(({ file, fingerprint, state }) => ({ file, fingerprint, state }))
}

export async function getSharedSource(
  deps: SharedDeps,
  client: Client,
  token: string,
): Promise<{ row: ScanTable; source: Readable }> {
  await throttleClient(deps, 'sharedReads', client.address)
  const { link, scan } = await findShared(deps, token)
  if (link.shows !== 'source') return refuse('linkNotFound')
  return getSource(deps, link.account_id, scan.id)
}

/** Every link has one: it says nothing but the score, and its word where nothing severe is open. */
export async function getSharedScore(
  deps: HistoryDeps & Pick<ShareLinkDeps, 'secrets'>,
  token: string,
): Promise<{ score: number; rating: string | null; isComplete: boolean }> {
  const { link, scan } = await findShared(deps, token)
  const now = deps.clock.now().getTime()
  const open = await createFindingStore(deps.db).listOpenOfScan(link.account_id, scan.id, now)
  const countOf = (severity: string): number => open.filter((finding) => finding.severity === severity).length
  const rating = shownRating(scan.rating as Rating, {
    critical: countOf('critical'),
    high: countOf('high'),
    medium: countOf('medium'),
  })
  return { score: scan.score, rating, isComplete: scan.completeness === 'full' }
}

async function findShared(
  deps: HistoryDeps & Pick<ShareLinkDeps, 'secrets'>,
  token: string,
): Promise<{ link: ShareLinkTable; scan: ScanTable }> {
  const now = deps.clock.now().getTime()
  const indexes = deps.secrets.indexes('share-link', token)
  const link = (await createShareLinkStore(deps.db).findByToken(indexes, now)) ?? refuse('linkNotFound')
  if (!(await rightsInAccount(deps.db, link.account_id, now))(link)) refuse('linkNotFound')
  const scanId = link.scan_id ?? (await findNewestOf(deps.db, link.account_id, link.project ?? ''))
  const found = scanId === undefined ? undefined : await findScan(deps, link.account_id, scanId, 'linkNotFound')
  return found ? { link, scan: found.row } : refuse('linkNotFound')
}

/** Of the default ref: what a branch is about to change is not what the project is. */
async function findNewestOf(db: Db, accountId: string, name: string): Promise<string | undefined> {
  const project = await createProjectStore(db).find(accountId, name)
  return project && createScanLabelStore(db).findNewest(accountId, name, project.default_ref || null)
}

import { addDays, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId, newId } from '../core/ids.ts'
import { type Randomness, randomHex } from '../core/randomness.ts'
import { type Role, reaches, rolesFrom } from '../core/roles.ts'
import type { Secrets } from '../core/secrets.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createInvitationStore, type InvitationRow } from '../stores/invitations.ts'
import { createMemberIdStore } from '../stores/member-ids.ts'
import { createMembershipStore, type MemberRow, type MembershipRow } from '../stores/memberships.ts'
import type { KeyAuthenticator } from './authenticate-key.ts'
import type { Client, SessionCaller } from './caller.ts'
import { type Ended, endMadeBy, type HandOver, mayPublishSource } from './made-by.ts'
import { type MailDeps, queueMail } from './mail.ts'
import { noteSecurityEvent } from './security-log.ts'
import { throttle } from './throttle.ts'

export interface OrganisationDeps extends MailDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  randomness: Randomness
  config: Pick<Config, 'publicUrl'>
}

const MAX_ORGANISATIONS = 10
const MAX_MEMBERS = 100
const TOKEN_BYTES = 32
const INVITATION_DAYS = 7

export interface Organisation {
  id: string
  /** What the caller is called in it. */
  memberId: string
  name: string
  role: Role
  plan: string
  createdAt: string
}

/** Who does something, and from where. */
export interface Person {
  accountId: string
  client: Client
}

/** The session of a member, acting for their organisation. Nobody learns whether there is one that they do not belong to. */
export async function actForOrganisation(
  { db }: Pick<OrganisationDeps, 'db'>,
  session: SessionCaller,
  organisationId: string,
  least: Role | undefined,
): Promise<SessionCaller> {
  const membership = await findMembership(db, organisationId, session.accountId)
  if (least === undefined) return refuse('personalOnly')
  assertRole(membership, least)
  return { ...session, accountId: organisationId, memberId: session.accountId }
}

export async function findMembership(db: Db, organisationId: string, accountId: string): Promise<MembershipRow> {
  if (!looksLikeId('organisation', organisationId)) return refuse('organisationNotFound')
  return (await createMembershipStore(db).find(organisationId, accountId)) ?? refuse('organisationNotFound')
}

export function assertRole({ role }: MembershipRow, least: Role): void {
  if (!reaches(role, least)) refuse('roleTooLow', rolesFrom(least).join(' or '))
}

export async function createOrganisation(
  deps: OrganisationDeps,
  { accountId, client }: Person,
  name: string,
): Promise<Organisation> {
  const now = deps.clock.now()
  const id = newId('organisation', deps.randomness)
  const memberId = await transaction(deps.db, async (tx) => {
    await lockPerson(tx, accountId)
    await createAccountStore(tx).addOrganisation({ id, name, at: now.getTime() })
    await createMembershipStore(tx).add({
      organisation_id: id,
      account_id: accountId,
      role: 'owner',
      joined_at: now.getTime(),
      publishes_source: 0,
    })
    await note({ ...deps, db: tx }, id, 'organisation.created', { accountId, client }, { name })
    return nameMember(tx, id, accountId)
  })
  return { id, memberId, name, role: 'owner', plan: 'free', createdAt: now.toISOString() }
}

/** Holds the person, so that two requests cannot both take the last place. */
async function lockPerson(tx: Db, accountId: string): Promise<void> {
  await createAccountStore(tx).lock(accountId)
  const joined = await createMembershipStore(tx).listOf(accountId)
  if (joined.length >= MAX_ORGANISATIONS) refuse('tooManyOrganisations', MAX_ORGANISATIONS)
}

export async function listOrganisations({ db }: Pick<OrganisationDeps, 'db'>, accountId: string) {
  const organisations: Organisation[] = []
  for (const row of await createMembershipStore(db).listOf(accountId))
    organisations.push({
      id: row.organisation_id,
      memberId: await nameMember(db, row.organisation_id, accountId),
      name: row.name,
      role: row.role,
      plan: row.plan,
      createdAt: new Date(row.created_at).toISOString(),
    })
  return organisations
}

/** An account's own id is nobody else's to know. */
async function nameMember(db: Db, organisationId: string, accountId: string): Promise<string> {
  const names = await createMemberIdStore(db).name(organisationId, [accountId])
  return names.get(accountId) ?? refuse('memberNotFound')
}

export async function renameOrganisation(
  deps: OrganisationDeps,
  person: Person,
  organisationId: string,
  name: string,
): Promise<Organisation> {
  assertRole(await findMembership(deps.db, organisationId, person.accountId), 'owner')
  await transaction(deps.db, async (tx) => {
    await createAccountStore(tx).rename(organisationId, name)
    await note({ ...deps, db: tx }, organisationId, 'organisation.renamed', person, { name })
  })
  const renamed = (await listOrganisations(deps, person.accountId)).find(({ id }) => id === organisationId)
  return renamed ?? refuse('organisationNotFound')
}

export interface Member {
  memberId: string
  email: string
  name: string
  role: Role
  /** Owners always can. */
  canPublishSource: boolean
  joinedAt: string
}

export async function listMembers(deps: OrganisationDeps, person: Person, organisationId: string): Promise<Member[]> {
  await findMembership(deps.db, organisationId, person.accountId)
  const rows = await createMembershipStore(deps.db).list(organisationId)
  const accountIds = rows.map(({ account_id }) => account_id)
  const names = await createMemberIdStore(deps.db).name(organisationId, accountIds)
  return rows.map((row) => ({
    memberId: names.get(row.account_id) ?? '',
    email: row.email,
    name: row.name,
    role: row.role,
    canPublishSource: mayPublishSource(row),
    joinedAt: new Date(row.joined_at).toISOString(),
  }))
}

/** A member, by what colleagues call them. */
export interface MemberAt {
  organisationId: string
  memberId: string
}

/** What an owner may change of a member; what is not given stays as it is. */
export interface MemberPatch {
  role?: Role | undefined
  canPublishSource?: boolean | undefined
}

/** A member whose role is lowered keeps nothing that needs the higher role. */
export async function changeMember(
  deps: MemberDeps,
  person: Person,
  at: MemberAt,
  { role, canPublishSource }: MemberPatch,
  handOver: HandOver,
): Promise<Ended> {
  return changeMembers(deps, person, at, async (tx, { own, member, all }) => {
    assertRole(own, 'owner')
    const after = {
      role: role ?? member.role,
      publishes_source: Number(canPublishSource ?? member.publishes_source === 1),
    }
    if (member.role === 'owner' && after.role !== 'owner') assertAnotherOwner(all)
    await createMembershipStore(tx).change(at.organisationId, member.account_id, after)
    const within = { ...deps, db: tx }
    const who = { member: member.account_id }
    if (after.role !== member.role)
      await note(within, at.organisationId, 'member.role-changed', person, {
        ...who,
        from: member.role,
        to: after.role,
      })
    if (after.publishes_source !== member.publishes_source)
      await note(within, at.organisationId, 'member.rights-changed', person, {
        ...who,
        canPublishSource: String(after.publishes_source === 1),
      })
    return endMade(within, person, at, member, after, handOver)
  })
}

/** An owner removes anyone; everybody may leave, and takes nothing along. */
export async function removeMember(deps: MemberDeps, person: Person, at: MemberAt, handOver: HandOver): Promise<Ended> {
  return changeMembers(deps, person, at, async (tx, { own, member, all }) => {
    if (member.account_id !== person.accountId) assertRole(own, 'owner')
    if (member.role === 'owner') assertAnotherOwner(all)
    await createMembershipStore(tx).remove(at.organisationId, member.account_id)
    const within = { ...deps, db: tx }
    const who = { member: member.account_id, email: member.email }
    await note(within, at.organisationId, 'member.left', person, who)
    return endMade(within, person, at, member, undefined, handOver)
  })
}

/** What someone made ends with their right to it, or goes to the owner who takes it away. */
async function endMade(
  deps: OrganisationDeps,
  person: Person,
  { organisationId }: MemberAt,
  { account_id }: MemberRow,
  left: Parameters<typeof endMadeBy>[1]['left'],
  handOver: HandOver,
): Promise<Made> {
  if (account_id === person.accountId && Object.values(handOver).includes('keep'))
    refuse('invalid', 'keep must come from another owner: nobody keeps what their own right no longer covers.')
  const leaving = { organisationId, accountId: account_id, left, newOwner: person.accountId }
  const made = await endMadeBy(deps.db, leaving, handOver, deps.clock.now().getTime())
  for (const keyId of made.keyIds) await note(deps, organisationId, 'key.revoked', person, { keyId })
  return made
}

interface FoundMember {
  own: MembershipRow
  member: MemberRow
  all: readonly MemberRow[]
}

export interface MemberDeps extends OrganisationDeps {
  keyAuthenticator: Pick<KeyAuthenticator, 'forget'>
}

type Made = Awaited<ReturnType<typeof endMadeBy>>

/** One change of an organisation's members at a time: two owners cannot remove each other. */
async function changeMembers(
  deps: MemberDeps,
  person: Person,
  { organisationId, memberId }: MemberAt,
  change: (tx: Db, found: FoundMember) => Promise<Made>,
): Promise<Ended> {
  const { ended, keyIds } = await transaction(deps.db, async (tx) => {
    if (!looksLikeId('organisation', organisationId)) refuse('organisationNotFound')
    await createAccountStore(tx).lock(organisationId)
    const own = await findMembership(tx, organisationId, person.accountId)
    const all = await createMembershipStore(tx).list(organisationId)
    const accountIds = all.map(({ account_id }) => account_id)
    const names = await createMemberIdStore(tx).name(organisationId, accountIds)
    const member = all.find(({ account_id }) => names.get(account_id) === memberId) ?? refuse('memberNotFound')
    return change(tx, { own, member, all })
  })
  for (const id of keyIds) deps.keyAuthenticator.forget(id)
  return ended
}

function assertAnotherOwner(all: readonly MemberRow[]): void {
  if (all.filter(({ role }) => role === 'owner').length < 2) refuse('lastOwner')
}

export interface Invitation {
  id: string
  email: string
  role: Role
  createdAt: string
  expiresAt: string
}

/** Mails an invitation; a newer one to the same address takes the place of the older. */
export async function invite(
  deps: OrganisationDeps,
  person: Person,
  organisationId: string,
  { email, role }: { email: string; role: Role },
): Promise<Invitation> {
  const now = deps.clock.now()
  const token = randomHex(deps.randomness, TOKEN_BYTES)
  const expiresAt = addDays(now, INVITATION_DAYS)
  const row = {
    id: newId('invitation', deps.randomness),
    organisation_id: organisationId,
    email,
    role,
    token_index: deps.secrets.index('invitation', token),
    created_at: now.getTime(),
    expires_at: expiresAt.getTime(),
  }
  await transaction(deps.db, async (tx) => {
    assertRole(await findMembership(tx, organisationId, person.accountId), 'owner')
    const accounts = createAccountStore(tx)
    await accounts.lock(organisationId)
    await refuseFull(deps, tx, organisationId, email)
    await throttle({ ...deps, db: tx }, 'invitations', organisationId)
    await createInvitationStore(tx).put(row)
    const organisation = (await accounts.find(organisationId))?.name ?? ''
    const facts = { publicUrl: deps.config.publicUrl, organisation, role, token, expiresAt }
    await queueMail(deps, tx, email, 'invitation', facts)
    await note({ ...deps, db: tx }, organisationId, 'member.invited', person, { email, role })
  })
  return toInvitation(row)
}

async function refuseFull(deps: OrganisationDeps, tx: Db, organisationId: string, email: string): Promise<void> {
  const members = await createMembershipStore(tx).list(organisationId)
  if (members.some((member) => member.email === email)) refuse('alreadyMember')
  const open = await createInvitationStore(tx).list(organisationId, deps.clock.now().getTime())
  const others = open.filter((invitation) => invitation.email !== email)
  if (members.length + others.length >= MAX_MEMBERS) refuse('tooManyMembers', MAX_MEMBERS)
}

const toInvitation = (row: { id: string; email: string; role: Role; created_at: number; expires_at: number }) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  createdAt: new Date(row.created_at).toISOString(),
  expiresAt: new Date(row.expires_at).toISOString(),
})

export async function listInvitations(
  deps: OrganisationDeps,
  person: Person,
  organisationId: string,
): Promise<Invitation[]> {
  assertRole(await findMembership(deps.db, organisationId, person.accountId), 'owner')
  const rows = await createInvitationStore(deps.db).list(organisationId, deps.clock.now().getTime())
  return rows.map(toInvitation)
}

export async function withdrawInvitation(
  deps: OrganisationDeps,
  person: Person,
  organisationId: string,
  id: string,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    assertRole(await findMembership(tx, organisationId, person.accountId), 'owner')
    if (!(await createInvitationStore(tx).take(organisationId, id))) refuse('invitationNotFound')
    await note({ ...deps, db: tx }, organisationId, 'member.uninvited', person, { invitationId: id })
  })
}

type InvitationDeps = Pick<OrganisationDeps, 'db' | 'clock' | 'secrets'>

/** What an invitation is for, to anyone who has its token: it was mailed to one address. */
export async function readInvitation(deps: InvitationDeps, token: string) {
  const found = await findInvitation(deps, token)
  const organisation = (await createAccountStore(deps.db).find(found.organisation_id))?.name ?? ''
  const { email, role, expiresAt } = toInvitation(found)
  return { organisation, email, role, expiresAt }
}

async function findInvitation({ db, clock, secrets }: InvitationDeps, token: string): Promise<InvitationRow> {
  const found = await createInvitationStore(db).findByToken(secrets.indexes('invitation', token), clock.now().getTime())
  return found ?? refuse('invitationInvalid')
}

/** Joins the caller to the organisation that invited their address; the token works once. */
export async function acceptInvitation(deps: OrganisationDeps, person: Person, token: string): Promise<Organisation> {
  const now = deps.clock.now()
  const organisationId = await transaction(deps.db, async (tx) => {
    const found = await findInvitation({ ...deps, db: tx }, token)
    const account = await createAccountStore(tx).find(person.accountId)
    if (account?.email !== found.email) return refuse('invitationForeign')
    await lockPerson(tx, person.accountId)
    if (!(await createInvitationStore(tx).take(found.organisation_id, found.id))) return refuse('invitationInvalid')
    const joined = { account_id: person.accountId, role: found.role, joined_at: now.getTime(), publishes_source: 0 }
    await createMembershipStore(tx).add({ organisation_id: found.organisation_id, ...joined })
    const detail = { member: person.accountId, email: found.email, role: found.role }
    await note({ ...deps, db: tx }, found.organisation_id, 'member.joined', person, detail)
    return found.organisation_id
  })
  const all = await listOrganisations(deps, person.accountId)
  return all.find(({ id }) => id === organisationId) ?? refuse('invitationInvalid')
}

/** In the log of the organisation, with who did it. */
const note = (
  deps: OrganisationDeps,
  organisationId: string,
  kind: Parameters<typeof noteSecurityEvent>[2],
  { accountId, client }: Person,
  detail: Record<string, string>,
): Promise<void> => noteSecurityEvent(deps, organisationId, kind, { ...client, member: accountId }, detail)

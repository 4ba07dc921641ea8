import { z } from 'zod'
import { roles } from '../core/roles.ts'
import { timestamp } from './fields.ts'

export const role = z.enum(roles).meta({
  id: 'Role',
  description: '`auditor` reads; `member` scans and judges findings too; `owner` does everything.',
})

export const organisation = z
  .object({
    id: z.string().meta({ description: 'Names it in `X-Organisation`, or as the userId of endpoints that take one.' }),
    memberId: z.string().meta({ description: 'What the caller is called in it.' }),
    name: z.string(),
    role: role.describe("The caller's."),
    plan: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: 'Organisation' })

export const canPublishSource = z.boolean().describe('May make links that show source. Owners always can.')

export const member = z
  .object({
    memberId: z.string().meta({ description: 'Of the membership. An account’s userId is shown to nobody else.' }),
    email: z.string(),
    name: z.string(),
    role,
    canPublishSource,
    joinedAt: timestamp,
  })
  .meta({ id: 'Member' })

const choice = (words: string) => z.enum(['end', 'keep']).default('end').describe(words)

/** What becomes of what someone made for the organisation, where their right to it ends. */
export const handOver = z.object({
  links: choice('Secret links that they made. `keep`: they become yours.'),
  webhooks: choice('Webhooks that they made. `keep`: they become yours.'),
  keys: z
    .enum(['end', 'keep', 'end-all'])
    .default('end')
    .describe('Keys that they made. `end-all`: every key of the organization, since an owner can read them all.'),
})

export const ended = z
  .object({ links: z.int(), webhooks: z.int(), keys: z.int() })
  .meta({ id: 'Ended', description: 'How many of each ended.' })

export const invitation = z
  .object({ id: z.string(), email: z.string(), role, createdAt: timestamp, expiresAt: timestamp })
  .meta({ id: 'Invitation' })

export const organisationParams = z.object({ organisationId: z.string() })
export const memberParams = z.object({ organisationId: z.string(), memberId: z.string() })
export const invitationParams = z.object({ organisationId: z.string(), invitationId: z.string() })

export const exampleOrganisation = {
  id: 'org_2k4m6p8r0t1v3x5z7b9d2f4h6j',
  memberId: 'mem_4q8w2e6r0t1y3u5i7o9p2a4s6d',
  name: 'Acme',
  role: 'owner',
  plan: 'free',
  createdAt: '2026-03-10T12:00:00.000Z',
} as const

export const exampleMember = {
  memberId: 'mem_4q8w2e6r0t1y3u5i7o9p2a4s6d',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'owner',
  canPublishSource: true,
  joinedAt: '2026-03-10T12:00:00.000Z',
} as const

export const exampleInvitation = {
  id: 'ivt_8z0x2c4v6b1n3m5a7s9d2f4g6h',
  email: 'bob@example.com',
  role: 'member',
  createdAt: '2026-03-10T12:00:00.000Z',
  expiresAt: '2026-03-17T12:00:00.000Z',
} as const

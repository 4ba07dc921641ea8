import { z } from 'zod'
import { planNames } from '../core/plans.ts'
import type { SessionCaller, UserIdCaller } from '../services/caller.ts'
import { timestamp, userId } from './fields.ts'

export const account = z.object({
  userId,
  email: z.string(),
  name: z.string(),
  verified: z.boolean(),
  plan: z.enum(planNames),
  createdAt: timestamp,
})

export const exampleAccount = {
  userId: 'usr_4v8k2m0x9c7b1n5t3q6w8e2r4y',
  email: 'ada@example.com',
  name: 'Ada',
  verified: true,
  plan: 'free',
  createdAt: '2026-03-10T12:00:00.000Z',
} as const

/** The password of anyone who is logged in: a browser that was left open does not know it. */
export const ownPassword = z.string().max(1000).meta({ description: 'Your present password.', format: 'password' })

export const sessionOf = (caller: SessionCaller | UserIdCaller): string | undefined =>
  caller.via === 'session' ? caller.sessionId : undefined

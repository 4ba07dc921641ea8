import { z } from 'zod'
import { addDays } from '../core/clock.ts'
import { defineJobKind } from '../queue/job.ts'
import { createAvailableMinuteStore } from '../stores/available-minutes.ts'
import { createEmailChangeStore } from '../stores/email-changes.ts'
import { createIdempotentRequestStore } from '../stores/idempotent-requests.ts'
import { createInvitationStore } from '../stores/invitations.ts'
import { createPasswordResetStore } from '../stores/password-resets.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import { createSecurityEventStore } from '../stores/security-events.ts'
import { createSentNoticeStore } from '../stores/sent-notices.ts'
import { createSessionStore } from '../stores/sessions.ts'
import { createShareLinkStore } from '../stores/share-links.ts'
import { createThrottleStore } from '../stores/throttles.ts'
import { KEEP_MINUTES } from './availability.ts'
import { sweepSecondFactors } from './second-factors.ts'
import { findSweepMoment, noteSwept, type SweepDeps } from './sweep-guard.ts'

export const sweepJob = defineJobKind({
  name: 'sweep-accounts',
  payload: z.object({}),
  retryAfterSeconds: [60, 600],
  everySeconds: 600,
})

const KEEP_REGISTRATION_DAYS = 1
const KEEP_EVENTS_DAYS = 365
/** Longer than any day or month of which something is reported once. */
const KEEP_NOTICES_DAYS = 40

/** Deletes what expired a day ago; it has been invisible since it expired. */
export async function sweepAccounts(deps: SweepDeps): Promise<void> {
  const { db } = deps
  const moment = await findSweepMoment(deps, 'accounts')
  if (moment === undefined) return
  const now = new Date(moment)
  await createSessionStore(db).deleteExpired(now.getTime())
  await createPasswordResetStore(db).deleteExpired(now.getTime())
  await createThrottleStore(db).deleteExpired(now.getTime())
  await createSentNoticeStore(db).deleteOlderThan(addDays(now, -KEEP_NOTICES_DAYS).getTime())
  await createIdempotentRequestStore(db).deleteExpired(now.getTime())
  await sweepSecondFactors(db, now)
  await createInvitationStore(db).deleteExpired(now.getTime())
  await createEmailChangeStore(db).deleteExpired(now.getTime())
  await createShareLinkStore(db).deleteExpired(now.getTime())
  await createRegistrationStore(db).deleteOlderThan(addDays(now, -KEEP_REGISTRATION_DAYS).getTime())
  await createSecurityEventStore(db).deleteOlderThan(addDays(now, -KEEP_EVENTS_DAYS).getTime())
  await createAvailableMinuteStore(db).deleteBefore(Math.floor(moment / 60_000) - KEEP_MINUTES)
  await noteSwept(deps, 'accounts', 0)
}

import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { label } from '../http/fields.ts'
import { challenge, endOtherSessions, passkeyResponse, recoveryCodes } from '../http/second-factor-fields.ts'
import { enrolPasskey } from '../services/passkeys.ts'
import { endingOf, type SecondFactorDeps } from '../services/second-factors.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/second-factors/passkey',
  summary: 'Add a passkey',
  tag: 'Accounts',
  access: 'session',
  noStore: true,
  body: z.object({ challenge, name: label.default('Passkey'), passkey: passkeyResponse, endOtherSessions }),
  responses: {
    200: {
      description: 'From now on a log-in by password asks for it. The first factor brings recovery codes.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ id: z.string(), recoveryCodes: recoveryCodes.nullable() }),
      }),
      example: { success: true, data: { id: 'fac_3d5f7g9h1j3k5l7z9x1c3v5b7n', recoveryCodes: null } },
    },
  },
  refusals: ['loginExpired', 'passkeyUnusable', 'passkeyKnown', 'tooManyFactors'],
  async handle(deps: SecondFactorDeps, { caller, body, client }) {
    const answer = {
      challenge: body.challenge,
      name: body.name,
      response: body.passkey,
      ending: endingOf(caller, body.endOtherSessions),
    }
    const { id, recoveryCodes: codes } = await enrolPasskey(deps, caller.accountId, answer, client)
    return { success: true, data: { id, recoveryCodes: codes ?? null } }
  },
})

import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { email, label, message, password, userId } from '../http/fields.ts'
import { type RegisterDeps, register } from '../services/register.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/register',
  summary: 'Create an account',
  description:
    'Mails a six-digit code that POST /api/verify-email takes. An address that is registered but not verified may be registered again: each registration keeps its own password and code, and the code that is used decides.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({ email, password, name: label.meta({ description: 'How to address you.', example: 'Ada' }) }),
  responses: {
    201: {
      description: 'Registered; the code is on its way.',
      schema: z.object({ message, userId, verificationSent: z.boolean() }),
      example: {
        message: 'Registered. Enter the code that was sent to your email address.',
        userId: 'usr_4v8k2m0x9c7b1n5t3q6w8e2r4y',
        verificationSent: true,
      },
    },
  },
  refusals: ['passwordCommon', 'passwordGuessable', 'emailTaken', 'tooManyRegistrations', 'tooManyCodes', 'busy'],
  async handle(deps: RegisterDeps, { body, client }) {
    const registered = await register(deps, body, client)
    return { message: 'Registered. Enter the code that was sent to your email address.', ...registered }
  },
})

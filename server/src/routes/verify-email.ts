import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { email, message, userId } from '../http/fields.ts'
import { type VerifyEmailDeps, verifyEmail } from '../services/verify-email.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/verify-email',
  summary: 'Confirm the email address with the code',
  description: 'A code is valid for 10 minutes, works once, and is void after 5 wrong tries.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({
    email,
    otp: z.string().trim().meta({ description: 'The six digits from the mail.', example: '493027' }),
  }),
  responses: {
    200: {
      description: 'The account is active.',
      schema: z.object({ message, userId, verified: z.literal(true) }),
      example: { message: 'Email address verified.', userId: 'usr_4v8k2m0x9c7b1n5t3q6w8e2r4y', verified: true },
    },
  },
  refusals: ['codeInvalid', 'tooManyVerifications'],
  async handle(deps: VerifyEmailDeps, { body, client }) {
    const verified = await verifyEmail(deps, { email: body.email, code: body.otp }, client)
    return { message: 'Email address verified.', ...verified, verified: true }
  },
})

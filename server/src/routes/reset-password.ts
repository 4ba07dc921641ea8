import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { messageOnly, password } from '../http/fields.ts'
import { type ResetPasswordDeps, resetPassword } from '../services/reset-password.ts'

const words = 'Password changed. Log in with the new one.'

export default defineRoute({
  method: 'POST',
  url: '/api/reset-password',
  summary: 'Set a new password with the token from the mail',
  description: 'Ends every session of the account. The token works once.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({
    token: z.string().trim().meta({ description: '64 hexadecimal characters from the mail.' }),
    newPassword: password,
  }),
  responses: { 200: { description: 'Changed.', schema: messageOnly, example: { message: words } } },
  refusals: ['resetTokenInvalid', 'passwordCommon', 'busy'],
  async handle(deps: ResetPasswordDeps, { body, client }) {
    await resetPassword(deps, body, client)
    return { message: words }
  },
})

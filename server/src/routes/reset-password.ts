import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { message, password } from '../http/fields.ts'
import { type ResetPasswordDeps, resetPassword } from '../services/reset-password.ts'

const words = 'Password changed. Log in with the new one.'

const foundKey = z.object({ id: z.string(), name: z.string() })

export default defineRoute({
  method: 'POST',
  url: '/api/reset-password',
  summary: 'Set a new password with the token from the mail',
  description:
    'Ends every session of the account. The token works once. API keys go on working and are listed, unless `revokeApiKeys` asks to revoke them.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({
    token: z.string().trim().meta({ description: '64 hexadecimal characters from the mail.' }),
    newPassword: password,
    revokeApiKeys: z
      .boolean()
      .default(false)
      .meta({ description: 'Also revoke every API key of the account, because another person may have made it.' }),
  }),
  responses: {
    200: {
      description: 'Changed.',
      schema: z.object({ message, apiKeys: z.object({ revoked: z.array(foundKey), active: z.array(foundKey) }) }),
      example: {
        message: words,
        apiKeys: { revoked: [], active: [{ id: 'key_1c3v5b7n9m0x2t4q6w8e1r3y5k', name: 'ci' }] },
      },
    },
  },
  refusals: ['resetTokenInvalid', 'passwordCommon', 'passwordGuessable', 'busy'],
  async handle(deps: ResetPasswordDeps, { body, client }) {
    const apiKeys = await resetPassword(deps, body, client)
    return { message: words, apiKeys }
  },
})

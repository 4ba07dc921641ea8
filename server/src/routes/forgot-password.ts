import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { email, messageOnly } from '../http/fields.ts'
import type { MailDeps } from '../services/mail.ts'
import { requestReset } from '../services/reset-password.ts'
import type { ThrottleDeps } from '../services/throttle.ts'

const words = 'If an account with this address exists, a mail with a reset token is on its way.'

export default defineRoute({
  method: 'POST',
  url: '/api/forgot-password',
  summary: 'Ask for a password reset',
  description: 'The same answer whether or not the address is known. The token is valid for one hour.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({ email }),
  responses: { 200: { description: 'Heard.', schema: messageOnly, example: { message: words } } },
  refusals: ['tooManyResets'],
  async handle(deps: ThrottleDeps & MailDeps, { body, client }) {
    await requestReset(deps, body.email, client)
    return { message: words }
  },
})

import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { email, messageOnly } from '../http/fields.ts'
import { type ResendCodeDeps, requestCode } from '../services/resend-code.ts'

const words = 'If this address is waiting for verification, a new code is on its way.'

export default defineRoute({
  method: 'POST',
  url: '/api/resend-otp',
  summary: 'Ask for a new code',
  description:
    'The same answer whether or not the address is known. A new code voids the old one. Of several registrations of one address the newest is renewed.',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  body: z.object({ email }),
  responses: { 200: { description: 'Heard.', schema: messageOnly, example: { message: words } } },
  refusals: ['tooManyCodes'],
  async handle(deps: ResendCodeDeps, { body, client }) {
    await requestCode(deps, body.email, client)
    return { message: words }
  },
})

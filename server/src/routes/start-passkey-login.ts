import { defineRoute } from '../http/define-route.ts'
import { examplePasskeyQuestion, passkeyQuestion } from '../http/second-factor-fields.ts'
import { type CompleteLogInDeps, startPasskeyLogIn } from '../services/complete-log-in.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/login/passkey-options',
  summary: 'Begin a log-in by passkey',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  responses: {
    200: {
      description: 'What to ask the authenticator, within five minutes.',
      schema: passkeyQuestion,
      example: examplePasskeyQuestion,
    },
  },
  refusals: ['passkeysUnavailable', 'tooManyLogins'],
  async handle(deps: CompleteLogInDeps, { client }) {
    const { challenge, options, expiresAt } = await startPasskeyLogIn(deps, client)
    return { challenge, options, expiresAt: expiresAt.toISOString() }
  },
})

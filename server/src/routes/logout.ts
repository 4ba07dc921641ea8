import type { Config } from '../core/config.ts'
import { defineRoute } from '../http/define-route.ts'
import { messageOnly } from '../http/fields.ts'
import { clearSessionCookie } from '../http/session-cookie.ts'
import { endSession, type SessionDeps } from '../services/sessions.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/logout',
  summary: 'End this session',
  tag: 'Accounts',
  access: 'session',
  responses: {
    200: { description: 'The token no longer works.', schema: messageOnly, example: { message: 'Logged out.' } },
  },
  refusals: [],
  async handle(deps: SessionDeps & { config: Config }, { caller, client, request, reply }) {
    if (caller.via === 'session') await endSession(deps, caller.accountId, caller.sessionId, client)
    clearSessionCookie(request, reply, deps.config)
    return { message: 'Logged out.' }
  },
})

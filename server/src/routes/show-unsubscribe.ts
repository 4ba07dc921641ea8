import { z } from 'zod'
import { Refusal } from '../core/errors.ts'
import { defineRoute } from '../http/define-route.ts'
import { renderUnsubscribe, renderUnsubscribeRefusal } from '../http/unsubscribe-page.ts'
import { readUnsubscribeToken } from '../services/unsubscribe.ts'

type TokenDeps = Parameters<typeof readUnsubscribeToken>[0]

export default defineRoute({
  method: 'GET',
  url: '/unsubscribe',
  summary: 'Page that asks before a kind of mail is turned off',
  tag: 'Accounts',
  access: 'public',
  noStore: true,
  hidden: true,
  query: z.object({ token: z.string() }),
  responses: { 200: { description: 'A page with one button.', contentType: 'text/html' } },
  refusals: ['unsubscribeInvalid'],
  refusesAsPage: true,
  handle(deps: TokenDeps, { query, request, reply }) {
    try {
      const { kind } = readUnsubscribeToken(deps, query.token)
      return reply.type('text/html; charset=utf-8').send(renderUnsubscribe(kind))
    } catch (error) {
      if (!(error instanceof Refusal) || !request.headers.accept?.includes('text/html')) throw error
      return reply.code(error.status).type('text/html; charset=utf-8').send(renderUnsubscribeRefusal(error.message))
    }
  },
})

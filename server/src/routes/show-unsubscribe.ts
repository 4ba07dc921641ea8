import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { renderUnsubscribe } from '../http/unsubscribe-page.ts'
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
  handle(deps: TokenDeps, { query, reply }) {
    const { kind } = readUnsubscribeToken(deps, query.token)
    return reply.type('text/html; charset=utf-8').send(renderUnsubscribe(kind))
  },
})

import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { renderUnsubscribed } from '../http/unsubscribe-page.ts'
import { unsubscribe } from '../services/unsubscribe.ts'

type UnsubscribeDeps = Parameters<typeof unsubscribe>[0]

export default defineRoute({
  method: 'POST',
  url: '/unsubscribe',
  summary: 'Turn a kind of mail off by the link in it',
  tag: 'Accounts',
  access: 'public',
  // Mail programs post a form of either kind; what is in it does not matter.
  bodyKind: 'upload',
  noStore: true,
  hidden: true,
  query: z.object({ token: z.string() }),
  responses: { 200: { description: 'Turned off.', contentType: 'text/html' } },
  refusals: ['unsubscribeInvalid'],
  async handle(deps: UnsubscribeDeps, { query, client, reply }) {
    const kind = await unsubscribe(deps, query.token, client)
    return reply.type('text/html; charset=utf-8').send(renderUnsubscribed(kind))
  },
})

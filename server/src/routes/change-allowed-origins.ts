import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleOrigins, originsAnswer } from '../http/origin-schemas.ts'
import { type AllowedOriginDeps, setAllowedOrigins } from '../services/allowed-origins.ts'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/allowed-origins',
  summary: 'Choose the sites whose pages may use your API keys',
  description:
    'For browser tools such as Remix: pages of these origins may call the interface with `X-API-Key` and read the answers. Nobody else’s pages can, and cookies are never taken from another site. Give all of them; an empty list allows none. A key in a page can be read by anyone who opens the page: give it the scope `scan` and low limits.',
  tag: 'API keys',
  access: 'session',
  organisation: 'owner',
  body: z.object({ origins: z.array(z.string().max(300)).max(20) }),
  responses: { 200: { description: 'The origins as they are now.', schema: originsAnswer, example: exampleOrigins } },
  refusals: [],
  handle: async (deps: AllowedOriginDeps, { caller, body, client }) => ({
    success: true,
    data: { origins: await setAllowedOrigins(deps, caller.accountId, body.origins, client) },
  }),
})

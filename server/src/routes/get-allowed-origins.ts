import { defineRoute } from '../http/define-route.ts'
import { exampleOrigins, originsAnswer } from '../http/origin-schemas.ts'
import { type AllowedOriginDeps, listAllowedOrigins } from '../services/allowed-origins.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/allowed-origins',
  summary: 'Sites whose pages may use your API keys',
  tag: 'API keys',
  access: 'session',
  organisation: 'owner',
  responses: { 200: { description: 'The origins.', schema: originsAnswer, example: exampleOrigins } },
  refusals: [],
  handle: async (deps: AllowedOriginDeps, { caller }) => ({
    success: true,
    data: { origins: await listAllowedOrigins(deps, caller.accountId) },
  }),
})

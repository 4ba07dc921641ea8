import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { label } from '../http/fields.ts'
import { exampleOrganisation, organisation } from '../http/organisation-schemas.ts'
import { createOrganisation, type OrganisationDeps } from '../services/organisations.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/organisations',
  summary: 'Create an organization',
  description:
    'Its keys, scans, plan and limits are its own. With a session, send its id as `X-Organisation`, or as userId where an endpoint takes one, to act for it; its keys need neither.',
  tag: 'Organisations',
  access: 'session',
  once: true,
  body: z.object({ name: label }),
  responses: {
    201: {
      description: 'The caller is its owner.',
      schema: z.object({ success: z.literal(true), data: organisation }),
      example: { success: true, data: exampleOrganisation },
    },
  },
  refusals: ['tooManyOrganisations'],
  handle: async (deps: OrganisationDeps, { caller, body, client }) => ({
    success: true,
    data: await createOrganisation(deps, { accountId: caller.accountId, client }, body.name),
  }),
})

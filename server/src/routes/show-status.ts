import { defineRoute } from '../http/define-route.ts'
import { renderStatus } from '../http/status-page.ts'
import { type AvailabilityDeps, measureAvailability } from '../services/availability.ts'

export default defineRoute({
  method: 'GET',
  url: '/status',
  summary: 'Status page',
  tag: 'Service',
  access: 'public',
  hidden: true,
  responses: { 200: { description: 'A page for people.', contentType: 'text/html' } },
  refusals: [],
  async handle(deps: AvailabilityDeps, { reply }) {
    return reply.type('text/html; charset=utf-8').send(renderStatus(await measureAvailability(deps)))
  },
})

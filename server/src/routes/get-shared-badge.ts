import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { drawBadge } from '../http/score-badge.ts'
import { unlisted } from '../http/share-schemas.ts'
import { getSharedScore, type SharedDeps } from '../services/share-links.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/shared/:token/badge.svg',
  summary: 'The score of a shared link, as a picture',
  description: 'For a README. A link that shows the badge alone gives nothing else away.',
  tag: 'Sharing',
  access: 'public',
  // Pages elsewhere show it, and a revoked one is gone at the next look.
  responseHeaders: { ...unlisted, 'cache-control': 'no-cache', 'cross-origin-resource-policy': 'cross-origin' },
  params: z.object({ token: z.string() }),
  responses: { 200: { description: 'The badge.', contentType: 'image/svg+xml' } },
  refusals: ['linkNotFound'],
  async handle(deps: SharedDeps, { params, reply }) {
    const score = await getSharedScore(deps, params.token)
    return reply.type('image/svg+xml; charset=utf-8').send(drawBadge(score))
  },
})

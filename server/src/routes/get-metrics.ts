import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { isEqualSecret } from '../core/secrets.ts'
import { bearerToken } from '../http/authenticate.ts'
import { defineRoute } from '../http/define-route.ts'
import { isLocalRequest, isTrialInstallation } from '../http/is-local-request.ts'
import type { Metrics } from '../http/metrics.ts'

interface MetricsDeps {
  config: Config
  metrics: Metrics
}

export default defineRoute({
  method: 'GET',
  url: '/metrics',
  summary: 'Prometheus metrics',
  description: 'For whoever holds METRICS_TOKEN (as a Bearer token), or on a local trial installation.',
  tag: 'Service',
  access: 'public',
  needsDatabase: false,
  noStore: true,
  responses: { 200: { description: 'Prometheus text.', contentType: 'text/plain' } },
  refusals: ['unknownRoute'],
  async handle({ config, metrics }: MetricsDeps, { request, reply }) {
    const token = bearerToken(request.headers.authorization)
    const isOperator = config.metricsToken && token && isEqualSecret(token, config.metricsToken)
    const isTrial = isTrialInstallation(config) && isLocalRequest(request.headers)
    if (!isOperator && !isTrial) refuse('unknownRoute')
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  },
})

import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { isEqualSecret } from '../core/secrets.ts'
import { bearerToken } from '../http/authenticate.ts'
import { defineRoute } from '../http/define-route.ts'
import type { Metrics } from '../http/metrics.ts'
import { isFromConsole, type TrialDeps } from '../http/trial.ts'

interface MetricsDeps extends TrialDeps {
  config: Config
  metrics: Metrics
}

export default defineRoute({
  method: 'GET',
  url: '/metrics',
  summary: 'Prometheus metrics',
  description: 'Needs METRICS_TOKEN as a Bearer token, or the address that a local trial installation prints at start.',
  tag: 'Service',
  audience: 'operator',
  access: 'public',
  needsDatabase: false,
  noStore: true,
  responses: { 200: { description: 'Prometheus text.', contentType: 'text/plain' } },
  refusals: ['unknownRoute'],
  async handle({ config, metrics, trialToken }: MetricsDeps, { request, reply }) {
    const token = bearerToken(request.headers.authorization)
    const isOperator = config.metricsToken && token && isEqualSecret(token, config.metricsToken)
    if (!isOperator && !isFromConsole({ config, trialToken }, request)) refuse('unknownRoute')
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  },
})

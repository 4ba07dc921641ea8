import type { FastifyRequest } from 'fastify'
import { type Config, isLoopbackHost } from '../core/config.ts'
import { isEqualSecret } from '../core/secrets.ts'
import { isForwarded } from './forwarding.ts'

export interface TrialDeps {
  config: Pick<Config, 'smtpUrl' | 'isLocal' | 'isProduction'>
  /** Drawn anew by each process, and reported on its console alone. */
  trialToken: string
}

/** Whether this installation may show pages meant for the person trying it out on their own machine. */
export const isTrialInstallation = (config: TrialDeps['config']): boolean =>
  !config.smtpUrl && config.isLocal && !config.isProduction

/**
 * Whether a request comes from the person at the console: it knows what was printed there, names this machine, and says nothing of a
 * proxy. Only the first of these is proof: a tunnel need not tell that it is one.
 */
export function isFromConsole({ config, trialToken }: TrialDeps, { headers, query }: FastifyRequest): boolean {
  const { token } = (query ?? {}) as { token?: unknown }
  if (!isTrialInstallation(config) || typeof token !== 'string' || !isEqualSecret(token, trialToken)) return false
  const host = headers.host ?? ''
  return !isForwarded(headers) && URL.canParse(`http://${host}`) && isLoopbackHost(new URL(`http://${host}`).hostname)
}

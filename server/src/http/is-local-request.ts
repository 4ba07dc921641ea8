import type { IncomingHttpHeaders } from 'node:http'
import { type Config, isLoopbackHost } from '../core/config.ts'
import { isForwarded } from './forwarding.ts'

/** Whether this installation may show pages meant for the person trying it out on their own machine. */
export const isTrialInstallation = (config: Pick<Config, 'smtpUrl' | 'isLocal' | 'isProduction'>): boolean =>
  !config.smtpUrl && config.isLocal && !config.isProduction

/** Whether a request comes from this machine, not through a proxy, and not by a foreign name that resolves to loopback. */
export function isLocalRequest(headers: IncomingHttpHeaders): boolean {
  if (isForwarded(headers)) return false
  const host = headers.host ?? ''
  return URL.canParse(`http://${host}`) && isLoopbackHost(new URL(`http://${host}`).hostname)
}

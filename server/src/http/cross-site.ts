import { type Config, isLoopbackHost } from '../core/config.ts'

interface OriginHeaders {
  host?: string | undefined
  origin?: string | undefined
  'sec-fetch-site'?: string | string[] | undefined
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request authorised by a cookie may change something. A browser says where it comes from: `Sec-Fetch-Site`
 * decides when present; older ones send `Origin`, which must name the host of the request, and that host must be this service's.
 */
export function isSameSite(method: string, headers: OriginHeaders, config: Pick<Config, 'publicUrl'>): boolean {
  if (safeMethods.has(method)) return true
  const fetchSite = headers['sec-fetch-site']
  if (fetchSite !== undefined) return fetchSite === 'same-origin'
  const { origin, host } = headers
  if (!origin || !host || !URL.canParse(origin)) return false
  const from = new URL(origin)
  const isOwnHost = from.host === new URL(config.publicUrl).host || isLoopbackHost(from.hostname)
  return from.host === host.toLowerCase() && isOwnHost
}

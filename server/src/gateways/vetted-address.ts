import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressGuard } from './address-guard.ts'

/**
 * Where a request to an address that outsiders chose may go. The name is resolved once, every answer is checked, and the connection can
 * only go to the addresses that were checked: the socket's own look-up is replaced by the vetted list, so a name server that answers
 * differently the second time is never looked up twice.
 */
export interface AddressRules {
  readonly guard: AddressGuard
  /** Plain http, for loopback names only: for trying things out. */
  readonly isPlainLoopbackAllowed: boolean
  readonly resolve?: ((hostname: string) => Promise<readonly ResolvedAddress[]>) | undefined
}

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

const resolveTimeoutMs = 5_000
const maxUrlLength = 2_048

const resolveBySystem = (hostname: string): Promise<readonly ResolvedAddress[]> =>
  systemLookup(hostname, { all: true, verbatim: true })

/** The address an outsider gave, or what is wrong with it in words that follow "url". */
export function parseUrl(rules: AddressRules, text: string): { url: URL } | { problem: string } {
  if (text.length > maxUrlLength) return { problem: `must have at most ${maxUrlLength} characters.` }
  if (!URL.canParse(text)) return { problem: 'must be an absolute https address.' }
  const url = new URL(text)
  if (url.username || url.password) return { problem: 'must not contain a user name or password.' }
  if (url.hash) return { problem: 'must not contain a fragment.' }
  if (url.protocol === 'https:') return { url }
  if (url.protocol === 'http:' && rules.isPlainLoopbackAllowed && isLoopbackName(hostOf(url))) return { url }
  return { problem: 'must use https.' }
}

export type Vetted =
  | { readonly kind: 'ok'; readonly addresses: readonly ResolvedAddress[] }
  | { readonly kind: 'refused' | 'unresolved'; readonly reason: string }

const privateReason = 'must not lead to a private, loopback, link-local or reserved address.'

/** Where the connection may go. */
export async function vet(rules: AddressRules, url: URL): Promise<Vetted> {
  const host = hostOf(url)
  const literal = isIP(host)
  // RFC 6761: this machine, also where no name server says so.
  if (isLoopbackName(host) && !rules.guard.isAllowed('127.0.0.1')) return { kind: 'refused', reason: privateReason }
  const addresses = literal ? [{ address: host, family: literal }] : await resolveInTime(rules, host)
  if (!addresses || addresses.length === 0) return { kind: 'unresolved', reason: 'the name does not resolve' }
  const isAllowed = addresses.every(({ address }) => rules.guard.isAllowed(address))
  return isAllowed ? { kind: 'ok', addresses } : { kind: 'refused', reason: privateReason }
}

async function resolveInTime(rules: AddressRules, host: string): Promise<readonly ResolvedAddress[] | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((done) => {
    timer = setTimeout(done, resolveTimeoutMs, null)
  })
  try {
    return await Promise.race([(rules.resolve ?? resolveBySystem)(host), late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Answers every question with the addresses that were checked. */
export function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const wanted = addresses.filter(({ family }) => !options.family || family === options.family)
    const [first] = wanted
    if (!first) callback(Object.assign(new Error('no vetted address of this family'), { code: 'ENOTFOUND' }), '', 0)
    else if (options.all) callback(null, [...wanted])
    else callback(null, first.address, first.family)
  }
}

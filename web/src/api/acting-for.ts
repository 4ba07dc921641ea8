/** The account that requests act for: the person's own, or that of an organization. Kept in this browser. */
const kept = 'assay-organization'

export const actingFor = (): string | null => globalThis.localStorage?.getItem(kept) ?? null

/** Everything on screen belongs to the account before: the page is loaded anew. */
export function actFor(organizationId: string | null, path = '/home'): void {
  rememberActingFor(organizationId)
  location.assign(path)
}

export function rememberActingFor(organizationId: string | null): void {
  if (organizationId) localStorage.setItem(kept, organizationId)
  else localStorage.removeItem(kept)
}

/**
 * A link in a mail names the account that it is about: the id of an organization, or `personal`. It is kept, and the address goes on
 * without it. One that the reader does not belong to is forgotten with the first answer.
 */
export function actForAccountOfLink(address: string): string {
  const url = new URL(address)
  const account = url.searchParams.get('account')
  if (account === null) return address
  rememberActingFor(account === 'personal' ? null : account)
  url.searchParams.delete('account')
  return url.href
}

/** These are about the person, not about the account in force. */
const personal =
  /^\S+ \/api\/(me|register|verify-email|resend-otp|login|logout|forgot-password|reset-password|v1\/(account|sessions|second-factors|recovery-codes|mail-preferences|organisations|invitations|shared|detectors|status))\b/

export function organizationHeaders(operation: string): Record<string, string> {
  const id = personal.test(operation) ? null : actingFor()
  return id ? { 'x-organisation': id } : {}
}

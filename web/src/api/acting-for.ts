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

/** These are about the person, not about the account in force. */
const personal =
  /^\S+ \/api\/(me|register|verify-email|resend-otp|login|logout|forgot-password|reset-password|v1\/(account|sessions|second-factors|recovery-codes|mail-preferences|organisations|invitations|shared|detectors|status))\b/

export function organizationHeaders(operation: string): Record<string, string> {
  const id = personal.test(operation) ? null : actingFor()
  return id ? { 'x-organisation': id } : {}
}

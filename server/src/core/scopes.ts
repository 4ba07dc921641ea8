/** What a key may be used for: scans; everything that can be read; changes of findings, scans, webhooks and the plan. */
export const scopes = ['scan', 'read', 'manage'] as const
export type Scope = (typeof scopes)[number]

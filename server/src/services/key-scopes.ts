import { type Scope, scopes } from '../core/scopes.ts'
import type { ApiKeyRow } from '../stores/api-keys.ts'

/** Keys made before there were scopes have all of them. */
export const scopesOf = (row: Pick<ApiKeyRow, 'scopes'>): readonly Scope[] =>
  row.scopes === null ? scopes : scopes.filter((scope) => row.scopes?.split(' ').includes(scope))

/** In one order, each once; null for all. */
export function writeScopes(given: readonly Scope[] | undefined): string | null {
  const kept = given ? scopes.filter((scope) => given.includes(scope)) : scopes
  return kept.length === scopes.length ? null : kept.join(' ')
}

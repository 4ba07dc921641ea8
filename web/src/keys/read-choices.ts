import type { RequestBodyOf } from '../api/client.ts'
import { readChoices as texts } from '../messages/keys.ts'

export type KeyChanges = NonNullable<RequestBodyOf<'PATCH /api/v1/user-api-keys/{id}'>>
export type Scope = NonNullable<KeyChanges['scopes']>[number]

/** Each scope as the page names it. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  scan: 'Scan',
  read: 'Read results',
  manage: texts.changeFindingsWebhooksPlan,
}

export const scopeNames = Object.keys(scopeWords) as Scope[]

/** What a form says of a key's scopes and own limits; an empty limit is that of the account. */
export function readChoices(fields: FormData): Required<Pick<KeyChanges, 'requestsPerHour' | 'scansPerDay'>> & {
  scopes: Scope[]
} {
  const limit = (name: string): number | null => {
    const text = String(fields.get(name) ?? '').trim()
    return text === '' ? null : Number(text)
  }
  return {
    scopes: scopeNames.filter((scope) => fields.getAll('scope').includes(scope)),
    requestsPerHour: limit('requestsPerHour'),
    scansPerDay: limit('scansPerDay'),
  }
}

interface Limited {
  readonly requestsPerHour: number | null
  readonly scansPerDay: number | null
}

/** What a key may, in a few words. */
export function choicesInWords({
  scopes,
  requestsPerHour,
  scansPerDay,
}: Limited & { scopes: readonly Scope[] }): string {
  const may = scopes.length === scopeNames.length ? 'all' : scopes.join(', ')
  const limits = [
    ...(scansPerDay === null ? [] : [texts.scansDay(scansPerDay)]),
    ...(requestsPerHour === null ? [] : [texts.requestsHour(requestsPerHour)]),
  ]
  return [may, ...limits].join(' · ')
}

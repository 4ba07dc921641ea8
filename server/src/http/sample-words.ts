import type { z } from 'zod'
import { Refusal, type RefusalName, refusals } from '../core/errors.ts'
import { rolesFrom } from '../core/roles.ts'
import { defaultBodyBytes, type Route, scopeNeeded } from './define-route.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import { exampleOf } from './request-example.ts'
import { createSchemaSheet } from './schema-sheet.ts'
import { validate } from './validate.ts'

/** Facts to show a refusal's words with. */
const sampleFacts: Partial<Record<RefusalName, readonly unknown[]>> = {
  invalid: ['email must be a valid e-mail address.'],
  methodNotAllowed: ['POST'],
  bodyTooLarge: [65536],
  internal: ['req_7b1c0w9k3x'],
  scanFailed: ['req_7b1c0w9k3x'],
  busy: [2],
  repeatedName: ['email'],
  passwordCommon: ['password'],
  passwordGuessable: ['password'],
  keyQuotaSpent: [new Date('2026-03-11T00:00:00.000Z'), 43200, 2],
  scopeMissing: ['scan'],
  quotaSpent: [new Date('2026-03-11T00:00:00.000Z'), 43200, 5],
  fileTooLarge: [102400],
  workSpent: [300, 1200],
  sourcesTooLarge: [102400],
  archiveTooLarge: [819200, 102400],
  contractTooLarge: [5120],
  sourceNotText: ['src/Vault.sol'],
  pathRefused: ['../Vault.sol', 'it leads out of the project'],
  archiveUnreadable: ['an entry is damaged'],
  tooManyFiles: [2000],
  tooManyStreams: [20],
  batchTooLong: [10_000],
  batchEntryRefused: ['src/Vault.sol', 'The file is empty.'],
  notSolidity: [1, 'expected a pragma, an import or a definition'],
  webhookUrlRefused: ['must start with https://.'],
  tooManyWebhooks: [20],
  tooManyLinks: [100],
  planNotHigher: ['pro'],
  roleTooLow: ['owner'],
  tooManyFactors: [10],
  tooManyOrganisations: [10],
  tooManyMembers: [100],
  sourceNotVerified: ['0x5ed4a410a612f2fe625a8f3cb4d70f197ff8c8be', 1],
  forgeUnknown: ['github.com'],
  repositoryTooLarge: [41943040],
}

/** Of what only says when to come back. */
const SAMPLE_SECONDS = 60

/** What words can depend on. */
type SpeakingRoute = Pick<Route, 'method'> &
  Partial<Pick<Route, 'access' | 'body' | 'query' | 'maxBodyBytes' | 'organisation' | 'scope'>>

/** Facts that the route itself knows. */
const factsByRoute: Partial<Record<RefusalName, (route: SpeakingRoute) => readonly unknown[]>> = {
  invalid: (route) => [sampleMistake(route)?.words ?? 'The request is not valid.'],
  scopeMissing: (route) => [scopeNeeded(route)],
  roleTooLow: ({ organisation = 'owner' }) => [rolesFrom(organisation).join(' or ')],
  bodyTooLarge: ({ maxBodyBytes }) => [maxBodyBytes ?? defaultBodyBytes],
  passwordCommon: (route) => [passwordField(route)],
  passwordGuessable: (route) => [passwordField(route)],
}

const passwordField = ({ body }: SpeakingRoute): string =>
  fieldsOf(body).includes('newPassword') ? 'newPassword' : 'password'

/** Is the refusal reported in words of its own on each route? */
export const dependsOnRoute = (name: RefusalName): boolean => name in factsByRoute

/** The words of a refusal with example facts, as the references print them; with a route, as that route says them. */
export function sampleWords(name: RefusalName, route?: SpeakingRoute): string {
  const words = refusals[name][1] as (...facts: unknown[]) => string
  const facts = (route && factsByRoute[name]?.(route)) ?? sampleFacts[name] ?? [SAMPLE_SECONDS]
  return words(...facts)
}

/** The headers a refusal carries, by name. */
export function headerNames(name: RefusalName): string[] {
  const headers = refusals[name][2] as ((...facts: unknown[]) => Record<string, string>) | undefined
  return headers ? Object.keys(headers(...(sampleFacts[name] ?? [SAMPLE_SECONDS]))) : []
}

const fieldsOf = (schema: z.ZodType | undefined): string[] =>
  schema ? Object.keys((createSchemaSheet().of(schema, 'input').properties ?? {}) as object) : []

/** A body that the route takes. */
export function rightBody({ body }: Pick<SpeakingRoute, 'body'>): object | undefined {
  if (!body) return undefined
  const sheet = createSchemaSheet()
  return exampleOf(sheet.of(body, 'input'), sheet.named) as object
}

/** What a field may be that it mostly must not. */
const wrongValues: Readonly<Record<'body' | 'query', readonly unknown[]>> = {
  body: ['', 'x', {}, '\0'],
  query: ['x', '\0'],
}

/** A request with one wrong field, and what the route says of it: not made up, but taken from the check itself. */
export interface Mistake {
  readonly part: 'body' | 'query'
  readonly value: object
  readonly words: string
}

/** The first of the route's fields that can be wrong. */
export function sampleMistake({ access, body, query }: SpeakingRoute): Mistake | undefined {
  for (const [part, schema, right] of [
    ['body', body, body && rightBody({ body })],
    ['query', query, {}],
  ] as const) {
    if (!schema) continue
    for (const field of fieldsOf(schema)) {
      for (const wrong of wrongValues[part]) {
        const value = { ...right, [field]: wrong }
        const words = problemWith(schema, value, part)
        if (words) return { part, value, words }
      }
    }
  }
  const value = { shown: 'all' }
  const words = access && refusalOf(() => refuseUnknown({ access, body, query }, value, undefined))
  return words ? { part: 'query', value, words } : undefined
}

const problemWith = (schema: z.ZodType, value: object, part: 'body' | 'query'): string | undefined =>
  refusalOf(() => validate(schema, value, part))

function refusalOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { RefusalName } from '../core/errors.ts'
import type { Role } from '../core/roles.ts'
import type { Scope } from '../core/scopes.ts'
import type { Client, KeyCaller, SessionCaller, UserIdCaller } from '../services/caller.ts'
import { idempotencyHeader } from './idempotency-header.ts'
import { pageFields, pageOf, shortPageQuery } from './paging.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Access = 'public' | 'session' | 'key' | 'key-or-session'

/**
 * How the body arrives: parsed JSON; JSON or a web form; a multipart upload that the route reads by itself; or the
 * exact bytes, for a signature.
 */
export type BodyKind = 'json' | 'json-or-form' | 'upload' | 'raw'

export type CallerOf<A extends Access> = A extends 'public'
  ? undefined
  : A extends 'session'
    ? SessionCaller | UserIdCaller
    : A extends 'key'
      ? KeyCaller
      : KeyCaller | SessionCaller

export interface RouteInput<A extends Access, P, Q, B> {
  params: P
  query: Q
  body: B
  caller: CallerOf<A>
  client: Client
  request: FastifyRequest
  reply: FastifyReply
}

export interface ResponseDoc {
  description: string
  /** Absent: a body of another kind, described by `contentType`. */
  schema?: z.ZodType
  contentType?: string
  /** Further media types of the same answer, by content negotiation; null: text. */
  alsoAs?: Readonly<Record<string, z.ZodType | null>>
  /** Where the answer also comes as `text/event-stream`: the data of each kind of event. */
  events?: Record<string, z.ZodType>
  example?: unknown
  headers?: Record<string, string>
}

/** A field of a multipart upload, for the reference. */
export interface UploadField {
  name: string
  kind: 'file' | 'text'
  required: boolean
  /** Several parts of this name. */
  isList?: boolean
  /** Of text: all that it can say. */
  values?: readonly string[]
  description: string
}

interface RouteShape<A extends Access, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  method: Method
  /** With parameters as `:name`. */
  url: string
  summary: string
  description?: string
  tag: Tag
  access: A
  /** The least role with which a member may use it for an organisation; absent: it is about persons. */
  organisation?: Role
  /** What a key must be made for to be used here; absent: to read where the method reads, else to manage. */
  scope?: Scope
  params?: P
  query?: Q
  /** The field of `data` that holds a list which is there as a whole: it is given page by page where someone asks for that. */
  list?: string
  body?: B
  /**
   * A repeated request with the same `Idempotency-Key` and content gets the first answer again. The answer is kept in the transaction of
   * the work: `handle` touches nothing but the database, and what else there is to do is done `before`.
   */
  once?: true
  bodyKind?: BodyKind
  maxBodyBytes?: number
  /** Fields of an `upload` body. */
  upload?: readonly UploadField[]
  /** The same as JSON, where the route takes either. */
  jsonUpload?: z.ZodType
  /** Of two ways to send a body the one that OpenAPI describes: most generators understand only one. */
  describedBody?: 'upload' | 'json'
  /** A document of this kind, for the reference. */
  jsonExample?: unknown
  /** Request headers worth documenting, name → meaning. */
  requestHeaders?: Record<string, string>
  /** The first one is the success that `handle`'s return value is sent with. */
  responses: Record<number, ResponseDoc>
  refusals: readonly RefusalName[]
  /** False where the answer takes nothing that can be away or fail. */
  needsDatabase?: false
  /** A browser is refused with a page. */
  refusesAsPage?: boolean
  /** The answer holds a secret or a person's data and must not be kept by any cache. */
  noStore?: boolean
  /** Not part of the published interface. */
  hidden?: boolean
  /** For those who run the service and their tools: described, and not among what the reference shows. */
  audience?: 'operator'
  deprecated?: boolean
  /** On every answer of this route, refusals too. */
  responseHeaders?: Record<string, string>
}

export interface RouteSpec<D, A extends Access, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends RouteShape<A, P, Q, B> {
  /** Looks at what is not in the database, and refuses. */
  before?(deps: D, input: RouteInput<A, z.output<P>, z.output<Q>, z.output<B>>): Promise<void>
  /** Returns the body of the answer, or the reply itself when it was already sent. */
  handle(deps: D, input: RouteInput<A, z.output<P>, z.output<Q>, z.output<B>>): unknown
}

/** A route as the app mounts it; its deps are whatever its services touch. */
export interface Route<D = never> extends RouteShape<Access, z.ZodType, z.ZodType, z.ZodType> {
  // A property and not a method, so that the compiler checks that the app's deps are enough.
  // biome-ignore lint/suspicious/noExplicitAny: the input's type was checked where the route was defined
  before?: (deps: D, input: any) => Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  handle: (deps: D, input: any) => unknown
}

export const tags = {
  Accounts: 'Registration, verification, login and password recovery.',
  'API keys': 'The credentials that authenticate scans.',
  Scans: 'Standard and AI-assisted scans of Solidity source.',
  History: 'Past scans, their source and reports.',
  Sharing: 'Secret links to results, for readers without an account, and badges.',
  Findings: 'Findings as records, decisions about them, and projects.',
  Organisations: 'Teams: members and their roles, invitations. Keys, scans and the plan of a team belong to it.',
  Plans: 'Plan, quotas, usage and billing.',
  Webhooks: 'Deliveries to your own server when a scan is done.',
  Catalogue: 'What the engine detects.',
  Service: 'Health and machine-readable descriptions.',
} as const
export type Tag = keyof typeof tags

/** How long a body may be where the route does not say otherwise. */
export const defaultBodyBytes = 64 * 1024

/** A route is data plus one function: hooks, OpenAPI and the references derive from it. */
export function defineRoute<
  D,
  const A extends Access,
  P extends z.ZodType = z.ZodType<Record<string, never>>,
  Q extends z.ZodType = z.ZodType<Record<string, never>>,
  B extends z.ZodType = z.ZodType<undefined>,
>(spec: RouteSpec<D, A, P, Q, B>): Route<D> {
  const route = spec.once ? withKey(spec as Route<D>) : (spec as Route<D>)
  return Object.freeze(spec.list === undefined ? route : withPages(route, spec.list))
}

const withKey = <D>(route: Route<D>): Route<D> => ({
  ...route,
  requestHeaders: { ...route.requestHeaders, ...idempotencyHeader },
  refusals: [...route.refusals, 'invalid', 'idempotencyInFlight', 'idempotencyMismatch'],
})

type Listed = { readonly data: Readonly<Record<string, readonly unknown[]>> }

function withPages<D>(route: Route<D>, field: string): Route<D> {
  const query = z.object({ ...(route.query as z.ZodObject | undefined)?.shape, ...shortPageQuery.shape })
  const [success] = Object.keys(route.responses)
  const { schema, example, ...response } = route.responses[Number(success)] as ResponseDoc
  const { data, ...shape } = (schema as z.ZodObject<{ data: z.ZodObject }>).shape
  const paged = {
    ...response,
    schema: z.object({ ...shape, data: data.extend(pageFields) }),
    example: withPage(example as Listed, field, shortPageQuery.parse({})),
  }
  return {
    ...route,
    query,
    responses: { ...route.responses, [Number(success)]: paged },
    refusals: route.refusals.includes('invalid') ? route.refusals : [...route.refusals, 'invalid'],
    handle: async (deps, input) => withPage((await route.handle(deps, input)) as Listed, field, input.query),
  }
}

function withPage({ data, ...rest }: Listed, field: string, query: z.infer<typeof shortPageQuery>): object {
  const { items, total, nextCursor } = pageOf(data[field] ?? [], query)
  return { ...rest, data: { ...data, [field]: items, total, nextCursor } }
}

/** The scope of the keys that open a route. */
export const scopeNeeded = ({ method, scope }: Pick<Route, 'method' | 'scope'>): Scope =>
  scope ?? (method === 'GET' ? 'read' : 'manage')

/** The status that `handle`'s return value is sent with. */
export const successStatus = (route: Pick<Route, 'responses'>): number => Number(Object.keys(route.responses)[0] ?? 200)

import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { z } from 'zod'
import type { Route } from '../http/define-route.ts'

/** A number in [0, 1), the same ones for the same seed. */
export type Random = () => number

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const oddTexts = [
  '',
  ' ',
  'a\0b',
  '\u202e',
  '💥'.repeat(50),
  'x'.repeat(10_000),
  '%00',
  "'; drop table accounts; --",
  '{{7*7}}',
  '../../../etc/passwd',
  '\ud800',
  '__proto__',
  '<script>alert(1)</script>',
  'a@b.c\r\nBcc: x@y.z',
  '1e999',
  'null',
  'ſ'.repeat(128),
]
const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  [],
  {},
  [[[[]]]],
  { toString: 1 },
  { length: -1 },
  ...oddTexts,
]

type Json = Record<string, unknown>

/** A value that fits the schema, as far as that is easily said. */
function fitting(random: Random, schema: Json): unknown {
  if (Array.isArray(schema.enum)) return pick(random, schema.enum)
  if (schema.const !== undefined) return schema.const
  if (schema.example !== undefined && random() < 0.7) return schema.example
  switch (schema.type) {
    case 'integer':
    case 'number':
      return Math.floor(random() * 100)
    case 'boolean':
      return random() < 0.5
    case 'array':
      return Array.from({ length: Math.floor(random() * 4) }, () => fitting(random, (schema.items ?? {}) as Json))
    case 'object':
      return object(random, schema, 0)
    default:
      return schema.format === 'email' ? 'ada@example.com' : 'a plausible text'
  }
}

/** An object of the schema in which each field is replaced by something odd with the given probability. */
function object(random: Random, schema: Json, oddness: number): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const made = properties
    .filter(() => random() > oddness / 4)
    .map(([name, inner]) => [name, random() < oddness ? pick(random, oddValues) : fitting(random, inner)])
  if (random() < oddness / 2) made.push([pick(random, oddTexts), pick(random, oddValues)])
  return Object.fromEntries(made) as Json
}

const schemaOf = (schema: z.ZodType | undefined): Json =>
  schema
    ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json)
    : { type: 'object', properties: {} }

const brokenBodies = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"a":',
  `${'['.repeat(2000)}`,
  '{"__proto__":{"admin":true}}',
  '\ufeff{}',
  `{"a":"${'x'.repeat(70_000)}"}`,
]
const contentTypes = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  '',
]

/** One request to this route: from nearly right to hopeless. */
export function makeRequest(
  random: Random,
  route: Route,
  credentials: readonly Record<string, string>[],
): InjectOptions {
  const path = route.url.replace(/:\w+/g, () =>
    encodeURIComponent(
      pick(random, [
        'x',
        'scn_0123456789',
        ...oddTexts.filter((text) => text.length < 200).map((text) => text.replace(/[\ud800-\udfff]/g, '?')),
      ]),
    ),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(object(random, schemaOf(route.query), random())))
    query.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  const headers: Record<string, string> = {
    ...pick(random, credentials),
    ...(random() < 0.2 && { 'idempotency-key': pick(random, ['k', 'x'.repeat(300), 'ü']) }),
    ...(random() < 0.2 && {
      accept: pick(random, ['application/problem+json', 'text/html', '*/*;q=0', 'application/sarif+json', ',,;']),
    }),
  }
  const request: InjectOptions = { method: route.method, url: `${path}${query.size > 0 ? `?${query}` : ''}`, headers }
  if (route.method === 'GET' || (route.method === 'DELETE' && random() < 0.8)) return request
  if (route.bodyKind === 'upload') return { ...request, ...upload(random, headers) }
  const isBroken = random() < 0.25
  const payload = isBroken ? pick(random, brokenBodies) : JSON.stringify(object(random, schemaOf(route.body), random()))
  return {
    ...request,
    payload,
    headers: { ...headers, 'content-type': isBroken ? pick(random, contentTypes) : 'application/json' },
  }
}

function upload(random: Random, headers: Record<string, string>): Pick<InjectOptions, 'payload' | 'headers'> {
  const boundary = pick(random, ['b', '----x', 'x'.repeat(70)])
  const name = pick(random, ['file', 'file', 'model', 'openrouterApiKey', 'a\0b', ''])
  const fileName = pick(random, ['Vault.sol', 'Vault.sol', 'vault.txt', '../../x.sol', 'a\0.sol', '', 'x'.repeat(500)])
  const content = pick(random, [
    'contract C {}',
    'pragma solidity ^0.8.0;',
    '',
    '\0',
    '{'.repeat(3000),
    '\xff\xfe',
    'no solidity at all',
  ])
  const head = pick(random, [
    `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n`,
    `Content-Disposition: form-data; name="${name}"\r\n`,
    'Content-Disposition: form-data\r\n',
    '',
    `X-Long: ${'y'.repeat(20_000)}\r\n`,
  ])
  const end = pick(random, [`\r\n--${boundary}--\r\n`, `\r\n--${boundary}--\r\n`, '', `\r\n--${boundary}`])
  return {
    payload: `--${boundary}\r\n${head}\r\n${content}${end}`,
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

const leaks =
  /SQLITE_|syntax error at or near|node_modules|\bat \S+ \(|\/(?:home|root|tmp|usr)\/|postgres:\/\/|master secret/i

/** What is wrong with an answer, if anything. */
export function findFault({ statusCode, body, headers }: LightMyRequestResponse): string | undefined {
  if (statusCode >= 500 && statusCode !== 503) return `answered ${statusCode}: ${body.slice(0, 300)}`
  if (leaks.test(body)) return `leaks: ${leaks.exec(body)?.[0]}`
  if (statusCode < 400 || !String(headers['content-type']).startsWith('application/json')) return undefined
  const names = Object.keys(JSON.parse(body) as object)
  return names.length === 1 && names[0] === 'error' ? undefined : `an error with the fields ${names.join(', ')}`
}

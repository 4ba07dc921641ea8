import { type Setting, settings } from '../server/src/core/config.ts'
import { type RefusalName, refusals } from '../server/src/core/errors.ts'
import {
  keyLifetimeMonths,
  maxActiveKeys,
  type Plan,
  planNames,
  plans,
  testKeyFactor,
} from '../server/src/core/plans.ts'
import { type ApiDocument, describeApi, refusalsOf } from '../server/src/http/openapi.ts'
import { headerNames, sampleWords } from '../server/src/http/sample-words.ts'
import { routes } from '../server/src/routes/index.ts'
import { apiPage, type DocumentedRoute, type OperationObject, pathOf } from './api-page.ts'
import { clientResources } from './client-resources.ts'
import type { GeneratedFile } from './generated-file.ts'
import { lines, mark, row } from './markdown.ts'
import { type Schema, schemaToType } from './schema-to-type.ts'

const publicRoutes: readonly DocumentedRoute[] = routes.filter(({ hidden }) => !hidden)

/** Everything that derives from routes, refusals, settings and plans. */
export function generateApi(): GeneratedFile[] {
  const document = describeApi(routes)
  return [
    { path: 'docs/reference/openapi.json', content: `${JSON.stringify(document, null, 2)}\n` },
    { path: 'docs/reference/api.md', content: apiPage(publicRoutes) },
    { path: 'docs/reference/errors.md', content: errorsPage() },
    { path: 'docs/reference/statuses.md', content: statusesPage(document) },
    { path: 'docs/reference/config.md', content: configPage() },
    { path: 'docs/reference/limits.md', content: limitsPage() },
    { path: '.env.example', content: exampleEnvironment() },
    { path: 'client/src/generated.ts', content: clientTypes(document) + clientResources(document) },
  ]
}

// The errors page

function errorsPage(): string {
  const names = Object.keys(refusals) as RefusalName[]
  const byStatus = [...names].sort((a, b) => refusals[a][0] - refusals[b][0])
  return lines(
    mark('server/src/core/errors.ts'),
    '# Errors',
    '',
    'Every failure is `{"error": "<one sentence>"}` with one of these texts; facts that vary are shown by example. With `Accept: application/problem+json` the same comes as RFC 9457. Machine detail is in the headers named below; every response carries `X-Request-Id`, and a 500 names it, so that it can be found in the log.',
    '',
    row('Status', 'Text', 'Headers', 'Where'),
    row('---', '---', '---', '---'),
    byStatus.map((name) =>
      row(
        String(refusals[name][0]),
        `\`${sampleWords(name)}\``,
        headerNames(name)
          .map((header) => `\`${header}\``)
          .join(', '),
        placesOf(name),
      ),
    ),
    '',
    '## Retrying',
    '',
    'Retry 429 and 503 no earlier than `Retry-After` says, with exponential backoff, random jitter and a small fixed number of attempts. 4xx other than 408 and 429 will not get better by repeating. A scan that answers 422 or 5xx is not charged.',
  )
}

function placesOf(name: RefusalName): string {
  const places = publicRoutes.filter((route) => refusalsOf(route).includes(name))
  if (places.length === 0 || name === 'unknownRoute') return 'any request'
  if (places.length > 4) return `${places.length} endpoints`
  return places.map((route) => `\`${route.method} ${pathOf(route)}\``).join(', ')
}

// The page of statuses

function statusesPage(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      statuses: Object.keys((operation as unknown as OperationObject).responses).filter((key) => /^\d+$/.test(key)),
    })),
  )
  const isRefusal = (status: string): boolean => Number(status) >= 400
  const refused = [...new Set(operations.flatMap(({ statuses }) => statuses.filter(isRefusal)))].sort()
  return lines(
    mark('server/src/routes'),
    '# Which endpoint gives which status',
    '',
    'As in `openapi.json` beside this file, which every live answer of the tests is compared with. What any request can meet whatever its path (a header that cannot be read, a path that is not there, another method, a service that is stopping) is described there as `AnyRequest`, and stands in [errors.md](errors.md) with the words of every status.',
    '',
    row('Endpoint', 'Success', ...refused),
    row('---', '---', ...refused.map(() => ':-:')),
    operations.map(({ name, statuses }) =>
      row(
        name,
        statuses.filter((status) => !isRefusal(status)).join(', '),
        ...refused.map((status) => (statuses.includes(status) ? '•' : '')),
      ),
    ),
  )
}

// The configuration page

const settingRows = Object.values(settings) as readonly Setting<unknown>[]
const settingGroups = [...new Set(settingRows.map(({ group }) => group))]

function configPage(): string {
  return lines(
    mark('server/src/core/config.ts'),
    '# Configuration',
    '',
    'Environment variables; none is needed to try the service out. A start with a wrong one names every problem at once and ends.',
    '',
    settingGroups.flatMap((group) => [
      `## ${group}`,
      '',
      row('Variable', 'Default', 'Meaning'),
      row('---', '---', '---'),
      ...settingRows
        .filter((setting) => setting.group === group)
        .map(({ variable, fallback, meaning, isSecret }) =>
          row(`\`${variable}\``, fallback, `${meaning}${isSecret ? ' Secret.' : ''}`),
        ),
      '',
    ]),
    '## In production',
    '',
    'With `NODE_ENV=production`: `BILLING_PROVIDER` must be set explicitly, `CLOCK_OFFSET` is refused, and `/dev/mail` does not exist. With `DATABASE_URL`, `MASTER_SECRET` is required.',
  )
}

function exampleEnvironment(): string {
  return lines(
    '# Generated from server/src/core/config.ts by `npm run generate`. Do not edit; copy it.',
    '# Every line is optional: what is commented out has the default that is named.',
    settingGroups.flatMap((group) => [
      '',
      `# ${group}`,
      ...settingRows
        .filter((setting) => setting.group === group)
        .flatMap(({ variable, fallback, meaning, example }) => [
          `# ${meaning.replaceAll('`', '')} Default: ${fallback.replaceAll('`', '')}`,
          `#${variable}=${example ?? (/^[\w./:-]+$/.test(fallback) ? fallback : '')}`,
        ]),
    ]),
  )
}

// The limits page

const size = (bytes: number): string =>
  `${bytes >= 1024 * 1024 ? `${bytes / (1024 * 1024)} MB` : `${bytes / 1024} KB`} (${bytes} bytes)`
const yes = (is: boolean): string => (is ? 'yes' : 'no')

const limitRows: readonly (readonly [string, (plan: Plan) => string])[] = [
  ['Monthly price', (plan) => (plan.priceCents === 0 ? '0' : `${(plan.priceCents / 100).toFixed(2)} USD`)],
  ['Requests per hour', (plan) => String(plan.requestsPerHour)],
  [`Requests per hour, TEST keys`, (plan) => String(plan.requestsPerHour * testKeyFactor)],
  ['Scans per day', (plan) => String(plan.scansPerDay)],
  ['Max file size', (plan) => size(plan.maxFileBytes)],
  ['Max contract size', (plan) => size(plan.maxContractBytes)],
  ['Scan history', (plan) => `${plan.historyDays} days`],
  ['Mail notices', (plan) => yes(plan.features.mailNotices)],
  ['Batches', (plan) => yes(plan.features.batches)],
  ['AI analysis', (plan) => yes(plan.features.ai)],
  ['Webhooks', (plan) => yes(plan.features.webhooks)],
  ['API SLA', (plan) => yes(plan.features.sla)],
]

function limitsPage(): string {
  return lines(
    mark('server/src/core/plans.ts'),
    '# Plans and limits',
    '',
    row('Limit', ...planNames),
    row('---', ...planNames.map(() => '---')),
    limitRows.map(([name, cell]) => row(name, ...planNames.map((plan) => cell(plans[plan])))),
    '',
    '- Hourly limits are counted per account and key type, in windows on the UTC hour: more keys buy nothing.',
    '- The daily quota is counted per account, over all keys and types, and resets at 00:00 UTC. Unused scans do not carry over. A scan counts only when a result is produced; an AI scan counts as one.',
    '- Contract size is that of the largest single contract, library or interface in the file.',
    `- Keys live ${keyLifetimeMonths.PRODUCTION.usual} calendar months (PRODUCTION) or ${keyLifetimeMonths.TEST.usual} (TEST) unless \`expiresInDays\` says otherwise; at most ${maxActiveKeys} active ones per account.`,
    '- History follows the current plan: a downgrade applies at once.',
    '- Billing is monthly, renews on the same day each month (or its last day), and goes on until it is cancelled.',
    '- Higher limits are by contract: the operator sets them per account with `assay-server admin limits`.',
  )
}

// Types for clients: the dashboard's, and the package's with its methods

function clientTypes(document: ApiDocument): string {
  const named = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${schemaToType(schema as Schema)}`,
  )
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationType(method, path, operation as unknown as OperationObject),
    ),
  )
  return lines(
    '// Generated from server/src/routes by `npm run generate`. Do not edit.',
    '// biome-ignore-all format: generated',
    '// biome-ignore-all lint: generated',
    "import type { FileInput } from './file-input.ts'",
    "import type { Pages } from './pages.ts'",
    "import type { RequestOptions } from './request-options.ts'",
    '',
    named.flatMap((type) => [type, '']),
    '/** Every endpoint: what it takes and what it answers. */',
    'export interface Operations {',
    operations,
    '}',
  )
}

function operationType(method: string, path: string, operation: OperationObject): string {
  return [
    `  '${method.toUpperCase()} ${path}': {`,
    `    params: ${parametersType(operation, 'path')}`,
    `    query: ${parametersType(operation, 'query')}`,
    `    body: ${bodyType(operation)}`,
    `    response: ${responseType(operation)}`,
    '  }',
  ].join('\n')
}

function parametersType({ parameters = [] }: OperationObject, place: 'path' | 'query'): string {
  const fields = parameters.filter((parameter) => parameter.in === place)
  if (fields.length === 0) return 'never'
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]))
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  return schemaToType({ type: 'object', properties, required }, '    ')
}

function bodyType({ requestBody }: OperationObject): string {
  if (!requestBody) return 'never'
  const { 'multipart/form-data': form, 'application/json': json } = requestBody.content
  const types = [...(form ? ['FormData'] : []), ...(json ? [schemaToType(json.schema, '    ')] : [])]
  return types.join(' | ') || 'unknown'
}

function responseType({ responses }: OperationObject): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const json = success?.content?.['application/json']
  return json ? schemaToType(json.schema, '    ') : 'string'
}

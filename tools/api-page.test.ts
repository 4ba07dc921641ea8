import { describe, expect, test } from 'vitest'
import { refusals } from '../server/src/core/errors.ts'
import { refusalsOf } from '../server/src/http/openapi.ts'
import { routes } from '../server/src/routes/index.ts'
import { apiPage, type DocumentedRoute, pathOf } from './api-page.ts'

const shown: readonly DocumentedRoute[] = routes.filter(({ hidden }) => !hidden)
const page = apiPage(shown)

function sectionOf(name: string): string {
  const start = page.indexOf(`### ${name}\n`)
  const end = page.indexOf('\n### ', start + 1)
  return start < 0 ? '' : page.slice(start, end < 0 ? undefined : end)
}

describe('the page of all endpoints', () => {
  test.each(shown.map((route) => [`${route.method} ${pathOf(route)}`, route] as const))(
    'the page alone lists every answer of %s',
    (name, route) => {
      const section = sectionOf(name)
      for (const [status, { example }] of Object.entries(route.responses)) {
        const answer = section.slice(section.indexOf(`Answers ${status}:`))
        expect(answer, status).toMatch(/^Answers /)
        if (example !== undefined) expect(answer).toContain(JSON.stringify(example, null, 2))
      }
      const statuses = refusalsOf(route).map((refusal) => refusals[refusal][0])
      expect([...section.matchAll(/^- (\d{3}) `/gm)].map(([, status]) => Number(status))).toEqual(statuses)
    },
  )

  test('the kinds of a JSON document are reported with all their fields', () => {
    const section = sectionOf('POST /api/v1/scan/sources')
    for (const field of ['sources', 'remappings', 'source', 'fileName'])
      expect(section).toMatch(new RegExp(`^- .*\`${field}\``, 'm'))
    expect(sectionOf('POST /api/v1/scan')).toContain('| `file` | form | file | yes |')
    expect(sectionOf('POST /api/v1/scan/address')).toMatch(/`chain`/)
  })

  test('fields that the example of an answer lacks are reported', () => {
    const section = sectionOf('POST /api/v1/scan')
    for (const field of [
      'files',
      'baseline',
      'setAside',
      'dataVulnerabilities[].evidence',
      'dataVulnerabilities[].file',
    ])
      expect(section).toContain(`- \`${field}\``)
  })

  test('bounds, defaults and the words of a choice stand beside their fields', () => {
    expect(sectionOf('GET /api/v1/scans')).toContain(
      '| `limit` | query | `number` | no | 1 to 100; `25` unless given. |',
    )
    expect(sectionOf('PATCH /api/v1/findings/{id}')).toMatch(/`"open" \\\| "false-positive" \\\| "accepted"/)
  })

  test('a refusal is reported in the words of the route', () => {
    expect(sectionOf('PATCH /api/v1/findings/{id}')).toContain('It takes the scope: manage.')
    expect(sectionOf('GET /api/v1/findings')).toContain('It takes the scope: read.')
    expect(sectionOf('POST /api/v1/scan')).toContain('It takes: member or owner.')
    expect(sectionOf('POST /api/billing/webhook')).toContain('exceeds the maximum of 524288 bytes.')
    expect(sectionOf('PATCH /api/v1/webhooks/{id}')).not.toContain('email must be')
  })

  test('events of a stream are reported', () => {
    expect(sectionOf('GET /api/v1/scans/{scanId}/events')).toContain('- events `queued`, `running`')
    expect(sectionOf('POST /api/v1/ai-scan')).toContain('- event `progress`')
  })
})

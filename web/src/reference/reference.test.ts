import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languages, requestLines } from './example-request.ts'
import { type ApiDocument, type Operation, readSections } from './read-document.ts'

const document = JSON.parse(
  readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8'),
) as ApiDocument
const sections = readSections(document)
const operations = sections.flatMap((section) => section.operations)
const named = (method: string, path: string): Operation => {
  const found = operations.find((one) => one.method === method && one.path === path)
  if (!found) throw new Error(`no ${method} ${path}`)
  return found
}

test('every public operation of the document is in one section, and no other', () => {
  const all = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => !('x-audience' in operation))
  for (const path of ['/metrics', '/health', '/ready', '/api/billing/webhook']) {
    expect(document.paths).toHaveProperty([path])
    expect(operations.map((one) => one.path)).not.toContain(path)
  }
  expect(operations).toHaveLength(all.length)
  expect(new Set(operations.map(({ id }) => id)).size).toBe(all.length)
  for (const { operations: some, name } of sections) expect(some.length, name).toBeGreaterThan(0)
})

test('lines to paste name the address, the method, the credential and the body, whole and without a gap', () => {
  for (const operation of operations) {
    for (const language of languages) {
      const lines = requestLines(operation, language, { base: 'https://assay.example' })
      const name = `${language} ${operation.method} ${operation.path}`
      expect(lines, name).toContain('https://assay.example/')
      expect(lines, name).not.toContain('undefined')
      if (language !== 'curl') continue
      expect(lines, name).not.toMatch(/\/\{\w+\}/)
      const json = /-d '(.*)'/s.exec(lines)?.[1]
      if (json) expect(JSON.parse(json.replaceAll("'\\''", "'")), name).toEqual(operation.body?.example)
    }
  }
})

test('a scan is sent as a file with a key, the reader’s own when asked', () => {
  const scan = named('POST', '/api/v1/scan')
  expect(requestLines(scan, 'curl', { base: 'http://x' })).toBe(
    'curl -H "X-API-Key: $ASSAY_API_KEY" \\\n  -F file=@Contract.sol \\\n  "http://x/api/v1/scan"',
  )
  for (const language of languages)
    expect(requestLines(scan, language, { base: 'http://x', key: 'assay_live_mine' })).toContain('assay_live_mine')
  expect(requestLines(named('GET', '/api/v1/scans/{scanId}'), 'curl', { base: 'http://x' })).toContain(
    '"http://x/api/v1/scans/$SCAN_ID"',
  )
})

test('fields are reported with their type, through references, lists and objects', () => {
  const fields = named('GET', '/api/v1/scans').answers[0]?.fields ?? []
  expect(fields).toContainEqual(expect.objectContaining({ name: 'data.nextCursor', type: 'string or null' }))
  expect(fields).toContainEqual(expect.objectContaining({ name: 'data.scans[].fileName', type: 'string' }))
  expect(named('POST', '/api/v1/scan').parameters).toContainEqual(
    expect.objectContaining({ name: 'suppressions', place: 'query', type: 'honour | ignore' }),
  )
})

test('what is answered is shown by an example, refusals too', () => {
  const { answers } = named('POST', '/api/login')
  expect(answers.find(({ status }) => status === '200')?.example).toMatchObject({ tokenType: 'Bearer' })
  expect(answers.find(({ status }) => status === '401')?.example).toEqual({ error: expect.any(String) })
})

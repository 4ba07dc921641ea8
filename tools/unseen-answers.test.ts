import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeApi } from '../server/src/http/openapi.ts'
import { routes } from '../server/src/routes/index.ts'
import { answerLine } from '../server/src/testing/record-answers.ts'
import { listedAnswers, seenAnswers, unseenAnswers } from './unseen-answers.mjs'

const refusal = (...names: readonly string[]) => ({
  content: { 'application/json': { examples: Object.fromEntries(names.map((name) => [name, {}])) } },
})
const document = {
  paths: {
    '/scans/{scanId}': {
      get: { responses: { 200: {}, 304: {}, 404: refusal('scanNotFound', 'organisationNotFound'), default: {} } },
    },
  },
}

test('what is listed and was never answered is named, no matter who saw the rest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-answers-'))
  try {
    const get = { method: 'GET', url: '/scans/:scanId' }
    const ok = answerLine({ ...get, status: 200, refusal: undefined })
    const unknown = answerLine({ ...get, status: 404, refusal: 'scanNotFound' })
    writeFileSync(join(folder, '1.txt'), `${ok}\n`)
    writeFileSync(join(folder, '2.txt'), `${ok}\n${unknown}\n`)
    expect(unseenAnswers(document, seenAnswers(folder))).toEqual([
      'GET /scans/:scanId 304',
      'GET /scans/:scanId organisationNotFound',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the real document is read: every operation has an answer and a refusal by name', () => {
  const listed = listedAnswers(describeApi(routes))
  expect(listed).toContain('POST /api/v1/scan 200')
  expect(listed).toContain('POST /api/v1/scans/:scanId/links tooManyLinks')
  expect(listed.length).toBeGreaterThan(1000)
  expect(listed.filter((answer) => answer.split(' ').length !== 3)).toEqual([])
})

// What the OpenAPI document says of answers, held against those that the tests saw: whatever it lists, some test must have got.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Each answer that the document lists, as the tests note them: `POST /api/v1/scans/:scanId/links scanNotFound`, a refusal by its name,
 * another answer by its status.
 */
export function listedAnswers(document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const operation = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      return Object.entries(responses)
        .filter(([status]) => status !== 'default')
        .flatMap(([status, { content }]) => {
          const names = Number(status) < 400 ? [status] : Object.keys(content['application/json'].examples)
          return names.map((name) => `${operation} ${name}`)
        })
    }),
  )
}

/** What all processes of a run noted. */
export function seenAnswers(folder) {
  return new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')))
}

/** One function answers these: a refusal seen of one of them was seen. Their successes are asked of each. */
const answeredAlike = new Set([
  'POST /api/v1/scan',
  'POST /api/v1/scan/sources',
  'POST /api/v1/scan/address',
  'POST /api/v1/scan/repository',
  'POST /scan',
])

/** Given by one function for whatever route asks it, before its own code runs. */
const givenAlike = new Set(['idempotencyInFlight', 'idempotencyMismatch', 'passwordGuessable'])

function isSeen(answer, seen) {
  if (seen.has(answer)) return true
  const [method, path, name = ''] = answer.split(' ')
  if (givenAlike.has(name)) return [...seen].some((other) => other.endsWith(` ${name}`))
  const isRefusal = !/^\d+$/.test(name)
  return (
    isRefusal &&
    answeredAlike.has(`${method} ${path}`) &&
    [...answeredAlike].some((operation) => seen.has(`${operation} ${name}`))
  )
}

/** Listed and never seen, in the order of the document. */
export const unseenAnswers = (document, seen) => listedAnswers(document).filter((answer) => !isSeen(answer, seen))

import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeApi } from '../http/openapi.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type Asker, operationsOf, requestsTo } from '../testing/document-requests.ts'
import { form } from '../testing/form.ts'
import { randomFrom } from '../testing/fuzz-requests.ts'
import { type ScanService, startScanService } from '../testing/scan-service.ts'
import { routes } from './index.ts'

/** Each round is twelve requests to every operation, other ones with another seed. */
const ROUNDS = Number(process.env.FUZZ_DOCUMENT_ROUNDS ?? 1)
const SEED = Number(process.env.FUZZ_SEED ?? 1)

const document = describeApi(routes)

/** Whatever takes something away comes last. */
const isEnding = ({ method, path }: { method: string; path: string }): number =>
  method === 'DELETE' || /\/(delete|remove|logout|password)$/.test(path) ? 1 : 0
const operations = operationsOf(document).sort((a, b) => isEnding(a) - isEnding(b))

/** Not configured here, and declared so. */
const NOT_OFFERED = 501

describeOnEachDatabase('the document', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
    // Nothing here asks a model.
    const complete = async () => ({ kind: 'keyRejected', detail: 'no gateway' }) as const
    Object.assign(service.deps.aiGateway, { complete })
  })
  afterAll(() => service.close())

  /** An account that has one of everything. */
  async function newAsker(): Promise<Asker> {
    const { account, key, keyId } = await service.newCaller('pro')
    const { session, userId, password } = account
    const file = {
      name: 'file',
      fileName: 'Vault.sol',
      bytes: 'pragma solidity ^0.8.20;\ncontract Vault { uint public x; }\n',
    }
    const scan = (await service.scan(key, form(file, { name: 'project', value: 'vault' }))).json()
    const made = async (url: string, body: object, headers: Record<string, string>) =>
      (await service.post(url, body, headers)).json().data
    const webhook = await made('/api/v1/webhooks', { url: 'https://example.com/hook' }, key)
    const organisation = await made('/api/v1/organisations', { name: 'Team' }, session)
    const link = await made(`/api/v1/scans/${scan.scanId}/links`, {}, key)
    const batch = await service.post('/api/v1/scans/batch', { sources: { 'A.sol': { content: file.bytes } } }, key)
    const [finding] = scan.dataVulnerabilities
    const projects = (await service.get('/api/v1/projects', key)).json().data.projects
    const ids: Record<string, string> = {
      scanId: scan.scanId,
      batchId: batch.json().batchId,
      organisationId: organisation.id,
      memberId: organisation.memberId,
      fingerprint: finding.fingerprint,
      token: String(link.url).split('#')[1] ?? '',
      name: 'invalid',
      '/api/v1/webhooks': webhook.id,
      '/api/v1/findings': finding.record.id,
      '/api/v1/projects': projects[0].id,
      '/api/v1/links': link.id,
      '/api/v1/user-api-keys': keyId,
    }
    const idOf = (path: string, name: string): string =>
      (name === 'id' ? ids[path.slice(0, path.indexOf('/{'))] : ids[name]) ?? 'none'
    return { key, session, userId, password, idOf }
  }

  test(`holds for twelve requests to each operation, ${ROUNDS} times, and no answer is 5xx`, {
    timeout: 600_000 * ROUNDS,
  }, async () => {
    const random = randomFrom(SEED)
    const faults: string[] = []
    const answered = new Map<string, Set<number>>()
    let sent = 0
    let asker = await newAsker()
    for (let round = 0; round < ROUNDS && faults.length < 20; round++) {
      for (const operation of operations) {
        const name = `${operation.method} ${operation.path}`
        // A stream ends with its scan, which is over; an event of it is held to the document by follow-scan.test.ts.
        if (operation.path.endsWith('/events')) continue
        for (const [kind, request] of Object.entries(requestsTo(operation, document, asker, random))) {
          sent += 1
          const remoteAddress = `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`
          const { statusCode, body } = await service.inject({ ...request, remoteAddress })
          answered.set(name, (answered.get(name) ?? new Set()).add(statusCode))
          if (statusCode >= 500 && statusCode !== NOT_OFFERED)
            faults.push(`${name} ${kind} (${request.url}): ${statusCode} ${body.slice(0, 300)}`)
        }
        const isStillThere = (await service.get('/api/me', asker.session)).statusCode === 200
        const hasKey = (await service.get('/api/v1/usage', asker.key)).statusCode === 200
        if (!isStillThere || !hasKey || isEnding(operation)) asker = await newAsker()
      }
    }
    expect(faults).toEqual([])
    expect(sent).toBe(ROUNDS * 12 * (operations.length - 1))
    const accepted = [...answered.values()].filter((statuses) => [...statuses].some((status) => status < 400))
    // Tokens of mails, codes and passkeys cannot be made up.
    expect(accepted.length).toBeGreaterThan(operations.length * 0.6)
  })
})

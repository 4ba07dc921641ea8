import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const source = 'pragma solidity 0.8.26;\ncontract A { uint256 public total; }\n'

describeOnEachDatabase('what a request must not hold', (context) => {
  let service: ScanService
  let caller: TestCaller
  beforeAll(async () => {
    service = await startScanService(context.database)
    caller = await service.newCaller('pro')
  })
  afterAll(() => service.close())

  test.each([
    ['/api/v1/findings?swc=SWC-103', 'swc', 'severity'],
    ['/api/v1/findings?scan=x', 'scan', 'scanId'],
    ['/api/v1/scans?minScore=50', 'minScore', 'rating'],
    ['/api/v1/projects?names=a', 'names', 'limit, cursor'],
  ])('400: %s names what is unknown and what is allowed', async (url, unknown, allowed) => {
    const answer = await service.get(url, caller.key)
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^Unknown parameter: ${unknown}\\. Allowed: .*${allowed}`)),
    ])
  })

  test('400: where there are no parameters', async () => {
    const answer = await service.get('/api/v1/findings/fnd_x?state=open', caller.key)
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      'Unknown parameter: state. There are no parameters.',
    ])
  })

  test.each([
    ['/api/v1/webhooks', { url: 'https://example.com', evnts: ['scan.failed'] }, 'evnts'],
    ['/api/register', { email: 'a@example.com', password: 'a long enough one', name: 'A', plan: 'pro' }, 'plan'],
    ['/api/v1/scan', { fileName: 'A.sol', source, projct: 'vault' }, 'projct'],
  ])('400: a body to %s', async (url, body, unknown) => {
    const answer = await service.post(url, body, caller.key)
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^Unknown field: ${unknown}\\. Allowed: `)),
    ])
  })

  test('200: a form keeps the fields that a browser adds', async () => {
    const field = { name: 'submit', value: 'Scan' }
    const answer = await service.scan(caller.key, form({ name: 'file', fileName: 'A.sol', bytes: source }, field))
    expect(answer.statusCode).toBe(200)
  })

  test("200: the standard input of solc as it is, and the interface's own userId", async () => {
    const document = { language: 'Solidity', sources: { 'A.sol': { content: source, keccak256: '0x' } }, settings: {} }
    expect((await service.post('/api/v1/scan', document, caller.key)).statusCode).toBe(200)
    const { userId, session } = caller.account
    expect((await service.get(`/api/v1/user-plan?userId=${userId}`, session)).statusCode).toBe(200)
    expect((await service.get(`/api/v1/sessions?userId=${userId}`, session)).statusCode).toBe(200)
  })
})

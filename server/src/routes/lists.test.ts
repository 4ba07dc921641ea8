import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'
import { routes } from './index.ts'

const open =
  'pragma solidity ^0.8.20;\ncontract Open { function close() external { selfdestruct(payable(msg.sender)); } }\n'
const clean = 'pragma solidity 0.8.26;\ncontract Open { uint256 public total; }\n'

interface Found {
  fingerprint: string
  vulnerabilityId: string
  record: { id: string; state: string }
}

describeOnEachDatabase('lists', (context) => {
  let service: ScanService
  let caller: TestCaller
  beforeAll(async () => {
    service = await startScanService(context.database)
    caller = await service.newCaller('pro')
  })
  afterAll(() => service.close())

  const get = async (url: string) => {
    const answer = await service.get(`/api/v1${url}`, caller.key)
    expect(answer.statusCode, answer.body).toBe(200)
    return { ...answer.json().data, link: answer.headers.link as string | undefined }
  }
  const scan = async (source: string, labels: Record<string, string> = {}, query = '') => {
    service.clock.travel('PT1M')
    const fields = Object.entries(labels).map(([name, value]) => ({ name, value }))
    const body = form({ name: 'file', fileName: 'Open.sol', bytes: source }, ...fields)
    const answer = await service.scan(caller.key, body, `/api/v1/scan${query}`)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.json()
  }
  const ids = (scans: { scanId: string }[]) => scans.map(({ scanId }) => scanId)

  test('one list of scans, whatever became of them, each with what it belongs to', async () => {
    const labels = { project: 'one', ref: 'main', commit: 'abc' }
    const done = await scan(open, labels)
    expect(done).toMatchObject(labels)
    const queued = await scan(open, { ...labels, ref: 'feature' }, '?async=true')
    const unnamed = await scan(clean)
    expect(unnamed).toMatchObject({ project: null, ref: null, commit: null })
    const all = await get('/scans')
    expect(ids(all.scans)).toEqual([unnamed.scanId, queued.scanId, done.scanId])
    expect(all.total).toBe(3)
    const [, waiting, finished] = all.scans
    expect(waiting).toMatchObject({ ...labels, ref: 'feature', status: 'queued', securityScore: null, counts: null })
    expect(finished).toMatchObject({ ...labels, status: 'completed', securityScore: { score: expect.any(Number) } })
    const listed = async (query: string) => ids((await get(`/scans?${query}`)).scans)
    expect(await listed('project=one')).toEqual([queued.scanId, done.scanId])
    expect(await listed('project=one&ref=main')).toEqual([done.scanId])
    expect(await listed('commit=abc&status=completed')).toEqual([done.scanId])
    expect(await listed('status=queued,failed')).toEqual([queued.scanId])
    expect(await listed('severity=high,critical')).toEqual([done.scanId])
    expect(await listed('sort=createdAt')).toEqual([done.scanId, queued.scanId, unnamed.scanId])
    expect(await listed('sort=score')).toEqual([done.scanId, unnamed.scanId])
    expect(await listed(`from=${service.clock.now().toISOString().slice(0, 10)}`)).toHaveLength(3)
    expect((await get(`/scans/${queued.scanId}`)).ref).toBe('feature')
    expect((await get('/scans?status=queued')).withoutResult).toMatchObject([{ scanId: queued.scanId }])
    for (const sort of ['-createdAt', 'createdAt']) {
      const first = await get(`/scans?limit=2&sort=${sort}`)
      expect(first.link).toMatch(/^<\/api\/v1\/scans\?limit=2&sort=-?createdAt&cursor=.+>; rel="next"$/)
      const second = await service.get(first.link?.slice(1).split('>')[0] ?? '', caller.key)
      expect(ids([...first.scans, ...second.json().data.scans])).toEqual(await listed(`sort=${sort}`))
    }
    await service.runJobs()
    expect((await get(`/scans/${queued.scanId}`)).status).toBe('completed')
  })

  test('every finding carries its record wherever it appears', async () => {
    const done = await scan(open, { project: 'records' })
    const [found] = done.dataVulnerabilities.filter((one: Found) => one.vulnerabilityId === 'SWC-106') as Found[]
    const id = found?.record.id ?? ''
    expect(found?.record.state).toBe('open')
    expect(await get(`/findings/${id}`)).toMatchObject({ fingerprint: found?.fingerprint, project: 'records' })
    const decision = { state: 'accepted', reason: 'on purpose' }
    await service.inject({ method: 'PATCH', url: `/api/v1/findings/${id}`, payload: decision, headers: caller.key })
    const recordIn = (findings: Found[]) =>
      findings.find(({ vulnerabilityId }) => vulnerabilityId === 'SWC-106')?.record
    const accepted = { id, state: 'accepted' }
    expect(recordIn((await get(`/scans/${done.scanId}`)).dataVulnerabilities)).toEqual(accepted)
    expect(recordIn((await get(`/scans/${done.scanId}/findings`)).findings)).toEqual(accepted)
    expect(recordIn((await scan(`// moved\n${open}`, { project: 'records' })).dataVulnerabilities)).toEqual(accepted)
    const unnamed = await scan(open)
    expect(recordIn(unnamed.dataVulnerabilities)).toMatchObject({ state: 'open' })
    expect(recordIn(unnamed.dataVulnerabilities)?.id).not.toBe(id)
  })

  test('findings: several values, by fingerprint, sorted, counted, in pages', async () => {
    await scan(open, { project: 'many' })
    await scan(clean, { project: 'many', ref: 'main' })
    const names = async (query: string) =>
      (await get(`/findings?project=many&${query}`)).findings.map((one: Found) => one.vulnerabilityId)
    for (const query of ['severity=high,critical', 'severity=high&severity=critical'])
      expect((await names(query)).sort(), query).toEqual(['SWC-103', 'SWC-106'])
    expect(await names('sort=severity&kind=vulnerability')).toEqual(['SWC-106', 'SWC-103'])
    const { findings, total } = await get('/findings?project=many')
    expect(total).toBe(findings.length)
    expect(await names(`fingerprint=${findings[0].fingerprint}`)).toEqual([findings[0].vulnerabilityId])
    expect(await names('ref=main')).toEqual([])
    for (const sort of ['-firstSeenAt', 'firstSeenAt', '-lastSeenAt', 'lastSeenAt', 'severity', 'file']) {
      const seen: string[] = []
      for (let url: string | undefined = `/findings?project=many&limit=1&sort=${sort}`; url; ) {
        const page: { findings: { id: string }[]; link?: string | undefined } = await get(url)
        seen.push(...page.findings.map(({ id }) => id))
        url = page.link?.slice('</api/v1'.length).split('>')[0]
      }
      expect(new Set(seen).size, sort).toBe(total)
      expect(seen).toHaveLength(total)
    }
    const { link } = await get('/findings?project=many&limit=1&sort=severity')
    const cursor = new URL(link?.slice(1).split('>')[0] ?? '', 'http://x').searchParams.get('cursor')
    const other = await service.get(`/api/v1/findings?sort=file&cursor=${cursor}`, caller.key)
    expect(other.statusCode).toBe(400)
  })

  test('a short list is one page, unless a smaller one is asked for', async () => {
    for (const name of ['a', 'b', 'c']) await scan(clean, { project: `short-${name}` })
    const all = await get('/projects')
    expect(all).toMatchObject({ total: all.projects.length, nextCursor: null })
    const first = await get('/projects?limit=2')
    expect(first.projects).toEqual(all.projects.slice(0, 2))
    const second = await service.get(first.link?.slice(1).split('>')[0] ?? '', caller.key)
    expect(second.json().data.projects).toEqual(all.projects.slice(2, 4))
    expect((await service.get('/api/v1/projects?cursor=elsewhere', caller.key)).statusCode).toBe(400)
  })

  test('every list says how many there are and where the next page is', () => {
    // Those of the interface are as it says.
    const own = ['GET /api/v1/user-api-keys']
    const lists = routes.filter(({ method, url }) => method === 'GET' && !own.includes(`${method} ${url}`))
    for (const { url, responses } of lists) {
      const { data } =
        (responses[200]?.schema as { shape?: { data?: { shape?: Record<string, unknown> } } })?.shape ?? {}
      const fields = Object.keys(data?.shape ?? {})
      if (fields.includes('nextCursor')) expect(fields, url).toContain('total')
    }
    expect(lists.length).toBeGreaterThan(20)
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const open =
  'pragma solidity ^0.8.20;\ncontract Open { function close() external { selfdestruct(payable(msg.sender)); } }\n'
const pinned = open.replace('^0.8.20', '0.8.26')

interface FoundRecord {
  id: string
  vulnerabilityId: string
  state: string
  project: string
  fingerprint: string
}

describeOnEachDatabase('findings as records', (context) => {
  let service: ScanService
  let caller: TestCaller
  let other: TestCaller
  beforeAll(async () => {
    service = await startScanService(context.database)
    caller = await service.newCaller('pro')
    other = await service.newCaller('pro')
  })
  afterAll(() => service.close())

  const scan = async (source: string, project: string, more: Record<string, string> = {}) => {
    const fields = Object.entries({ project, ...more }).map(([name, value]) => ({ name, value }))
    const answer = await service.scan(
      caller.key,
      form({ name: 'file', fileName: 'Open.sol', bytes: source }, ...fields),
    )
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json() as { scanId: string }
  }
  const list = async (query: string, as = caller) => {
    const answer = await service.get(`/api/v1/findings?${query}`, as.key)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data as { findings: FoundRecord[]; nextCursor: string | null }
  }
  const decide = (id: string, body: object, as = caller) =>
    service.inject({ method: 'PATCH', url: `/api/v1/findings/${id}`, payload: body, headers: as.key })
  const states = async (project: string) =>
    Object.fromEntries((await list(`project=${project}`)).findings.map((one) => [one.vulnerabilityId, one.state]))

  test('200: each finding is one record, however often it was seen', async () => {
    const first = await scan(open, 'once')
    service.clock.travel('PT1M')
    const second = await scan(`// a comment above\n${open}`, 'once')
    const { findings } = await list('project=once')
    expect(findings.map(({ vulnerabilityId }) => vulnerabilityId).sort()).toEqual(['SWC-103', 'SWC-106'])
    for (const finding of findings)
      expect(finding).toMatchObject({
        firstScanId: first.scanId,
        lastScanId: second.scanId,
        state: 'open',
        file: 'Open.sol',
      })
    expect((await list(`scanId=${second.scanId}`)).findings).toHaveLength(2)
  })

  test('200: filters by severity, SWC number, detector, state, file and time; pages by cursor', async () => {
    const { scanId } = await scan(open, 'filters')
    const ids = async (query: string) =>
      (await list(`project=filters&${query}`)).findings.map(({ vulnerabilityId }) => vulnerabilityId)
    expect(await ids('severity=critical')).toEqual(['SWC-106'])
    expect(await ids('vulnerabilityId=SWC-103')).toEqual(['SWC-103'])
    expect(await ids('detector=floating-pragma')).toEqual(['SWC-103'])
    expect(await ids('state=fixed')).toEqual([])
    expect(await ids('file=Other.sol')).toEqual([])
    expect(await ids(`scanId=${scanId}`)).toHaveLength(2)
    const now = service.clock.now().getTime()
    expect(await ids(`since=${new Date(now + 1000).toISOString()}`)).toEqual([])
    expect(await ids(`firstSeenSince=${new Date(now - 1000).toISOString()}`)).toHaveLength(2)
    const page = await list('project=filters&limit=1')
    expect(page.findings).toHaveLength(1)
    const rest = await list(`project=filters&limit=1&cursor=${page.nextCursor}`)
    expect(rest.nextCursor).toBeNull()
    expect(rest.findings[0]?.id).not.toBe(page.findings[0]?.id)
  })

  test('200: what needs review is left out or listed alone, and counted as on the scan', async () => {
    const unsure = `pragma solidity 0.8.26;
contract Sale {
    uint256 public end = 1700000000;
    address public last;
    function buy() external payable {
        require(block.timestamp < end, "over");
        last = msg.sender;
    }
}`
    const { scanId } = await scan(unsure, 'review')
    const all = (await list('project=review')).findings
    const sure = (await list('project=review&review=exclude')).findings
    const others = (await list('project=review&review=only')).findings
    expect(others.length).toBeGreaterThan(0)
    for (const finding of others) expect(finding).toMatchObject({ kind: 'advisory', confidence: 'low' })
    expect(sure.length + others.length).toBe(all.length)
    const result = (await service.get(`/api/v1/scans/${scanId}`, caller.key)).json().data
    const counted = [...result.dataVulnerabilities, ...result.advisories].filter(({ kind }) => kind !== 'review')
    expect(sure.map(({ fingerprint }) => fingerprint).sort()).toEqual(
      counted.map(({ fingerprint }) => fingerprint).sort(),
    )
  })

  test('200: a decision is kept by later scans; what is gone is fixed, and open again when it comes back', async () => {
    await scan(open, 'decided')
    const { findings } = await list('project=decided&vulnerabilityId=SWC-106')
    const answer = await decide(findings[0]?.id ?? '', { state: 'accepted', reason: 'on purpose' })
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      expect.objectContaining({
        state: 'accepted',
        reason: 'on purpose',
        until: null,
        decidedBy: expect.stringMatching(/^API key ./),
        decidedAt: service.clock.now().toISOString(),
      }),
    ])
    service.clock.travel('PT1M')
    await scan(pinned, 'decided')
    expect(await states('decided')).toEqual({ 'SWC-103': 'fixed', 'SWC-106': 'accepted' })
    service.clock.travel('PT1M')
    await scan(open, 'decided')
    expect(await states('decided')).toEqual({ 'SWC-103': 'open', 'SWC-106': 'accepted' })
  })

  test('200: a decision with an end is over at its end', async () => {
    await scan(open, 'until')
    const { findings } = await list('project=until&vulnerabilityId=SWC-106')
    const until = new Date(service.clock.now().getTime() + 3_600_000).toISOString()
    await decide(findings[0]?.id ?? '', { state: 'false-positive', reason: 'for now', until })
    expect((await list('project=until&state=false-positive')).findings).toHaveLength(1)
    service.clock.travel('PT2H')
    expect((await list('project=until&state=false-positive')).findings).toEqual([])
    expect(await states('until')).toMatchObject({ 'SWC-106': 'open' })
  })

  test('200: the next scan, its project and SARIF tell what is set aside, and the score with and without', async () => {
    const whole = { score: 70, rating: 'Fair' }
    const first = await scan(open, 'aside')
    expect(first).toMatchObject({ securityScore: whole })
    expect(first).not.toHaveProperty('setAside')
    const of = async (swc: string) => (await list(`project=aside&vulnerabilityId=${swc}`)).findings[0]?.id ?? ''
    await decide(await of('SWC-106'), { state: 'accepted', reason: 'on purpose' })
    const until = new Date(service.clock.now().getTime() + 3_600_000).toISOString()
    await decide(await of('SWC-103'), { state: 'false-positive', until })
    const both = { total: 2, securityScore: { score: 100, rating: 'Excellent', summary: { total: 0 } } }
    const kept = async (scanId: string) => (await service.get(`/api/v1/scans/${scanId}`, caller.key)).json().data
    expect(await kept(first.scanId)).toMatchObject({ securityScore: whole, setAside: both })
    service.clock.travel('PT1M')
    const second = await scan(`// moved\n${open}`, 'aside')
    expect(second).toMatchObject({ securityScore: whole, setAside: both })
    expect(await kept(second.scanId)).toMatchObject({ securityScore: whole, setAside: both })
    expect(await kept(first.scanId)).not.toHaveProperty('setAside')

    const report = await service.get(`/api/v1/scans/${second.scanId}/report?format=sarif`, caller.key)
    const suppressions = (sarif: { runs: { results: { ruleId: string; suppressions: object[] }[] }[] }) =>
      Object.fromEntries(sarif.runs[0]?.results.map((result) => [result.ruleId, result.suppressions]) ?? [])
    const suppressed = suppressions(report.json())
    const external = (justification: string) => [{ kind: 'external', status: 'accepted', justification }]
    expect(suppressed).toEqual({
      'floating-pragma': external('False positive.'),
      'unprotected-selfdestruct': external('Accepted: on purpose'),
    })
    for (const format of ['markdown', 'html']) {
      const { body } = await service.get(`/api/v1/scans/${second.scanId}/report?format=${format}`, caller.key)
      expect(body).toContain('Accepted: on purpose')
      expect(body).toContain('False positive.')
      expect(body).toContain('Security report of aside')
      // The score of the scan, as everywhere, and what it would be without what the report no longer lists.
      expect(body.replace(/<[^>]*>/g, ' ')).toMatch(/Score +70 +of 100.*100 without the dismissed findings/)
      const untouched = await service.get(
        `/api/v1/scans/${(await scan(open, 'whole')).scanId}/report?format=${format}`,
        caller.key,
      )
      expect(untouched.body).not.toContain('dismissed findings')
    }
    const project = async () =>
      (await service.get('/api/v1/projects', caller.key))
        .json()
        .data.projects.find(({ name }: { name: string }) => name === 'aside')
    expect(await project()).toMatchObject({ score: 70, setAside: both })

    service.clock.travel('PT2H')
    const one = { total: 1, securityScore: { score: 90, rating: 'Excellent', summary: { total: 1 } } }
    expect(await project()).toMatchObject({ setAside: one })
    const fields = form({ name: 'file', fileName: 'Open.sol', bytes: open }, { name: 'project', value: 'aside' })
    const third = await service.scan({ ...caller.key, accept: 'application/sarif+json' }, fields)
    expect(suppressions(third.json())).toEqual({ ...suppressed, 'floating-pragma': [] })
    const elsewhere = await scan(open, 'aside-not')
    expect(elsewhere).not.toHaveProperty('setAside')
  })

  test('200: projects group scans, with a trend', async () => {
    await scan(open, 'trend', { ref: 'main', commit: 'abc123' })
    service.clock.travel('PT1M')
    await scan(pinned, 'trend', { ref: 'main', commit: 'def456' })
    const { projects } = (await service.get('/api/v1/projects', caller.key)).json().data
    const trend = projects.find(({ name }: { name: string }) => name === 'trend')
    expect(trend).toMatchObject({ scans: 2, score: 80, rating: 'Good' })
    expect(trend.trend.map(({ commit, score }: { commit: string; score: number }) => [commit, score])).toEqual([
      ['def456', 80],
      ['abc123', 70],
    ])
  })

  test('200: a finding is assigned and commented on, whatever is decided and scanned later', async () => {
    await scan(open, 'noted')
    const { email } = caller.account
    const id = (await list('project=noted&vulnerabilityId=SWC-106')).findings[0]?.id ?? ''
    const noted = await decide(id, { assignee: email.toUpperCase(), comment: ' ask the auditors ' })
    const notes = { assignee: email, comment: 'ask the auditors' }
    expect([noted.statusCode, noted.json().data]).toEqual([
      200,
      expect.objectContaining({ ...notes, state: 'open', decidedBy: null }),
    ])
    expect((await decide(id, { state: 'accepted', reason: 'on purpose' })).json().data).toMatchObject(notes)
    service.clock.travel('PT1M')
    await scan(pinned, 'noted')
    expect((await list(`project=noted&assignee=${email.toUpperCase()}`)).findings).toEqual([
      expect.objectContaining({ id, ...notes, state: 'accepted' }),
    ])
    expect((await list('assignee=nobody@example.com')).findings).toEqual([])
    const cleared = await decide(id, { assignee: null, comment: '' })
    expect(cleared.json().data).toMatchObject({ assignee: null, comment: null, state: 'accepted' })
    const log = await service.get('/api/v1/security-log', caller.account.session)
    const noticed = log.json().data.events.filter(({ detail }: { detail: object }) => 'findingId' in detail)
    expect(noticed.map(({ event }: { event: string }) => event)).toEqual(
      expect.arrayContaining(['finding.assigned', 'finding.commented', 'finding.decided']),
    )
    expect(noticed.find(({ event }: { event: string }) => event === 'finding.commented').detail).not.toHaveProperty(
      'comment',
    )
  })

  test('200: projects are found by name and tags, in an order, also those that were not scanned for long', async () => {
    const own = await service.newCaller('pro')
    const send = async (project: string, source: string) => {
      service.clock.travel('PT1S')
      const answer = await service.scan(
        own.key,
        form({ name: 'file', fileName: 'Open.sol', bytes: source }, { name: 'project', value: project }),
      )
      expect(answer.statusCode, answer.body).toBe(200)
    }
    for (const [name, source] of [
      ['Vault A', open],
      ['bridge', pinned],
      ['vault b', open],
    ] as const)
      await send(name, source)
    type Listed = { id: string; name: string; tags: string[]; scans: number }
    const projects = async (query = ''): Promise<Listed[]> =>
      (await service.get(`/api/v1/projects?${query}`, own.key)).json().data.projects
    const names = async (query?: string) => (await projects(query)).map(({ name }) => name)
    expect(await names()).toEqual(['vault b', 'bridge', 'Vault A'])
    expect(await names('sort=name')).toEqual(['bridge', 'Vault A', 'vault b'])
    expect(await names('sort=score')).toEqual(['Vault A', 'vault b', 'bridge'])
    expect(await names('search=%20VAULT')).toEqual(['vault b', 'Vault A'])
    const patch = async (name: string, payload: object) => {
      const id = (await projects()).find((one) => one.name === name)?.id
      return service.inject({ method: 'PATCH', url: `/api/v1/projects/${id}`, payload, headers: own.key })
    }
    const tagged = await patch('Vault A', { tags: ['defi', 'audited', 'defi'] })
    expect([tagged.statusCode, tagged.json().data.tags]).toEqual([200, ['defi', 'audited']])
    await patch('bridge', { tags: ['defi'] })
    expect(await names('tag=defi&sort=name')).toEqual(['bridge', 'Vault A'])
    expect(await names('tag=defi,audited')).toEqual(['Vault A'])
    await send('Vault A', pinned)
    expect((await projects('tag=audited'))[0]).toMatchObject({ name: 'Vault A', tags: ['defi', 'audited'], scans: 2 })
    expect((await patch('Vault A', { tags: [] })).json().data.tags).toEqual([])
    for (const [body, error] of [
      [{}, 'defaultRef, tags, gate or scope is required.'],
      [{ tags: ['a,b'] }, 'tags.0 must not have commas or control characters.'],
    ] as const) {
      const answer = await patch('bridge', body)
      expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
    }
  })

  test('with its newest scan a record is deleted', async () => {
    const { scanId } = await scan(open, 'deleted')
    await service.inject({ method: 'DELETE', url: `/api/v1/scans/${scanId}`, headers: caller.key })
    expect((await list('project=deleted')).findings).toEqual([])
  })

  test.each([
    [{ state: 'gone' }, 'state must be one of: open, false-positive, accepted, fixed.'],
    [{ reason: 'x' }, 'state is required.'],
    [{ reason: 'x', comment: 'y' }, 'state is required.'],
    [{}, 'state is required.'],
    [{ assignee: 'outsider@example.com' }, 'assignee must be the email address of a member.'],
    [{ state: 'accepted', until: '2020-01-01T00:00:00Z' }, 'until must be in the future.'],
    [{ state: 'open', until: '2030-01-01T00:00:00Z' }, 'until goes with false-positive and accepted only.'],
    [{ state: 'open', reason: 'a\0b' }, 'reason must not contain a NUL character.'],
  ])('400: the decision %j', async (body, error) => {
    await scan(open, 'refused')
    const { findings } = await list('project=refused&limit=1')
    const answer = await decide(findings[0]?.id ?? '', body)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })

  test('400: a cursor of another list, a label that is too long', async () => {
    const cursor = await service.get('/api/v1/findings?cursor=elsewhere', caller.key)
    expect([cursor.statusCode, cursor.json()]).toEqual([400, { error: 'cursor must be a nextCursor of this list.' }])
    const long = form({ name: 'file', fileName: 'Open.sol', bytes: open }, { name: 'project', value: 'x'.repeat(201) })
    const answer = await service.scan(caller.key, long)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'project must be a text of at most 200 characters.' },
    ])
  })

  test('404: a finding that is not mine, unknown or malformed', async () => {
    await scan(open, 'mine')
    const { findings } = await list('project=mine&limit=1')
    for (const [id, as] of [
      [findings[0]?.id ?? '', other],
      ['fnd_00000000000000000000000000000000000', caller],
      ['nothing', caller],
    ] as const) {
      const answer = await decide(id, { state: 'open' }, as)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Finding not found.' }])
    }
    expect((await list('project=mine', other)).findings).toEqual([])
  })

  test('401 and 403: without a key, with a wrong one', async () => {
    expect((await service.get('/api/v1/findings')).statusCode).toBe(401)
    expect((await service.get('/api/v1/findings', { 'x-api-key': 'assay_live_x' })).statusCode).toBe(403)
  })

  test('429: a spent day says which limit was hit', async () => {
    const free = await service.newCaller('free')
    for (let at = 0; at < 5; at++) expect((await service.scan(free.key)).statusCode).toBe(200)
    const answer = await service.scan(free.key)
    expect(answer.statusCode).toBe(429)
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0' })
    const midnight = Math.floor(service.clock.now().getTime() / 86_400_000 + 1) * 86_400
    expect(answer.headers['x-ratelimit-reset']).toBe(String(midnight))
  })

  test.each([
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/json; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
    ['application/sarif+json, */*;q=0.1', 'application/sarif+json; charset=utf-8'],
  ])('200: Accept %s gets %s', async (accept, type) => {
    const answer = await service.scan({ ...caller.key, accept })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type])
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { runQueuedScan } from '../services/run-queued-scan.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const open = (name: string): string =>
  `pragma solidity 0.8.26;\ncontract ${name} { function close() external { selfdestruct(payable(msg.sender)); } }\n`
const closed = (name: string): string => `pragma solidity 0.8.26;\ncontract ${name} { uint256 public total; }\n`

interface Ref {
  ref: string | null
  isDefault: boolean
  state: string
}
interface FoundRecord {
  id: string
  project: string | null
  file: string
  state: string
  lastScanId: string
  vulnerabilityId: string | null
  refs: Ref[]
}

describeOnEachDatabase('the state of findings', (context) => {
  let service: ScanService
  let caller: TestCaller
  beforeAll(async () => {
    service = await startScanService(context.database)
    caller = await service.newCaller('pro')
  })
  afterAll(() => service.close())

  const later = (): void => service.clock.travel('PT1M')
  const scan = async (sources: Record<string, string>, labels: Record<string, string>) => {
    later()
    const parts = Object.entries(sources).map(([fileName, bytes]) => ({ name: 'file', fileName, bytes }))
    const fields = Object.entries(labels).map(([name, value]) => ({ name, value }))
    const answer = await service.scan(caller.key, form(...parts, ...fields))
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json() as { scanId: string }
  }
  const list = async (query: string): Promise<FoundRecord[]> => {
    const answer = await service.get(`/api/v1/findings?vulnerabilityId=SWC-106&${query}`, caller.key)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data.findings
  }
  const states = async (project: string) =>
    Object.fromEntries((await list(`project=${project}`)).map(({ file, state }) => [file, state]))
  const refs = async (project: string) => {
    const [record] = await list(`project=${project}`)
    return Object.fromEntries(record?.refs.map(({ ref, state }) => [ref ?? '', state]) ?? [])
  }
  const decide = (id: string, body: object) =>
    service.inject({ method: 'PATCH', url: `/api/v1/findings/${id}`, payload: body, headers: caller.key })
  const projectNamed = async (name: string) =>
    (await service.get('/api/v1/projects', caller.key))
      .json()
      .data.projects.find((project: { name: string }) => project.name === name)

  test('a branch neither fixes nor opens what is on the default branch', async () => {
    await scan({ 'A.sol': open('A') }, { project: 'br', ref: 'main' })
    await scan({ 'A.sol': closed('A') }, { project: 'br', ref: 'feature' })
    expect(await states('br')).toEqual({ 'A.sol': 'open' })
    await scan({ 'A.sol': open('A') }, { project: 'br', ref: 'feature' })
    await scan({ 'A.sol': closed('A') }, { project: 'br', ref: 'main' })
    expect(await states('br')).toEqual({ 'A.sol': 'fixed' })
    expect(await refs('br')).toEqual({ main: 'fixed', feature: 'open' })
    await scan({ 'A.sol': open('A') }, { project: 'br', ref: 'feature' })
    expect(await states('br')).toEqual({ 'A.sol': 'fixed' })
  })

  test('what only a branch has is open while it has it, and the default branch decides once it was there', async () => {
    await scan({ 'A.sol': closed('A') }, { project: 'only', ref: 'main' })
    await scan({ 'A.sol': open('A') }, { project: 'only', ref: 'feature' })
    expect(await states('only')).toEqual({ 'A.sol': 'open' })
    await scan({ 'A.sol': closed('A') }, { project: 'only', ref: 'feature' })
    expect(await states('only')).toEqual({ 'A.sol': 'fixed' })
    await scan({ 'A.sol': open('A') }, { project: 'only', ref: 'main' })
    expect(await states('only')).toEqual({ 'A.sol': 'open' })
  })

  test('a decision holds on all refs', async () => {
    await scan({ 'A.sol': open('A') }, { project: 'all-refs', ref: 'main' })
    const [record] = await list('project=all-refs')
    expect((await decide(record?.id ?? '', { state: 'accepted', reason: 'on purpose' })).statusCode).toBe(200)
    const answer = await scan({ 'A.sol': open('A') }, { project: 'all-refs', ref: 'feature' })
    expect(answer).toMatchObject({ setAside: { total: 1 } })
    await scan({ 'A.sol': closed('A') }, { project: 'all-refs', ref: 'main' })
    expect(await states('all-refs')).toEqual({ 'A.sol': 'accepted' })
  })

  test('said to be fixed, it stays so until the default branch is looked at again', async () => {
    await scan({ 'A.sol': open('A') }, { project: 'said', ref: 'main' })
    const [record] = await list('project=said')
    await decide(record?.id ?? '', { state: 'fixed' })
    await scan({ 'A.sol': open('A') }, { project: 'said', ref: 'feature' })
    expect(await states('said')).toEqual({ 'A.sol': 'fixed' })
    await scan({ 'A.sol': open('A') }, { project: 'said', ref: 'main' })
    expect(await states('said')).toEqual({ 'A.sol': 'open' })
  })

  test('the default branch is main, else master, else the first; or what was chosen', async () => {
    await scan({ 'A.sol': open('A') }, { project: 'default', ref: 'develop' })
    expect(await projectNamed('default')).toMatchObject({ defaultRef: 'develop', isDefaultRefSet: false })
    await scan({ 'A.sol': closed('A') }, { project: 'default', ref: 'refs/heads/master' })
    expect(await projectNamed('default')).toMatchObject({ defaultRef: 'master', score: 100 })
    expect(await states('default')).toEqual({ 'A.sol': 'open' })
    await scan({ 'A.sol': open('A') }, { project: 'default', ref: 'main' })
    await scan({ 'A.sol': closed('A') }, { project: 'default', ref: 'main' })
    const { id, ...project } = await projectNamed('default')
    expect(project).toMatchObject({ defaultRef: 'main', isDefaultRefSet: false })
    expect(await states('default')).toEqual({ 'A.sol': 'fixed' })
    const change = (defaultRef: string | null) =>
      service.inject({ method: 'PATCH', url: `/api/v1/projects/${id}`, payload: { defaultRef }, headers: caller.key })
    const changed = await change('develop')
    expect([changed.statusCode, changed.json().data]).toEqual([
      200,
      expect.objectContaining({ defaultRef: 'develop', isDefaultRefSet: true, score: 80 }),
    ])
    expect(await states('default')).toEqual({ 'A.sol': 'open' })
    await scan({ 'A.sol': closed('A') }, { project: 'default', ref: 'main' })
    expect(await states('default')).toEqual({ 'A.sol': 'open' })
    expect((await change(null)).json().data).toMatchObject({ defaultRef: 'develop', isDefaultRefSet: false })
    await scan({ 'A.sol': closed('A') }, { project: 'default', ref: 'main' })
    expect(await projectNamed('default')).toMatchObject({ defaultRef: 'main' })
    expect(await states('default')).toEqual({ 'A.sol': 'fixed' })
  })

  test('a scan closes only what it looked at', async () => {
    const labels = { project: 'scope' }
    await scan({ 'src/A.sol': open('A'), 'src/B.sol': open('B') }, labels)
    await scan({ 'src/B.sol': closed('B'), 'src/C.sol': open('C') }, labels)
    expect(await states('scope')).toEqual({ 'src/A.sol': 'open', 'src/B.sol': 'fixed', 'src/C.sol': 'open' })
    await scan({ 'src/A.sol': `${closed('A')}\nfunction (`, 'src/B.sol': closed('B') }, labels)
    expect(await states('scope')).toMatchObject({ 'src/A.sol': 'open' })
    await scan({ 'src/B.sol': closed('B'), 'src/D.sol': closed('D') }, { ...labels, allFiles: 'true' })
    expect(await states('scope')).toEqual({ 'src/A.sol': 'fixed', 'src/B.sol': 'fixed', 'src/C.sol': 'fixed' })
  })

  test('one cause in two files is still there when the first of them is left alone', async () => {
    const labels = { project: 'places' }
    const same = 'pragma solidity ^0.8.20;\ncontract A { uint256 public total; }\n'
    const other = same.replace('contract A', 'contract B')
    await scan({ 'src/B.sol': other, 'src/C.sol': closed('C') }, labels)
    await scan({ 'src/A.sol': same, 'src/B.sol': other }, labels)
    const answer = await service.get('/api/v1/findings?project=places&vulnerabilityId=SWC-103', caller.key)
    const found: FoundRecord[] = answer.json().data.findings
    expect(found.map(({ state }) => state)).not.toContain('fixed')
  })

  test('a batch is one observation', async () => {
    const scans = ['A', 'B', 'C'].map((name) => ({ fileName: `${name}.sol`, source: open(name) }))
    const twice = { fileName: 'C.sol', source: closed('C') }
    const body = { project: 'vault', scans: [...scans, twice] }
    const answer = await service.post('/api/v1/scans/batch', body, caller.key)
    expect(answer.statusCode, answer.body).toBe(202)
    await service.runJobs()
    expect(await states('vault')).toEqual({ 'A.sol': 'open', 'B.sol': 'open', 'C.sol': 'open' })
  })

  test('whichever scan was accepted later is right, whichever ended later', async () => {
    const queue = async (source: string): Promise<void> => {
      later()
      const body = { project: 'order', fileName: 'A.sol', source }
      const answer = await service.post('/api/v1/scan?async=true', body, caller.key)
      expect(answer.statusCode, answer.body).toBe(202)
    }
    const run = () =>
      runQueuedScan(service.deps, { signal: new AbortController().signal, stopping: new AbortController().signal })
    await queue(open('A'))
    await scan({ 'A.sol': closed('A') }, { project: 'order' })
    await run()
    expect(await states('order')).toEqual({ 'A.sol': 'fixed' })
    await queue(closed('A'))
    await scan({ 'A.sol': open('A') }, { project: 'order' })
    await run()
    expect(await states('order')).toEqual({ 'A.sol': 'open' })
    await queue(open('A'))
    await scan({ 'A.sol': closed('A') }, { project: 'order' })
    await run()
    expect(await states('order')).toEqual({ 'A.sol': 'fixed' })
  })

  test('without a project nothing is carried over or closed', async () => {
    const first = await scan({ 'Same.sol': open('A') }, {})
    const [record] = await list(`scanId=${first.scanId}`)
    expect(record).toMatchObject({ project: null, state: 'open' })
    await decide(record?.id ?? '', { state: 'accepted' })
    const second = await scan({ 'Same.sol': open('A') }, {})
    expect(second).not.toHaveProperty('setAside')
    await scan({ 'Same.sol': closed('A') }, {})
    expect(await list(`scanId=${second.scanId}`)).toMatchObject([{ project: null, state: 'open' }])
    expect(await list(`scanId=${first.scanId}`)).toMatchObject([{ project: null, state: 'accepted' }])
    for (const name of ['AppOne', 'AppTwo']) {
      const source = { [`src/${name}.sol`]: { content: name === 'AppOne' ? open(name) : closed(name) } }
      const body = { language: 'Solidity', sources: source, settings: {} }
      expect((await service.post('/api/v1/scan', body, caller.key)).statusCode).toBe(200)
      later()
    }
    const [app] = await list('file=src/AppOne.sol')
    expect(app).toMatchObject({ project: null, state: 'open' })
    expect(await projectNamed('project')).toBeUndefined()
    expect(await projectNamed('Same.sol')).toBeUndefined()
    const stored = (await service.get(`/api/v1/scans/${first.scanId}`, caller.key)).json().data
    expect(stored).toMatchObject({ project: null, ref: null, commit: null, setAside: { total: 1 } })
  })

  test('a record outlives the newest scan while another branch has it', async () => {
    const first = await scan({ 'A.sol': open('A') }, { project: 'kept', ref: 'main' })
    const second = await scan({ 'A.sol': open('A') }, { project: 'kept', ref: 'feature' })
    const remove = (scanId: string) =>
      service.inject({ method: 'DELETE', url: `/api/v1/scans/${scanId}`, headers: caller.key })
    expect((await remove(second.scanId)).statusCode).toBe(200)
    expect(await list('project=kept')).toMatchObject([{ lastScanId: first.scanId, refs: [{ ref: 'main' }] }])
    expect((await remove(first.scanId)).statusCode).toBe(200)
    expect(await list('project=kept')).toEqual([])
  })

  test('400: a project that looks like a scan, a flag that is none', async () => {
    const send = (name: string, value: string) =>
      service.scan(caller.key, form({ name: 'file', fileName: 'A.sol', bytes: open('A') }, { name, value }))
    const project = await send('project', 'scn_01jny2q8kq6q2t4m8x0c7v3r5n9w1b2d3f4')
    expect([project.statusCode, project.json().error]).toEqual([400, 'project must not have the form of a scan id.'])
    const flag = await send('allFiles', 'perhaps')
    expect([flag.statusCode, flag.json().error]).toEqual([400, 'allFiles must be true or false.'])
  })

  test('404: a project or a finding that is not mine, unknown or malformed', async () => {
    await scan({ 'A.sol': open('A') }, { project: 'theirs' })
    const other = await service.newCaller('pro')
    const [record] = await list('project=theirs')
    const { id } = await projectNamed('theirs')
    expect((await service.get(`/api/v1/projects/${id}`, caller.key)).json().data).toMatchObject({ name: 'theirs' })
    expect((await service.get(`/api/v1/findings/${record?.id}`, caller.key)).json().data).toEqual(record)
    for (const [url, error] of [
      [`/api/v1/projects/${id}`, 'Project not found.'],
      ['/api/v1/projects/nothing', 'Project not found.'],
      [`/api/v1/findings/${record?.id}`, 'Finding not found.'],
      ['/api/v1/findings/nothing', 'Finding not found.'],
    ] as const) {
      const answer = await service.get(url, other.key)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error }])
    }
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const open =
  'pragma solidity 0.8.26;\ncontract Open { function close() external { selfdestruct(payable(msg.sender)); } }\n'
const owned =
  'pragma solidity 0.8.26;\nabstract contract Owned { address internal owner; modifier onlyOwner() { require(msg.sender == owner); _; } }\n'
const vault =
  "pragma solidity 0.8.26;\nimport '@vendor/Owned.sol';\ncontract Vault is Owned { function close() external onlyOwner { selfdestruct(payable(msg.sender)); } }\n"
const files = { 'src/Open.sol': open, 'src/legacy/Old.sol': open.replace('Open', 'Old'), 'src/Vault.sol': vault }

describeOnEachDatabase('the scope of a project', (context) => {
  let service: ScanService
  let caller: TestCaller
  beforeAll(async () => {
    service = await startScanService(context.database)
    caller = await service.newCaller('pro')
  })
  afterAll(() => service.close())

  const scan = async (sources: Record<string, string>, project = 'vaults') => {
    const parts = Object.entries(sources).map(([fileName, bytes]) => ({ name: 'file', fileName, bytes }))
    const answer = await service.scan(caller.key, form(...parts, { name: 'project', value: project }))
    expect(answer.statusCode, answer.body).toBe(200)
    service.clock.travel('PT1S')
    const { dataVulnerabilities, scanId } = answer.json()
    const source = await service.inject({ url: `/api/v1/scans/${scanId}/source`, headers: caller.key })
    return {
      found: [...new Set((dataVulnerabilities as { file: string }[]).map(({ file }) => file))].sort(),
      remappings: source.json().remappings as string[],
    }
  }
  const read = async (url: string) => (await service.inject({ method: 'GET', url, headers: caller.key })).json().data
  const idOf = async (name: string) => {
    const { projects } = await read(`/api/v1/projects?search=${name}`)
    return projects.find((project: { name: string }) => project.name === name).id as string
  }
  const change = async (scope: unknown, name = 'vaults') =>
    service.inject({
      method: 'PATCH',
      url: `/api/v1/projects/${await idOf(name)}`,
      headers: caller.key,
      payload: { scope },
    })

  test('200: what it excludes is read and not reported, and its remappings find imports', async () => {
    const sources = { ...files, 'third-party/Owned.sol': owned }
    const before = await scan(sources)
    expect(before.found).toContain('src/legacy/Old.sol')
    expect(before.remappings).not.toContain('@vendor/=third-party/')
    const changed = await change({ exclude: ['./src/legacy/', 'src/legacy'], remappings: ['@vendor/=third-party/'] })
    expect(changed.statusCode, changed.body).toBe(200)
    const scope = { exclude: ['src/legacy'], remappings: ['@vendor/=third-party/'] }
    expect(changed.json().data.scope).toEqual(scope)
    expect((await read(`/api/v1/projects/${await idOf('vaults')}`)).scope).toEqual(scope)
    const after = await scan(sources)
    expect(after.found).toEqual(['src/Open.sol'])
    expect(after.remappings[0]).toBe('@vendor/=third-party/')
    const { findings } = await read('/api/v1/findings?project=vaults&state=open')
    // A scan closes only what it reports: what is known keeps its status.
    expect((findings as { file: string }[]).map(({ file }) => file)).toContain('src/legacy/Old.sol')
    expect((await change(null)).json().data.scope).toBe(null)
    expect((await scan(sources)).found).toContain('src/legacy/Old.sol')
  })

  test('200: an empty scope is none, and one that would leave nothing excludes nothing', async () => {
    await scan({ 'src/Open.sol': open, 'src/Also.sol': open.replace('Open', 'Also') }, 'all')
    expect((await change({ exclude: ['/'], remappings: [] }, 'all')).json().data.scope).toBe(null)
    expect((await change({ exclude: ['src'] }, 'all')).json().data.scope).toEqual({ exclude: ['src'], remappings: [] })
    const { found } = await scan({ 'src/Open.sol': open, 'src/Also.sol': open.replace('Open', 'Also') }, 'all')
    expect(found).toEqual(['src/Also.sol', 'src/Open.sol'])
  })

  test('400: what is no remapping', async () => {
    for (const remapping of ['@vendor', '=lib', 'a b=c', 'a='])
      expect((await change({ remappings: [remapping] })).statusCode, remapping).toBe(400)
    expect((await change({ exclude: [''] })).statusCode).toBe(400)
  })
})

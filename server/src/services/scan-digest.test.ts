import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form, sourceForm } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const drained = (name: string): string => `pragma solidity 0.8.24;
contract ${name} {
    address owner = msg.sender;
    mapping(address => uint256) balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        (bool sent, ) = msg.sender.call{value: balances[msg.sender]}("");
        require(sent);
        balances[msg.sender] = 0;
    }
    function close() external {
        require(tx.origin == owner);
        selfdestruct(payable(msg.sender));
    }
    function drop(address payable to) external {
        to.send(1 wei);
    }
}
`
const harmless = 'pragma solidity 0.8.24;\ncontract Quiet { uint256 public x; }\n'

describeOnEachDatabase('mails about scans', (context) => {
  let service: ScanService
  let caller: TestCaller

  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    caller = await service.newCaller('basic')
  })
  afterEach(() => {
    service.mails.length = 0
  })

  const scan = async (name: string, source = drained('Bank'), headers: Record<string, string> = caller.key) => {
    service.clock.travel('PT1S')
    const answer = await service.scan(
      headers,
      form({ name: 'file', fileName: name, bytes: source }, { name: 'project', value: name }),
    )
    expect(answer.statusCode).toBe(200)
    return answer.json().scanId as string
  }
  /** What was mailed about scans by the end of the next minute. */
  const mailed = async () => {
    service.clock.travel('PT1M')
    await service.runJobs()
    return service.mails.filter(({ to, text }) => to === caller.account.email && text.includes('The score is '))
  }
  const scansIn = (text: string): string[] =>
    [...text.matchAll(/(\S+) has [^.]*\. The score is /g)].map(([, name = '']) => name)

  test('one with a key is reported with the name of the file, its three worst findings and the way to it', async () => {
    const scanId = await scan('Bank.sol')
    const [mail, ...more] = await mailed()
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/^Bank\.sol: \d+ critical( and \d+ high)? findings?$/)
    const worst = [...(mail?.text ?? '').matchAll(/^- (critical|high|medium): .+ \(Bank\.sol, line \d+\)$/gm)]
    expect(worst).toHaveLength(3)
    expect(worst[0]?.[1]).toBe('critical')
    expect(mail?.text).toContain(`/scans/${scanId}`)
    expect(mail?.text).not.toContain('msg.sender')
  })

  test('findings outside the SWC list count like any other, in the mail, the list, the project and the badge', async () => {
    const takeover = `pragma solidity 0.8.24;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Vault {
    IERC20 immutable token;
    constructor(IERC20 t) { token = t; }
    function pull(address from, uint256 amount) external { require(token.transferFrom(from, msg.sender, amount)); }
}
`
    const scanId = await scan('Vault.sol', takeover)
    const { session } = caller.account
    const [entry] = (await service.get('/api/v1/scans?project=Vault.sol', session)).json().data.scans
    expect(entry.securityScore.summary).toMatchObject({ critical: 0, high: 0 })
    const severe = entry.tally.bySeverity.critical + entry.tally.bySeverity.high
    expect([severe > 0, entry.tally.outsideSwc > 0]).toEqual([true, true])
    const [project] = (await service.get('/api/v1/projects', session)).json().data.projects
    expect(project.trend[0].tally).toEqual(entry.tally)
    const [mail] = await mailed()
    expect(mail?.subject).toMatch(/^Vault\.sol: \d (critical|high)/)
    const link = await service.post(`/api/v1/scans/${scanId}/links`, {}, session)
    const badge = await service.inject({ method: 'GET', url: new URL(link.json().data.badgeUrl).pathname })
    expect(badge.body).toMatch(/assay: \d+ of 100/)
  })

  test('what follows within the hour is reported together at its end, the newest scan of each file alone', async () => {
    await scan('First.sol')
    expect((await mailed()).map(({ text }) => scansIn(text))).toEqual([['First.sol']])
    await scan('Second.sol')
    await scan('Second.sol')
    await scan('Third.sol')
    await scan('Mended.sol')
    await scan('Mended.sol', harmless)
    expect(await mailed()).toHaveLength(1)
    service.clock.travel('PT57M')
    expect(await mailed()).toHaveLength(1)
    service.clock.travel('PT1M')
    const [, digest, ...more] = await mailed()
    expect(more).toEqual([])
    expect(scansIn(digest?.text ?? '')).toEqual(['Third.sol', 'Second.sol'])
    expect(digest?.subject).toMatch(/^2 scans: \d+ critical/)
    service.clock.travel('PT2H')
    expect(await mailed()).toHaveLength(2)
  })

  test('what is scanned in the browser is not mailed, at once or queued', async () => {
    const { session } = caller.account
    await scan('Seen.sol', drained('Seen'), session)
    service.clock.travel('PT1S')
    const queued = await service.scan({ ...session, prefer: 'respond-async' }, sourceForm(drained('Q'), 'Queued.sol'))
    expect(queued.statusCode).toBe(202)
    await service.runJobs()
    expect(await mailed()).toEqual([])
    const own = await service.scan({ ...caller.key, prefer: 'respond-async' }, sourceForm(drained('Q'), 'ByKey.sol'))
    expect(own.statusCode).toBe(202)
    await service.runJobs()
    expect((await mailed()).map(({ text }) => scansIn(text))).toEqual([['ByKey.sol']])
    const list = async (via: string): Promise<string[]> => {
      const answer = await service.get(`/api/v1/scans?via=${via}`, session)
      return answer.json().data.scans.map(({ fileName }: { fileName: string }) => fileName)
    }
    expect(await list('key')).toEqual(['ByKey.sol'])
    expect(await list('session')).toEqual(['Queued.sol', 'Seen.sol'])
  })

  test('no mail about harmless scans, about findings that were set aside, deleted scans, or when it is turned off', async () => {
    await scan('Quiet.sol', harmless)
    const gone = await scan('Gone.sol')
    await service.inject({ method: 'DELETE', url: `/api/v1/scans/${gone}`, headers: caller.key })
    await scan('Known.sol')
    const { findings } = (await service.get('/api/v1/findings?project=Known.sol', caller.key)).json().data
    for (const { id } of findings) {
      const decision = { state: 'accepted', reason: 'known' }
      const url = `/api/v1/findings/${id}`
      const answer = await service.inject({ method: 'PATCH', url, payload: decision, headers: caller.account.session })
      expect(answer.statusCode).toBe(200)
    }
    expect(await mailed()).toEqual([])
    // Nothing was reported, so the next one need not wait.
    await scan('New.sol')
    expect((await mailed()).map(({ text }) => scansIn(text))).toEqual([['New.sol']])
    service.clock.travel('PT2H')
    await scan('Off.sol')
    const { userId, session } = caller.account
    const payload = { userId, scanFindings: false }
    await service.inject({ method: 'PATCH', url: '/api/v1/mail-preferences', payload, headers: session })
    expect(await mailed()).toHaveLength(1)
  })
})

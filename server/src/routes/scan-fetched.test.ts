import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAnalysis } from '../analysis/analysis.ts'
import { type SourceHostsStandIn, sendJson, startSourceHosts } from '../gateways/stand-ins/source-hosts.ts'
import { makeTar } from '../testing/archives.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'

const base = 'pragma solidity 0.8.26;\nabstract contract Base { address internal owner; }\n'
const open =
  "pragma solidity 0.8.26;\nimport './Base.sol';\ncontract Open is Base { function close() external { selfdestruct(payable(msg.sender)); } }\n"
const proxy = 'pragma solidity 0.8.26;\ncontract Proxy { address public implementation; }\n'
const sources = { 'src/Base.sol': base, 'src/Open.sol': open }

const at = (digit: string) => `0x${digit.repeat(40)}`
const standardJson = (files: Record<string, string>) => ({
  language: 'Solidity',
  sources: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, { content }])),
  settings: { remappings: [] },
})

const analysis = createAnalysis({
  scanWorkers: 1,
  scanTimeoutMs: 20_000,
  scanMemoryMb: 512,
  scanQueue: 100,
  scanWaitMs: 30_000,
})

describeOnEachDatabase('scans of what lies elsewhere', (context) => {
  let hosts: SourceHostsStandIn
  let app: TestApp
  let key: { 'x-api-key': string }

  beforeAll(async () => {
    hosts = await startSourceHosts()
    app = await startTestApp({
      database: context.database,
      analysis: { ...analysis, close: async () => {} },
      environment: {
        SOURCIFY_URL: hosts.sourcifyUrl,
        ETHERSCAN_URL: hosts.etherscanUrl,
        ETHERSCAN_API_KEY: 'the-explorer-key',
        FORGES: `forge.example=${hosts.forgeApiUrl},other.example=${hosts.url}/other`,
        FORGE_TOKEN: 'the-forge-token',
        SOURCE_TIMEOUT_MS: '2000',
      },
    })
    key = await newKey()
  })
  afterAll(async () => {
    await app.close()
    await hosts.close()
    if (context.dialect === 'postgres' || !process.env.TEST_DATABASE_URL) await analysis.close()
  })
  beforeEach(() => {
    hosts.received.length = 0
    hosts.sourcify.clear()
    hosts.etherscan.clear()
    hosts.archives.clear()
  })

  async function newKey(plan: 'free' | 'pro' = 'pro') {
    const account = await app.signUp({ plan })
    return { 'x-api-key': (await app.makeKey(account)).keyValue }
  }
  const scan = (document: object, headers: Record<string, string> = key) =>
    app.inject({
      method: 'POST',
      url: 'address' in document ? '/api/v1/scan/address' : '/api/v1/scan/repository',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify(document),
    })
  const scanAddress = (address = at('a'), chain: number | string = 1) => scan({ address, chain })
  const foundIn = (answer: { json(): { dataVulnerabilities: { vulnerabilityId: string; file: string }[] } }) =>
    answer.json().dataVulnerabilities.map(({ vulnerabilityId, file }) => `${vulnerabilityId} ${file}`)
  const contacted = () => hosts.received.map(({ party }) => party)

  describe('by address', () => {
    test('200: what Sourcify verified is scanned, and the result says where it came from', async () => {
      hosts.sourcify.set(`1/${at('a')}`, { match: 'exact_match', sources })
      const answer = await scanAddress(at('A'), '1')
      expect(answer.statusCode, answer.body).toBe(200)
      expect(foundIn(answer)).toEqual(['SWC-106 src/Open.sol'])
      expect(answer.json()).toMatchObject({
        fileName: `chain-1/${at('a')}`,
        origin: {
          kind: 'address',
          chain: 1,
          address: at('a'),
          provider: 'sourcify',
          match: 'exact',
          implementation: null,
          notScanned: [],
        },
      })
      expect(answer.json().message).not.toContain('partial match')
      const stored = await app.get(`/api/v1/scans/${answer.json().scanId}`, key)
      expect(stored.json().data.origin).toEqual(answer.json().origin)
      expect(contacted()).toEqual(['sourcify', 'sourcify'])
    })

    test('200: the older form, on the path of uploads', async () => {
      hosts.sourcify.set(`1/${at('a')}`, { match: 'exact_match', sources })
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v1/scan',
        headers: { ...key, 'content-type': 'application/json' },
        payload: JSON.stringify({ address: at('a'), chain: 1 }),
      })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(foundIn(answer)).toEqual(['SWC-106 src/Open.sol'])
    })

    test('202: queued where the caller asks for it', async () => {
      hosts.sourcify.set(`1/${at('a')}`, { match: 'exact_match', sources })
      const answer = await scan({ address: at('a'), chain: 1 }, { ...key, prefer: 'respond-async' })
      expect(answer.statusCode, answer.body).toBe(202)
    })

    test('400, 415: what is no address', async () => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v1/scan/address',
        headers: { ...key, 'content-type': 'application/json' },
        payload: JSON.stringify({ sources: { 'A.sol': { content: open } } }),
      })
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'address must be 0x and 40 hexadecimal digits.'])
      const text = await app.inject({
        method: 'POST',
        url: '/api/v1/scan/address',
        headers: { ...key, 'content-type': 'text/plain' },
        payload: at('a'),
      })
      expect([text.statusCode, text.json().error]).toEqual([415, 'Content-Type must be application/json.'])
    })

    test('200: a partial match is scanned and called one', async () => {
      hosts.sourcify.set(`1/${at('a')}`, { match: 'match', sources })
      const body = (await scanAddress()).json()
      expect(body.origin.match).toBe('partial')
      expect(body.message).toContain('partial match')
    })

    test('200: a proxy is followed to its implementation, which another host may know', async () => {
      hosts.sourcify.set(`1/${at('a')}`, {
        match: 'exact_match',
        sources: { 'Proxy.sol': proxy },
        implementations: [at('b')],
      })
      hosts.etherscan.set(`1/${at('b')}`, { sourceCode: `{${JSON.stringify(standardJson(sources))}}` })
      const answer = await scanAddress()
      expect(answer.statusCode, answer.body).toBe(200)
      expect(foundIn(answer)).toEqual(['SWC-106 src/Open.sol'])
      expect(answer.json().origin).toMatchObject({
        address: at('a'),
        implementation: at('b'),
        provider: 'etherscan',
        match: 'unknown',
      })
    })

    test('200: a proxy that points to itself ends', async () => {
      hosts.etherscan.set(`1/${at('a')}`, { sourceCode: open, implementation: at('a') })
      expect((await scanAddress()).statusCode).toBe(200)
    })

    test('200: a proxy with several implementations is scanned itself, and says that they were not', async () => {
      hosts.sourcify.set(`1/${at('a')}`, {
        match: 'exact_match',
        sources: { 'Proxy.sol': proxy },
        implementations: [at('b'), at('c')],
      })
      const body = (await scanAddress()).json()
      expect(body.origin.notScanned).toEqual([at('b'), at('c')])
      expect(body.message).toContain('2 implementations, none of which was scanned')
    })

    test.each([
      ['standard JSON in a further pair of braces', `{${JSON.stringify(standardJson(sources))}}`, 'src/Open.sol'],
      ['a table of files', JSON.stringify(standardJson(sources).sources), 'src/Open.sol'],
    ])('200: the explorer gives %s', async (_form, sourceCode, file) => {
      hosts.etherscan.set(`137/${at('a')}`, { sourceCode })
      const answer = await scanAddress(at('a'), 137)
      expect(answer.statusCode, answer.body).toBe(200)
      expect(foundIn(answer)).toEqual([`SWC-106 ${file}`])
      expect(contacted()).toEqual(['sourcify', 'etherscan'])
      const [, explorer] = hosts.received
      expect(Object.fromEntries(explorer?.query ?? [])).toEqual({
        chainid: '137',
        module: 'contract',
        action: 'getsourcecode',
        address: at('a'),
        apikey: 'the-explorer-key',
      })
    })

    test('200: the explorer gives one flat file', async () => {
      hosts.etherscan.set(`1/${at('a')}`, { sourceCode: open })
      const body = (await scanAddress()).json()
      expect(body.dataVulnerabilities.map((found: { vulnerabilityId: string }) => found.vulnerabilityId)).toEqual([
        'SWC-106',
      ])
    })

    test('200: paths of other people’s tools are passed over, packages are read for meaning', async () => {
      hosts.sourcify.set(`1/${at('a')}`, {
        match: 'exact_match',
        sources: { '/home/x/../Open.sol': open, '@scope/package/Base.sol': open, 'C:\\work\\Base.sol': base },
      })
      const answer = await scanAddress()
      expect(answer.statusCode, answer.body).toBe(200)
      expect(foundIn(answer)).toEqual(['SWC-106 home/x/Open.sol'])
    })

    test('400: an address or a chain that is none', async () => {
      const addressRule = { error: 'address must be 0x and 40 hexadecimal digits.' }
      expect((await scan({ address: '0x12', chain: 1 })).json()).toEqual(addressRule)
      expect((await scan({ address: 7, chain: 1 })).json()).toEqual(addressRule)
      for (const chain of [undefined, 0, -1, 1.5, 'mainnet', [1]]) {
        const answer = await scan({ address: at('a'), chain })
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toEqual({ error: 'chain must be the number of a chain, such as 1.' })
      }
      expect(contacted()).toEqual([])
    })

    test('404: nobody has a verified source, and nothing is charged', async () => {
      const fresh = await newKey('free')
      const answer = await scan({ address: at('d'), chain: 5 }, fresh)
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ error: `No verified source was found for ${at('d')} on chain 5.` })
      expect(answer.headers.ratelimit).toContain('"daily-scans";r=5')
      expect(contacted()).toEqual(['sourcify', 'etherscan'])
    })

    test('404: a chain that neither serves', async () => {
      hosts.next.sourcify.push((response) =>
        sendJson(response, 400, {
          customCode: 'unsupported_chain',
          message: 'The chain is not supported',
          errorId: '1',
        }),
      )
      hosts.next.etherscan.push((response) =>
        sendJson(response, 200, {
          status: '0',
          message: 'NOTOK',
          result: 'Missing or unsupported chainid parameter (required for v2 api)',
        }),
      )
      expect((await scanAddress(at('a'), 999_999)).statusCode).toBe(404)
    })

    test('422: a contract in another language', async () => {
      hosts.sourcify.set(`1/${at('a')}`, { match: 'exact_match', sources: { 'a.vy': '' }, language: 'Vyper' })
      expect((await scanAddress()).json()).toEqual({
        error: 'The contract at this address is not written in Solidity.',
      })
      hosts.sourcify.clear()
      hosts.etherscan.set(`1/${at('a')}`, { sourceCode: 'x: int128', compilerVersion: 'vyper:0.3.10' })
      expect((await scanAddress()).statusCode).toBe(422)
    })

    test('413: more source than the plan allows', async () => {
      const fresh = await newKey('free')
      const long = `${open}// ${'x'.repeat(110_000)}\n`
      hosts.sourcify.set(`1/${at('a')}`, { match: 'exact_match', sources: { 'Open.sol': long } })
      expect((await scan({ address: at('a'), chain: 1 }, fresh)).statusCode).toBe(413)
      hosts.sourcify.set(`1/${at('a')}`, { match: 'exact_match', sources: { 'Open.sol': long.repeat(14) } })
      expect((await scan({ address: at('a'), chain: 1 }, fresh)).statusCode).toBe(413)
    })

    test('503: a host that limits requests is asked again later, unless another knows', async () => {
      const limited = () =>
        hosts.next.sourcify.push((response) =>
          sendJson(response, 429, { customCode: 'too_many_requests' }, { 'retry-after': '7' }),
        )
      limited()
      const answer = await scanAddress()
      expect(answer.statusCode).toBe(503)
      expect(answer.headers['retry-after']).toBe('7')
      limited()
      hosts.etherscan.set(`1/${at('a')}`, { sourceCode: open })
      expect((await scanAddress()).statusCode).toBe(200)
      hosts.etherscan.clear()
      hosts.next.etherscan.push((response) =>
        sendJson(response, 200, {
          status: '0',
          message: 'NOTOK',
          result: 'Max calls per sec rate limit reached (5/sec)',
        }),
      )
      expect((await scanAddress()).headers['retry-after']).toBe('2')
    })

    test.each([
      ['an error', (response: Parameters<typeof sendJson>[0]) => sendJson(response, 500, {})],
      ['no JSON', (response: Parameters<typeof sendJson>[0]) => void response.end('<html>')],
      ['a broken connection', (response: Parameters<typeof sendJson>[0]) => void response.destroy()],
    ])('502: a host answers with %s', async (_what, answerOddly) => {
      hosts.next.sourcify.push(answerOddly)
      const answer = await scanAddress()
      expect(answer.statusCode).toBe(502)
      expect(answer.json()).toEqual({ error: 'The host of the sources did not give a usable answer.' })
    })

    test('502: the explorer refuses the key, which is in no log', async () => {
      hosts.next.etherscan.push((response) =>
        sendJson(response, 200, { status: '0', message: 'NOTOK', result: 'Invalid API Key' }),
      )
      expect((await scanAddress()).statusCode).toBe(502)
      expect(app.logLines.join('')).not.toContain('the-explorer-key')
    })

    test('504: a host that is silent', async () => {
      hosts.next.sourcify.push(() => {})
      expect((await scanAddress()).statusCode).toBe(504)
    })
  })

  describe('a repository', () => {
    test('202: queued where the caller asks for it', async () => {
      hosts.archives.set('acme/vault/', archive(rooted))
      const answer = await scan({ repository: 'acme/vault' }, { ...key, prefer: 'respond-async' })
      expect(answer.statusCode, answer.body).toBe(202)
    })

    const archive = (files: Record<string, string>, links: string[] = []) => gzipSync(makeTar(files, { links }))
    const rooted = { 'acme-vault-0f1e2d3/src/Base.sol': base, 'acme-vault-0f1e2d3/src/Open.sol': open }

    test('200: the default branch, from another host than the API’s, to which the token does not go', async () => {
      hosts.archives.set('acme/vault/', archive(rooted))
      const answer = await scan({ repository: 'acme/vault' })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(foundIn(answer)).toEqual(['SWC-106 src/Open.sol'])
      expect(answer.json()).toMatchObject({
        fileName: 'acme/vault',
        origin: { kind: 'repository', repository: 'forge.example/acme/vault', ref: null, path: null },
      })
      expect(contacted()).toEqual(['forge', 'codeload'])
      expect(hosts.received[0]?.headers.authorization).toBe('Bearer the-forge-token')
      expect(hosts.received[1]?.headers.authorization).toBeUndefined()
    })

    test('200: a ref with a slash, by address, and the scan is labelled with it', async () => {
      hosts.archives.set('acme/vault/feature/x', archive(rooted))
      const answer = await scan({
        repository: 'https://forge.example/acme/vault.git',
        ref: 'feature/x',
        project: 'vault',
      })
      expect(answer.statusCode, answer.body).toBe(200)
      const { data } = (await app.get('/api/v1/projects', key)).json()
      expect(JSON.stringify(data)).toContain('feature/x')
    })

    test('200: links, archives and whatever else a repository holds are passed over', async () => {
      const files = { ...rooted, 'acme-vault-0f1e2d3/a.zip': 'PK', 'acme-vault-0f1e2d3/link.sol': '../../etc/passwd' }
      hosts.archives.set('acme/vault/', archive(files, ['acme-vault-0f1e2d3/link.sol']))
      const answer = await scan({ repository: 'acme/vault' })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.json().files).toHaveLength(2)
    })

    test('200: one folder of it, or one file', async () => {
      const files = {
        'r-1/packages/a/src/Open.sol': open,
        'r-1/packages/a/src/Base.sol': base,
        'r-1/packages/ab/src/Other.sol': open,
      }
      hosts.archives.set('acme/mono/', archive(files))
      const paths = async (path: string) =>
        (await scan({ repository: 'acme/mono', path })).json().files.map((file: { path: string }) => file.path)
      expect((await paths('packages/a/')).sort()).toEqual(['src/Base.sol', 'src/Open.sol'])
      expect(await paths('packages/ab/src/Other.sol')).toEqual(['Other.sol'])
    })

    test('400: no repository, another host, a ref or path that leads elsewhere', async () => {
      const rule = 'repository must be owner/name or the https address of a repository.'
      for (const repository of ['vault', 'http://forge.example/a/b', 'a/..', '../b', 'a/b/c', 'a/b?x', 7, '']) {
        expect((await scan({ repository })).json(), String(repository)).toEqual({ error: rule })
      }
      const foreign = await scan({ repository: 'https://169.254.169.254/a/b' })
      expect(foreign.json()).toEqual({ error: 'repository must lie on one of: forge.example, other.example.' })
      const refs = ['../../user', '-x', 'a b', 'a?b', 'a#b']
      for (const ref of refs) expect((await scan({ repository: 'a/b', ref })).statusCode, ref).toBe(400)
      for (const path of ['../x', '/etc']) expect((await scan({ repository: 'a/b', path })).statusCode).toBe(400)
      expect(contacted()).toEqual([])
    })

    test('400: nothing of it is Solidity', async () => {
      hosts.archives.set('acme/vault/', archive({ 'r-1/README.md': 'hello' }))
      expect((await scan({ repository: 'acme/vault' })).json()).toEqual({ error: 'There is no .sol file in it.' })
    })

    test('400: what comes is no archive', async () => {
      hosts.archives.set('acme/vault/', Buffer.from('<html>'))
      expect((await scan({ repository: 'acme/vault' })).statusCode).toBe(400)
    })

    test('404: no such repository or ref', async () => {
      const answer = await scan({ repository: 'acme/none' })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ error: 'The repository or its ref was not found, or it is not public.' })
    })

    test('413: a huge archive is not read to its end', async () => {
      const fresh = await newKey('free')
      let sent = 0
      hosts.archives.set('acme/vault/', Buffer.alloc(0))
      hosts.next.codeload.push((response) => {
        const chunk = Buffer.alloc(64 * 1024)
        const pour = () => {
          while (!response.destroyed && sent < 1024 * chunk.length) {
            sent += chunk.length
            if (!response.write(chunk)) return void response.once('drain', pour)
          }
          response.end()
        }
        pour()
      })
      const answer = await scan({ repository: 'acme/vault' }, fresh)
      expect(answer.statusCode).toBe(413)
      expect(answer.json()).toEqual({
        error: 'The archive of the repository exceeds 819200 bytes. Upload its sources instead.',
      })
      expect(sent).toBeLessThan(1024 * 64 * 1024)
    })

    test('502: redirects to plain http elsewhere, to inner addresses, in a circle', async () => {
      hosts.archives.set('acme/vault/', archive(rooted))
      for (const location of [
        'http://example.com/x',
        'https://10.0.0.1/x',
        'https://[::ffff:10.0.0.1]/x',
        'ftp://x/',
      ]) {
        hosts.next.forge.push((response) => void response.writeHead(302, { location }).end())
        expect((await scan({ repository: 'acme/vault' })).statusCode, location).toBe(502)
      }
      for (let hop = 0; hop < 6; hop++)
        hosts.next.forge.push(
          (response) => void response.writeHead(301, { location: '/forge/repos/acme/vault/tarball' }).end(),
        )
      expect((await scan({ repository: 'acme/vault' })).statusCode).toBe(502)
      expect(hosts.next.forge).toEqual([])
    })

    test('503: the forge counts requests, and says when it starts anew', async () => {
      const resets = String(Math.ceil(app.clock.now().getTime() / 1000) + 90)
      hosts.next.forge.push((response) =>
        sendJson(
          response,
          403,
          { message: 'API rate limit exceeded' },
          { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resets },
        ),
      )
      const answer = await scan({ repository: 'acme/vault' })
      expect(answer.statusCode).toBe(503)
      expect(Number(answer.headers['retry-after'])).toBe(90)
    })
  })

  test('501: off until it is configured', async () => {
    const plain = await startTestApp({ database: context.database, analysis: { ...analysis, close: async () => {} } })
    const { keyValue } = await plain.makeKey(
      await plain.signUp({ plan: 'pro', email: `off.${context.dialect}@example.com` }),
    )
    const send = (document: object) =>
      plain.post('/api/v1/scan', document, { 'x-api-key': keyValue, 'content-type': 'application/json' })
    const off = await send({ address: at('a'), chain: 1 })
    expect([off.statusCode, off.json()]).toEqual([
      501,
      { error: 'Scanning by address is not configured on this server. Upload the sources instead.' },
    ])
    const repository = await send({ repository: 'acme/vault' })
    expect([repository.statusCode, repository.json()]).toEqual([
      501,
      { error: 'Scanning a repository is not configured on this server. Upload the sources instead.' },
    ])
    await plain.close()
  })
})

import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTar, makeZip } from '../testing/archives.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const base =
  'pragma solidity 0.8.26;\nabstract contract Base { address internal owner; modifier onlyOwner() { require(msg.sender == owner); _; } }\n'
const vault =
  "pragma solidity 0.8.26;\nimport './Base.sol';\ncontract Vault is Base { function close() external onlyOwner { selfdestruct(payable(msg.sender)); } }\n"
const open =
  'pragma solidity ^0.8.20;\ncontract Open { function close() external { selfdestruct(payable(msg.sender)); } }\n'
const project = { 'src/Base.sol': base, 'src/Vault.sol': vault, 'src/Open.sol': open }

const sourcesTooLarge = (maxBytes: number): string =>
  `The sources are larger than the ${maxBytes} bytes that your plan allows for a project. Leave out tests and libraries (git archive HEAD src remappings.txt), or upgrade.`

/** Made before the service starts: making them would look like a service that cannot keep up. */
const large = (() => {
  const megabyte = Buffer.alloc(1024 * 1024, 0x20)
  const thousands = Array.from({ length: 2001 }, (_, at) => `f${at}.sol`)
  return {
    bomb: makeZip({ 'Bomb.sol': Buffer.alloc(20 * 1024 * 1024, 0x20) }),
    manySmall: makeZip(Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`F${at}.sol`, megabyte]))),
    tarBomb: gzipSync(makeTar({ 'Bomb.sol': Buffer.alloc(4 * 1024 * 1024, 0x20) })),
    thousands: makeZip(Object.fromEntries(thousands.map((path) => [path, 'contract A {}']))),
    document: JSON.stringify({
      sources: Object.fromEntries(thousands.map((path) => [path, { content: 'contract A {}' }])),
    }),
  }
})()

interface Found {
  vulnerabilityId: string
  file: string
}

describeOnEachDatabase('scans of projects', (context) => {
  let service: ScanService
  let caller: TestCaller
  beforeAll(async () => {
    service = await startScanService(context.database)
    caller = await service.newCaller('pro')
  })
  afterAll(() => service.close())

  const parts = (files: Record<string, string | Buffer>) =>
    form(...Object.entries(files).map(([fileName, bytes]) => ({ name: 'file', fileName, bytes })))
  const archive = (fileName: string, bytes: Buffer) => form({ name: 'file', fileName, bytes })
  const sendJson = (document: unknown, url = '/api/v1/scan') =>
    service.inject({
      method: 'POST',
      url,
      headers: { ...caller.key, 'content-type': 'application/json' },
      payload: typeof document === 'string' ? document : JSON.stringify(document),
    })
  const found = (body: { dataVulnerabilities: Found[] }) =>
    body.dataVulnerabilities.map(({ vulnerabilityId, file }) => `${vulnerabilityId} ${file}`).sort()

  const expected = ['SWC-103 src/Open.sol', 'SWC-106 src/Open.sol']

  test('200: several parts, a zip, a tar.gz, sources in JSON and standard JSON give the same findings', async () => {
    const sources = Object.fromEntries(Object.entries(project).map(([path, content]) => [path, { content }]))
    const answers = [
      await service.scan(caller.key, parts(project)),
      await service.scan(caller.key, archive('app.zip', makeZip(project))),
      await service.scan(caller.key, archive('app.tar.gz', gzipSync(makeTar(project)))),
      await sendJson({ sources, name: 'app' }),
      await sendJson({ sources, name: 'app' }, '/api/v1/scan/sources'),
      await sendJson({ language: 'Solidity', sources, settings: { remappings: [], outputSelection: {} } }),
    ]
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(200)
      const body = answer.json()
      expect(found(body)).toEqual(expected)
      expect(body.files.map(({ path }: { path: string }) => path).sort()).toEqual(Object.keys(project).sort())
      expect(body.vulnerabilitiesCount).toBe(2)
      expect(body).toMatchObject({
        completeness: 'full',
        engineVersion: '0.1.0',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
    }
    const digests = answers.map((answer) => answer.json().sha256)
    expect(new Set(digests).size).toBe(1)
    expect(answers.map((answer) => answer.json().fileName)).toEqual([
      'project',
      'app.zip',
      'app.tar.gz',
      'app',
      'app',
      'project',
    ])
  })

  test('200: an inherited guard is seen through an import, and each file has a score of its own', async () => {
    const body = (await service.scan(caller.key, parts(project))).json()
    const files = Object.fromEntries(body.files.map((file: { path: string }) => [file.path, file]))
    expect(files['src/Vault.sol']).toMatchObject({ score: 100, rating: 'Excellent', completeness: 'full' })
    expect(files['src/Open.sol']).toMatchObject({ score: 70, counts: { critical: 1, high: 1 } })
    expect(body.securityScore.score).toBe(70)
  })

  test('202, 400: sources as JSON at a path of their own are queued on demand, and are nothing else', async () => {
    const queued = await sendJson({ source: open }, '/api/v1/scan/sources?async=true')
    expect(queued.statusCode, queued.body).toBe(202)
    const address = await sendJson({ address: `0x${'a'.repeat(40)}`, chain: 1 }, '/api/v1/scan/sources')
    expect(address.statusCode, address.body).toBe(400)
  })

  test('200: one source in JSON is a single file', async () => {
    const answer = await sendJson({ fileName: 'src/Open.sol', source: open })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toMatchObject({
      fileName: 'src/Open.sol',
      file: expect.stringMatching(/^uploads\/scn_\w+\.sol$/),
    })
    expect(answer.json()).not.toHaveProperty('files')
  })

  test('200: tests, scripts and dependencies are read for meaning and reported only when asked for', async () => {
    const mixed = {
      'src/Vault.sol': vault,
      'src/Base.sol': base,
      'test/Open.t.sol': open,
      'lib/other/src/Open.sol': open,
    }
    const plain = (await service.scan(caller.key, parts(mixed))).json()
    expect(plain.files.map(({ path }: { path: string }) => path).sort()).toEqual(['src/Base.sol', 'src/Vault.sol'])
    expect(plain.vulnerabilitiesCount).toBe(0)
    const all = (await service.scan(caller.key, parts(mixed), '/api/v1/scan?scope=all')).json()
    expect(found(all)).toContain('SWC-106 test/Open.t.sol')
  })

  test.each([
    'MockToken.sol',
    'VaultTest.sol',
    'VaultTester.sol',
    'TokenMock.sol',
    'VaultHarness.sol',
    'PoolExample.sol',
  ])('200: %s is known by its name, as by the command', async (name) => {
    const upload = () => parts({ ...project, [`src/tools/${name}`]: open })
    const reported = async (url?: string) =>
      (await service.scan(caller.key, upload(), url)).json().files.map(({ path }: { path: string }) => path)
    expect((await reported()).sort()).toEqual(Object.keys(project).sort())
    expect(await reported('/api/v1/scan?scope=all')).toContain(`src/tools/${name}`)
  })

  test('200: unchanged copies of known libraries are read for meaning and reported only when asked for', async () => {
    const copy = `// a copy
pragma solidity ^0.8.17;
abstract contract Context {
    function _msgSender() internal view virtual returns (address) { return msg.sender; }
    function _msgData() internal view virtual returns (bytes calldata) { return msg.data; }
}
`
    const changed = copy.replace('return msg.sender', 'return tx.origin')
    const withBase = (text: string) => parts({ ...project, 'src/base/Context.sol': text })
    const scan = async (upload: ReturnType<typeof parts>, url?: string) =>
      (await service.scan(caller.key, upload, url)).json()
    const reported = (body: { files: { path: string }[] }) => body.files.map(({ path }) => path)
    const plain = await scan(withBase(copy))
    expect(reported(plain).sort()).toEqual(Object.keys(project).sort())
    expect(found(plain)).toEqual(found(await scan(parts(project))))
    expect(reported(await scan(withBase(copy), '/api/v1/scan?scope=all'))).toContain('src/base/Context.sol')
    expect(reported(await scan(withBase(changed)))).toContain('src/base/Context.sol')
    const alone = await scan(archive('app.zip', makeZip({ 'src/Context.sol': copy })))
    expect(reported(alone)).toEqual(['src/Context.sol'])
  })

  test('200: a folder named lib or dependencies below the sources is the project’s own; beside them it is not, also in a folder of a larger project', async () => {
    const own = ['contracts/lib/Open.sol', 'contracts/dependencies/weth/Open.sol', 'packages/app/src/lib/Open.sol']
    const others = [
      'lib/base/Open.sol',
      'dependencies/base/src/lib/Open.sol',
      'packages/app/lib/base/contracts/Open.sol',
    ]
    const files = Object.fromEntries([...own, ...others].map((path) => [path, open]))
    const body = (await service.scan(caller.key, parts(files))).json()
    expect(body.files.map(({ path }: { path: string }) => path).sort()).toEqual([...own].sort())
  })

  test('200: in a compiler’s input a package under its own name is read for meaning; a folder of the project is reported', async () => {
    const importing = (path: string) => vault.replace('./Base.sol', path)
    const names = (body: { files: { path: string }[] }) => body.files.map(({ path }) => path).sort()
    const scan = async (files: Record<string, string>, more: object = { language: 'Solidity' }, query = '') => {
      const sources = Object.fromEntries(Object.entries(files).map(([path, content]) => [path, { content }]))
      return (await sendJson({ sources, ...more }, `/api/v1/scan${query}`)).json()
    }
    const packaged = {
      'contracts/Vault.sol': importing('base-sol/Base.sol'),
      'base-sol/Base.sol': base,
      'base-sol/Open.sol': open,
    }
    expect(names(await scan(packaged))).toEqual(['contracts/Vault.sol'])
    expect(names(await scan(packaged, { settings: {} }))).toEqual(['contracts/Vault.sol'])
    expect(names(await scan(packaged, undefined, '?scope=all'))).toHaveLength(3)
    // Plain sources have the paths that someone gave them.
    expect(names(await scan(packaged, {}))).toHaveLength(3)
    const [inOwn, besideIt] = ['contracts/base/Base.sol', 'interfaces/Base.sol']
    for (const path of [inOwn, besideIt])
      expect(names(await scan({ 'contracts/Vault.sol': importing(path), [path]: base }))).toHaveLength(2)
    // No folder that is the project's own; nobody who imports it; one that imports the project itself.
    expect(
      names(await scan({ 'core/Vault.sol': importing('base-sol/Base.sol'), 'base-sol/Base.sol': base })),
    ).toHaveLength(2)
    expect(names(await scan({ 'contracts/Open.sol': open, 'base-sol/Base.sol': base }))).toHaveLength(2)
    const mutual = {
      'contracts/Vault.sol': importing('more/Base.sol'),
      'more/Base.sol': `import "contracts/Vault.sol";\n${base}`,
    }
    expect(names(await scan(mutual))).toHaveLength(2)
  })

  test('200: the folder that a forge puts around everything is taken off, and remappings.txt is read', async () => {
    const files = {
      'app-1a2b3c/remappings.txt': '@base/=vendor/base/\n',
      'app-1a2b3c/vendor/base/Base.sol': base,
      'app-1a2b3c/src/Vault.sol': vault.replace('./Base.sol', '@base/Base.sol'),
      'app-1a2b3c/README.md': '# readme',
    }
    const body = (await service.scan(caller.key, archive('app.zip', makeZip(files)))).json()
    // What lies in `vendor` is read and not reported.
    expect(body.files.map(({ path }: { path: string }) => path)).toEqual(['src/Vault.sol'])
    expect(body.diagnostics.filter(({ code }: { code: string }) => code === 'import-missing')).toEqual([])
    expect(body.vulnerabilitiesCount).toBe(0)
  })

  test.each([
    ['a library of a library, by the name of its folder', 'lib/app/lib/base/src/Base.sol', 'base/Base.sol', {}],
    [
      'a library by what it maps for itself',
      'lib/base/contracts/Base.sol',
      '@base/Base.sol',
      { 'lib/base/remappings.txt': 'src:@base/=contracts/\n' },
    ],
    [
      'a library’s library by what the library maps',
      'lib/app/lib/base/contracts/Base.sol',
      '@base/contracts/Base.sol',
      { 'lib/app/remappings.txt': '@base/=lib/base/\n' },
    ],
    [
      'a library outside of its src',
      'lib/base/other/Base.sol',
      'base/other/Base.sol',
      { 'lib/base/src/Other.sol': base },
    ],
    ['a library with its version in the folder', 'dependencies/base-1.2.0/src/Base.sol', 'base/Base.sol', {}],
  ])('200: imports reach %s', async (_what, path, imported, more) => {
    const files = { 'src/Vault.sol': vault.replace('./Base.sol', imported), [path]: base, ...more }
    const body = (await service.scan(caller.key, archive('app.zip', makeZip(files)))).json()
    expect(body.diagnostics.filter(({ code }: { code: string }) => code === 'import-missing')).toEqual([])
    expect(body.vulnerabilitiesCount).toBe(0)
  })

  test('200: a floating pragma is one finding, whatever its texts, with its other places', async () => {
    const two = {
      'A.sol': 'pragma solidity ^0.8.20;\ncontract A {}\n',
      'B.sol': 'pragma solidity ^0.8.21;\ncontract B {}\n',
    }
    const body = (await service.scan(caller.key, parts(two))).json()
    const pragmas = body.dataVulnerabilities.filter((one: Found) => one.vulnerabilityId === 'SWC-103')
    expect(pragmas).toHaveLength(1)
    expect(pragmas[0].places).toEqual([expect.objectContaining({ file: 'B.sol', line: 1 })])
    expect(body.securityScore.score).toBe(90)
  })

  test('200: history, source and reports know the project by its paths', async () => {
    const { scanId } = (await service.scan(caller.key, archive('app.zip', makeZip(project)))).json()
    const stored = (await service.get(`/api/v1/scans/${scanId}`, caller.key)).json().data
    expect(stored).toMatchObject({ fileName: 'app.zip', fileCount: 3, counts: { critical: 1, high: 1 } })
    const source = await service.get(`/api/v1/scans/${scanId}/source`, caller.key)
    expect(source.headers['content-disposition']).toBe('attachment; filename="app.json"')
    const again = await sendJson(source.body)
    expect(found(again.json())).toEqual(expected)
    const sarif = await service.get(`/api/v1/scans/${scanId}/report?format=sarif`, caller.key)
    expect(sarif.body).toContain('"uri":"src/Open.sol"')
    expect(sarif.headers['content-disposition']).toBe('attachment; filename="app.sarif"')
    const markdown = await service.get(`/api/v1/scans/${scanId}/report?format=markdown`, caller.key)
    expect(markdown.body).toContain('`src/Open.sol`')
    const { scans } = (await service.get('/api/v1/scans?fileName=app.zip', caller.key)).json().data
    expect(scans.find((scan: { scanId: string }) => scan.scanId === scanId)).toMatchObject({
      fileName: 'app.zip',
      fileCount: 3,
      engineVersion: '0.1.0',
      sha256: stored.sha256,
    })
  })

  test('200: a partial project says so in its message, and no file that could not be read is called clean', async () => {
    const broken = {
      'src/Base.sol': base,
      'src/Broken.sol': 'pragma solidity 0.8.26;\ncontract B { function f( external {} }\n',
    }
    const body = (await service.scan(caller.key, parts(broken))).json()
    expect(body.completeness).toBe('partial')
    expect(body.message).toMatch(/^Incomplete: 1 of 2 files was analyzed in part\./)
    expect(body.files.find(({ path }: { path: string }) => path === 'src/Broken.sol').completeness).toBe('partial')
    expect(body.parseErrors[0].file).toBe('src/Broken.sol')
  })

  const refused = async (answer: { statusCode: number; json(): unknown }) => [answer.statusCode, answer.json()]

  test.each([
    [
      'a path that leads out',
      { '../Vault.sol': open },
      'The path ../Vault.sol is refused: it leads out of the project.',
    ],
    [
      'a path that leads out in the middle',
      { 'a/../../Vault.sol': open },
      'The path a/../../Vault.sol is refused: it leads out of the project.',
    ],
    ['an absolute path', { '/etc/Vault.sol': open }, 'The path /etc/Vault.sol is refused: it is absolute.'],
    ['a drive', { 'C:\\Vault.sol': open }, 'The path C:\\Vault.sol is refused: it is absolute.'],
    [
      'a name that Windows keeps',
      { 'src/CON.sol': open },
      'The path src/CON.sol is refused: Windows keeps this name for a device.',
    ],
    [
      'a folder that ends with a blank',
      { 'src /Vault.sol': open, 'lib/A.sol': open },
      'The path src /Vault.sol is refused: a name in it ends with a dot or a blank.',
    ],
    ['no source', { 'README.md': 'x' }, 'There is no .sol file in it.'],
  ])('400: an archive with %s', async (_case, files, error) => {
    expect(await refused(await service.scan(caller.key, archive('a.zip', makeZip(files))))).toEqual([400, { error }])
    expect(await refused(await service.scan(caller.key, archive('a.tgz', gzipSync(makeTar(files)))))).toEqual([
      400,
      { error },
    ])
  })

  test('400: a link, in a zip and in a tar', async () => {
    const error = 'The path Link.sol is refused: it is a link.'
    const zip = makeZip({ 'Link.sol': '/etc/passwd' }, { links: ['Link.sol'] })
    expect(await refused(await service.scan(caller.key, archive('a.zip', zip)))).toEqual([400, { error }])
    const tar = gzipSync(makeTar({ 'Link.sol': '' }, { links: ['Link.sol'] }))
    expect(await refused(await service.scan(caller.key, archive('a.tar.gz', tar)))).toEqual([400, { error }])
  })

  test('400: the same path twice is never silently one', async () => {
    const error = 'The path A.sol is refused: it is there twice.'
    const twice = form(
      { name: 'file', fileName: 'A.sol', bytes: open },
      { name: 'file', fileName: './A.sol', bytes: base },
    )
    expect(await refused(await service.scan(caller.key, twice))).toEqual([400, { error }])
    const zip = makeZip({ 'A.sol': open, './A.sol': base })
    expect(await refused(await service.scan(caller.key, archive('a.zip', zip)))).toEqual([400, { error }])
    const source = JSON.stringify({ content: open })
    expect(await refused(await sendJson(`{"sources":{"A.sol":${source},"A.sol":${source}}}`))).toEqual([
      400,
      { error: 'The request body has "A.sol" twice in one object.' },
    ])
  })

  test.each(['CON.sol', 'x.sol.', 'x.sol ', 'a./x.sol'])('400: a source by the name %j', async (name) => {
    const answer = await sendJson(JSON.stringify({ sources: { [name]: { content: open } } }))
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toContain(`The path ${name} is refused: `)
  })

  test('400: more remappings than a project has', async () => {
    const remappings = Array.from({ length: 2_001 }, (_, n) => `a${n}/=b/`)
    const answer = await sendJson(JSON.stringify({ sources: { 'A.sol': { content: open } }, remappings }))
    expect(await refused(answer)).toEqual([400, { error: 'remappings must have at most 2000 entries.' }])
  })

  test('400: what is not an archive, or damaged', async () => {
    const zip = makeZip(project)
    for (const [name, bytes] of [
      ['a.zip', Buffer.from('no archive at all, only text that is long enough')],
      ['a.zip', zip.subarray(0, zip.length - 30)],
      ['a.tar.gz', zip],
      ['a.tar.gz', gzipSync(Buffer.alloc(2048, 7))],
    ] as const) {
      const [status, body] = await refused(await service.scan(caller.key, archive(name, bytes)))
      expect([status, body]).toEqual([400, { error: expect.stringMatching(/^The archive cannot be read: /) }])
    }
  })

  test('413: a bomb, however it is packed', async () => {
    const error = sourcesTooLarge(5242880)
    expect(await refused(await service.scan(caller.key, archive('a.zip', large.bomb)))).toEqual([413, { error }])
    expect(await refused(await service.scan(caller.key, archive('a.zip', large.manySmall)))).toEqual([413, { error }])
    const free = await service.newCaller('free')
    expect(await refused(await service.scan(free.key, archive('a.tgz', large.tarBomb)))).toEqual([
      400,
      { error: 'The archive cannot be read: it unpacks to more than 3276800 bytes.' },
    ])
  })

  test('413: more files than a project can have', async () => {
    const error = 'A project can have at most 2000 files.'
    expect(await refused(await service.scan(caller.key, archive('a.zip', large.thousands)))).toEqual([413, { error }])
    expect(await refused(await sendJson(large.document))).toEqual([413, { error }])
  })

  test('413: the sum of the sources counts', async () => {
    const free = await service.newCaller('free')
    const half = `pragma solidity 0.8.26;\n${'// filler\n'.repeat(6000)}`
    const answer = await service.scan(free.key, parts({ 'A.sol': half, 'B.sol': half }))
    const error = sourcesTooLarge(102400)
    expect(await refused(answer)).toEqual([413, { error }])
  })

  test('the limit is on what is read: an archive may be eight times larger', async () => {
    const free = await service.newCaller('free')
    const noise = randomBytes(8 * 102_400 - 4_000)
    const rest = {
      'audits/report.pdf': noise.subarray(0, noise.length / 2),
      'audits/all.zip': noise.subarray(noise.length / 2),
    }
    const zip = makeZip({ 'app-1/src/A.sol': open, ...rest })
    const tar = gzipSync(makeTar({ 'app-1/src/A.sol': open, ...rest }))
    for (const [name, bytes] of [
      ['app.zip', zip],
      ['app.tar.gz', tar],
    ] as const) {
      expect(bytes.length).toBeGreaterThan(7 * 102_400)
      const answer = await service.scan(free.key, archive(name, bytes))
      expect([answer.statusCode, answer.json().files?.map(({ path }: { path: string }) => path)]).toEqual([
        200,
        [expect.stringContaining('src/A.sol')],
      ])
    }
    const error =
      'The archive is larger than 819200 bytes. Its sources may have 102400 bytes, and the archive eight times that. Leave out what is not source (git archive HEAD src lib remappings.txt).'
    const larger = makeZip({ 'src/A.sol': open, 'more.pdf': randomBytes(8 * 102_400 + 1) })
    expect(await refused(await service.scan(free.key, archive('app.zip', larger)))).toEqual([413, { error }])
    const tooMuch = makeZip({ 'src/A.sol': `${open}${'// filler\n'.repeat(11_000)}` })
    expect(await refused(await service.scan(free.key, archive('app.zip', tooMuch)))).toEqual([
      413,
      { error: sourcesTooLarge(102400) },
    ])
  })

  test.each([
    ['{', 'The request body is not valid JSON.'],
    ['[]', 'No file uploaded.'],
    ['{}', 'No file uploaded.'],
    ['{"sources":{}}', 'There is no .sol file in it.'],
    ['{"sources":{"A.sol":{"urls":["x"]}}}', 'sources.A.sol.content is required.'],
    ['{"language":"Yul","sources":{"A.sol":{"content":"x"}}}', 'language must be Solidity.'],
    ['{"source":"contract A {}","fileName":"A.txt"}', 'Only .sol files can be scanned.'],
    ['{"sources":{"A.sol":{"content":"a\\u0000b"}}}', 'The file A.sol is not UTF-8 text.'],
  ])('400: the document %s', async (document, error) => {
    expect(await refused(await sendJson(document))).toEqual([400, { error }])
  })

  test('422: nothing of it is Solidity', async () => {
    const answer = await service.scan(caller.key, parts({ 'A.sol': '%%%', 'B.sol': '&&&' }))
    expect(answer.statusCode).toBe(422)
  })

  test('an idempotent project is known by all its files', async () => {
    const key = { ...caller.key, 'idempotency-key': 'project-1' }
    const first = await service.scan(key, parts(project))
    const second = await service.scan(key, parts(project))
    expect([second.statusCode, second.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect(second.json().scanId).toBe(first.json().scanId)
    const other = await service.scan(key, parts({ ...project, 'src/Base.sol': `${base}// changed\n` }))
    expect(other.statusCode).toBe(422)
  })
})

import { existsSync, readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { assayIn, makeFolder } from '../testing/captured-io.ts'

const address = '0x5ed4a410a612f2fe625a8f3cb4d70f197ff8c8be'
const vault =
  'pragma solidity 0.8.28;\nimport "@oz/Lib.sol";\nimport "base/Base.sol";\ncontract Vault is Lib, Base { function close() external { selfdestruct(payable(msg.sender)); } }\n'
const library = (name: string) => `pragma solidity ^0.8.0;\nabstract contract ${name} {}\n`
const sources = {
  'contracts/Vault.sol': { content: vault },
  '@oz/Lib.sol': { content: library('Lib') },
  'lib/base/src/Base.sol': { content: library('Base') },
}
const standardJson = { language: 'Solidity', sources, settings: { remappings: ['base/=lib/base/src/'] } }
const verified = (fields: object = {}) => ({
  status: '1',
  message: 'OK',
  result: [
    {
      SourceCode: `{${JSON.stringify(standardJson)}}`,
      ContractName: 'Vault',
      CompilerVersion: 'v0.8.28+commit.7893614a',
      Proxy: '0',
      ...fields,
    },
  ],
})

/** An explorer at the edge of the network: what it was asked, and the URL by which it is asked. */
async function explorer(answer: RequestListener): Promise<{ url: string; requested: URL[] }> {
  const requested: URL[] = []
  const server = createServer((request, response) => {
    requested.push(new URL(request.url ?? '', 'http://explorer'))
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested }
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(JSON.stringify(value))

const fetchInto = (folder: string, url: string, ...words: string[]) =>
  assayIn(folder, ['fetch', address, '--explorer-url', url, ...words], {
    environment: { ASSAY_EXPLORER_KEY: 'secret' },
  })

describe('assay fetch', () => {
  test('Etherscan: the chain and the key are sent, the sources are written, and a scan reports the product', async () => {
    const { url, requested } = await explorer(json(verified()))
    const folder = makeFolder({ 'foundry.toml': '' })
    const { code, out } = await fetchInto(folder, `${url}/v2/api`, '--chain', '10')
    expect([code, out]).toEqual([0, expect.stringContaining(`3 files of Vault written to ${address}`)])
    expect(Object.fromEntries(requested[0]?.searchParams ?? [])).toEqual({
      chainid: '10',
      module: 'contract',
      action: 'getsourcecode',
      address,
      apikey: 'secret',
    })
    const scanned = await assayIn(folder, ['scan', address, '-f', 'json'])
    const result = JSON.parse(scanned.out)
    expect(result.missingImports).toEqual([])
    expect(result.files.map(({ path }: { path: string }) => path)).toEqual([`${address}/contracts/Vault.sol`])
  })

  test('Blockscout: one file and further ones beside it', async () => {
    const { url } = await explorer(
      json(
        verified({
          SourceCode: vault,
          FileName: 'contracts/Vault.sol',
          AdditionalSources: [{ Filename: '@oz/Lib.sol', SourceCode: library('Lib') }],
        }),
      ),
    )
    const folder = makeFolder({})
    expect((await fetchInto(folder, `${url}/api`)).out).toContain('2 files of Vault')
    expect(existsSync(join(folder, address, '@oz/Lib.sol'))).toBe(true)
  })

  test('Sourcify: by its path, and a proxy names its implementation', async () => {
    const other = `0x${'ab'.repeat(20)}`
    const { url, requested } = await explorer(
      json({
        match: 'exact_match',
        sources,
        compilation: { language: 'Solidity', name: 'Vault', compilerVersion: '0.8.28' },
        proxyResolution: { isProxy: true, implementations: [{ address: other }] },
      }),
    )
    const { code, err } = await fetchInto(makeFolder({}), `${url}/server`, '--explorer-api', 'sourcify')
    expect([code, err]).toEqual([0, expect.stringContaining(`the code that runs is at ${other}`)])
    expect(requested[0]?.pathname).toBe(`/server/v2/contract/1/${address}`)
    expect(requested[0]?.href).not.toContain('secret')
  })

  test('the key comes from a file, too', async () => {
    const { url, requested } = await explorer(json(verified()))
    await fetchInto(makeFolder({ key: ' other\n' }), `${url}/api`, '--explorer-key-file', 'key')
    expect(requested[0]?.searchParams.get('apikey')).toBe('other')
  })
})

describe('2, nothing is written, and no key is shown', () => {
  test.each<[string, RequestListener, string]>([
    [
      'a rate limit in words',
      json({ status: '0', message: 'NOTOK', result: 'Max rate limit reached' }),
      'limits requests',
    ],
    ['a rate limit by status', json({}, 429, { 'Retry-After': '7' }), 'try again in 7 s'],
    ['a wrong key', json({ status: '0', message: 'NOTOK', result: 'Invalid API Key' }), 'refused the key'],
    [
      'not verified, in words',
      json({ status: '0', message: 'NOTOK', result: 'Contract source code not verified' }),
      'no verified source',
    ],
    ['not verified, by an empty text', json(verified({ SourceCode: '' })), 'no verified source'],
    ['not found', json({}, 404), 'no verified source'],
    ['another language', json(verified({ CompilerVersion: 'vyper:0.3.7' })), 'not Solidity'],
    ['no JSON', (_request, response) => void response.end('<html>'), 'not JSON'],
    ['a redirect', json({}, 302, { Location: 'http://127.0.0.1:1/' }), 'redirects'],
    ['an error of the explorer', json({}, 500), 'status 500'],
    [
      'an answer that breaks off',
      (_request, response) =>
        void response.writeHead(200, { 'Content-Length': '99' }).write('{', () => response.destroy()),
      'broke off',
    ],
    [
      'a huge answer',
      (_request, response) => {
        const chunk = Buffer.alloc(1024 * 1024, 32)
        const send = (): void => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on('drain', send)
        send()
      },
      'larger than',
    ],
    [
      'a path that leads outside',
      json(verified({ SourceCode: '{"../../evil.sol": {"content": "x"}}' })),
      'cannot be written',
    ],
    [
      'a path with a hidden name',
      json(verified({ SourceCode: '{".git/hooks/x.sol": {"content": "x"}}' })),
      'cannot be written',
    ],
    ['a name twice', json(verified({ SourceCode: '{"A.sol": {"content": "x"}, "a.sol": {"content": "y"}}' })), 'twice'],
    [
      'a file that is a folder, too',
      json(verified({ SourceCode: '{"A.sol": {"content": "x"}, "A.sol/B.sol": {"content": "y"}}' })),
      'twice',
    ],
    ['no Solidity file', json(verified({ SourceCode: '{"A.txt": {"content": "x"}}' })), 'no Solidity file'],
  ])('%s', async (_what, answer, reason) => {
    const { url } = await explorer(answer)
    const folder = makeFolder({})
    const { code, out, err } = await fetchInto(folder, `${url}/api`)
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(reason)])
    expect(err).not.toContain('secret')
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([
    [[address], 'Name the explorer'],
    [['0x12', '--explorer-url', 'https://explorer.example/api'], 'Name an address'],
    [[address, '--explorer-url', 'http://explorer.example/api'], 'must be an https URL'],
    [[address, '--explorer-url', 'https://explorer.example/api?apikey=secret'], 'must be an https URL'],
    [[address, '--explorer-url', 'https://user:secret@explorer.example/api'], 'must be an https URL'],
    [[address, '--explorer-url', 'http://127.0.0.1:1/api'], 'could not be reached'],
    [[address, '--explorer-url', 'http://127.0.0.1:1/api', '--explorer-key-file', 'none'], 'cannot be read'],
    [[address, '--explorer-url', 'http://127.0.0.1:1/api', '-o', '../../x'], 'outside of the project'],
  ])('%j', async (words, reason) => {
    const { code, err } = await assayIn(makeFolder({ 'package.json': '{}' }), ['fetch', ...words])
    expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  })

  test('a folder that is there already', async () => {
    const { url, requested } = await explorer(json(verified()))
    const folder = makeFolder({ [`${address}/mine.sol`]: 'kept' })
    expect(await fetchInto(folder, `${url}/api`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('there already'),
    })
    expect([requested, readdirSync(join(folder, address))]).toEqual([[], ['mine.sol']])
  })
})

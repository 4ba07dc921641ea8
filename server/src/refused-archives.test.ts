// Archives that are refused leave nothing behind, not even for a moment: watched around a process of its own.
import { mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTar, makeZip } from './testing/archives.ts'
import { operate, type SpawnedServer, spawnServer, upload, whenThereIsRoom } from './testing/spawn-server.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const source = 'pragma solidity 0.8.26;\ncontract Marked { string public constant mark = "refused-archive-7f3a"; }\n'
const MEGABYTE = 1024 * 1024
const spaces = (bytes: number): Buffer => Buffer.alloc(bytes, 0x20)
const numbered = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/F${at}.sol`, 'contract A {}']))
const packed = (files: Record<string, string | Buffer>) => [makeZip(files), gzipSync(makeTar(files))] as const
const damaged = makeZip({ 'Vault.sol': source })
damaged.fill(0xff, 40, 60)

/** One kind of trouble, as a zip and as a tar.gz. */
const hostile: readonly (readonly [what: string, zip: Buffer, tarGz: Buffer])[] = [
  ['a bomb', makeZip({ 'Bomb.sol': spaces(60 * MEGABYTE) }), gzipSync(makeTar({ 'Bomb.sol': spaces(60 * MEGABYTE) }))],
  [
    'many small bombs',
    ...packed(Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`B${n}.sol`, spaces(MEGABYTE)]))),
  ],
  ['a path that leads out', ...packed({ '../Vault.sol': source })],
  ['a path that leads out in the middle', ...packed({ 'src/../../../Vault.sol': source })],
  ['a path that leads out by backslashes', ...packed({ '..\\..\\Vault.sol': source })],
  ['an absolute path', ...packed({ '/tmp/Vault-refused-7f3a.sol': source })],
  ['a drive', ...packed({ 'C:\\Vault.sol': source })],
  [
    'a link, and a file behind it',
    makeZip({ out: '/tmp', 'out/Vault.sol': source, 'Link.sol': '/etc/passwd' }, { links: ['out', 'Link.sol'] }),
    gzipSync(makeTar({ out: '', 'out/Vault.sol': source, 'Link.sol': '' }, { links: ['out', 'Link.sol'] })),
  ],
  ['one path twice', ...packed({ 'Vault.sol': source, './Vault.sol': source })],
  ['thousands of entries', ...packed(numbered(2001))],
  ['more entries than are looked at', ...packed(numbered(20_001))],
  ['a damaged entry', damaged, gzipSync(makeTar({ 'Vault.sol': source })).fill(0, 30, 60)],
  [
    'an end that is missing',
    makeZip({ 'A.sol': source }).subarray(0, 80),
    gzipSync(makeTar({ 'A.sol': source }).subarray(0, 600)),
  ],
]

/** What the service keeps for itself: its database, and the mails that tell of the new key. */
const isOwn = (name: string): boolean =>
  /^(assay\.db(-wal|-shm|-journal)?|serving\.lock(-journal)?|outbox)$/.test(basename(name))

describe('refused archives', () => {
  // All that the process can reach by a relative path, its temporary folder and its data lie in one folder that is watched.
  const root = temporaryFolder()
  const folders = { cwd: join(root, 'deep', 'work'), temporary: join(root, 'tmp'), dataDir: join(root, 'data') }
  const settings = { dataDir: folders.dataDir, cwd: folders.cwd }
  const touched: string[] = []
  let server: SpawnedServer
  let key: string
  let stopWatching: () => void

  beforeAll(async () => {
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    server = await spawnServer(settings, { TMPDIR: folders.temporary })
    const made = await operate(
      settings,
      ['create-account', 'a@example.com'],
      ['set-plan', 'a@example.com', 'pro'],
      ['create-key', 'a@example.com'],
    )
    key = made.at(-1) ?? ''
    // What a first scan sets up is there before anyone looks.
    expect((await upload(server, key, source)).status).toBe(200)
    // One watcher for each folder: they tell of a file that is there for a moment only.
    const watchers = [root, join(root, 'deep'), ...Object.values(folders)].map((folder) =>
      watch(folder, (_kind, name) => {
        if (name && !isOwn(name)) touched.push(join(relative(root, folder), name))
      }),
    )
    stopWatching = () => watchers.forEach((watcher) => void watcher.close())
  })
  afterAll(async () => {
    stopWatching?.()
    await server?.kill()
  })

  const files = (): string[] =>
    readdirSync(root, { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith(join('data', 'outbox')))
      .sort()

  async function send(path: string, fileName: string, bytes: Buffer, headers: Record<string, string>): Promise<number> {
    const sendRequest = () => {
      const body = new FormData()
      body.set('file', new Blob([new Uint8Array(bytes)]), fileName)
      return fetch(`${server.url}${path}`, { method: 'POST', headers: { 'x-api-key': key, ...headers }, body })
    }
    const answer = await whenThereIsRoom(sendRequest)
    const text = await answer.text()
    expect(Object.keys(JSON.parse(text)), text).toEqual(['error'])
    return answer.status
  }

  const read = async (path: string) =>
    (await (await fetch(`${server.url}${path}`, { headers: { 'x-api-key': key } })).json()) as {
      data: { scans: unknown[]; withoutResult?: unknown[]; today: { scans: number } }
    }

  test('whatever is wrong with them, no file appears anywhere, nothing is kept and nothing is charged', async () => {
    const before = files()
    const uploads: readonly [path: string, headers: Record<string, string>][] = [
      ['/api/v1/scan', {}],
      ['/api/v1/scan', { prefer: 'respond-async' }],
      ['/scan', {}],
    ]
    for (const [what, zip, tarGz] of hostile) {
      for (const [path, headers] of uploads) {
        expect([400, 413], `${what}, zip, ${path}`).toContain(await send(path, 'a.zip', zip, headers))
        expect([400, 413], `${what}, tar.gz, ${path}`).toContain(await send(path, 'a.tar.gz', tarGz, headers))
      }
    }
    // Events come in the order of what happened: when each folder has reported its sentinel, nothing earlier is on its way.
    const sentinels = [root, ...Object.values(folders)].map((folder) => join(folder, 'sentinel'))
    for (const sentinel of sentinels) writeFileSync(sentinel, '')
    const touchedSentinels = () => sentinels.filter((sentinel) => touched.includes(relative(root, sentinel)))
    await expect.poll(touchedSentinels).toEqual(sentinels)
    expect(touched.filter((name) => !name.endsWith('sentinel'))).toEqual([])
    for (const sentinel of sentinels) rmSync(sentinel)
    expect(files()).toEqual(before)
    const { scans } = (await read('/api/v1/scans')).data
    expect(scans).toHaveLength(1)
    for (const status of ['queued', 'running', 'failed', 'cancelled'])
      expect((await read(`/api/v1/scans?status=${status}`)).data.withoutResult, status).toEqual([])
    expect((await read('/api/v1/usage')).data.today.scans).toBe(1)
  })
})

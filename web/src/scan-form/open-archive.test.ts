import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeTar, makeZip } from '../../../server/src/testing/archives.ts'
import { openArchive } from './open-archive.ts'

const archive = (name: string, bytes: Buffer) => ({
  name,
  arrayBuffer: async () => new Uint8Array(bytes).buffer,
})

const contents = async (name: string, bytes: Buffer) => {
  const files = await openArchive(archive(name, bytes))
  return files && Promise.all(files.map(async ({ path, text }) => [path, await text()]))
}

test('a zip is opened without the folder around everything', async () => {
  const bytes = makeZip({ 'app/src/A.sol': 'contract A {}', 'app/foundry.toml': '[profile.default]' })
  expect(await contents('app.zip', bytes)).toEqual([
    ['src/A.sol', 'contract A {}'],
    ['foundry.toml', '[profile.default]'],
  ])
})

test('a tar.gz is opened too', async () => {
  const bytes = gzipSync(makeTar({ 'src/A.sol': 'contract A {}', 'lib/B.sol': 'contract B {}' }))
  expect(await contents('app.tar.gz', bytes)).toEqual([
    ['src/A.sol', 'contract A {}'],
    ['lib/B.sol', 'contract B {}'],
  ])
})

test('what is no archive is left to the service', async () => {
  expect(await contents('app.zip', Buffer.from('no archive'))).toBeUndefined()
})

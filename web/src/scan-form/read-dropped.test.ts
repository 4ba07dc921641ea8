import { expect, test } from 'vitest'
import { makeZip } from '../../../server/src/testing/archives.ts'
import { droppedFiles, namedFiles, readChosen } from './read-dropped.ts'

const file = (path: string, text = 'contract A {}') => ({ path, file: new File([text], path.split('/').at(-1) ?? '') })

test('Solidity files become sources by path, other files are left alone', async () => {
  const chosen = await readChosen([file('src/B.sol'), file('README.md'), file('src/A.sol', 'contract X {}')])
  expect(chosen).toEqual({
    kind: 'sources',
    name: 'project',
    sources: [
      { path: 'src/A.sol', text: 'contract X {}' },
      { path: 'src/B.sol', text: 'contract A {}' },
    ],
  })
})

test('settings of a tool name it, and remappings go along', async () => {
  const chosen = await readChosen([file('foundry.toml'), file('src/A.sol'), file('remappings.txt', 'a/=lib/a/')])
  expect(chosen).toMatchObject({ kind: 'sources', tool: 'Foundry' })
  expect(chosen.kind === 'sources' && chosen.sources.map(({ path }) => path)).toEqual(['remappings.txt', 'src/A.sol'])
  expect(await readChosen([file('hardhat.config.ts'), file('A.sol')])).toMatchObject({ tool: 'Hardhat' })
})

test('an archive is opened here, and what cannot be opened goes as it is', async () => {
  const zip = new File(
    [new Uint8Array(makeZip({ 'app/src/A.sol': 'contract A {}', 'app/foundry.toml': '' }))],
    'app.zip',
  )
  expect(await readChosen([{ path: 'app.zip', file: zip }])).toEqual({
    kind: 'sources',
    name: 'app',
    tool: 'Foundry',
    sources: [{ path: 'src/A.sol', text: 'contract A {}' }],
  })
  expect(await readChosen([file('app.zip')])).toMatchObject({ kind: 'archive' })
  expect(await readChosen([file('app.tar.gz')])).toMatchObject({ kind: 'archive' })
})

test('what cannot be scanned is reported in words', async () => {
  expect(await readChosen([file('notes.txt')])).toEqual({
    kind: 'nothing',
    problem: 'Unsupported file type. Upload .sol files or a .zip.',
  })
  expect(await readChosen([file('a.txt'), file('b.txt')])).toMatchObject({ problem: 'No Solidity files found.' })
  expect(await readChosen([file('a.zip'), file('b.zip')])).toMatchObject({ problem: 'Upload one archive at a time.' })
})

test('a chosen folder keeps its paths without its own name', () => {
  const inFolder = new File(['x'], 'A.sol')
  Object.defineProperty(inFolder, 'webkitRelativePath', { value: 'app/src/A.sol' })
  const alone = new File(['x'], 'B.sol')
  Object.defineProperty(alone, 'webkitRelativePath', { value: '' })
  expect(namedFiles([inFolder, alone]).map(({ path }) => path)).toEqual(['src/A.sol', 'B.sol'])
})

test('a project is called as the folder that it came in', async () => {
  const inFolder = { ...file('src/A.sol'), folder: 'vault' }
  expect(await readChosen([inFolder, file('src/B.sol')])).toMatchObject({ kind: 'sources', name: 'vault' })
})

const leaf = (name: string) => ({
  name,
  isFile: true,
  file: (give: (file: File) => void) => give(new File([name], name)),
})
/** Hands out its children two at a time, as a browser does by the hundred. */
const folder = (name: string, children: readonly object[]) => ({
  name,
  isFile: false,
  isDirectory: true,
  createReader: () => {
    const left = [...children]
    return { readEntries: (give: (part: object[]) => void) => give(left.splice(0, 2)) }
  },
})
const item = (entry: object | null, file: File | null = null) =>
  ({ kind: 'file', webkitGetAsEntry: () => entry, getAsFile: () => file }) as unknown as DataTransferItem

test('a dropped folder is read to its last leaf, and gives the project its name', async () => {
  const dropped = folder('vault', [leaf('A.sol'), leaf('B.sol'), folder('lib', [leaf('C.sol')]), leaf('notes.md')])
  const found = await droppedFiles([item(dropped)])
  expect(found.map(({ path }) => path)).toEqual(['A.sol', 'B.sol', 'lib/C.sol', 'notes.md'])
  expect(found.every((each) => each.folder === 'vault')).toBe(true)
})

test('of several folders each keeps its name in the paths', async () => {
  const found = await droppedFiles([item(folder('a', [leaf('A.sol')])), item(folder('b', [leaf('A.sol')]))])
  expect(found.map(({ path }) => path)).toEqual(['a/A.sol', 'b/A.sol'])
})

test('files without a place on the disk are files all the same, and dropped words are none', async () => {
  const words = { ...item(null), kind: 'string' } as DataTransferItem
  const found = await droppedFiles([item(null, new File(['x'], 'A.sol')), words])
  expect(found.map(({ path }) => path)).toEqual(['A.sol'])
})

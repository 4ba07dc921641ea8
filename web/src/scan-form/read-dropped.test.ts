import { expect, test } from 'vitest'
import { namedFiles, readChosen } from './read-dropped.ts'

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

test('one archive goes as it is', async () => {
  expect(await readChosen([file('app.zip')])).toMatchObject({ kind: 'archive' })
  expect(await readChosen([file('app.tar.gz')])).toMatchObject({ kind: 'archive' })
})

test('what cannot be scanned is told in words', async () => {
  expect(await readChosen([file('notes.txt')])).toEqual({
    kind: 'nothing',
    problem: 'notes.txt is no .sol file and no archive.',
  })
  expect(await readChosen([file('a.txt'), file('b.txt')])).toMatchObject({ problem: 'No .sol file is among these.' })
  expect(await readChosen([file('a.zip'), file('b.zip')])).toMatchObject({ problem: 'Choose one archive at a time.' })
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

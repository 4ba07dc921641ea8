import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { clean, floating, makeFolder } from './testing/captured-io.ts'

const launcher = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function run(words: readonly string[], folder: string, stdin?: string): Promise<Ended> {
  const started = promisify(execFile)(process.execPath, [launcher, ...words], { cwd: folder })
  if (stdin !== undefined) started.child.stdin?.end(stdin)
  return started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  )
}

// The first call may build.
beforeAll(async () => {
  await run(['--version'], fileURLToPath(new URL('.', import.meta.url)))
})

test('the command as installed: a folder in, JSON alone on standard output, exit code 1', async () => {
  const folder = makeFolder({ 'src/Box.sol': floating, 'src/deep/Fine.sol': clean, 'src/deep/Poem.txt': 'no' })
  const { code, stdout, stderr } = await run(['scan', 'src', '--format', 'json'], folder)
  expect([code, stderr]).toEqual([1, ''])
  expect(JSON.parse(stdout).files.map(({ path }: { path: string }) => path)).toEqual([
    'src/Box.sol',
    'src/deep/Fine.sol',
  ])
})

test('exit code 0 when clean, 2 when it could not be done', async () => {
  const folder = makeFolder({ 'Fine.sol': clean })
  expect((await run(['scan', 'Fine.sol', '--only', '103'], folder)).code).toBe(0)
  const missing = await run(['scan', 'Missing.sol'], folder)
  expect([missing.code, missing.stderr]).toEqual([2, 'assay: Missing.sol: no such file or folder.\n'])
})

test('standard input', async () => {
  const { code, stdout } = await run(['scan', '-', '--quiet', '--only', '103'], makeFolder({}), floating)
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^<stdin>:1:1: high: SWC-103: /)])
})

test('a pipe is read like a file, a device without end is refused', async () => {
  const shell = (line: string) =>
    promisify(execFile)('sh', ['-c', line], { cwd: makeFolder({ 'Fine.sol': clean }) }).then(
      ({ stdout }) => stdout,
      (error: Ended) => error.stdout,
    )
  const node = `'${process.execPath}' '${launcher}'`
  expect(await shell(`cat Fine.sol | ${node} scan /dev/stdin --only 103`)).toContain('no findings')
  expect(await shell(`${node} scan /dev/zero 2>&1`)).toContain('The file is larger than')
  expect(await shell(`${node} scan - < /dev/zero 2>&1`)).toContain('The file is larger than')
})

test('--version is that of the package', async () => {
  expect((await run(['--version'], makeFolder({}))).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

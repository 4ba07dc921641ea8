/** The published document, put through the generator that most TypeScript clients use, compiled without a single cast. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const require = createRequire(import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'assay-openapi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const packageFolder = (name: string): string => dirname(require.resolve(`${name}/package.json`))
const documentFile = fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url))

const program = `
import createClient from 'openapi-fetch'
import type { components, paths } from './assay.js'

const client = createClient<paths, 'application/json'>({ baseUrl: 'https://assay.example.com', headers: { 'X-API-Key': 'key' } })

export async function walk(): Promise<string> {
  const { data, error } = await client.GET('/api/v1/scans', { params: { query: { limit: 10, kind: 'standard' } } })
  if (error) return error.error
  const entry: components['schemas']['ScanEntry'] | undefined = data.data.scans[0]
  const scanId: string = entry?.scanId ?? ''
  const one = await client.GET('/api/v1/scans/{scanId}', { params: { path: { scanId } } })
  const scan = one.data?.data
  // Its status tells a result from how far a scan got.
  const severity: components['schemas']['Severity'] | undefined =
    scan?.status === 'completed' ? scan.dataVulnerabilities[0]?.severity : undefined
  const key = await client.POST('/api/generate-api-key', { body: { userId: 'usr_1', type: 'TEST', name: 'ci' } })
  const value: string | undefined = key.data?.apiKey.keyValue
  const missing = await client.DELETE('/api/v1/scans/{scanId}', { params: { path: { scanId } } })
  // @ts-expect-error no such operation
  await client.GET('/api/v1/nothing')
  return [severity, value, missing.data?.message, missing.error?.error].join()
}
`

test('openapi-typescript and openapi-fetch compile against the document without casts', async () => {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  writeFileSync(join(folder, 'assay.d.ts'), astToString(await openapiTS(new URL(`file://${documentFile}`))))
  writeFileSync(join(folder, 'walk.ts'), program)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
        skipLibCheck: true,
        paths: {
          'openapi-fetch': [packageFolder('openapi-fetch')],
          'openapi-typescript-helpers': [packageFolder('openapi-typescript-helpers')],
        },
      },
      include: ['walk.ts'],
    }),
  )
  expect(compile()).toBe('')
})

function compile(): string {
  const compiler = join(packageFolder('typescript'), 'bin', 'tsc')
  try {
    return execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8', cwd: folder })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

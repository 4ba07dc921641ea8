import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageExtension } from './package-extension.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-vsix-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files: Record<string, Uint8Array> = {}

beforeAll(async () => {
  files = unzipSync(new Uint8Array(readFileSync(await packageExtension(folder))))
})

const text = (path: string) => new TextDecoder().decode(files[path])

test('the package has what the editor asks for, and every file has a type', () => {
  const manifest = JSON.parse(text('extension/package.json'))
  expect(files).toHaveProperty([`extension/${manifest.main.slice(2)}`])
  expect(text('extension.vsixmanifest')).toContain(`Version="${manifest.version}" Publisher="${manifest.publisher}"`)
  const typed = [...text('[Content_Types].xml').matchAll(/Extension="(\.\w+)"/g)].map(([, extension]) => extension)
  for (const path of Object.keys(files))
    if (path !== '[Content_Types].xml') expect(typed, path).toContain(path.slice(path.lastIndexOf('.')))
})

test('the extension loads nothing but the editor and Node', () => {
  const required = [...text('extension/dist/extension.cjs').matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name)
  for (const name of required) expect(name === 'vscode' || isBuiltin(name ?? ''), name).toBe(true)
})

test('the language server that comes with it answers', async () => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const server = spawn(process.execPath, [join(folder, 'extension/dist/assay/main.js'), 'lsp', '--stdio'])
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { processId: null, rootUri: null, capabilities: {} },
  })
  server.stdin.write(`Content-Length: ${body.length}\r\n\r\n${body}`)
  let answer = ''
  for await (const chunk of server.stdout) {
    answer += chunk
    if (answer.includes('hoverProvider')) server.stdin.end()
  }
  expect(answer).toContain('"serverInfo":{"name":"assay"')
})

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageExtension } from './package-extension.ts'

const standIn = fileURLToPath(new URL('../editors/vscode/testing/editor.cjs', import.meta.url))
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

describe('in an editor', () => {
  const home = join(folder, 'extension')
  const project = join(folder, 'project')
  const box = join(project, 'Box.sol')
  const floating = 'pragma solidity ^0.8.0;\ncontract Box {}\n'
  let extension: { activate(context: object): Promise<void>; deactivate(): Promise<void> | undefined }
  let editor: Editor

  beforeAll(async () => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    mkdirSync(project, { recursive: true })
    writeFileSync(box, floating)
    // Where the extension finds what the editor would hand to it.
    cpSync(standIn, join(home, 'node_modules/vscode/index.js'))
    const load = createRequire(join(home, 'package.json'))
    editor = load('vscode')
    extension = load(JSON.parse(text('extension/package.json')).main)
    editor.workspace.workspaceFolders.push({ uri: editor.Uri.file(project), name: 'project', index: 0 })
    await extension.activate({ subscriptions: [], asAbsolutePath: (path: string) => join(home, path) })
  })
  afterAll(() => extension?.deactivate())

  /** The diagnostics of a file, as soon as they are what is waited for. */
  const diagnosticsOf = (path: string, isWanted: (all: readonly Shown[]) => boolean): Promise<readonly Shown[]> =>
    new Promise((resolve) => {
      const { seen } = editor.standIn
      const look = () => {
        const all = seen.diagnostics.get(editor.Uri.file(path).toString()) ?? []
        if (isWanted(all)) resolve(all)
      }
      seen.onDiagnostics = look
      look()
    })

  test('findings, their page and their patches come from the server that is packed with it', async () => {
    const { standIn: person } = editor
    const document = person.open(box, floating)
    const [found] = await diagnosticsOf(box, (all) => all.length > 0)
    expect(found).toMatchObject({ severity: 0, source: 'assay', range: { start: { line: 0, character: 0 } } })
    expect(found?.message).toContain('allows more than one compiler version')

    const place = new editor.Position(0, 3)
    const token = new editor.CancellationTokenSource().token
    const hover = await person.seen.hovers[0]?.provideHover(document, place, token)
    expect(JSON.stringify(hover)).toContain('How it is attacked')

    const range = new editor.Range(place, place)
    const actions =
      (await person.seen.actions[0]?.provideCodeActions(
        document,
        range,
        { diagnostics: [found], triggerKind: 1 },
        token,
      )) ?? []
    expect(actions.map(({ title }) => title)).toEqual([
      'Pin the pragma to 0.8.28',
      'Suppress SWC-103 here, with a reason',
    ])
    expect(actions[0]?.edit.entries()).toEqual([
      [editor.Uri.file(box).toString(), [expect.objectContaining({ newText: expect.stringContaining('0.8.28') })]],
    ])

    person.type(document, floating.replace('^0.8.0', '0.8.28'))
    expect(await diagnosticsOf(box, (all) => all.length === 0)).toEqual([])
  })

  test('a workspace that nobody trusts does not choose which program runs', async () => {
    const { standIn: person } = editor
    const guarded = join(project, 'Guarded.sol')
    person.seen.settings['assay.path'] = join(project, 'not-a-program')
    editor.workspace.isTrusted = false
    await person.seen.commands.get('assay.restart')?.()
    person.open(guarded, floating)
    expect(await diagnosticsOf(guarded, (all) => all.length > 0)).toHaveLength(1)
  })

  test('the server can be started anew, and finds the same', async () => {
    const { standIn: person } = editor
    const again = join(project, 'Again.sol')
    await person.seen.commands.get('assay.restart')?.()
    person.open(again, floating)
    expect(await diagnosticsOf(again, (all) => all.length > 0)).toHaveLength(1)
  })
})

interface Shown {
  readonly message: string
}
interface Editor {
  readonly Uri: { file(path: string): { toString(): string } }
  readonly Position: new (line: number, character: number) => object
  readonly Range: new (start: object, end: object) => object
  readonly CancellationTokenSource: new () => { readonly token: object }
  readonly workspace: { readonly workspaceFolders: object[]; isTrusted: boolean }
  readonly standIn: {
    open(path: string, text: string): object
    type(document: object, text: string): void
    readonly seen: {
      readonly diagnostics: ReadonlyMap<string, readonly Shown[]>
      readonly commands: ReadonlyMap<string, () => Promise<void>>
      readonly hovers: { provideHover(document: object, place: object, token: object): Promise<object> }[]
      readonly actions: {
        provideCodeActions(document: object, range: object, context: object, token: object): Promise<Action[]>
      }[]
      readonly settings: Record<string, string>
      onDiagnostics?: () => void
    }
  }
}
interface Action {
  readonly title: string
  readonly edit: { entries(): unknown }
}

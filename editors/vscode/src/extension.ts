import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as vscode from 'vscode'
import { LanguageClient, type ServerOptions } from 'vscode-languageclient/node'

let client: LanguageClient | undefined

/** Called by the editor when the first Solidity file is opened. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand('assay.restart', async () => {
      await client?.stop()
      await start(context)
    }),
  )
  await start(context)
}

export const deactivate = (): Promise<void> | undefined => client?.stop()

async function start(context: vscode.ExtensionContext): Promise<void> {
  client = new LanguageClient('assay', 'Assay', serverOf(context), {
    documentSelector: [{ scheme: 'file', language: 'solidity' }],
    initializationOptions: { service: vscode.workspace.getConfiguration('assay').get<string>('service') ?? '' },
  })
  await client.start()
}

/** A workspace that nobody trusts does not choose which program runs. */
function serverOf(context: vscode.ExtensionContext): ServerOptions {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath
  const options = folder ? { cwd: folder } : {}
  const named = vscode.workspace.getConfiguration('assay').get<string>('path') ?? ''
  const local = folder ? join(folder, 'node_modules', '.bin', 'assay') : ''
  if (vscode.workspace.isTrusted) {
    if (named !== '') return { command: named, args: ['lsp', '--stdio'], options }
    if (local !== '' && existsSync(local)) return { command: local, args: ['lsp', '--stdio'], options }
  }
  const own = context.asAbsolutePath(join('dist', 'assay', 'main.js'))
  return {
    command: process.execPath,
    args: [own, 'lsp', '--stdio'],
    options: { ...options, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } },
  }
}

/**
 * The packed extension in a real Visual Studio Code, the one that code-server brings to the browser: it is installed, a contract is opened, and
 * its finding must stand in the list of problems.
 *   npm run check:vscode -- <folder of the npm package code-server> [node that it asks for]
 * Its packages need not be built: `npm install --ignore-scripts --omit=dev` there and in its lib/vscode is enough.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../web/e2e/service.ts'
import { packageExtension } from './package-extension.ts'

const [codeServer = '', node = process.execPath] = process.argv.slice(2)
const entry = join(codeServer, 'out', 'node', 'entry.js')
if (!existsSync(entry)) throw new Error('Say where code-server lies: npm run check:vscode -- <folder> [node]')
const browserPath = [process.env.TEST_BROWSER, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
)
if (!browserPath) throw new Error('No Chromium was found: set TEST_BROWSER to its path.')

const PATIENCE_MS = 240_000
const settings = { 'security.workspace.trust.enabled': false, 'workbench.startupEditor': 'none' }
const folder = mkdtempSync(join(tmpdir(), 'assay-code-'))
const project = join(folder, 'project')
const home = ['--user-data-dir', join(folder, 'user'), '--extensions-dir', join(folder, 'extensions')]

const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

async function isUp(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

mkdirSync(join(folder, 'user', 'User'), { recursive: true })
mkdirSync(project)
writeFileSync(join(folder, 'user', 'User', 'settings.json'), JSON.stringify(settings))
writeFileSync(join(project, 'Box.sol'), 'pragma solidity ^0.8.0;\ncontract Box {}\n')
execFileSync(node, [entry, ...home, '--install-extension', await packageExtension(folder)], { stdio: 'ignore' })
const port = await findPort()
const url = `http://127.0.0.1:${port}`
const served = spawn(node, [entry, ...home, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, project], {
  stdio: 'ignore',
})
const browser = await launchBrowser(browserPath)
try {
  await isUp(url)
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(`${url}/?folder=${encodeURIComponent(project)}`, { timeout: PATIENCE_MS })
  await page.locator('.monaco-workbench').waitFor()
  await page.getByText('Box.sol').first().dblclick()
  await page.locator('.view-line').first().waitFor()
  await page.locator('.squiggly-error').first().waitFor()
  await page.keyboard.press('Control+Shift+M')
  const problem = page.getByText(/allows more than one compiler version/).first()
  await problem.waitFor()
  console.log(`Visual Studio Code shows: ${await problem.textContent()}`)
} finally {
  await browser.close()
  served.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

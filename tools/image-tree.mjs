// Tries what the container image holds, without Docker: assembles the same tree, takes away every right to write it, starts it as another
// user, scans, proves, backs up, restores; on the embedded database, and on PostgreSQL where TEST_DATABASE_URL names one.
//   npm run image:tree
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { assembleImage } from './image.mjs'
import { Failure, main, root, say } from './project.mjs'
import { setupProver } from './setup-prover.mjs'

/** As in the image, where the user `node` has this number. */
const USER = 1000
const START_MS = 120_000
const COMMAND_MS = 120_000
const PROOF_TRIES = 3

/** Of development, or in the dashboard's bundle already. */
const unwanted = ['@tanstack', '@types', 'esbuild', 'react-dom', 'tsx', 'typescript', 'vite', 'vitest']

async function tryImage() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-image-'))
  chmodSync(folder, 0o755)
  const tree = join(folder, 'app')
  try {
    await setupProver()
    await assembleImage(tree)
    takeRights(tree)
    const before = lookOf(tree)
    say(`the tree has ${before.length} files, ${Math.round(sizeOf(before) / 2 ** 20)} MB`)
    for (const name of unwanted)
      if (existsSync(join(tree, 'node_modules', name)))
        throw new Failure(`${name} is in the tree, and nothing that runs needs it.`)
    await tryService(tree, folder, 'embedded')
    if (process.env.TEST_DATABASE_URL) await withDatabase((url) => tryService(tree, folder, 'postgres', url))
    else say('TEST_DATABASE_URL is not set: PostgreSQL is left out')
    if (JSON.stringify(lookOf(tree)) !== JSON.stringify(before))
      throw new Failure('something was written into the tree.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryService(tree, folder, name, databaseUrl) {
  const home = join(folder, name)
  mkdirSync(home)
  give(home)
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(home, 'data'),
    PUBLIC_URL: 'https://assay.example.com',
    BILLING_PROVIDER: 'sandbox',
    PRINT_MAILS: 'on',
    MASTER_SECRET: randomBytes(16).toString('hex'),
    SCAN_WORKERS: '1',
    STOP_DELAY_MS: '0',
    // The address is said in a line of the log.
    LOG_LEVEL: 'info',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const image = { tree, environment, folder: home }
  const run = (...args) => runCommand(image, args)
  let service = await serve(image)
  try {
    run('admin', 'create-account', 'ada@example.com', '--plan', 'pro')
    const printed = run('admin', 'create-key', 'ada@example.com')
    const key = /assay_live_\w+/.exec(printed)?.[0] ?? fail(`no key was printed: ${printed}`)
    const scanId = await scanAndProve(service.url, key)
    run('doctor')
    run('backup', join(home, 'backup'))
    const later = await scan(service.url, key)
    await service.stop()
    run('restore', join(home, 'backup'))
    service = await serve(image)
    const statusOf = async (id) => (await sendRequest(`${service.url}/api/v1/scans/${id}`, key)).status
    if ((await statusOf(scanId)) !== 200) fail('the scan from before the backup is not there after the restore')
    if ((await statusOf(later.scanId)) !== 404) fail('the scan from after the backup is there after the restore')
    say(`${name}: served, scanned, proved, backed up and restored`)
  } finally {
    await service.stop()
  }
}

const fail = (words) => {
  throw new Failure(words)
}

/** An attack is executed in wall time, which others on the machine have too. */
async function scanAndProve(url, key) {
  let lastEvidence
  for (let at = 0; at < PROOF_TRIES; at++) {
    const result = await scan(url, key, '?prove=true')
    const evidence = result.dataVulnerabilities.map((finding) => finding.evidence)
    if (evidence.some((each) => each?.status === 'confirmed')) return result.scanId
    lastEvidence = JSON.stringify(evidence)
  }
  return fail(`nothing was proved: ${lastEvidence}`)
}

async function scan(url, key, query = '') {
  const form = new FormData()
  form.set('file', new Blob([readFileSync(join(root, 'prover/fixtures/reentrancy/vulnerable.sol'))]), 'Vault.sol')
  const answer = await sendRequest(`${url}/api/v1/scan${query}`, key, { method: 'POST', body: form })
  if (answer.status !== 200) fail(`the scan was answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

const sendRequest = (url, key, options = {}) =>
  fetch(url, { ...options, headers: { 'x-api-key': key }, signal: AbortSignal.timeout(COMMAND_MS) })

/** Under another user where this one may become one. */
function asUser(command) {
  return process.getuid?.() === 0
    ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', ...command]
    : command
}

const launcher = (tree) => [process.execPath, join(tree, 'server/bin/assay-server.mjs')]

function runCommand({ tree, environment, folder }, args) {
  const [program, ...rest] = asUser([...launcher(tree), ...args])
  try {
    return execFileSync(program, rest, { cwd: folder, env: environment, encoding: 'utf8', timeout: COMMAND_MS })
  } catch (error) {
    return fail(`assay-server ${args.join(' ')} failed: ${error.stderr || error.stdout || error.message}`)
  }
}

async function serve({ tree, environment, folder }) {
  const [program, ...rest] = asUser(launcher(tree))
  const child = spawn(program, rest, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
    await ended
    clearTimeout(timer)
  }
  for (const until = Date.now() + START_MS; Date.now() < until; await delay(100)) {
    const url = /serving on (http:[^\s"]+)/.exec(output)?.[1]
    if (url) return { url, stop }
    if (child.exitCode !== null) return fail(`the service did not start: ${output}`)
  }
  await stop()
  return fail(`the service did not start in time: ${output}`)
}

/** A database of its own, gone afterwards. */
async function withDatabase(work) {
  const name = `assay_image_${randomBytes(4).toString('hex')}`
  const order = (sql) =>
    execFileSync('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', process.env.TEST_DATABASE_URL, '-c', sql], { stdio: 'pipe' })
  order(`create database ${name}`)
  try {
    const url = new URL(process.env.TEST_DATABASE_URL)
    url.pathname = `/${name}`
    await work(url.href)
  } finally {
    order(`drop database if exists ${name} with (force)`)
  }
}

function takeRights(tree) {
  for (const { path, isFolder } of lookOf(tree))
    chmodSync(path, isFolder ? 0o555 : lstatSync(path).mode & 0o100 ? 0o555 : 0o444)
  chmodSync(tree, 0o555)
}

function give(folder) {
  if (process.getuid?.() === 0) chownSync(folder, USER, USER)
}

function lookOf(tree) {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name)
      const { size, mtimeMs } = lstatSync(path)
      return { path, isFolder: entry.isDirectory(), size, mtimeMs }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

const sizeOf = (look) => look.reduce((sum, { size, isFolder }) => sum + (isFolder ? 0 : size), 0)

await main(tryImage)

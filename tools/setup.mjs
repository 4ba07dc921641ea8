// Installs what a command needs, and only when it is not there yet.
//   node tools/setup.mjs [start|all]
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashFiles } from './content-hash.mjs'
import { exclusively } from './exclusive.mjs'
import { Failure, isMain, main, root, say } from './project.mjs'
import { runCommand } from './run-command.mjs'

// bench holds what only tests and measurements need (compilers, peers, a browser driver): serving does without it.
const servingWorkspaces = ['engine', 'prover', 'server', 'cli', 'web']
const allWorkspaces = [...servingWorkspaces, 'client', 'bench']
const folders = ['', ...allWorkspaces]
const stampFile = join(root, 'node_modules', '.assay-install.json')

/** Makes sure that the packages are installed: `start` for serving, `all` for tests too. */
export async function setup(scope) {
  checkNode()
  const hash = wantedHash()
  if (isInstalled(scope, hash)) return
  await exclusively('install', async () => {
    if (isInstalled(scope, hash)) return
    if (isComplete()) writeStamp(hash, 'all')
    else await install(scope, hash)
  })
}

/** Whether someone ran npm by hand: it notes in node_modules what it put there. */
function isComplete() {
  try {
    const { packages: wanted } = readJson('package-lock.json')
    const { packages: present } = readJson('node_modules', '.package-lock.json')
    const isThere = ([path, { version }]) => path in present && present[path].version === version
    const needed = Object.entries(wanted).filter(([path, { optional }]) => path.includes('node_modules/') && !optional)
    return needed.every(isThere) && folders.every((folder) => agrees(readJson(folder, 'package.json'), wanted[folder]))
  } catch {
    return false
  }
}

/** Whether a manifest asks for what the lock file says that it asks for. */
function agrees(manifest, locked) {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every((field) => {
    const sorted = (list) => JSON.stringify(Object.entries(list ?? {}).sort())
    return sorted(manifest[field]) === sorted(locked[field])
  })
}

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))

function checkNode() {
  const wanted = readJson('package.json').engines.node.replace('>=', '')
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number)
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  throw new Failure(`Node ${wanted} or newer is needed; this is Node ${process.versions.node} (${process.execPath}).`)
}

/** What an install depends on: the lock file and of the manifests what names packages, not scripts or descriptions. */
function wantedHash() {
  const files = ['package-lock.json', '.npmrc'].map((name) => join(root, name)).filter((file) => existsSync(file))
  const fields = ['workspaces', 'bin', 'dependencies', 'devDependencies', 'optionalDependencies', 'overrides']
  const manifests = folders.map((folder) => {
    const manifest = readJson(folder, 'package.json')
    return fields.map((field) => manifest[field])
  })
  return hashFiles(files, JSON.stringify([process.platform, process.arch, manifests]))
}

function isInstalled(scope, hash) {
  const stamp = readStamp()
  return stamp?.hash === hash && (stamp.scope === 'all' || stamp.scope === scope)
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    return undefined
  }
}

async function install(scope, hash) {
  const stamp = readStamp()
  // A serving install is completed in place, so that a server running from it keeps its packages; all else starts clean.
  const completes = stamp?.hash === hash && scope === 'all'
  const command = completes ? ['install', '--no-save'] : ['ci']
  const workspaces =
    scope === 'all' ? [] : [...servingWorkspaces.flatMap((name) => ['-w', name]), '--include-workspace-root']
  say(
    `installing packages for ${scope === 'all' ? 'tests and serving' : 'serving'} (a minute or two with an empty npm cache)`,
  )
  const code = await runNpm([...command, '--include=dev', '--no-audit', '--no-fund', ...workspaces])
  if (code !== 0) {
    throw new Failure(
      `npm ${command[0]} failed with code ${code}; its reason stands above. Without a network, packages come from npm's cache only.`,
    )
  }
  writeStamp(hash, scope)
}

function writeStamp(hash, scope) {
  writeFileSync(stampFile, `${JSON.stringify({ hash, scope })}\n`)
}

/** Runs npm, its words on standard error; resolves to its exit code. */
export function runNpm(args, cwd = root) {
  const env = { ...process.env, npm_config_loglevel: process.env.npm_config_loglevel ?? 'error' }
  // `npm start -w …` or `npm test --prefix …` must not leak into the nested call.
  for (const name of ['npm_config_workspace', 'npm_config_workspaces', 'npm_config_prefix', 'npm_config_local_prefix'])
    delete env[name]
  const script = npmScript()
  const options = { cwd, env, stdio: ['ignore', 2, 2] }
  if (script) return runCommand(process.execPath, [script, ...args], options)
  return runCommand('npm', args, { ...options, shell: process.platform === 'win32' }).catch(() => {
    throw new Failure('npm was not found: install Node with npm, or put npm on PATH.')
  })
}

function npmScript() {
  const candidates = [
    process.env.npm_execpath,
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  return candidates.find((path) => path && /npm-cli\.c?js$/.test(path) && existsSync(path))
}

if (isMain(import.meta.url)) {
  await main(() => setup(process.argv[2] === 'start' ? 'start' : 'all'))
}

// Bundles what runs from dist, and only what is stale.
//   node tools/build.mjs [server] [cli] [web] [downloads]
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { hashFiles, listSources } from './content-hash.mjs'
import { exclusively } from './exclusive.mjs'
import { Failure, isMain, main, root, say } from './project.mjs'
import { runCommand } from './run-command.mjs'
import { setup } from './setup.mjs'

const always = ['package-lock.json', 'tools/build.mjs', 'engine/src', 'engine/package.json']
const prover = ['prover/src', 'prover/package.json', 'prover/packages/package-lock.json']

const targets = {
  server: {
    sources: [...prover, 'server/src', 'server/migrations', 'server/package.json', ...always],
    build: buildServer,
  },
  cli: { sources: [...prover, 'cli/src', 'cli/package.json', ...always], build: buildCli },
  web: {
    sources: [
      'web/src',
      'web/public',
      'web/index.html',
      'web/shell.html',
      'web/head.html',
      // The first page shows these figures; the calls are typed and sent by the client.
      'docs/reference/accuracy.md',
      'client/src',
      'web/vite.config.ts',
      'web/fonts.ts',
      'web/package.json',
      ...always,
    ],
    build: buildWeb,
  },
  // What the service offers for download: the command and the extension for editors.
  downloads: {
    sources: [
      ...prover,
      'cli/src',
      'cli/bin',
      'cli/package.json',
      'cli/README.md',
      'editors/vscode/src',
      'editors/vscode/package.json',
      'editors/vscode/README.md',
      'tools/package-extension.ts',
      ...always,
    ],
    after: 'cli',
    build: buildDownloads,
  },
}

/** Builds the named targets whose sources changed since their dist was made. */
export async function build(chosen = Object.keys(targets)) {
  const names = [...new Set(chosen.flatMap((name) => [targets[name].after ?? name, name]))]
  const stale = names.filter((name) => !isFresh(name))
  for (const name of names) if (!stale.includes(name)) noteLooks(name)
  if (stale.length === 0) return
  await exclusively('build', async () => {
    for (const name of stale) if (!isFresh(name)) await buildTarget(name)
  })
}

const distOf = (name) => join(root, name, 'dist')
const stampOf = (name) => join(distOf(name), '.stamp.json')

function isFresh(name) {
  return readStamp(name)?.hash === currentHash(name)
}

function currentHash(name) {
  return hashFiles(listSources(targets[name].sources).files)
}

function readStamp(name) {
  try {
    return JSON.parse(readFileSync(stampOf(name), 'utf8'))
  } catch {
    return undefined
  }
}

async function buildTarget(name) {
  if (!existsSync(join(root, 'node_modules', 'esbuild'))) await setup('start')
  const started = performance.now()
  say(`building ${name}`)
  const hash = currentHash(name)
  rmSync(stampOf(name), { force: true })
  await targets[name].build(distOf(name))
  mkdirSync(distOf(name), { recursive: true })
  writeStamp(name, hash)
  say(`built ${name} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

function writeStamp(name, hash) {
  writeFileSync(stampOf(name), JSON.stringify({ hash, seen: seenNow(name) }))
}

/** Contents are as built though times may differ (a fresh checkout, a copy): note the new times, so that launchers stay quick. */
function noteLooks(name) {
  const { hash, seen } = readStamp(name)
  if (JSON.stringify(seen) !== JSON.stringify(seenNow(name))) writeStamp(name, hash)
}

/**
 * The look of every source file and folder at build time: [path, milliseconds, bytes]. A launcher that finds all of them
 * unchanged need not read one; if a look has changed, the content hash decides.
 */
function seenNow(name) {
  const { files, folders } = listSources(targets[name].sources)
  return [...files, ...folders].map((path) => {
    const { mtimeMs, size } = statSync(path)
    return [relative(root, path), mtimeMs, size]
  })
}

const nodeBundle = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  logLevel: 'warning',
  legalComments: 'none',
}

async function buildServer(dist) {
  const entries = ['main.ts', 'admin/main.ts', 'analysis/worker.ts', 'analysis/prove-worker.ts'].map((path) =>
    join(root, 'server', 'src', path),
  )
  await bundle({
    ...nodeBundle,
    entryPoints: entries.filter((path) => existsSync(path)),
    outbase: join(root, 'server', 'src'),
    outdir: dist,
    sourcemap: true,
    plugins: [packagesStayOutside],
  })
}

async function buildCli(dist) {
  const entries = ['main.ts', 'scan/worker.ts', 'prove/worker.ts'].map((path) => join(root, 'cli', 'src', path))
  const { version, config } = JSON.parse(readFileSync(join(root, 'cli', 'package.json'), 'utf8'))
  const metafile = await bundle({
    ...nodeBundle,
    entryPoints: entries.filter((path) => existsSync(path)),
    outbase: join(root, 'cli', 'src'),
    outdir: dist,
    // What a scan does not need (examples, say) becomes a file of its own and costs nothing at start.
    splitting: true,
    minify: true,
    // Packages in the older format, bundled into a module, still call require for what Node itself has.
    banner: {
      js: 'const require=process.getBuiltinModule;',
    },
    define: {
      'process.env.ASSAY_VERSION': JSON.stringify(version),
      'process.env.ASSAY_PAGES': JSON.stringify(config?.pages ?? ''),
      'process.env.ASSAY_BUILD': JSON.stringify(currentHash('cli')),
    },
  })
  writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesOf(metafile))
  await emitRuleTypes(join(dist, 'types'))
  // By these the installed command fetches compilers and EVM, when someone asks for proof.
  mkdirSync(join(dist, 'prover-packages'), { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'prover', 'packages', name), join(dist, 'prover-packages', name))
}

/** The types that a rule of a user's own is checked with: those of the engine, as far as the API for rules reaches. */
async function emitRuleTypes(dist) {
  const source = join(root, 'engine', 'src')
  const options = {
    ...{ declaration: true, emitDeclarationOnly: true, noEmit: false, outDir: dist, rootDir: source, types: ['node'] },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: true },
    ...{ target: 'es2023', lib: 'es2023', module: 'esnext', moduleResolution: 'bundler' },
    ...{ allowImportingTsExtensions: true, verbatimModuleSyntax: true },
  }
  rmSync(dist, { recursive: true, force: true })
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const code = await runCommand(process.execPath, [tsc, '--ignoreConfig', ...words, join(source, 'rule-api.ts')], {
    cwd: root,
  })
  if (code !== 0) throw new Failure('the types of the API for rules could not be written')
}

/** The licences of the packages whose code is in the bundle, as they ask for. */
function noticesOf({ inputs }) {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  )
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry))
      const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : `Licence: ${license}`
      return `${name} ${version}\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

async function buildWeb() {
  const web = join(root, 'web')
  if (!existsSync(join(web, 'index.html'))) return
  const vite = join(createRequire(join(web, 'package.json')).resolve('vite/package.json'), '..', 'bin', 'vite.js')
  const code = await runCommand(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: web,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  })
  if (code !== 0)
    throw new Failure(`the dashboard did not build (vite ended with code ${code}); its reason stands above.`)
}

/** A package each, under a name that stays, with their digests. */
async function buildDownloads(dist) {
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  const step = async (command, args) => {
    const code = await runCommand(command, args, { cwd: root, stdio: ['ignore', 'ignore', 2] })
    if (code !== 0) throw new Failure(`${args.join(' ')} ended with code ${code}; its reason stands above.`)
  }
  await step('npm', ['pack', '--workspace', 'cli', '--ignore-scripts', '--silent', '--pack-destination', dist])
  await step(process.execPath, ['--import', 'tsx', 'tools/package-extension.ts', dist])
  const names = { tgz: 'assay-cli.tgz', vsix: 'assay-vscode.vsix' }
  for (const file of readdirSync(dist)) renameSync(join(dist, file), join(dist, names[file.split('.').pop()]))
  const digests = Object.values(names).map((name) => `${sha256(join(dist, name))}  ${name}\n`)
  writeFileSync(join(dist, 'SHA256SUMS'), digests.join(''))
}

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

async function bundle(options) {
  const { build: esbuild } = await import('esbuild')
  try {
    const { metafile } = await esbuild({ absWorkingDir: root, metafile: true, ...options })
    removeOthers(options.outdir, Object.keys(metafile.outputs))
    return metafile
  } catch (error) {
    if (error.errors) throw new Failure(`esbuild found ${error.errors.length} error(s); they stand above.`)
    throw error
  }
}

/** Files are replaced, not removed first, because a server may be running from them; what is no longer made goes afterwards. */
function removeOthers(dist, outputs) {
  const made = new Set(outputs.map((path) => join(root, path)))
  for (const entry of readdirSync(dist, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    if (entry.isFile() && !made.has(path)) rmSync(path)
  }
}

/** Packages of the registry are loaded from node_modules at run time; our own workspaces are TypeScript and go in. */
const packagesStayOutside = {
  name: 'packages-stay-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@assay/') ? undefined : { path, external: true },
    )
  },
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const names = process.argv.slice(2)
    const unknown = names.find((name) => !(name in targets))
    if (unknown) throw new Failure(`unknown target "${unknown}"; there are ${Object.keys(targets).join(', ')}.`)
    await setup('start')
    await build(names.length > 0 ? names : undefined)
  })
}

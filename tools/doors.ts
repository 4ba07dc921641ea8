import { posix } from 'node:path'
import { type Import, type ModuleText, readModule, type Use } from './read-module.ts'

/** The doors between the rooms of the house: who may import whom, and what may be touched where. */
export interface SourceText {
  /** Relative to the project folder, with forward slashes. */
  readonly path: string
  readonly text: string
}

interface Module extends Omit<ModuleText, 'imports'> {
  readonly path: string
  readonly workspace: string
  /** Folder below `src`; empty for a file that lies directly in it. */
  readonly room: string
  readonly isTest: boolean
  readonly imports: readonly (Import & { readonly target: Target })[]
}

/** Where an import leads. */
interface Target {
  /** Path in the project, or the name of a package. */
  readonly name: string
  readonly workspace: string | null
  readonly room: string
}

type Rule = (module: Module) => Iterable<string>

/** One line for each door that is broken: the place, then what is wrong with it. */
export function checkDoors(sources: readonly SourceText[]): string[] {
  return sources.flatMap((source) => {
    const module = toModule(source)
    return rules.flatMap((rule) => [...rule(module)].map((words) => `${words}`))
  })
}

/** The files of the project that a file imports. */
export const resolveImports = (source: SourceText): string[] =>
  toModule(source).imports.map(({ target }) => target.name)

/** Doors and circles ask about the same files: each is read once. */
const modules = new WeakMap<SourceText, Module>()

function toModule(source: SourceText): Module {
  const known = modules.get(source)
  if (known) return known
  const module = makeModule(source)
  modules.set(source, module)
  return module
}

function makeModule({ path, text }: SourceText): Module {
  const { imports, uses, texts } = readModule(text, path)
  const targets = imports.map((item) => ({ ...item, target: toTarget(path, item.from) }))
  return { path, ...placeOf(path), isTest: isTest(path), imports: targets, uses, texts }
}

const isTest = (path: string): boolean => /\.(test|fixture)\.tsx?$|(^|\/)(testing|test|stand-ins)\//.test(path)

function placeOf(path: string): { workspace: string; room: string } {
  const [workspace = '', ...rest] = path.split('/')
  const inner = rest[0] === 'src' ? rest.slice(1) : rest
  return { workspace, room: inner.length > 1 ? (inner[0] ?? '') : '' }
}

function toTarget(path: string, from: string): Target {
  if (from.startsWith('.')) {
    const name = posix.normalize(posix.join(posix.dirname(path), from))
    return { name, ...placeOf(name) }
  }
  if (from.startsWith('@assay/')) return { name: from, workspace: from.split('/')[1] ?? '', room: '' }
  return { name: from, workspace: null, room: '' }
}

const breach = (module: Module, line: number, words: string): string => `${module.path}:${line} ${words}`

/** Rooms of the engine, each seeing those before it. */
const engineRooms = ['knowledge', 'syntax', 'model', 'ir', 'facts', 'idioms', 'detectors', 'advice', 'report']

/** Those that are entered by their index only. */
const indexedRooms = ['knowledge', 'syntax', 'model', 'ir', 'facts', 'idioms']

/** Rooms of the server, and those that each may reach besides itself. */
const serverRooms: Record<string, readonly string[]> = {
  core: [],
  // Texts for people, owned by a writer.
  messages: [],
  stores: ['core', 'migrations'],
  gateways: ['core'],
  // The queue enqueues inside the business transaction, so it needs the database handle.
  queue: ['core', 'stores'],
  analysis: ['core'],
  services: ['core', 'messages', 'stores', 'gateways', 'queue', 'analysis'],
  jobs: ['core', 'services', 'queue'],
  http: ['core', 'messages', 'services'],
  routes: ['core', 'messages', 'http', 'services'],
}

const workspaceDoors: Record<string, readonly string[]> = {
  engine: [],
  prover: ['engine'],
  cli: ['engine', 'prover'],
  server: ['engine', 'prover'],
  web: ['engine', 'client'],
  // Written from the interface alone, so that anyone's client could be.
  client: [],
  bench: ['engine', 'prover', 'server', 'cli', 'client', 'web', 'tools'],
  tools: ['engine', 'prover', 'server', 'cli', 'client', 'web', 'bench'],
}

/** The one room of the dashboard that may see each. */
const rooms: Record<string, string> = { engine: 'playground', client: 'api' }

const workspaceRule: Rule = function* (module) {
  // A launcher builds before it starts, so it is the one that may call the tools.
  if (module.isTest || module.room === 'bin') return
  const allowed = workspaceDoors[module.workspace]
  if (!allowed) return
  for (const { target, from, line } of module.imports) {
    const { workspace } = target
    if (workspace === null || workspace === module.workspace || !(workspace in workspaceDoors)) continue
    if (!allowed.includes(workspace))
      yield breach(module, line, `imports ${from}: ${module.workspace} may not import ${workspace}`)
    else if (workspace === 'engine' && module.workspace === 'prover' && from !== '@assay/engine')
      yield breach(module, line, `imports ${from}: the prover uses the engine's public door`)
    else if (module.workspace === 'web' && module.room !== rooms[workspace]) {
      yield breach(module, line, `imports ${from}: only web/src/${rooms[workspace]} may import the ${workspace}`)
    }
  }
}

const engineRule: Rule = function* (module) {
  if (module.workspace !== 'engine' || module.isTest) return
  const own = engineRooms.indexOf(module.room)
  for (const { target, from, line } of module.imports) {
    if (target.workspace !== 'engine') yield breach(module, line, `imports ${from}: the engine depends on nothing`)
    else if (own >= 0 && engineRooms.indexOf(target.room) > own) {
      yield breach(
        module,
        line,
        `imports ${from}: ${module.room} may not import ${target.room} (${engineRooms.join(' ← ')})`,
      )
    } else if (own >= 0 && target.room === '') {
      yield breach(module, line, `imports ${from}: only the outside may import the engine's entry`)
    } else if (target.room !== module.room && isPastIndex(target)) {
      yield breach(module, line, `imports ${from}: ${target.room}/ is entered by its index`)
    }
  }
}

const isPastIndex = ({ room, name }: Target): boolean =>
  indexedRooms.includes(room) && name !== `engine/src/${room}/index.ts`

/** The folder of a detector, for whatever lies in one. */
const detectorOf = (path: string): string | undefined =>
  /^engine\/src\/detectors\/(?!generated\/)([^/]+)\//.exec(path)?.[1]

const detectorRule: Rule = function* (module) {
  const own = detectorOf(module.path)
  if (own === undefined || module.isTest) return
  for (const { target, from, line } of module.imports) {
    if (target.room !== 'detectors' || target.name === 'engine/src/detectors/define-detector.ts') continue
    if (detectorOf(target.name) !== own) {
      yield breach(
        module,
        line,
        `imports ${from}: no detector imports another; what two share sinks into facts/ or idioms/`,
      )
    }
  }
}

const serverRule: Rule = function* (module) {
  const allowed = module.workspace === 'server' && !module.isTest ? serverRooms[module.room] : undefined
  if (!allowed) return
  for (const { target, from, line } of module.imports) {
    if (target.workspace !== 'server' || target.room === module.room || allowed.includes(target.room)) continue
    const door =
      target.room === ''
        ? 'nobody imports main, app and deps'
        : `${module.room} may import ${[...allowed].join(', ') || 'nothing else'}`
    yield breach(module, line, `imports ${from}: ${door}`)
  }
}

const executionPackages = /^(solc(-.*)?|@ethereumjs\/.*|@noble\/.*)$/

/** Only the prover compiles and executes; it finds its packages at run time, so that everything else works without them. */
const executionRule: Rule = function* (module) {
  if (module.isTest) return
  for (const { from, line } of module.imports) {
    if (executionPackages.test(from))
      yield breach(module, line, `imports ${from}: compilers and the EVM are loaded by prover/src/packages.ts alone`)
  }
}

const databasePackages = /^(kysely|pg|pg-boss|libsql|better-sqlite3|node:sqlite)(\/|$)/
const sqlText =
  /^\s*(select\s[\s\S]+\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from|create\s+table|alter\s+table|drop\s+table)\s/i

/** SQL lives in stores, in the queue's own table and in migrations. */
const sqlRule: Rule = function* (module) {
  if (module.workspace !== 'server' || module.isTest || ['stores', 'queue', 'migrations'].includes(module.room)) return
  for (const { from, line } of module.imports) {
    if (databasePackages.test(from)) yield breach(module, line, `imports ${from}: SQL lives only in stores and queue`)
  }
  for (const { text, line } of module.texts) {
    if (sqlText.test(text)) yield breach(module, line, 'holds SQL: it lives only in stores and queue')
  }
}

const networkPackages = /^(node:)?(http|https|http2|net|tls|dgram|dns|dns\/promises)$|^(undici|stripe|nodemailer)(\/|$)/
/** Questions about an address, which touch no network. */
const harmless = /^(isIP|isIPv4|isIPv6|BlockList|SocketAddress|STATUS_CODES|METHODS)$/

/** The network lives in gateways; the framework listens. */
const networkRule: Rule = function* (module) {
  if (!['server', 'cli'].includes(module.workspace) || module.isTest || module.room === 'gateways') return
  for (const { from, names, isTypeOnly, line } of module.imports) {
    if (!networkPackages.test(from) || isTypeOnly) continue
    if (names.length > 0 && names.every((name) => harmless.test(name))) continue
    yield breach(module, line, `imports ${from}: the network lives only in gateways`)
  }
  for (const line of linesOf(module, 'fetch', isCall))
    yield breach(module, line, 'calls fetch: the network lives only in gateways')
}

/** The environment, the clock and randomness live in core. */
const ambientRule: Rule = function* (module) {
  if (!['server', 'engine'].includes(module.workspace) || module.isTest) return
  const isEngine = module.workspace === 'engine'
  const where = isEngine ? 'the engine has none' : 'it lives only in core'
  if (module.path !== 'server/src/core/config.ts') {
    for (const line of linesOf(module, 'process', isMember('env'))) {
      yield breach(module, line, `reads process.env: ${isEngine ? where : 'only core/config.ts does'}`)
    }
  }
  if (module.room === 'core' && !isEngine) return
  for (const [object, member] of [
    ['Date', 'now'],
    ['Math', 'random'],
    ['crypto', 'randomUUID'],
    ['crypto', 'getRandomValues'],
  ] as const) {
    for (const line of linesOf(module, object, isMember(member)))
      yield breach(module, line, `uses ${object}.${member}: ${where}`)
  }
  for (const line of linesOf(module, 'Date', isMadeOfNothing))
    yield breach(module, line, `asks for the time with new Date(): ${where}`)
  for (const { from, names, line } of module.imports) {
    const random = /^(node:)?crypto$/.test(from)
      ? names.find((name) => /^(random|getRandomValues|webcrypto|crypto$|\*)/.test(name))
      : undefined
    if (random) yield breach(module, line, `imports ${random}: ${where}`)
  }
}

const engineGlobals = ['process', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'Buffer', 'globalThis']

/** The engine runs in a worker, in the CLI and in a browser: it may name nothing that only one of them has (its types lack a page, too). */
const pureRule: Rule = function* (module) {
  if (module.workspace !== 'engine' || module.isTest) return
  for (const name of engineGlobals) {
    for (const line of linesOf(module, name))
      yield breach(module, line, `uses ${name}: the engine touches nothing outside`)
  }
  for (const line of linesOf(module, 'fetch', isCall))
    yield breach(module, line, 'calls fetch: the engine touches nothing outside')
}

const vagueName = /^(utils?|helpers?|common|types|constants|misc)(\.|$)/

const nameRule: Rule = function* ({ path, isTest }) {
  // A test may be about types; a room of them has no idea of its own.
  const vague = isTest ? undefined : path.split('/').find((part) => vagueName.test(part))
  if (vague) yield `${path} is called ${vague}: name a file after the one thing it does`
  const file = path.split('/').at(-1) ?? ''
  if (!/^[a-z0-9]+([-.$][a-z0-9]+)*(\.[a-z]+)*$/.test(file)) yield `${path} is not in kebab-case`
}

/** Launchers run in a fresh clone, before anything is installed; the bundler is loaded after the install. */
const plainRule: Rule = function* (module) {
  if (!module.path.endsWith('.mjs')) return
  for (const { from, line } of module.imports) {
    const isPlain = from.startsWith('node:') || (from.startsWith('.') && /\.m?js$/.test(from)) || from === 'esbuild'
    if (!isPlain) yield breach(module, line, `imports ${from}: a launcher runs before anything is installed`)
  }
}

const rules: readonly Rule[] = [
  workspaceRule,
  engineRule,
  detectorRule,
  serverRule,
  executionRule,
  sqlRule,
  networkRule,
  ambientRule,
  pureRule,
  plainRule,
  nameRule,
]

/** Lines where a name is used in one way, or in any. */
const linesOf = ({ uses }: Module, name: string, isMeant: (use: Use) => boolean = () => true): number[] =>
  uses.filter((use) => use.name === name && isMeant(use)).map(({ line }) => line)

const isCall = (use: Use): boolean => use.as === 'call'
const isMember =
  (name: string) =>
  ({ member }: Use): boolean =>
    member === name
const isMadeOfNothing = (use: Use): boolean => use.as === 'new' && use.argumentCount === 0

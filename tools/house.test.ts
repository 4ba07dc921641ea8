import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findCircles } from './circles.ts'
import { checkDoors, type SourceText } from './doors.ts'
import { findModuleState } from './module-state.ts'
import { readModule } from './read-module.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const skipped = new Set(['node_modules', 'dist', 'fixtures', 'results'])

function readProject(): SourceText[] {
  const folders = ['engine', 'prover', 'server', 'cli', 'web', 'bench', 'tools']
  return folders.flatMap((folder) => readFolder(join(root, folder)))
}

function readFolder(folder: string): SourceText[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : readFolder(path)
    if (!/\.(ts|tsx|mjs)$/.test(entry.name)) return []
    return [{ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }]
  })
}

const sources = readProject()

test('every door of the project is closed', () => {
  expect(sources.length).toBeGreaterThan(50)
  expect(checkDoors(sources)).toEqual([])
}, 120_000)

test('no file is in a circle of imports', () => {
  expect(findCircles(sources.filter(({ path }) => !path.includes('.test.')))).toEqual([])
})

test('a circle is found through types and re-exports too, and only where it is one', () => {
  const sources = [
    { path: 'cli/src/a.ts', text: "import type { B } from './b.ts'" },
    { path: 'cli/src/b.ts', text: "export { c } from './c.ts'\nimport { d } from './d.ts'" },
    { path: 'cli/src/c.ts', text: "import { a } from './a.ts'" },
    { path: 'cli/src/d.ts', text: '' },
  ]
  expect(findCircles(sources)).toEqual([['cli/src/a.ts', 'cli/src/b.ts', 'cli/src/c.ts']])
  expect(findCircles(sources.slice(0, 2))).toEqual([])
})

test('the engine keeps no state between two scans: it is handed on in objects', () => {
  const engine = sources.filter(({ path }) => path.startsWith('engine/src/') && !path.includes('.test.'))
  expect(engine.length).toBeGreaterThan(50)
  expect(engine.flatMap(findModuleState)).toEqual([])
}, 120_000)

test('module state is a let, or what a function changes; a table filled on loading is none', () => {
  const text = [
    'let last = 0',
    'const known = new Map()',
    'const counts = [0]',
    'const table = new Uint8Array(4)',
    'table.fill(1)',
    'for (const i of [1]) table[i] = 2',
    'export const ask = (key) => { known.set(key, 1); counts[0]++; const own = []; own.push(key) }',
  ].join('\n')
  expect(findModuleState({ path: 'a.ts', text })).toEqual([
    'a.ts: let last',
    'a.ts: known is changed',
    'a.ts: counts is changed',
  ])
})

const check = (path: string, text: string): string[] => checkDoors([{ path, text }])

describe('engine', () => {
  test('a lower room may not import a higher one', () => {
    expect(check('engine/src/syntax/parser.ts', "import { x } from '../model/model.ts'")).toEqual([
      'engine/src/syntax/parser.ts:1 imports ../model/model.ts: syntax may not import model (knowledge ← syntax ← model ← ir ← facts ← idioms ← detectors ← advice ← report)',
    ])
    expect(check('engine/src/report/report.ts', "import { x } from '../ir/index.ts'")).toEqual([])
  })

  test('a room is entered by its index', () => {
    const path = 'engine/src/detectors/reentrancy/detector.ts'
    expect(check(path, "import { x } from '../../facts/locks.ts'")).toEqual([
      'engine/src/detectors/reentrancy/detector.ts:1 imports ../../facts/locks.ts: facts/ is entered by its index',
    ])
    expect(check(path, "import { x } from '../../facts/index.ts'")).toEqual([])
    expect(check('engine/src/facts/locks.ts', "import { x } from './guards.ts'")).toEqual([])
  })

  test('a type is an import too, and so is a re-export or a dynamic import', () => {
    const texts = [
      "import type { X } from '../ir/index.ts'",
      "export * from '../ir/index.ts'",
      "const x = await import('../ir/index.ts')",
      "type X = import('../ir/index.ts').X",
    ]
    for (const text of texts) expect(check('engine/src/model/model.ts', text), text).toHaveLength(1)
  })

  test('no detector imports another', () => {
    const path = 'engine/src/detectors/reentrancy/detector.ts'
    expect(check(path, "import x from '../unchecked-call/detector.ts'")).toEqual([
      'engine/src/detectors/reentrancy/detector.ts:1 imports ../unchecked-call/detector.ts: no detector imports another; what two share sinks into facts/ or idioms/',
    ])
    expect(check(path, "import { x } from '../index.ts'")).toHaveLength(1)
    expect(check(path, "import { defineDetector } from '../define-detector.ts'")).toEqual([])
    expect(check(path, "import { x } from './stale-state.ts'")).toEqual([])
    expect(check('engine/src/detectors/index.ts', "import x from './reentrancy/detector.ts'")).toEqual([])
  })

  test('no files, no network, no clock, no randomness, no process', () => {
    const texts = [
      "import { readFileSync } from 'node:fs'",
      "import { z } from 'zod'",
      'const now = Date.now()',
      'const today = new Date()',
      'const x = Math.random()',
      'if (process.platform === "linux") {}',
      'const t = performance.now()',
      'await fetch(url)',
      'setTimeout(() => {}, 1)',
    ]
    for (const text of texts) expect(check('engine/src/ir/order.ts', text), text).not.toEqual([])
  })

  test('names, strings, comments and members that only look like them are fine', () => {
    const text = [
      '// process.env and Date.now() in a comment',
      "const words = 'Date.now() process.env fetch(x)'",
      'const pattern = /new Date() "unclosed/',
      'const table = { process: 1, fetch: 2 }',
      'machine.process(1); store.fetch(2); node.require',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of a program
      'const t = `Math.random() ${1 + `nested ${2}`} process.env`',
      'const day = new Date(0)',
    ].join('\n')
    expect(check('engine/src/ir/order.ts', text)).toEqual([])
  })
})

describe('server', () => {
  test('routes reach stores only through services', () => {
    expect(check('server/src/routes/scan.ts', "import { createScanStore } from '../stores/scan-store.ts'")).toEqual([
      'server/src/routes/scan.ts:1 imports ../stores/scan-store.ts: routes may import core, messages, http, services',
    ])
    expect(check('server/src/services/scan.ts', "import type { S } from '../stores/scan-store.ts'")).toEqual([])
  })

  test('a leaf imports nothing, and nobody imports main, app and deps', () => {
    expect(check('server/src/core/ids.ts', "import { x } from '../services/scan.ts'")).toHaveLength(1)
    expect(check('server/src/services/scan.ts', "import { x } from '../deps.ts'")).toEqual([
      'server/src/services/scan.ts:1 imports ../deps.ts: nobody imports main, app and deps',
    ])
    expect(check('server/src/main.ts', "import { x } from './deps.ts'")).toEqual([])
  })

  test('SQL lives only in stores and queue', () => {
    const sql = 'const rows = sql`select id from scans where x = 1`'
    expect(check('server/src/services/scan.ts', "import { sql } from 'kysely'")).toHaveLength(1)
    expect(check('server/src/services/scan.ts', sql)).toEqual([
      'server/src/services/scan.ts:1 holds SQL: it lives only in stores and queue',
    ])
    expect(check('server/src/stores/scan-store.ts', sql)).toEqual([])
    expect(check('server/src/queue/table.ts', "import { sql } from 'kysely'")).toEqual([])
    expect(check('server/src/services/scan.ts', "const words = 'Select one from the list.'")).toHaveLength(1)
  })

  test('the network lives only in gateways', () => {
    expect(check('server/src/services/mail.ts', "import nodemailer from 'nodemailer'")).toHaveLength(1)
    expect(check('server/src/jobs/deliver.ts', 'const answer = await fetch(url)')).toEqual([
      'server/src/jobs/deliver.ts:1 calls fetch: the network lives only in gateways',
    ])
    expect(check('server/src/gateways/mail.ts', "import nodemailer from 'nodemailer'")).toEqual([])
    expect(check('server/src/core/config.ts', "import { BlockList, isIP } from 'node:net'")).toEqual([])
    expect(check('server/src/http/client.ts', "import type { IncomingMessage } from 'node:http'")).toEqual([])
  })

  test('the environment, the clock and randomness live only in core', () => {
    expect(check('server/src/core/log.ts', 'const level = process.env.LOG_LEVEL')).toEqual([
      'server/src/core/log.ts:1 reads process.env: only core/config.ts does',
    ])
    expect(check('server/src/core/config.ts', 'const level = process.env.LOG_LEVEL')).toEqual([])
    expect(check('server/src/services/scan.ts', 'const at = new Date()')).toHaveLength(1)
    expect(check('server/src/core/clock.ts', 'const at = new Date()')).toEqual([])
    expect(check('server/src/services/keys.ts', "import { randomBytes } from 'node:crypto'")).toHaveLength(1)
    expect(check('server/src/services/keys.ts', "import * as crypto from 'node:crypto'")).toHaveLength(1)
    expect(check('server/src/services/keys.ts', "import { createHash } from 'node:crypto'")).toEqual([])
  })

  test('a test may do all of this', () => {
    const text = "import pg from 'pg'\nprocess.env.X = '1'\nawait fetch('http://127.0.0.1')\nnew Date()"
    expect(check('server/src/services/scan.test.ts', text)).toEqual([])
  })
})

describe('prover', () => {
  test('uses the engine by its public door', () => {
    expect(check('prover/src/prove.ts', "import { scan } from '@assay/engine'")).toEqual([])
    expect(check('prover/src/prove.ts', "import { parse } from '../../engine/src/syntax/index.ts'")).toHaveLength(1)
    expect(check('prover/src/prove.ts', "import { buildApp } from '@assay/server'")).toHaveLength(1)
  })

  test('nobody imports a compiler or an EVM', () => {
    for (const name of ['solc', 'solc-0.8', '@ethereumjs/evm', '@noble/hashes/sha3.js'])
      expect(check('cli/src/commands/prove.ts', `import x from '${name}'`), name).toHaveLength(1)
  })
})

describe('workspaces', () => {
  test('nobody imports tools or bench', () => {
    expect(check('cli/src/main.ts', "import { x } from '../../tools/doors.ts'")).toEqual([
      'cli/src/main.ts:1 imports ../../tools/doors.ts: cli may not import tools',
    ])
    expect(check('server/src/main.ts', "import { x } from '@assay/bench'")).toHaveLength(1)
    expect(check('cli/bin/assay.mjs', "const { build } = await import('../../tools/build.mjs')")).toEqual([])
  })

  test('the dashboard knows the engine in its playground only, and the server never', () => {
    expect(check('web/src/pages/home.tsx', "import { scan } from '@assay/engine'")).toHaveLength(1)
    expect(check('web/src/playground/worker.ts', "import { scan } from '@assay/engine'")).toEqual([])
    expect(check('web/src/pages/home.tsx', "import type { Operations } from '@assay/client'")).toHaveLength(1)
    expect(check('web/src/api/client.ts', "import type { Operations } from '@assay/client'")).toEqual([])
    expect(check('web/src/api.ts', "import type { Plan } from '../../server/src/core/plans.ts'")).toHaveLength(1)
  })

  test('a launcher needs nothing that must be installed', () => {
    expect(check('cli/bin/assay.mjs', "import { x } from 'zod'")).toEqual([
      'cli/bin/assay.mjs:1 imports zod: a launcher runs before anything is installed',
    ])
    expect(check('tools/setup.mjs', "import { x } from './doors.ts'")).toHaveLength(1)
    expect(check('tools/setup.mjs', "import { x } from './project.mjs'\nimport fs from 'node:fs'")).toEqual([])
  })

  test('a file is named after what it does', () => {
    expect(check('server/src/core/utils.ts', '')).toEqual([
      'server/src/core/utils.ts is called utils.ts: name a file after the one thing it does',
    ])
    expect(check('cli/src/helpers/wrap.ts', '')).toHaveLength(1)
    expect(check('cli/src/CodeFrame.ts', '')).toEqual(['cli/src/CodeFrame.ts is not in kebab-case'])
    expect(check('cli/src/code-frame.test.ts', '')).toEqual([])
  })
})

describe('reading imports', () => {
  test('finds each form with its line and names', () => {
    const text = [
      "import a, { b as c, type D } from './a.ts'",
      'import type { E } from "./e.ts"',
      "import * as f from 'f'",
      "import './g.css'",
      "export { h } from './h.ts'",
      "export type { I } from './i.ts'",
      "import {\n  j,\n  k,\n} from './j.ts'",
      "const l = import('./l.ts')",
    ].join('\n')
    expect(
      readModule(text).imports.map(({ from, names, isTypeOnly, line }) => [from, names.join(' '), isTypeOnly, line]),
    ).toEqual([
      ['./a.ts', 'a b D', false, 1],
      ['./e.ts', 'E', true, 2],
      ['f', '*', false, 3],
      ['./g.css', '', false, 4],
      ['./h.ts', 'h', false, 5],
      ['./i.ts', 'I', true, 6],
      ['./j.ts', 'j k', false, 7],
      ['./l.ts', '', false, 11],
    ])
  })

  test('is not led astray by comments, strings, pages and expressions', () => {
    const text = [
      "// import x from './x.ts'",
      "/* import y from './y.ts' */ const s = \"import z from './z.ts'\"",
      'const url = import.meta.url; const o = { import: 1 }; o.import; export const from = 1',
      "const page = <p>Don't import</p>",
      'const ratio = a / b / c // import q',
      "import real from './real.ts'",
    ].join('\n')
    expect(readModule(text).imports.map(({ from }) => from)).toEqual(['./real.ts'])
  })
})

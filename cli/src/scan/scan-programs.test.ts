import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assayIn, clean, floating, makeFolder } from '../testing/captured-io.ts'
import { cacheFolder, openCache, prune } from './cache.ts'
import { makePrograms, splitProgram } from './programs.ts'
import { runProgram } from './run-program.ts'
import { scanPrograms } from './scan-programs.ts'
import type { RunTask } from './worker.ts'

const source = (path: string, text = clean) => ({ path, text, location: `/${path}` })
const options = { suppressions: 'honour' as const }

describe('programs', () => {
  test('files that import one another stay together, with what they import', () => {
    const big = `${clean}// ${'x'.repeat(1_000_000)}\n`
    const given = ['a', 'b', 'c', 'd'].map((name) => source(`${name}.sol`, big))
    const programs = makePrograms(given, {
      imported: [source('lib.sol')],
      missing: [],
      targets: { 'a.sol': { './c.sol': 'c.sol' }, 'c.sol': { 'lib.sol': 'lib.sol' }, 'b.sol': {} },
    })
    expect(programs.map(({ reported }) => reported)).toEqual([['a.sol', 'c.sol'], ['b.sol'], ['d.sol']])
    expect(programs[0]?.files.map(({ path }) => path)).toEqual(['a.sol', 'c.sol', 'lib.sol'])
    expect(programs[1]?.files.map(({ path }) => path)).toEqual(['b.sol'])
  })

  test('small files share a program; alone each has what it needs', () => {
    const given = ['a', 'b', 'c'].map((name) => source(`${name}.sol`))
    const [program, ...others] = makePrograms(given, {
      imported: [],
      missing: [],
      targets: { 'a.sol': { x: 'b.sol' } },
    })
    expect([program?.reported, others]).toEqual([['a.sol', 'b.sol', 'c.sol'], []])
    expect(program && splitProgram(program).map(({ files }) => files.map(({ path }) => path))).toEqual([
      ['a.sol', 'b.sol'],
      ['b.sol'],
      ['c.sol'],
    ])
  })
})

describe('a program that does not end', () => {
  const run = (runTask: RunTask) => {
    const given = ['a', 'slow', 'c'].map((name) => source(`${name}.sol`, floating))
    const programs = makePrograms(given, { imported: [], missing: [], targets: {} })
    return scanPrograms(programs, { ...options, jobs: 2, timeout: 1, onDone: () => {} }, runTask)
  }

  test('is scanned again file by file: one file costs its own report alone', async () => {
    const [reports] = await run(async ({ program }) =>
      program.reported.includes('slow.sol') ? { failure: 'too slow' } : runProgram(program, options),
    )
    expect(reports?.map((report) => ('error' in report ? report : report.path))).toEqual([
      'a.sol',
      { path: 'slow.sol', error: 'too slow' },
      'c.sol',
    ])
  })
})

describe('the cache', async () => {
  const [program] = makePrograms([source('A.sol', floating)], { imported: [], missing: [], targets: {} })
  if (!program) throw new Error('one program')
  const reports = await runProgram(program, options)

  test('gives back what it was given, for the same text, path and options alone', () => {
    const cache = openCache(makeFolder({}))
    cache.keep('reports', program, options, reports)
    expect(cache.find('reports', program, options)).toEqual(JSON.parse(JSON.stringify(reports)))
    expect(cache.find('reports', program, { suppressions: 'ignore' })).toBeUndefined()
    expect(
      cache.find('reports', { ...program, files: [{ path: 'A.sol', text: `${floating} ` }] }, options),
    ).toBeUndefined()
    expect(cache.find('reports', { ...program, files: [{ path: 'B.sol', text: floating }] }, options)).toBeUndefined()
  })

  test('keeps what a scan comes to beside its reports, and neither is taken for the other', () => {
    const cache = openCache(makeFolder({}))
    cache.keep('results', program, options, [{ path: 'A.sol', error: 'as it was told' }])
    expect(cache.find('results', program, options)).toEqual([{ path: 'A.sol', error: 'as it was told' }])
    expect(cache.find('reports', program, options)).toBeUndefined()
  })

  test('keeps partitions by the files of a program, whatever these hold, and gives the result of a fresh scan', async () => {
    const folder = makeFolder({})
    const cache = openCache(folder)
    await runProgram(program, options, { cache })
    const changed = { ...program, files: [{ path: 'A.sol', text: `// new\n${floating}` }] }
    const kept = cache.find('parts', program, options)
    expect(kept?.length).toBeGreaterThan(0)
    expect(cache.find('parts', changed, options)).toEqual(kept)
    expect(await runProgram(changed, options, { cache })).toEqual(await runProgram(changed, options))
    // A comment changes no partition: what is new is about the text of the file alone.
    const partitions = (entries: typeof kept) => entries?.filter(([, entry]) => /"weight":[1-9]/.test(entry))
    expect(partitions(kept)).not.toEqual([])
    expect(partitions(cache.find('parts', changed, options))).toEqual(partitions(kept))
    const declaring = { ...program, files: [{ path: 'A.sol', text: `${floating} contract Added {}` }] }
    await runProgram(declaring, options, { cache })
    // An edit that is undone finds what was kept before it.
    expect(cache.find('parts', program, options)).toEqual(expect.arrayContaining(partitions(kept) ?? []))
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'damaged')
    expect(await runProgram(changed, options, { cache })).toEqual(await runProgram(changed, options))
  })

  test('damaged, foreign or half-written entries are no reports', () => {
    const folder = makeFolder({})
    const cache = openCache(folder)
    cache.keep('reports', program, options, reports)
    const file = join(folder, readdirSync(folder)[0] ?? '')
    for (const content of ['', '[]', Buffer.alloc(64)]) {
      writeFileSync(file, content)
      expect(cache.find('reports', program, options)).toBeUndefined()
    }
  })

  test('a folder that cannot be written only makes a scan slower', () => {
    const folder = makeFolder({ file: 'no folder' })
    const cache = openCache(join(folder, 'file'))
    expect(() => cache.keep('reports', program, options, reports)).not.toThrow()
    expect(cache.find('reports', program, options)).toBeUndefined()
  })

  test('is bounded: what was not used for longest goes', () => {
    const folder = makeFolder({ a: 'x'.repeat(40), b: 'x'.repeat(40), c: 'x'.repeat(40) })
    for (const [index, name] of ['b', 'c', 'a'].entries()) utimesSync(join(folder, name), index + 1, index + 1)
    prune(folder, 200, 150)
    expect(readdirSync(folder)).toHaveLength(3)
    prune(folder, 100, 80)
    expect(readdirSync(folder)).toEqual(['a', 'c'])
  })

  test('lies where the system keeps such things', () => {
    expect(cacheFolder({ ASSAY_CACHE_DIR: '/x' })).toBe('/x')
    expect(cacheFolder({ XDG_CACHE_HOME: '/y' })).toBe('/y/assay')
    expect(cacheFolder({ HOME: '/h' }, 'linux')).toBe('/h/.cache/assay')
    expect(cacheFolder({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Caches/assay')
  })
})

test('--watch scans again when a file changes, until interrupted', async () => {
  const folder = makeFolder({ 'src/A.sol': floating })
  mkdirSync(join(folder, 'out'))
  let interrupt = () => {}
  const interrupted = new Promise<void>((resolve) => {
    interrupt = resolve
  })
  const seen: string[] = []
  let changed = false
  const ended = assayIn(folder, ['scan', '--watch', '--only', '103'], {
    interrupted,
    onWrite: (name, text) => {
      if (name === 'out') seen.push(text)
      if (name === 'err' && text.includes('watching') && seen.length >= 2) interrupt()
      if (name === 'err' && text.includes('watching') && !changed) {
        changed = true
        writeFileSync(join(folder, 'src/A.sol'), clean)
      }
    },
  })
  expect((await ended).code).toBe(0)
  expect(seen[0]).toContain('Floating pragma')
  expect(seen.at(-1)).toContain('no findings')
})

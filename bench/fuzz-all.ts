/**
 * Odd input for everything that takes input: every route gets requests from nearly right to hopeless, the engine damaged and spliced
 * contracts. Never a 500, an exception, a leak or a hang.
 *   npm run fuzz [-- --seconds 60] [--seed 1]
 * A short run of the routes is part of `npm test`. Bounded; the exit code says whether a fault was found.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { scan } from '@assay/engine'
import { mutate, randomFrom } from '../engine/src/syntax/mutate.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})
const seconds = Number(values.seconds)

/** Generous: a file of this size takes a few milliseconds. */
const allowedMs = (text: string): number => 2000 + text.length / 5

function fuzzEngine(): number {
  const fixtures = listFixtures(path.join(root, 'engine'))
  const random = randomFrom(Number(values.seed))
  const end = performance.now() + (seconds * 1000) / 2
  const current = path.join(tmpdir(), `assay-fuzz-${process.pid}.sol`)
  let count = 0
  let faults = 0
  let slowest = 0
  for (; performance.now() < end && faults < 20; count++) {
    const [one, other] = [fixtures[count % fixtures.length]!, fixtures[Math.floor(random() * fixtures.length)]!]
    const text = mutate(random() < 0.5 ? one : splice(one, other, random), random)
    // One that never ends leaves its input behind.
    writeFileSync(current, text)
    const began = performance.now()
    try {
      scan(text)
      const spent = performance.now() - began
      slowest = Math.max(slowest, spent)
      if (spent <= allowedMs(text)) continue
      console.log(`took ${spent.toFixed(0)} ms for ${text.length} characters`)
    } catch (error) {
      console.log(`threw ${(error as Error).stack}`)
    }
    faults += 1
    writeFileSync(path.join(tmpdir(), `assay-fuzz-${values.seed}-${faults}.sol`), text)
  }
  console.log(`engine: ${count} damaged and spliced contracts, slowest ${slowest.toFixed(0)} ms, ${faults} faults`)
  return faults
}

const listFixtures = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol') && !file.includes('node_modules'))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))

/** The beginning of one and the end of another. */
const splice = (one: string, other: string, random: () => number): string =>
  one.slice(0, Math.floor(random() * one.length)) + other.slice(Math.floor(random() * other.length))

function fuzzRoutes(): number {
  const rounds = Math.max(6, Math.floor(seconds / 2))
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--reporter=dot', 'server/src/routes/fuzz.test.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', FUZZ_ROUNDS: String(rounds), FUZZ_SEED: values.seed },
    timeout: (seconds * 20 + 300) * 1000,
  })
  console.log(`routes: ${rounds} rounds of requests to every route, ${status === 0 ? 'no fault' : 'faults above'}`)
  return status === 0 ? 0 : 1
}

const faults = fuzzEngine() + fuzzRoutes()
if (faults > 0) process.exitCode = 1

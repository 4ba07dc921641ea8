/**
 * Odd input for everything that takes input: every route gets requests from nearly right to hopeless, the engine whatever the grammar allows and
 * damaged and spliced contracts. Never a 500, an exception, a leak, a hang or all of the memory.
 *   npm run fuzz [-- --seconds 60] [--seed 1]
 * A short run of both is part of `npm test`. Bounded; the exit code says whether a fault was found, and where its input is.
 */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})
const seconds = Number(values.seconds)
const folder = mkdtempSync(path.join(tmpdir(), 'assay-fuzz-'))
const current = path.join(folder, 'current.sol')

const HANG_MS = 60_000
const MEMORY_MB = 1024

/** How it ended: false when it hung, died or found a fault. */
function runEngine(forSeconds: number, seed: number): Promise<boolean> {
  const heap = `--max-old-space-size=${MEMORY_MB}`
  const file = path.join(root, 'bench', 'fuzz-engine.ts')
  const child = spawn(process.execPath, [heap, '--import', 'tsx', file, String(forSeconds), String(seed), folder], {
    cwd: root,
    stdio: 'inherit',
  })
  const watch = setInterval(() => {
    if (existsSync(current) && Date.now() - statSync(current).mtimeMs > HANG_MS) child.kill('SIGKILL')
  }, 1000)
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearInterval(watch)
      if (code !== 0 && code !== 1) {
        const kept = path.join(folder, `fatal-${seed}.sol`)
        if (existsSync(current)) copyFileSync(current, kept)
        console.log(`engine: ended with ${signal ?? code}, while it scanned ${kept}`)
      }
      resolve(code === 0)
    })
  })
}

async function fuzzEngine(): Promise<number> {
  const end = performance.now() + (seconds * 1000) / 2
  let faults = 0
  for (let run = 0; performance.now() < end - 500 && faults < 5; run++) {
    const left = Math.ceil((end - performance.now()) / 1000)
    if (!(await runEngine(left, Number(values.seed) * 1000 + run))) faults += 1
  }
  return faults
}

function fuzzRoutes(): number {
  const rounds = Math.max(6, Math.floor(seconds / 2))
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--reporter=dot', 'server/src/routes/fuzz'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', FUZZ_ROUNDS: String(rounds), FUZZ_SEED: values.seed },
    timeout: (seconds * 20 + 300) * 1000,
  })
  console.log(`routes: ${rounds} rounds of requests to every route, ${status === 0 ? 'no fault' : 'faults above'}`)
  return status === 0 ? 0 : 1
}

const faults = (await fuzzEngine()) + fuzzRoutes()
if (faults > 0) {
  console.log(`what was scanned when a fault was found is in ${folder}`)
  process.exitCode = 1
} else rmSync(folder, { recursive: true, force: true })

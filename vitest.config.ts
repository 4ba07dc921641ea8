import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Compilers as judges take minutes: `npm run test:oracles` asks them, and `.ci/run` after the tests. */
const oracles = '**/*.oracle.test.ts'
const isOracleRun = process.env.TEST_ORACLES === '1'

const tests = (name: string, folders: string, isolate: boolean) => ({
  extends: true as const,
  test: {
    name,
    isolate,
    include: [isOracleRun ? `${folders}/${oracles}` : `${folders}/**/*.test.ts`],
    exclude: ['**/node_modules/**', '**/dist/**', ...(isOracleRun ? [] : [oracles])],
  },
})

export default defineConfig({
  test: {
    pool: 'forks',
    // Much of a test is waiting for a process, a database or a browser: one worker, as on two cores by default, leaves the machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // The engine keeps no state between scans, so its tests may share what was loaded.
      tests('engine', 'engine', false),
      tests('rest', '{prover,server,cli,client,web,bench,tools}', true),
    ],
    // They end what hangs, and judge nobody's speed: on a busy machine everything takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})

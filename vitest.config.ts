import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { lateOptimization } from './cli/src/scan/late-optimization.ts'

/** Compilers as judges take minutes: `npm run test:oracles` asks them, and `.ci/run` after the tests. */
const oracles = '**/*.oracle.test.ts'
const isOracleRun = process.env.TEST_ORACLES === '1'

export default defineConfig({
  test: {
    pool: 'forks',
    // Most of what a test runs, it runs once: optimizing it as early as usual costs a third of the time of engine tests (docs/decisions/82).
    execArgv: [...lateOptimization(16)],
    // Much of a test is waiting for a process, a database or a browser: one worker, as on two cores by default, leaves the machine idle; so do two.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Loading is most of the work of many a file: those of one worker share what is loaded. What a file
    // replaces and makes is put back and removed after it.
    isolate: false,
    setupFiles: ['server/src/testing/after-each-file.ts'],
    include: [isOracleRun ? oracles : '**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...(isOracleRun ? [] : [oracles])],
    // They end what hangs, and judge nobody's speed: on a busy machine everything takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})

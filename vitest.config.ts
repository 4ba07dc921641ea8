import { defineConfig } from 'vitest/config'

/** Compilers as judges take minutes: `npm run test:oracles` asks them, and `.ci/run` after the tests. */
const oracles = '**/*.oracle.test.ts'
const isOracleRun = process.env.TEST_ORACLES === '1'

export default defineConfig({
  test: {
    include: isOracleRun ? [oracles] : ['{engine,prover,server,cli,client,web,bench,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...(isOracleRun ? [] : [oracles])],
    pool: 'forks',
    // They end what hangs, and judge nobody's speed: on a busy machine everything takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})

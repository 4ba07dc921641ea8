import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{engine,prover,server,cli,client,web,bench,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

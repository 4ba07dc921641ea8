export { checkFixture } from './check-fixture.ts'
export { loadRules } from './load-rules.ts'

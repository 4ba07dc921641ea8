export { checkFixture, RuleThrew } from './check-fixture.ts'
export { loadRules } from './load-rules.ts'
export { failureWords, toRuleFailure } from './rule-failure.ts'

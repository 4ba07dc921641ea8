export { inlineTarget } from './evidence/foundry-test.ts'
export { howToInstall, isInstalled, lookForPackagesIn } from './packages.ts'
export { type FindingAt, type ProvableFinding, type ProveOptions, provableClasses, prove } from './prove.ts'
export { defaultLimits, type Limits } from './search/budget.ts'

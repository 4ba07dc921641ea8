export type { Evidence, EvidenceBalance, EvidenceControl, EvidenceStatus, EvidenceStep } from './evidence/evidence.ts'
export { howToInstall, isInstalled } from './packages.ts'
export { type FindingAt, type ProveOptions, provableClasses, prove } from './prove.ts'
export { defaultLimits, type Limits } from './search/budget.ts'

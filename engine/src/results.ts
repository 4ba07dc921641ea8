// The second door: what is done with reports once they are there. Nothing behind it analyses, so that a command which finds its
// reports in a cache, or a page which only shows one, loads none of the engine.
export { attachEvidence, provableFindings } from './report/attach-evidence.ts'
export { evidenceLine, evidenceTitle, hasSteps } from './report/evidence.ts'
export { isHousekeeping } from './report/housekeeping.ts'
export { toHtml } from './report/html.ts'
export { isAboutFile } from './report/join-causes.ts'
export { joinResults } from './report/join-results.ts'
export { toMarkdown } from './report/markdown.ts'
export { projectScore } from './report/project-summary.ts'
export { toScanResult } from './report/scan-result.ts'
export { scoreFindings } from './report/security-score.ts'
export { severityWords, splitWords, type Tally, tally } from './report/tally.ts'
export { limitsOfAScan, unreadIn } from './report/unread.ts'

import type { Finding } from './finding.ts'
import type { ScannedFile } from './scanned-file.ts'

export interface BestPractices {
  readonly recommendations: readonly string[]
  readonly checklist: readonly { readonly category: string; readonly items: readonly string[] }[]
}

/** Advice made from what this file does and lacks. */
export const assessPractices = (_file: ScannedFile, findings: readonly Finding[]): BestPractices => ({
  recommendations: [...new Set(findings.map(({ recommendation }) => recommendation))],
  checklist: [],
})

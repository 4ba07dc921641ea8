import type { Readable } from 'node:stream'
import { refuse } from '../core/errors.ts'
import { streamStored } from '../core/stored.ts'
import { createAiReportStore } from '../stores/ai-reports.ts'
import { findOldest, type HistoryDeps } from './history.ts'
import { getLimits } from './limits.ts'

/** The Markdown report of an AI scan, for its owner and as long as the plan keeps the scan. */
export async function getAiReport(deps: HistoryDeps, accountId: string, outputFile: string): Promise<Readable> {
  const limits = await getLimits(deps, accountId)
  const report = await createAiReportStore(deps.db).find(accountId, outputFile, findOldest(deps.clock, limits))
  return report ? streamStored(report.body) : refuse('reportNotFound')
}

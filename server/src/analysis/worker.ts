import { compareScans, openScan, type ScanResult, toScanResult } from '@assay/engine'
import { pack, unpack } from '../core/stored.ts'
import { mergeAnswer, prepareQuestion } from './ai/ai-tasks.ts'
import { renderReport } from './render.ts'
import { serveTasks } from './serve-tasks.ts'
import type { RenderTask, ScanOutcome, ScanTask, Task } from './tasks.ts'

/** Results are bounded where they are made; whatever slips through ends here, before it reaches the serving thread. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

const decoder = new TextDecoder()
const encoder = new TextEncoder()

function work(task: Task): unknown {
  switch (task.task) {
    case 'scan':
      return scanSource(task)
    case 'render':
      return render(task)
    case 'ai-prompt':
      return prepareQuestion(task)
    case 'ai-merge':
      return mergeAnswer(task)
  }
}

function scanSource(task: ScanTask): ScanOutcome {
  const file = { path: task.file, text: decoder.decode(task.source) }
  const opened = openScan([file], { suppressions: task.suppressions })
  // No contract can be larger than its file.
  if (task.source.length > task.maxContractBytes && opened.largestContractBytes() > task.maxContractBytes)
    return { outcome: 'contract-too-large' }
  const [report] = opened.reports()
  if (!report) throw new Error('one file in, one report out')
  if (report.unreadable) return { outcome: 'unreadable', ...report.unreadable }
  const plain = toScanResult(report, { scanId: task.scanId, file: task.file })
  const result = task.baseline ? compareScans(parseResult(task.baseline), plain) : plain
  const json = encode(JSON.stringify(result))
  const body = task.format === 'json' ? json : encode(renderReport(result, task.format, task.scannedAt))
  const storedResult = pack(json)
  return {
    outcome: 'scanned',
    storedSource: pack(task.source),
    storedResult,
    body,
    storedBody: body === json ? storedResult : pack(body),
    completeness: result.completeness,
    securityScore: result.securityScore,
  }
}

const render = ({ result, format, scannedAt }: RenderTask): Uint8Array =>
  encode(renderReport(parseResult(result), format, scannedAt))

function encode(text: string): Uint8Array {
  const bytes = encoder.encode(text)
  if (bytes.length > MAX_ANSWER_BYTES) throw new Error(`The answer would have ${bytes.length} bytes.`)
  return bytes
}

const parseResult = (stored: Uint8Array): ScanResult => JSON.parse(unpack(stored).toString()) as ScanResult

serveTasks(work)

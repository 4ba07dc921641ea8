import { workerData } from 'node:worker_threads'
import { compareScans, measureLargestContract, type ScanResult, scan, toScanResult } from '@assay/engine'
import { guardBuffers } from './memory-guard.ts'
import { renderReport } from './render.ts'
import { pack, unpack } from './stored.ts'
import type { RenderTask, ScanOutcome, ScanTask, Task } from './tasks.ts'

const { memoryMb } = workerData as { memoryMb: number }
guardBuffers(memoryMb * 1024 * 1024)

const decoder = new TextDecoder()
const encoder = new TextEncoder()

export default function work(task: Task): number | ScanOutcome | Uint8Array {
  switch (task.task) {
    case 'measure':
      return measureLargestContract(decoder.decode(task.source))
    case 'scan':
      return runScan(task)
    case 'render':
      return render(task)
  }
}

function runScan(task: ScanTask): ScanOutcome {
  const report = scan(decoder.decode(task.source), { path: task.file, suppressions: task.suppressions })
  if (report.unreadable) return { outcome: 'unreadable', ...report.unreadable }
  const plain = toScanResult(report, { scanId: task.scanId, file: task.file })
  const result = task.baseline ? compareScans(parseResult(task.baseline), plain) : plain
  const json = encoder.encode(JSON.stringify(result))
  const body = task.format === 'json' ? json : encoder.encode(renderReport(result, task.format, task.scannedAt))
  return {
    outcome: 'scanned',
    storedSource: pack(task.source),
    storedResult: pack(json),
    body,
    completeness: result.completeness,
    securityScore: result.securityScore,
  }
}

const render = ({ result, format, scannedAt }: RenderTask): Uint8Array =>
  encoder.encode(renderReport(parseResult(result), format, scannedAt))

const parseResult = (stored: Uint8Array): ScanResult => JSON.parse(unpack(stored).toString()) as ScanResult

import { scan, toScanResult } from '@assay/engine'

export type PlaygroundAnswer = { ok: true; result: ReturnType<typeof toScanResult> } | { ok: false; error: string }

addEventListener('message', (event: MessageEvent<string>) => {
  postMessage(answer(event.data))
})

function answer(source: string): PlaygroundAnswer {
  const report = scan(source, { path: 'playground.sol' })
  if (report.unreadable) {
    const { line, reason } = report.unreadable
    return { ok: false, error: `The file is not valid Solidity: line ${line}: ${reason}` }
  }
  return { ok: true, result: toScanResult(report, { scanId: 'playground', file: 'playground.sol' }) }
}

/** What the engine alone needs for the uploads of `bench:load`: scans for some seconds and prints CPU milliseconds and scans as JSON. */
import { scan, toScanResult } from '@assay/engine'
import { contracts } from './load-client.ts'

const { seconds, warmUpSeconds, contractBytes } = JSON.parse(process.argv[2] ?? '{}') as Record<string, number>
const texts = contracts(contractBytes ?? 10_240)
const scanUntil = (end: number): number => {
  let scans = 0
  for (; performance.now() < end; scans++) {
    const report = scan(texts[scans % texts.length]!, { path: 'uploads/load.sol' })
    toScanResult(report, { scanId: 'load', file: 'uploads/load.sol' })
  }
  return scans
}
scanUntil(performance.now() + (warmUpSeconds ?? 1) * 1000)
const before = process.cpuUsage()
const scans = scanUntil(performance.now() + (seconds ?? 1) * 1000)
const { user, system } = process.cpuUsage(before)
process.stdout.write(JSON.stringify({ scans, cpuMs: (user + system) / 1000 }))

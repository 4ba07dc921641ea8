/** What the engine alone needs for the uploads of `bench:load`: scans for some seconds and prints CPU milliseconds and scans as JSON. */
import { scan, toScanResult } from '@assay/engine'
import { contracts } from './load-client.ts'

const { seconds, warmUpScans, contractBytes } = JSON.parse(process.argv[2] ?? '{}') as Record<string, number>
const texts = contracts(contractBytes ?? 10_240)
const scanOne = (n: number): void => {
  const report = scan(texts[n % texts.length]!, { path: 'uploads/load.sol' })
  toScanResult(report, { scanId: 'load', file: 'uploads/load.sol' })
}
for (let n = 0; n < (warmUpScans ?? 0); n++) scanOne(n)
const before = process.cpuUsage()
const end = performance.now() + (seconds ?? 1) * 1000
let scans = 0
for (; performance.now() < end; scans++) scanOne(scans)
const { user, system } = process.cpuUsage(before)
process.stdout.write(JSON.stringify({ scans, cpuMs: (user + system) / 1000 }))

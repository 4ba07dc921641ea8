import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { createAccountStore } from './accounts.ts'
import { transaction } from './database.ts'
import { createFindingRefStore } from './finding-refs.ts'
import { createFindingStore } from './findings.ts'
import { createScanStore } from './scans.ts'
import type { FindingTable, ScanTable } from './schema.ts'

const scan: ScanTable = {
  id: 's1',
  account_id: 'acc',
  kind: 'standard',
  status: 'completed',
  file_name: 'A.sol',
  size_bytes: 1,
  score: 0,
  rating: 'Poor',
  total: 0,
  critical: 0,
  high: 0,
  medium: 0,
  low: 0,
  completeness: 'full',
  created_at: 1,
  info: 0,
  advisories: 0,
  suppressed: 0,
  sha256: '',
  engine_version: '1',
  file_count: 1,
  is_project: 0,
  via: null,
}

const rowOf = (n: number): FindingTable => ({
  id: `f${n}`,
  account_id: 'acc',
  project: 'p',
  file: 'A.sol',
  fingerprint: `print${n}`,
  kind: 'vulnerability',
  vulnerability_id: 'SWC-107',
  detector: 'reentrancy',
  severity: 'high',
  confidence: 'high',
  title: 'Reentrancy',
  message: 'A call.',
  contract: null,
  function: null,
  line: n,
  state: 'open',
  reason: null,
  until: null,
  decided_by: null,
  decided_at: null,
  assignee: null,
  comment: null,
  first_scan_id: 's1',
  first_seen_at: 1,
  last_scan_id: 's1',
  last_seen_at: 1,
})

describeOnEachDatabase('findings', (context) => {
  test('thousands are stored whole, and the thread serves others in between', async () => {
    const { db } = context.database
    await createAccountStore(db).addOrganisation({ id: 'acc', name: 'Acme', at: 0 })
    await createScanStore(db).add(scan, { source: Buffer.alloc(0), result: Buffer.alloc(0) })
    const rows = Array.from({ length: 2_000 }, (_, n) => rowOf(n))
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await transaction(db, async (tx) => {
      const ids = await createFindingStore(tx).saw(rows)
      const seen = {
        ref: '',
        state: 'open',
        last_scan_id: 's1',
        last_seen_at: 1,
        observed_at: 1,
        observation: 's1',
      } as const
      await createFindingRefStore(tx).observe(ids.map((finding_id) => ({ finding_id, ...seen })))
    })
    isDone = true
    expect(turns).toBeGreaterThan(15)
    expect(await createFindingStore(db).listOfScans('acc', ['s1'])).toHaveLength(2_000)
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFillStore } from '../stores/fills.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { sourceForm } from '../testing/form.ts'
import { type ScanService, startScanService } from '../testing/scan-service.ts'
import { fillRecords } from './fill-records.ts'

const vulnerable = `pragma solidity ^0.8.20;
contract Vault { function end(address payable to) external { selfdestruct(to); } }
`

describeOnEachDatabase('records of scans that were stored before there were records', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  test('are filled from their results, the oldest first, once, and go on where they stopped', async () => {
    const caller = await service.newCaller('pro')
    const ids: string[] = []
    for (const name of ['A.sol', 'B.sol', 'C.sol']) {
      const answer = await service.scan(caller.key, sourceForm(vulnerable, name))
      ids.push(answer.json().scanId)
      service.clock.travel('PT1M')
    }
    const { db } = context.database
    const list = async () => {
      const { data } = (await service.get('/api/v1/findings?limit=100', caller.key)).json()
      return data.findings as { firstScanId: string; firstSeenAt: string; fingerprint: string }[]
    }
    const before = await list()
    expect(new Set(before.map(({ firstScanId }) => firstScanId))).toEqual(new Set(ids))
    // As an older program left them.
    await db.deleteFrom('findings').execute()
    await db.deleteFrom('scan_labels').execute()
    await db.deleteFrom('fills').execute()
    expect(await list()).toEqual([])
    expect(await createFillStore(db).countLeft()).toBe(3)
    const stopped = new AbortController()
    stopped.abort()
    expect(await fillRecords(service.deps, stopped.signal)).toBe(0)
    expect(await fillRecords(service.deps)).toBe(3)
    const firstSeen = ({ firstScanId, firstSeenAt, fingerprint }: (typeof before)[number]) =>
      `${firstScanId} ${firstSeenAt} ${fingerprint}`
    expect((await list()).map(firstSeen).sort()).toEqual(before.map(firstSeen).sort())
    expect(await createFillStore(db).countLeft()).toBe(0)
    expect(await fillRecords(service.deps)).toBe(0)
  })
})

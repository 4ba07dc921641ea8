import type { Kysely } from 'kysely'
import { countExpired, removeExpired, workOutExpiry } from '../../server/src/stores/expiry.ts'
import { createFindingRefStore } from '../../server/src/stores/finding-refs.ts'
import { createFindingStore, type FindingFilter } from '../../server/src/stores/findings.ts'
import { createScanLabelStore } from '../../server/src/stores/scan-labels.ts'
import { createScanRequestStore } from '../../server/src/stores/scan-requests.ts'
import { createScanStore, type ScanFilter } from '../../server/src/stores/scans.ts'
import type { Schema } from '../../server/src/stores/schema.ts'
import { createSecurityEventStore } from '../../server/src/stores/security-events.ts'
import { createSweepStateStore } from '../../server/src/stores/sweep-states.ts'
import { FIRST, IDLE, NOW, type Size } from './fill.ts'

export interface Question {
  readonly name: string
  run(db: Kysely<Schema>): Promise<unknown>
}

const SMALL = 'usr_500'
const NOT_BEFORE = NOW - 90 * 86_400_000

/** What the service asks, by its own stores; of the largest account unless it says otherwise. */
export function questions({ scans }: Size): Question[] {
  const middle = `scn_${String(Math.floor(scans / 2)).padStart(9, '0')}`
  const listScans = (name: string, filter: ScanFilter, account = FIRST): Question => ({
    name: `scans: ${name}`,
    run: (db) => createScanStore(db).list(account, { notBefore: NOT_BEFORE, limit: 51, sort: '-createdAt', filter }),
  })
  const listFindings = (name: string, filter: FindingFilter, account = FIRST): Question => ({
    name: `findings: ${name}`,
    run: (db) =>
      createFindingStore(db).list(account, {
        now: NOW,
        notBefore: NOT_BEFORE,
        limit: 51,
        sort: '-firstSeenAt',
        filter,
      }),
  })
  return [
    listScans('first page', {}),
    listScans('first page of a small account', {}, SMALL),
    listScans('first page of a large account that is idle', {}, IDLE),
    listScans('part of a name, no hit', { nameContains: 'nowhere' }),
    listScans('part of a name', { nameContains: 'tract49' }),
    listScans('one name', { fileName: 'Contract7.sol' }),
    listScans('one name, no hit', { fileName: 'Nowhere.sol' }),
    { name: 'scans: one', run: (db) => createScanStore(db).find(FIRST, middle, NOT_BEFORE) },
    listFindings('first page', {}),
    listFindings('first page of a small account', {}, SMALL),
    listFindings('first page of a large account that is idle', {}, IDLE),
    listFindings('severity and detector, no hit', { severity: ['critical'], detector: ['nothing'] }),
    listFindings('severity, no hit', { severity: ['critical'] }),
    listFindings('detector, no hit', { detector: ['nothing'] }),
    listFindings('open and high', { state: ['open'], severity: ['high'] }),
    listFindings('false positives, no hit', { state: ['false-positive'] }),
    listFindings('accepted', { state: ['accepted'] }),
    listFindings('file, no hit', { file: 'Nowhere.sol' }),
    listFindings('project and file', { project: 'project-3', file: 'Contract3.sol' }),
    listFindings('of a scan', { scanId: middle }),
    {
      name: 'findings: set aside in a project',
      run: (db) => createFindingStore(db).listSetAside(FIRST, 'project-3', NOW, 1000),
    },
    {
      name: 'findings: unseen by a scan of ten files',
      run: (db) =>
        createFindingRefStore(db).listUnseen(
          { accountId: FIRST, project: 'project-3', ref: 'main', at: NOW, observation: 'x' },
          Array.from({ length: 10 }, (_, n) => `Contract${n}.sol`),
        ),
    },
    { name: 'projects and their trend', run: (db) => createScanLabelStore(db).list(FIRST, NOT_BEFORE, 2000) },
    { name: 'project: newest scan', run: (db) => createScanLabelStore(db).findNewest(FIRST, 'project-3', 'main') },
    { name: 'queued scans: how many', run: (db) => createScanRequestStore(db).countQueued() },
    { name: 'security log', run: (db) => createSecurityEventStore(db).list(FIRST, 51, undefined) },
    { name: 'retention: work out, nothing to do', run: (db) => workOutExpiry(db, 'scans', NOW, 200) },
    { name: 'retention: count, nothing to do', run: (db) => countExpired(db, 'scans', NOW - 1, 1001) },
    { name: 'retention: delete, nothing to do', run: (db) => removeExpired(db, 'scans', NOW - 1, 200) },
    { name: 'sweeps: newest row', run: (db) => createSweepStateStore(db).findNewestRow() },
  ]
}

import type { Counts, ScanResult, Tally } from '@assay/engine'
import type { Db } from '../stores/database.ts'
import type { ScanTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import type { GateVerdict } from './gate.ts'

/** What happened to a scan: what webhooks and mails are made of. */
export type ScanEvent = ScanCompleted | ScanFailed

export interface ScanCompleted {
  readonly status: 'completed'
  readonly accountId: string
  readonly scanId: string
  readonly kind: 'standard' | 'ai'
  readonly fileName: string
  readonly securityScore: ScanResult['securityScore']
  readonly completeness: ScanResult['completeness']
  readonly counts: Counts
  readonly tally: Tally
  readonly sha256: string
  /** The credential of the caller. */
  readonly via: ScanTable['via']
  readonly limits: Limits
  /** Scans of the day, this one included. */
  readonly scansToday: number
  /** Of which it is one of many. */
  readonly batchId?: string | undefined
  readonly at: Date
  readonly project: string | null
  /** Null without a gate. */
  readonly gate: GateVerdict | null
}

export interface ScanFailed {
  readonly status: 'failed'
  readonly accountId: string
  readonly scanId: string
  readonly kind: 'standard' | 'ai'
  readonly fileName: string
  readonly limits: Limits
  readonly at: Date
}

/** Queues whatever follows from a scan, in the transaction that stores it. */
export type AnnounceScan = (tx: Db, event: ScanEvent) => Promise<void>

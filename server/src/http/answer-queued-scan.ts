import type { FastifyReply } from 'fastify'
import { maxArchiveBytesOf } from '../core/sources/collect-sources.ts'
import type { DocumentKind } from '../core/sources/upload.ts'
import { type AcceptScanDeps, acceptScan } from '../services/accept-scan.ts'
import { readIdempotencyKey } from '../services/idempotency.ts'
import { getLimits, withScansToday } from '../services/limits.ts'
import type { QueuedOptions } from '../services/queue-scans.ts'
import { replay, sendStored } from './answer-once.ts'
import type { ScanInput } from './answer-scan.ts'
import { mediaTypes } from './choose-format.ts'
import { readUpload } from './read-upload.ts'
import { exampleScanId } from './scan-schemas.ts'

/** RFC 7240: one preference of a list, with or without parameters. */
export const prefersAsync = (prefer: string | string[] | undefined): boolean =>
  /(^|,)\s*respond-async\s*(;|,|$)/i.test(String(prefer ?? ''))

const message = 'The scan is queued.'

export const exampleAccepted = {
  success: true,
  message,
  scanId: exampleScanId,
  status: 'queued',
  createdAt: '2026-03-10T12:00:00.000Z',
} as const

/** Queues a scan and says where it can be found. */
export async function answerQueuedScan(
  deps: AcceptScanDeps,
  { caller, request, reply }: ScanInput,
  { documentKind, ...options }: QueuedOptions & { documentKind?: DocumentKind | undefined },
): Promise<FastifyReply> {
  const { accountId, admission } = caller
  const limits = admission?.limits ?? (await getLimits(deps, accountId))
  const scan = {
    accountId,
    limits,
    via: caller.via,
    scansToday: admission?.scansToday,
    receive: () =>
      readUpload(request, limits.maxFileBytes, {
        takesJson: true,
        documentKind,
        maxArchiveBytes: maxArchiveBytesOf(limits),
      }),
    signal: request.scope.gone,
    idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
    route: 'scan',
    format: 'json',
    contentType: mediaTypes.json,
    ...options,
  } as const
  const { response, isReplay, scansToday } = await acceptScan(deps, scan, ({ id, created_at }) => ({
    status: 202,
    headers: { 'content-type': mediaTypes.json, location: `/api/v1/scans/${id}`, 'retry-after': '1' },
    body: { success: true, message, scanId: id, status: 'queued', createdAt: new Date(created_at).toISOString() },
  }))
  const header = reply.getHeader('ratelimit')
  if (scansToday !== undefined && typeof header === 'string')
    reply.header('ratelimit', withScansToday(header, limits, scansToday))
  return isReplay ? replay(reply, response) : sendStored(reply, response)
}

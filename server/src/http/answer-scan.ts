import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { maxArchiveBytesOf } from '../core/sources/collect-sources.ts'
import type { DocumentKind } from '../core/sources/upload.ts'
import { assertRoom, ownerOf } from '../services/analyse.ts'
import type { KeyCaller, SessionCaller } from '../services/caller.ts'
import { type IdempotencyDeps, readIdempotencyKey } from '../services/idempotency.ts'
import { getLimits, withScansToday } from '../services/limits.ts'
import type { RunScanDeps } from '../services/run-scan.ts'
import { type ScanOnceRequest, scanOnce } from '../services/scan-once.ts'
import { mediaTypes } from './choose-format.ts'
import { readUpload } from './read-upload.ts'
import { untrustedReport } from './report-headers.ts'

export type ScanDeps = RunScanDeps & IdempotencyDeps

export interface ScanInput {
  readonly caller: KeyCaller | SessionCaller
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type ScanOptions = Pick<
  ScanOnceRequest,
  'route' | 'suppressions' | 'format' | 'baseline' | 'contentType' | 'scope' | 'prove'
> & {
  readonly takesJson?: boolean
  readonly documentKind?: DocumentKind | undefined
}

/** What the scan endpoints share: the upload, the idempotency key, and what is left of the day in the headers. */
export async function answerScan(
  deps: ScanDeps,
  { caller, request, reply }: ScanInput,
  { takesJson = false, documentKind, ...options }: ScanOptions,
): Promise<FastifyReply> {
  const { accountId } = caller
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'])
  const { admission } = caller
  const limits = admission?.limits ?? (await getLimits(deps, accountId))
  assertRoom(deps, ownerOf(accountId, limits))
  const receive = () =>
    readUpload(request, limits.maxFileBytes, { takesJson, documentKind, maxArchiveBytes: maxArchiveBytesOf(limits) })
  const answer = await scanOnce(deps, {
    accountId,
    limits,
    via: caller.via,
    scansToday: admission?.scansToday,
    receive,
    signal: request.scope.gone,
    idempotencyKey,
    ...options,
  })
  if (answer.contentType !== mediaTypes.json) reply.headers(untrustedReport)
  if (answer.isReplay) reply.header('idempotent-replayed', 'true')
  const header = reply.getHeader('ratelimit')
  if (answer.scansToday !== undefined && typeof header === 'string')
    reply.header('ratelimit', withScansToday(header, limits, answer.scansToday))
  return reply.type(answer.contentType).send(bytesOrStream(answer.body))
}

/** Without a copy: Fastify wants a Buffer where any array of bytes would do. */
function bytesOrStream(body: Uint8Array | Readable): Buffer | Readable {
  return body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body
}

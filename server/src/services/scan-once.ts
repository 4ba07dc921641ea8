import type { Readable } from 'node:stream'
import { isTooLarge, type Upload } from '../core/sources/upload.ts'
import { streamStored } from '../core/stored.ts'
import { contentOf, type IdempotencyDeps, type StoredResponse, takeTurn } from './idempotency.ts'
import { type RunScanDeps, runScan, type ScanRequest } from './run-scan.ts'

export interface ScanOnceRequest extends Omit<ScanRequest, 'onStored'> {
  /** Which endpoint the idempotency key belongs to. */
  readonly route: string
  readonly idempotencyKey: string | undefined
  readonly contentType: string
}

export interface ScanOnceAnswer {
  readonly body: Uint8Array | Readable
  readonly contentType: string
  readonly isReplay: boolean
  /** Undefined when nothing was charged. */
  readonly scansToday: number | undefined
}

/** A scan that a client may safely repeat: with the same key and content it gets the same answer and is charged once. */
export async function scanOnce(deps: RunScanDeps & IdempotencyDeps, request: ScanOnceRequest): Promise<ScanOnceAnswer> {
  const { contentType } = request
  if (request.idempotencyKey === undefined) {
    const { body, scansToday } = await runScan(deps, request)
    return { body, contentType, isReplay: false, scansToday }
  }
  const upload = await request.receive()
  const turn = isTooLarge(upload) ? undefined : await takeTurn(deps, identify(request, request.idempotencyKey, upload))
  if (turn?.kind === 'replay') return replayed(turn.response)
  try {
    const { body, scansToday } = await runScan(deps, {
      ...request,
      receive: async () => upload,
      onStored: async (tx, { storedBody }) => turn?.complete(respond(contentType, storedBody), tx),
    })
    return { body, contentType, isReplay: false, scansToday }
  } catch (error) {
    await turn?.release()
    throw error
  }
}

/** A repeated upload has a new boundary, so its decoded content is what counts; what shapes the answer is part of it. */
export const identify = (
  { accountId, route, format, suppressions, scope, baseline = '', prove = false }: ScanOnceRequest,
  key: string,
  { files, fields, document }: Upload,
) => ({
  accountId,
  route,
  key,
  content: contentOf([
    ['?', `${format} ${suppressions} ${baseline} ${scope}${prove ? ' prove' : ''}`],
    ...fields,
    ...files.map(({ name, bytes }) => [`file ${name}`, bytes] as const),
    ...(document === undefined ? [] : [['document', document] as const]),
  ]),
})

const respond = (contentType: string, packed: Uint8Array): StoredResponse => ({
  status: 200,
  headers: { 'content-type': contentType },
  packed,
})

const replayed = ({ headers, packed }: StoredResponse): ScanOnceAnswer => ({
  body: streamStored(packed),
  contentType: headers['content-type'] ?? 'application/json; charset=utf-8',
  isReplay: true,
  scansToday: undefined,
})

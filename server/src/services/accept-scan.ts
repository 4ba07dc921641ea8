import { storeSubmission } from '../core/sources/stored-submission.ts'
import { isTooLarge } from '../core/sources/upload.ts'
import { pack } from '../core/stored.ts'
import type { ScanRequestTable } from '../stores/schema.ts'
import { type IdempotencyDeps, type StoredResponse, takeTurn } from './idempotency.ts'
import { type QueueScansDeps, queueScans } from './queue-scans.ts'
import { type RunScanDeps, readBaseline, receiveScan } from './run-scan.ts'
import { identify, type ScanOnceRequest } from './scan-once.ts'

export type AcceptScanDeps = RunScanDeps & IdempotencyDeps & QueueScansDeps

export interface Accepted {
  readonly response: StoredResponse
  readonly isReplay: boolean
  /** Undefined when nothing was charged. */
  readonly scansToday: number | undefined
}

/**
 * Takes a scan in to be done later. Everything that can be known of an upload is reported now; what only the analysis finds becomes the reason
 * why the scan failed. The place of the day is taken with it and given back when there is no result.
 */
export async function acceptScan(
  deps: AcceptScanDeps,
  request: ScanOnceRequest,
  answer: (request: ScanRequestTable) => Omit<StoredResponse, 'packed'> & { readonly body: object },
): Promise<Accepted> {
  const key = request.idempotencyKey
  const upload = key === undefined ? undefined : await request.receive()
  const turn =
    key === undefined || !upload || isTooLarge(upload)
      ? undefined
      : await takeTurn(deps, identify({ ...request, route: `${request.route} async` }, key, upload))
  if (turn?.kind === 'replay') return { response: turn.response, isReplay: true, scansToday: undefined }
  try {
    const submission = await receiveScan(deps, upload ? { ...request, receive: async () => upload } : request)
    await readBaseline(deps, request)
    const { name, sizeBytes, labels } = submission
    const { accountId, limits, via, suppressions, scope, baseline, prove } = request
    let response: StoredResponse | undefined
    const { scansToday } = await queueScans(
      deps,
      {
        accountId,
        limits,
        via,
        options: { suppressions, scope, baseline, prove },
        scans: [{ name, sizeBytes, labels, upload: await storeSubmission(submission) }],
      },
      async (tx, [queued]) => {
        const { body, ...head } = answer(queued as ScanRequestTable)
        response = { ...head, packed: pack(Buffer.from(JSON.stringify(body))) }
        await turn?.complete(response, tx)
      },
    )
    return { response: response as unknown as StoredResponse, isReplay: false, scansToday }
  } catch (error) {
    await turn?.release()
    throw error
  }
}

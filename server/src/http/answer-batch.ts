import type { FastifyReply } from 'fastify'
import {
  type AcceptBatchDeps,
  acceptBatch,
  assertBatches,
  batchContent,
  maxBatchBytes,
  maxBatchScans,
} from '../services/accept-batch.ts'
import type { IdempotencyDeps } from '../services/idempotency.ts'
import { getLimits, withScansToday } from '../services/limits.ts'
import type { QueuedOptions } from '../services/queue-scans.ts'
import type { Slots } from '../services/slots.ts'
import { answerOnce } from './answer-once.ts'
import type { ScanInput } from './answer-scan.ts'
import { readUpload } from './read-upload.ts'

export type BatchDeps = AcceptBatchDeps & IdempotencyDeps & { readonly batchSlots: Slots }

/** Queues many scans and says where they can be found. */
export async function answerBatch(
  deps: BatchDeps,
  { caller, request, reply }: ScanInput,
  options: QueuedOptions,
): Promise<unknown> {
  const { accountId, admission } = caller
  const limits = admission?.limits ?? (await getLimits(deps, accountId))
  assertBatches(limits)
  const leave = deps.batchSlots.enter(accountId)
  try {
    const signal = request.scope.gone
    const upload = await readUpload(request, maxBatchBytes(limits), { takesJson: true, maxFiles: maxBatchScans })
    const once = { accountId, content: batchContent(upload, options), status: 202 }
    return await answerOnce(deps, request, reply, once, async (keep) => {
      const batch = { accountId, limits, via: caller.via, upload, options, signal }
      let body: ReturnType<typeof toBody> | undefined
      let headers = {}
      const { scansToday } = await acceptBatch(deps, batch, async (tx, accepted) => {
        body = toBody(accepted)
        headers = { location: `/api/v1/scans/batch/${body.batchId}`, 'retry-after': '1' }
        await keep(body, { tx, headers })
      })
      noteScansToday(reply, (header) => withScansToday(header, limits, scansToday))
      return reply.code(202).headers(headers).send(body)
    })
  } finally {
    leave()
  }
}

function noteScansToday(reply: FastifyReply, change: (header: string) => string): void {
  const header = reply.getHeader('ratelimit')
  if (typeof header === 'string') reply.header('ratelimit', change(header))
}

const toBody = ({ id, total, created_at }: { id: string; total: number; created_at: number }) => ({
  success: true as const,
  message: total === 1 ? '1 scan is queued.' : `${total} scans are queued.`,
  batchId: id,
  total,
  createdAt: new Date(created_at).toISOString(),
})

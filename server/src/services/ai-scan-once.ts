import { refuse } from '../core/errors.ts'
import { isTooLarge } from '../core/sources/upload.ts'
import { unpackElsewhere } from '../core/stored.ts'
import { contentOf, type IdempotencyDeps, takeTurn } from './idempotency.ts'
import { type AiScanDeps, type AiScanRequest, runAiScan } from './run-ai-scan.ts'

export type AiScanOnceDeps = AiScanDeps & IdempotencyDeps

export interface AiScanOnceRequest extends Omit<AiScanRequest, 'onStored'> {
  readonly idempotencyKey: string | undefined
}

export interface AiScanOnceAnswer {
  /** JSON. */
  readonly body: Buffer
  readonly isReplay: boolean
  /** Undefined when nothing was charged. */
  readonly scansToday: number | undefined
}

/** An AI scan that a client may safely repeat; on the pro plan only. */
export async function aiScanOnce(deps: AiScanOnceDeps, request: AiScanOnceRequest): Promise<AiScanOnceAnswer> {
  const { accountId, limits, idempotencyKey } = request
  if (!limits.features.ai) return refuse('aiNotOnPlan')
  if (idempotencyKey === undefined) {
    const { body, scansToday } = await runAiScan(deps, { ...request, onStored: async () => {} })
    return { body: Buffer.from(body), isReplay: false, scansToday }
  }
  const upload = await request.receive()
  const { files, fields } = upload
  const content = contentOf([
    ...fields,
    ...files.map(({ bytes }) => ['file', bytes] as const),
    // As before for those who do not ask for it.
    ...(request.suppressions === 'ignore' ? [['?', 'ignore'] as const] : []),
  ])
  const turn = isTooLarge(upload)
    ? undefined
    : await takeTurn(deps, { accountId, route: 'ai-scan', key: idempotencyKey, content })
  if (turn?.kind === 'replay') {
    return { body: await unpackElsewhere(turn.response.packed), isReplay: true, scansToday: undefined }
  }
  try {
    const { body, scansToday } = await runAiScan(deps, {
      ...request,
      receive: async () => upload,
      onStored: async (tx, { storedBody }) => {
        await turn?.complete({ status: 200, headers: {}, packed: storedBody }, tx)
      },
    })
    return { body: Buffer.from(body), isReplay: false, scansToday }
  } catch (error) {
    await turn?.release()
    throw error
  }
}

import { resolve } from 'node:path'
import { z } from 'zod'
import { elapsedMs, pause } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { sendToService } from '../gateways/operator-socket.ts'
import { DataDirectoryInUse, lockDataDirectory } from '../stores/data-directory-lock.ts'

/** What a command asks of the process that serves from the folder. */
export const requestSchema = z.discriminatedUnion('act', [
  z.object({ act: z.literal('command'), args: z.array(z.string()), input: z.string().optional() }),
  z.object({ act: z.literal('copy') }),
  z.object({ act: z.literal('inspect') }),
  z.object({ act: z.literal('note-backup') }),
])
export type OperatorRequest = z.infer<typeof requestSchema>

const answerSchema = z.union([z.object({ value: z.unknown() }), z.object({ error: z.string() })])

/** A service that starts or stops holds the folder for a moment without answering. */
const PATIENCE_MS = 10_000

/**
 * An embedded database is open in one process at a time: the service carries the request out if one serves from the folder; otherwise `alone`
 * does, holding the folder meanwhile.
 */
export async function reachDatabase<T>(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  request: OperatorRequest,
  alone: () => T | Promise<T>,
): Promise<T> {
  if (config.databaseUrl) return alone()
  for (const end = elapsedMs() + PATIENCE_MS; ; await pause(100)) {
    const answer = await sendToService(config.dataDir, request)
    if (answer !== undefined) return readAnswer(answer) as T
    const lock = lockUnlessTaken(config.dataDir)
    if (!lock && elapsedMs() > end) throw new Unanswered(config.dataDir)
    if (!lock) continue
    try {
      return await alone()
    } finally {
      lock.release()
    }
  }
}

class Unanswered extends Error {
  constructor(dataDir: string) {
    super(
      `Another Assay process is using ${resolve(dataDir)} and does not answer operator commands. Wait until it has started or ended, or stop it.`,
    )
  }
}

function readAnswer(text: unknown): unknown {
  const answer = answerSchema.parse(text)
  if ('error' in answer) throw new Error(answer.error)
  return answer.value
}

function lockUnlessTaken(dataDir: string) {
  try {
    return lockDataDirectory(dataDir)
  } catch (error) {
    if (error instanceof DataDirectoryInUse) return undefined
    throw error
  }
}

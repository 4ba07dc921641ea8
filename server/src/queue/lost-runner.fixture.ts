// A process that takes one job and never finishes it; the test kills it. Arguments: the database's settings as JSON.
import { z } from 'zod'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../core/log.ts'
import { systemRandomness } from '../core/randomness.ts'
import { openDatabase } from '../stores/database.ts'
import { bindJob, defineJob } from './job.ts'
import { createQueue } from './queue.ts'

const job = defineJob(
  { name: 'survive', payload: z.object({ id: z.string() }), retryAfterSeconds: [1, 1, 1], timeoutSeconds: 30 },
  async () => {
    process.stdout.write('taken\n')
    await new Promise(() => setInterval(() => {}, 1000))
  },
)
const database = await openDatabase(JSON.parse(process.argv[2] ?? '{}'))
const deps = { database, clock: systemClock(), randomness: systemRandomness, log: createLog({ level: 'silent' }) }
const queue = await createQueue(deps, [job])
await queue.start([bindJob(job, {})])

/**
 * Breaks what the service stands on, under load, and looks afterwards whether its promises held: every scan that was answered exists,
 * the day's quota is exactly the scans that exist, every mail and every event arrives at least once under one id, the plan is what the
 * provider says.
 *   npm run chaos [-- --only kill,operator,workers,postgres,webhooks,mail,gateway,billing,clock,disk] [--short]      --short: three of them
 * Loopback only, bounded, ends by itself; the exit code says whether everything held.
 */
import { parseArgs } from 'node:util'
import { breakBilling } from './chaos/billing.ts'
import { moveClock } from './chaos/clock.ts'
import { operateBeside } from './chaos/operator.ts'
import { breakGateway, breakMail, breakReceiver } from './chaos/partners.ts'
import { killServer, killWorkers } from './chaos/processes.ts'
import { type Act, perform, removeFolders } from './chaos/stage.ts'
import { fillDisk, stopPostgres } from './chaos/storage.ts'

const acts = {
  kill: ['the server is killed three times under load', killServer],
  operator: ['backups and operator commands beside a restarted server, which is killed after each', operateBeside],
  workers: ['every worker is killed, five times, under load', killWorkers],
  postgres: ['PostgreSQL is stopped and started under load', stopPostgres],
  webhooks: ['a receiver hangs, resets and answers garbage', breakReceiver],
  mail: ['the mail server hangs, resets and answers garbage', breakMail],
  gateway: ['the AI gateway hangs, resets and answers garbage', breakGateway],
  billing: [
    'the billing provider fails, loses answers, repeats and reorders events; the server is killed meanwhile',
    breakBilling,
  ],
  clock: ['the clock is a day ahead for a while', moveClock],
  disk: ['the disk is full for a while, under load', fillDisk],
} as const satisfies Record<string, readonly [words: string, act: Act]>

type Name = keyof typeof acts

/** Played beside each other: what keeps the machine busy in two of them, what mostly waits for others in the third. */
const busy: readonly (readonly Name[])[] = [
  ['kill', 'operator', 'postgres'],
  ['workers', 'disk', 'clock'],
]
const lanes = [...busy, (Object.keys(acts) as Name[]).filter((name) => !busy.flat().includes(name))]

/** What needs nothing but processes, and breaks the most when it breaks. */
const short: readonly Name[] = ['kill', 'workers', 'clock']

const { values } = parseArgs({ options: { only: { type: 'string' }, short: { type: 'boolean', default: false } } })
const chosen: readonly string[] = values.only?.split(',') ?? (values.short ? short : Object.keys(acts))
for (const name of chosen) if (!(name in acts)) throw new Error(`There is no act called ${name}.`)

const results: boolean[] = []
/** One act after the other; each is a service of its own. */
async function playAll(lane: readonly Name[]): Promise<void> {
  for (const name of lane) {
    if (!chosen.includes(name)) continue
    const [words, act] = acts[name]
    const outcome = await perform(act)
    console.log([words, ...outcome.lines].join('\n'))
    results.push(...outcome.results)
  }
}

const started = performance.now()
try {
  await Promise.all(lanes.map(playAll))
} finally {
  removeFolders()
}
console.log(
  `${results.filter(Boolean).length} of ${results.length} held, ${Math.round((performance.now() - started) / 1000)} s`,
)
if (results.length === 0 || results.includes(false)) process.exitCode = 1

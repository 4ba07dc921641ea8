/**
 * A day of operation in a quarter of an hour, on both databases: a real older program is used and upgraded, then backups, restores, operator
 * commands, clean stops and kills follow each other under load, in an order by seed. In the end everything that was acknowledged is there, counted once.
 *   npm run day [-- --minutes 15] [--seed 1] [--database embedded|postgres] [--from <commit or tag>]
 * The minutes are those of both databases together; every act is done once at least. Loopback only, ends by itself; the exit code says whether
 * everything held. Needs the history of the repository.
 */
import { parseArgs } from 'node:util'
import { seededRandom } from '../server/src/testing/seeded-random.ts'
import { removeFolders } from './chaos/stage.ts'
import { liveThroughDay } from './day/live-through.ts'
import { buildOldProgram, buildPresentProgram, OLDEST } from './old-program.ts'
import { textTable } from './text-table.ts'

const option = { type: 'string' } as const
const { values } = parseArgs({ options: { minutes: option, seed: option, database: option, from: option } })
const kinds = ['embedded', 'postgres'] as const
const chosen = kinds.filter((kind) => values.database === undefined || values.database === kind)
if (chosen.length === 0) throw new Error('--database must be embedded or postgres.')
const random = seededRandom(values.seed)
const ms = (Number(values.minutes ?? 15) * 60_000) / chosen.length
const from = values.from ?? OLDEST

buildPresentProgram()
const old = buildOldProgram(from)
const results: boolean[] = []
try {
  for (const kind of chosen) {
    console.log(`${kind}, upgraded from ${from}, seed ${random.seed}`)
    const day = await liveThroughDay({ kind, old: old.folder, random, ms })
    console.log(textTable(['act', 'times', 'slowest s', 'saw'], day.rows))
    for (const { check, isHeld, saw } of day.checks) {
      results.push(isHeld)
      console.log(`  ${isHeld ? 'held' : 'LOST'}  ${check}: ${saw}`)
    }
  }
} finally {
  removeFolders()
  old.remove()
}
console.log(`${results.filter(Boolean).length} of ${results.length} held`)
if (results.length === 0 || results.includes(false)) process.exitCode = 1

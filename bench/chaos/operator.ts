import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { backUp } from '../../server/src/admin/backup.ts'
import { describeDiagnosis, diagnose } from '../../server/src/admin/doctor.ts'
import { systemClock } from '../../server/src/core/clock.ts'
import { readConfig } from '../../server/src/core/config.ts'
import { openDatabase } from '../../server/src/stores/database.ts'
import { operate, serverEnvironment, spawnServer } from '../../server/src/testing/spawn-server.ts'
import { type Act, checkScans, newCaller, newFolder, startLoad, until } from './stage.ts'

const ROUNDS = 3

/** Backups and operator commands beside a service that was restarted, which is killed after each round. */
export const operateBeside: Act = async (report) => {
  const { hold } = report
  const settings = { dataDir: newFolder() }
  const environment = serverEnvironment(settings)
  const key = await newCaller(settings)
  await (await spawnServer(settings)).stop()
  let server = await spawnServer(settings)
  const load = startLoad(() => server.url, key)
  let lacking = 0
  const problems: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await until(() => load.answered.length > round * 20 + 10)
    const acknowledged = [...load.answered]
    const folder = path.join(newFolder(), 'backup')
    await backUp(readConfig(environment), systemClock(), folder)
    await operate(settings, ['create-account', `round-${round}@example.com`])
    const found = await diagnose(environment)
    problems.push(...found.filter(({ state }) => state === 'problem').map(describeDiagnosis))
    await sleep(500)
    await server.kill()
    server = await spawnServer(settings)
    const { ids } = await look(folder)
    lacking += acknowledged.filter((id) => !ids.has(id)).length
  }
  report.say(await load.stop())
  await server.stop()
  const { accounts, integrity } = await look(settings.dataDir)
  hold('each backup holds what was answered before it', lacking === 0, `${ROUNDS} backups, ${lacking} scans lacking`)
  hold('the doctor finds nothing wrong', problems.length === 0, problems.join('; ') || 'nothing')
  hold('accounts made beside the service exist', accounts === ROUNDS + 1, `${accounts} of ${ROUNDS + 1}`)
  hold('the database is sound', integrity === 'ok', integrity)
  await checkScans(report, settings, load.answered)
}

async function look(dataDir: string) {
  const database = await openDatabase({ dataDir })
  const ids = new Set((await database.db.selectFrom('scans').select('id').execute()).map(({ id }) => id))
  const accounts = (await database.db.selectFrom('accounts').select('id').execute()).length
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.db)
  await database.close()
  return { ids, accounts, integrity: rows.map((row) => row.integrity_check).join('; ') }
}

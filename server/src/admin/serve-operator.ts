import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../core/log.ts'
import { listenForOperator, type OperatorSocket } from '../gateways/operator-socket.ts'
import type { Database } from '../stores/database.ts'
import type { Admin } from './admin.ts'
import { copyDatabase, isCopy, noteBackup } from './backup.ts'
import { findCommand } from './commands.ts'
import { inspectDatabase } from './doctor.ts'
import { requestSchema } from './reach-database.ts'

interface ServingAdmin extends Omit<Admin, 'close'> {
  readonly database: Database
  readonly log: Log
}

/** Carries out what operator commands ask, on the one connection of this process. */
export async function serveOperator(admin: ServingAdmin): Promise<OperatorSocket> {
  const { dataDir } = admin.config
  for (const file of readdirSync(dataDir)) if (isCopy(file)) rmSync(join(dataDir, file), { force: true })
  return listenForOperator(dataDir, async (text) => {
    const { success, data } = requestSchema.safeParse(text)
    if (!success) return { error: 'The service does not know this command. Restart it with the program that sent it.' }
    try {
      return { value: await carryOut(admin, data) }
    } catch (error) {
      admin.log.warn({ err: error, act: data.act }, 'an operator command failed')
      return { error: error instanceof Error ? error.message : String(error) }
    }
  })
}

async function carryOut(admin: ServingAdmin, request: ReturnType<typeof requestSchema.parse>): Promise<unknown> {
  if (request.act === 'copy') return copyDatabase(admin.config.dataDir, admin.randomness)
  if (request.act === 'note-backup') return noteBackup(admin.database, admin.clock)
  if (request.act === 'inspect') return inspectDatabase(admin.config, admin.database)
  const [name, ...args] = request.args
  const command = findCommand(name)
  if (!command)
    throw new Error(`The service does not know the command ${name}. Restart it with the program that sent it.`)
  const lines = await command.run(admin, args, request.input)
  admin.log.info({ command: name }, 'operator command carried out')
  return lines
}

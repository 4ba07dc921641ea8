import type { Config } from '../core/config.ts'
import { openAdmin } from './admin.ts'
import { findCommand } from './commands.ts'
import { reachDatabase } from './reach-database.ts'

/** Runs one operator command: in the service that serves from the folder, or here. Returns what to print. */
export const runCommand = (config: Config, args: readonly string[], input?: string): Promise<string[]> =>
  reachDatabase(config, { act: 'command', args: [...args], input }, async () => {
    const [name, ...rest] = args
    const admin = await openAdmin(config)
    try {
      return (await findCommand(name)?.run(admin, rest, input)) ?? []
    } finally {
      await admin.close()
    }
  })

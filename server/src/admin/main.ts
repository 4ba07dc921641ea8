import { ConfigProblems, readConfig } from '../core/config.ts'
import { Refusal } from '../core/errors.ts'
import { openAdmin } from './admin.ts'
import { findCommand, usage } from './commands.ts'

/** `assay-server admin <command> …`: works on the same database as a running service, and beside it. */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const command = findCommand(args[0])
  const isHelpWanted =
    args[0] === undefined || args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h')
  if (!command || isHelpWanted) {
    process.stderr.write(usage())
    return isHelpWanted ? 0 : 2
  }
  const config = readConfig()
  const admin = await openAdmin(config)
  try {
    for (const line of await command.run(admin, args.slice(1))) process.stdout.write(`${line}\n`)
    return 0
  } finally {
    await admin.close()
  }
}

try {
  process.exitCode = await runAdmin(process.argv.slice(2))
} catch (error) {
  const isExplained = error instanceof ConfigProblems || error instanceof Refusal || error instanceof Error
  process.stderr.write(`${isExplained ? error.message : String(error)}\n`)
  process.exitCode = 1
}

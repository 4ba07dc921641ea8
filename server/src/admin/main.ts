import { readFileSync } from 'node:fs'
import { systemClock } from '../core/clock.ts'
import { ConfigProblems, readConfig, readEnvironment } from '../core/config.ts'
import { Refusal } from '../core/errors.ts'
import { backUp, restore } from './backup.ts'
import { findCommand, usage } from './commands.ts'
import { describeDiagnosis, diagnose } from './doctor.ts'
import { runCommand } from './run-command.ts'

/** `assay-server admin <command> …`: works on the same database as a running service, through it or beside it. */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const storage = storageCommands[args[0] ?? '']
  if (storage) return storage(args.slice(1))
  const command = findCommand(args[0])
  const isHelpWanted =
    args[0] === undefined || args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h')
  if (!command || isHelpWanted) {
    process.stderr.write(usage())
    return isHelpWanted ? 0 : 2
  }
  const readInput = (): string => readFileSync(0, 'utf8')
  return say(await runCommand(readConfig(), args, args.includes('--password-stdin') ? readInput() : undefined))
}

/** What must not open the database as the service would: it may be broken, missing, or older than this program. */
const storageCommands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  backup: async ([folder]) => {
    if (!folder) throw new Error('Name a folder for the backup: assay-server backup <folder>')
    return say(await backUp(readConfig(), systemClock(), folder))
  },
  restore: async ([folder]) => {
    if (!folder) throw new Error('Name the folder of the backup: assay-server restore <folder>')
    return say(await restore(readConfig(), systemClock(), folder))
  },
  doctor: async () => {
    const found = await diagnose(readEnvironment())
    say(found.map(describeDiagnosis))
    return found.some(({ state }) => state === 'problem') ? 1 : 0
  },
}

function say(lines: readonly string[]): 0 {
  for (const line of lines) process.stdout.write(`${line}\n`)
  return 0
}

// What is written here holds secrets.
process.umask(0o077)
try {
  process.exitCode = await runAdmin(process.argv.slice(2))
} catch (error) {
  const isExplained = error instanceof ConfigProblems || error instanceof Refusal || error instanceof Error
  process.stderr.write(`${isExplained ? error.message : String(error)}\n`)
  process.exitCode = 1
}

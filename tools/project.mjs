// Where this checkout is, and how its commands speak.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Progress goes to standard error, so that standard output belongs to the command that was asked for. */
export const say = (text) => process.stderr.write(`assay: ${text}\n`)

/** A failure that is reported in words, without a stack. */
export class Failure extends Error {}

/** Whether this module is the one that node was asked to run (also when the checkout is reached through a link). */
export const isMain = (url) => process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url)

/** Runs a command's main function; a Failure ends it with its words, anything else with its stack. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    say(error instanceof Failure ? error.message : error.stack)
    process.exitCode = 1
  }
}

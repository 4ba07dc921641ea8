import type { Command, Values } from './command.ts'
import { commands } from './commands/index.ts'
import { overview, usage } from './help.ts'
import { Complaint, type ExitCode, exit, type Io } from './io.ts'
import { runCli as texts } from './messages/program.ts'
import { safeText } from './output/pipeline-safe.ts'
import { closest, parseOptions } from './parse-options.ts'
import { version } from './version.ts'

/** One call of `assay`: words in, exit code out. */
export async function runCli(words: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(words, io)
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    io.err.write(`assay: ${safeText(error.message)}\n`)
    return exit.failed
  }
}

async function dispatch([first, ...rest]: readonly string[], io: Io): Promise<ExitCode> {
  if (first === undefined) {
    io.err.write(`${overview(commands)}\n`)
    return exit.failed
  }
  if (first === '--version' || first === '-v' || first === 'version') return print(version, io)
  if (first === '--help' || first === '-h' || first === 'help') {
    const [name] = rest
    return print(name === undefined ? overview(commands) : usage(getCommand(name)), io)
  }
  const command = getCommand(first)
  if (wantsHelp(rest)) return print(usage(command), io)
  const { paths, given, values } = parseOptions(command.options, rest)
  return command.run({ paths, options: values as Values<Command['options']>, given, io })
}

function wantsHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end < 0 ? words.length : end).some((word) => word === '--help' || word === '-h')
}

function print(text: string, io: Io): ExitCode {
  io.out.write(`${text}\n`)
  return exit.clean
}

function getCommand(name: string): Command {
  const found = commands.find((command) => command.name === name)
  if (found) return found
  const near = closest(
    name,
    commands.map((command) => command.name),
  )
  const looksLikePath = name.endsWith('.sol') || name.includes('/')
  const hint = near ? texts.didYouMean(near) : looksLikePath ? texts.scanAssayScan(name) : ''
  throw new Complaint(texts.thereNoCommandAssay(name, hint))
}

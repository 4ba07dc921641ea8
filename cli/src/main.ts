import { maxSourceBytes, readUpTo } from './input/read-source.ts'
import { main as texts } from './messages/program.ts'
import { createPrompt } from './prompt.ts'
import { runCli } from './run-cli.ts'

const terminal = (stream: NodeJS.WriteStream) => ({
  isTerminal: stream.isTTY === true,
  columns: stream.columns ?? 100,
  write: (text: string) => void stream.write(text),
})

// `assay … | head` closes the pipe early: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

try {
  process.exitCode = await runCli(process.argv.slice(2), {
    folder: process.cwd(),
    environment: process.env,
    out: terminal(process.stdout),
    err: terminal(process.stderr),
    readStdin: () => readUpTo(maxSourceBytes + 1, process.stdin),
    prompt: createPrompt(process.stdin, process.stderr),
    interrupted: () => new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve)),
  })
} catch (error) {
  process.stderr.write(texts.assayInternalErrorPlease((error as Error).stack))
  process.exitCode = 2
}

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../cli/bin/assay.mjs', import.meta.url))

/** The command as a user runs it; exit code 1 only says that there are findings. */
export function runAssay(words: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' })
  if (status !== 0 && status !== 1) console.error(`assay ended with ${status}: ${stderr.split('\n')[0]}`)
}

import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Complaint, type ExitCode, type Io } from '../io.ts'
import { watch as texts } from '../messages/scan.ts'

/** A save writes several files, and an editor each of them twice: wait until it is quiet. */
const quietMilliseconds = 150

/** Runs once, and again after each change of a Solidity or settings file, until the signal. */
export async function watchFolders(words: readonly string[], io: Io, run: () => Promise<ExitCode>): Promise<ExitCode> {
  if (words.includes('-')) throw new Complaint(texts.watchNeedsFilesFolders)
  let code: ExitCode = 0
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const scanNext = (isFirst: boolean) => {
    running = running.then(async () => {
      if (!isFirst && io.out.isTerminal) io.out.write('\x1b[2J\x1b[3J\x1b[H')
      code = await scanAndSay(io, run)
    })
  }
  // Before the first scan, so that no change is missed while it runs.
  const watchers = await Promise.all(
    words.map((word) =>
      watchPath(resolve(io.folder, word), () => {
        clearTimeout(timer)
        timer = setTimeout(scanNext, quietMilliseconds, false)
      }),
    ),
  )
  scanNext(true)
  await io.interrupted()
  clearTimeout(timer)
  for (const watcher of watchers) watcher.close()
  await running
  return code
}

const isWatched = /\.(sol|toml)$|(^|[\\/])(remappings\.txt|assay\.config\.json)$/
const isMadeByTools = /(^|[\\/])(out|cache|artifacts|node_modules|\.git)[\\/]/

async function watchPath(path: string, onChange: () => void): Promise<FSWatcher> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false
  return watch(isFolder ? path : dirname(path), { recursive: isFolder }, (_event, name) => {
    if (isWatched.test(name ?? '') && !isMadeByTools.test(name ?? '')) onChange()
  })
}

/** A complaint ends a run, not the watch: the next save may fix it. */
async function scanAndSay(io: Io, run: () => Promise<ExitCode>): Promise<ExitCode> {
  const code = await run().catch((error): ExitCode => {
    if (!(error instanceof Complaint)) throw error
    io.err.write(`assay: ${error.message}\n`)
    return 2
  })
  io.err.write(texts.assayWatchingChangesPress)
  return code
}

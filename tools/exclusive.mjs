// One at a time: `npm start`, `npm test` and `assay` may all want to install or build in the same folder.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, say } from './project.mjs'

const patienceMs = 15 * 60_000

/** Runs `work` while no other process of this checkout runs work of the same name. A lock of a dead process is taken over. */
export async function exclusively(name, work) {
  const folder = join(root, '.cache')
  const file = join(folder, `${name}.lock`)
  mkdirSync(folder, { recursive: true })
  await acquire(file, name)
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

async function acquire(file, name) {
  const started = Date.now()
  let said = false
  while (!tryToWrite(file)) {
    const holder = Number(readOr(file, '0'))
    if (!isAlive(holder)) {
      rmSync(file, { force: true })
      continue
    }
    if (Date.now() - started > patienceMs)
      throw new Error(`Process ${holder} has held ${file} for 15 minutes. Remove that file if it is not ours.`)
    if (!said) say(`process ${holder} is at work on "${name}" here; waiting for it`)
    said = true
    await sleep(200)
  }
}

/** Written aside and linked into place: anyone who sees the lock sees its owner too. */
function tryToWrite(file) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, String(process.pid))
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function readOr(file, fallback) {
  try {
    return readFileSync(file, 'utf8') || fallback
  } catch {
    return fallback
  }
}

function isAlive(pid) {
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

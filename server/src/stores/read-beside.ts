import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/**
 * Runs one statement that takes long and writes nothing to the database, on a connection of its own in a thread of this process, while
 * the serving thread goes on. Within one process SQLite keeps the locks of all its connections together, so this one's end drops none of
 * the others'; a process of its own would be trusted with that.
 */
export function readBeside(path: string, sql: string, parameters: readonly unknown[] = []): Promise<unknown[]> {
  const driver = createRequire(import.meta.url).resolve('libsql')
  return new Promise((resolve, reject) => {
    const thread = new Worker(READER, { eval: true, execArgv: [], workerData: { driver, path, sql, parameters } })
    let rows: unknown[] | undefined
    thread.once('message', (read: unknown[]) => {
      rows = read
    })
    thread.once('error', reject)
    // The driver closes a connection when its thread ends, not on close().
    thread.once('exit', (code) => (rows ? resolve(rows) : reject(new Error(`The reading thread ended with ${code}.`))))
  })
}

const READER = `
const { parentPort, workerData } = require('node:worker_threads')
const Driver = require(workerData.driver)
const connection = new Driver(workerData.path, { timeout: 10_000 })
const statement = connection.prepare(workerData.sql)
parentPort.postMessage(statement.reader ? statement.all(workerData.parameters) : (statement.run(workerData.parameters), []))
connection.close()
`

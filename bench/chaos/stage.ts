/** What every act needs: a service to break, clients that go on asking, and the promises that are looked at afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../server/src/stores/database.ts'
import { operate, type ServerSettings } from '../../server/src/testing/spawn-server.ts'

export const source = 'pragma solidity ^0.8.20;\ncontract Vault { uint public x; }\n'
const CLIENTS = 4
const PATIENCE_MS = 60_000

/** What one act says. Acts run beside each other, so each keeps its lines together. */
export interface Report {
  hold(check: string, isHeld: boolean, saw: string): void
  say(words: string): void
}

export type Act = (report: Report) => Promise<void>

export interface Outcome {
  readonly lines: readonly string[]
  readonly results: readonly boolean[]
}

export async function perform(act: Act): Promise<Outcome> {
  const started = performance.now()
  const lines: string[] = []
  const results: boolean[] = []
  const report: Report = {
    hold(check, isHeld, saw) {
      results.push(isHeld)
      lines.push(`  ${isHeld ? 'held' : 'LOST'}  ${check}: ${saw}`)
    },
    say: (words) => void lines.push(`  ${words}`),
  }
  await act(report).catch((error: unknown) => report.hold('the act comes to its end', false, String(error)))
  report.say(`${Math.round((performance.now() - started) / 1000)} s`)
  return { lines, results }
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(200)) if (await condition()) return true
  return false
}

const folders: string[] = []
export const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-chaos-'))
  folders.push(folder)
  return folder
}

export const removeFolders = (): void => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

export async function newCaller(settings: ServerSettings): Promise<string> {
  const lines = await operate(
    settings,
    ['create-account', 'ada@example.com', '--plan', 'pro'],
    ['create-key', 'ada@example.com'],
  )
  return lines.find((line) => line.startsWith('assay_live_')) ?? ''
}

/** Clients that scan without a pause, wherever the service is just now. */
export function startLoad(url: () => string, key: string) {
  const answered: string[] = []
  const others = new Map<string, number>()
  let isOver = false
  const client = async (): Promise<void> => {
    while (!isOver) {
      const body = new FormData()
      body.set('file', new Blob([source]), 'Vault.sol')
      const outcome = await fetch(`${url()}/api/v1/scan`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body,
        signal: AbortSignal.timeout(30_000),
      })
        .then(async (answer) =>
          answer.ok
            ? { scanId: ((await answer.json()) as { scanId: string }).scanId }
            : { status: String(answer.status) },
        )
        .catch((error: Error) => ({ status: error.name }))
      if ('scanId' in outcome) answered.push(outcome.scanId)
      else {
        others.set(outcome.status, (others.get(outcome.status) ?? 0) + 1)
        await sleep(100)
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  return {
    answered,
    async stop(): Promise<string> {
      isOver = true
      await Promise.all(clients)
      const rest = [...others].map(([status, n]) => `${n} × ${status}`).join(', ')
      return `${answered.length} scans answered${rest && `, ${rest}`}`
    },
  }
}

/** Every answered scan exists, and the quota is what exists. */
export async function checkScans(
  { hold }: Report,
  settings: ServerSettings,
  answered: readonly string[],
): Promise<void> {
  const database = await openDatabase({ ...settings })
  const { db } = database
  const held = async () => (await db.selectFrom('scan_reservations').select('id').execute()).length
  const isSettled = await until(async () => (await held()) === 0)
  const stored = new Set((await db.selectFrom('scans').select('id').execute()).map(({ id }) => id))
  const counts = await db.selectFrom('scan_counts').select('n').execute()
  await database.close()
  const missing = answered.filter((id) => !stored.has(id)).length
  const counted = counts.reduce((sum, { n }) => sum + n, 0)
  hold('answered scans exist', missing === 0 && answered.length > 0, `${answered.length} answered, ${missing} missing`)
  hold('the quota is exact', isSettled && counted === stored.size, `${counted} counted, ${stored.size} stored`)
}

export type Misbehaviour = 'hang' | 'reset' | 'garbage'

/** Speaks no protocol at all, in one of three ways. */
function misbehave(socket: Socket, how: Misbehaviour): void {
  socket.on('error', () => {})
  if (how === 'reset') socket.resetAndDestroy()
  if (how === 'garbage') socket.end('\u0000\u0001 this is no answer\r\n'.repeat(50))
}

/** A door before some partner that can be instructed to misbehave. */
export interface Front {
  readonly port: number
  /** `undefined`: it lets everything through. */
  how: Misbehaviour | undefined
  close(): void
}

export async function startFront(behindPort: number): Promise<Front> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    if (front.how) return misbehave(socket, front.how)
    const onward = connect(behindPort, '127.0.0.1')
    for (const end of [socket, onward]) end.on('error', () => {})
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const front: Front = {
    port: (server.address() as AddressInfo).port,
    how: undefined,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return front
}

export const scanOnce = (url: string, key: string): Promise<Response> => {
  const body = new FormData()
  body.set('file', new Blob([source]), 'Vault.sol')
  return fetch(`${url}/api/v1/scan`, { method: 'POST', headers: { 'x-api-key': key }, body })
}

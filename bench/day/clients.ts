import { setTimeout as sleep } from 'node:timers/promises'

const CLIENTS = 3
const PAUSE_MS = 150
const source = (n: number): string =>
  `pragma solidity ^0.8.20;\ncontract Vault${n} { function end() external { selfdestruct(payable(msg.sender)); } }\n`

export interface Clients {
  /** Ids of scans whose result came with the answer. */
  readonly answered: string[]
  /** Ids of scans that were taken in, to be done later. */
  readonly accepted: string[]
  stop(): Promise<string>
}

/** People who scan all day, wherever the service is just now, and come back when it is not there. */
export function startClients(url: () => string, key: string): Clients {
  const answered: string[] = []
  const accepted: string[] = []
  const others = new Map<string, number>()
  let isOver = false
  let turn = 0
  const sendRequest = async (): Promise<void> => {
    turn += 1
    const body = new FormData()
    body.set('file', new Blob([source(turn % 7)]), `Vault${turn % 7}.sol`)
    const isQueued = turn % 4 === 0
    const answer = await fetch(`${url()}/api/v1/scan${isQueued ? '?async=true' : ''}`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body,
      signal: AbortSignal.timeout(60_000),
    })
    const { scanId } = (await answer.json()) as { scanId?: string }
    if (answer.status === 200 && scanId) answered.push(scanId)
    else if (answer.status === 202 && scanId) accepted.push(scanId)
    else note(String(answer.status))
  }
  const note = (status: string): void => void others.set(status, (others.get(status) ?? 0) + 1)
  const client = async (): Promise<void> => {
    while (!isOver) {
      await sendRequest().catch((error: Error) => note(error.name))
      await sleep(PAUSE_MS)
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  return {
    answered,
    accepted,
    async stop() {
      isOver = true
      await Promise.all(clients)
      const rest = [...others].map(([status, n]) => `${n} × ${status}`).join(', ')
      return `${answered.length} answered, ${accepted.length} accepted${rest && `, ${rest}`}`
    },
  }
}

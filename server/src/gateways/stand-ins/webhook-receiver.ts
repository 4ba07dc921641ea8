import { createServer as createPlainServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A user's server that takes webhooks, over real HTTP: it records what comes and answers as configured. */
export interface WebhookReceiver {
  readonly port: number
  readonly url: string
  readonly received: ReceivedWebhook[]
  /** One per request, in order; when empty it answers 200. */
  answers: Answer[]
  /** Resolves once this many requests have arrived in all. */
  waitFor(count: number, timeoutMs?: number): Promise<readonly ReceivedWebhook[]>
  close(): Promise<void>
}

export interface ReceivedWebhook {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly at: number
}

export type Answer = number | ((response: ServerResponse) => void)

export interface WebhookReceiverOptions {
  readonly host?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

export async function startWebhookReceiver({
  host = '127.0.0.1',
  tls,
}: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const waiting = new Set<() => void>()
  const receiver = { answers: [] as Answer[] }
  const server = tls ? createTlsServer(tls) : createPlainServer()
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at: Date.now(),
    })
    const answer = receiver.answers.shift() ?? 200
    if (typeof answer === 'function') answer(response)
    else response.writeHead(answer, { 'content-type': 'application/json' }).end('{"success":true}')
    for (const wake of waiting) wake()
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(receiver, {
    port,
    url: `${tls ? 'https' : 'http'}://${host}:${port}/hook`,
    received,
    async waitFor(count: number, timeoutMs = 10_000) {
      const deadline = Date.now() + timeoutMs
      while (received.length < count) {
        const left = deadline - Date.now()
        if (left <= 0) throw new Error(`${received.length} of ${count} webhooks arrived within ${timeoutMs} ms`)
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(timer)
            waiting.delete(wake)
            resolve()
          }
          const timer = setTimeout(wake, left)
          waiting.add(wake)
        })
      }
      return received
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

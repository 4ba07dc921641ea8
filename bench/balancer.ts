import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A small balancer for loopback: takes turns between backends whose /ready says yes, and never sends a request twice. For trying out
 * replicas on a machine without containers; use a real one in production.
 */
export interface Balancer {
  readonly url: string
  /** Backends that said yes lately. */
  ready(): readonly string[]
  close(): Promise<void>
}

export async function startBalancer(backends: () => readonly string[], pollMs = 100): Promise<Balancer> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  let ready: string[] = []
  let turn = 0
  let isOver = false
  const isReady = (url: string): Promise<boolean> =>
    fetch(`${url}/ready`, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  // Each by itself: one that is slow to answer must not delay what is known of the others.
  const asked = new Set<string>()
  const ask = async (url: string): Promise<void> => {
    asked.add(url)
    const isUp = await isReady(url)
    if (isUp !== ready.includes(url)) ready = isUp ? [...ready, url] : ready.filter((other) => other !== url)
    asked.delete(url)
  }
  const watching = (async () => {
    while (!isOver) {
      const urls = backends()
      ready = ready.filter((url) => urls.includes(url))
      for (const url of urls) if (!asked.has(url)) void ask(url)
      await sleep(pollMs)
    }
  })()

  const refuse = (response: http.ServerResponse, words: string): void =>
    void response.writeHead(502).end(JSON.stringify({ error: words }))
  const server = http.createServer((request, response) => {
    const backend = ready[turn++ % Math.max(1, ready.length)]
    if (!backend) return refuse(response, 'No replica is ready.')
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress, connection: 'keep-alive' }
    const target = new URL(request.url ?? '/', backend)
    const onward = http.request(target, { method: request.method, headers, agent }, (answer) => {
      const { connection: _, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 502, kept)
      answer.pipe(response)
    })
    onward.on('error', () => (response.headersSent ? response.destroy() : refuse(response, 'The replica went away.')))
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ready,
    async close() {
      isOver = true
      server.closeAllConnections()
      server.close()
      agent.destroy()
      await watching
    },
  }
}

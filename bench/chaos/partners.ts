import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { standInKey, startOpenRouterStandIn } from '../../server/src/gateways/stand-ins/open-router.ts'
import { spawnServer } from '../../server/src/testing/spawn-server.ts'
import { type Act, checkScans, newCaller, newFolder, scanOnce, source, startFront, startLoad, until } from './stage.ts'

const modes = ['reset', 'garbage', 'hang'] as const

/** Long enough for a first try to meet a partner that misbehaves. */
const MEET_MS = 1500

export const breakReceiver: Act = async (report) => {
  const { hold } = report
  const settings = { dataDir: newFolder() }
  const key = await newCaller(settings)
  const seen = new Map<string, number>()
  const http = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    request.resume().on('end', () => {
      seen.set(id, (seen.get(id) ?? 0) + 1)
      response.end('{"success":true}')
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const front = await startFront((http.address() as AddressInfo).port)
  const server = await spawnServer(settings)
  try {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const body = JSON.stringify({ url: `http://127.0.0.1:${front.port}/hook` })
    await fetch(`${server.url}/api/v1/webhooks`, { method: 'POST', headers, body })
    for (const mode of modes) {
      front.how = mode
      await scanOnce(server.url, key)
      await sleep(MEET_MS)
    }
    front.how = undefined
    const isComplete = await until(() => seen.size >= modes.length)
    hold(
      'every event arrives at least once, each under one id',
      isComplete && seen.size === modes.length,
      `${modes.length} scans, ${seen.size} ids`,
    )
  } finally {
    await server.kill()
    front.close()
    http.closeAllConnections()
    http.close()
  }
}

export const breakMail: Act = async (report) => {
  const { hold } = report
  const settings = { dataDir: newFolder() }
  const ids = new Map<string, number>()
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        const id = /^message-id:\s*(\S+)/im.exec(text)?.[1] ?? ''
        ids.set(id, (ids.get(id) ?? 0) + 1)
        done()
      })
    },
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const front = await startFront((smtp.server.address() as AddressInfo).port)
  const server = await spawnServer(settings, { SMTP_URL: `smtp://127.0.0.1:${front.port}` })
  try {
    for (const [index, mode] of modes.entries()) {
      front.how = mode
      await fetch(`${server.url}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `person${index}@example.com`, password: 'a long enough password', name: 'P' }),
      })
      await sleep(MEET_MS)
    }
    front.how = undefined
    const isComplete = await until(() => ids.size >= modes.length)
    hold(
      'every mail arrives at least once, each under one id',
      isComplete && ids.size === modes.length,
      `${modes.length} mails, ${ids.size} ids`,
    )
  } finally {
    await server.kill()
    front.close()
    smtp.close()
  }
}

export const breakGateway: Act = async (report) => {
  const { hold } = report
  const settings = { dataDir: newFolder() }
  const key = await newCaller(settings)
  const gateway = await startOpenRouterStandIn()
  const front = await startFront(Number(new URL(gateway.url).port))
  const server = await spawnServer(settings, {
    AI_GATEWAY_URL: `http://127.0.0.1:${front.port}/api/v1`,
    AI_TIMEOUT_MS: '6000',
  })
  const sendRequest = (): Promise<Response> => {
    const body = new FormData()
    body.set('openrouterApiKey', standInKey)
    body.set('model', 'acme/auditor-1')
    body.set('file', new Blob([source]), 'Vault.sol')
    return fetch(`${server.url}/api/v1/ai-scan`, { method: 'POST', headers: { 'x-api-key': key }, body })
  }
  try {
    const load = startLoad(() => server.url, key)
    const statuses: number[] = []
    for (const mode of modes) {
      front.how = mode
      statuses.push((await sendRequest()).status)
    }
    front.how = undefined
    const after = await sendRequest()
    if (after.ok) load.answered.push(((await after.json()) as { scanId: string }).scanId)
    report.say(`${await load.stop()}`)
    hold(
      'each failure is reported as what it is',
      statuses.join() === '502,502,504',
      `${modes.join()}: ${statuses.join()}`,
    )
    hold('the next AI scan is answered', after.status === 200, String(after.status))
    await server.stop()
    await checkScans(report, settings, load.answered)
  } finally {
    if (server.process.exitCode === null) await server.kill()
    front.close()
    await gateway.close()
  }
}

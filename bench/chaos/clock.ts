import { setTimeout as sleep } from 'node:timers/promises'
import { type SpawnedServer, spawnServer } from '../../server/src/testing/spawn-server.ts'
import { type Act, newFolder, until } from './stage.ts'

export const moveClock: Act = async (report) => {
  const { hold } = report
  const settings = { dataDir: newFolder() }
  const register = async (server: SpawnedServer, email: string) =>
    (
      await fetch(`${server.url}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'a long enough password', name: 'P' }),
      })
    ).status
  // Nobody listens on this port: mails wait.
  const ahead = await spawnServer(settings, { CLOCK_OFFSET: 'P1D', SMTP_URL: 'smtp://127.0.0.1:1' })
  await register(ahead, 'ahead@example.com')
  await sleep(1500)
  await ahead.stop()
  const right = await spawnServer(settings)
  const isSent = await until(() => /to ahead@example\.com|ahead@example\.com/.test(right.output()))
  hold(
    'a mail queued while the clock was a day ahead leaves once it is right',
    isSent,
    isSent ? 'sent' : 'still waiting',
  )
  hold('the service takes registrations', (await register(right, 'now@example.com')) === 201, 'yes')
  await right.stop()
}

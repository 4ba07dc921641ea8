// npm start: installs and builds what is missing, then serves from this very process, so that a signal reaches the server.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from './build.mjs'
import { main, root, say } from './project.mjs'
import { setup } from './setup.mjs'

await main(async () => {
  endWithNpm()
  await setup('start')
  await build(['server', 'web', 'downloads'])
  process.setSourceMapsEnabled(true)
  say('starting the service')
  // Resolves once the service listens; it has said by then where the dashboard, the reference and the mails are.
  await import(pathToFileURL(join(root, 'server', 'dist', 'main.js')).href)
  const { PUBLIC_URL, HOST = '127.0.0.1', PORT = '3000' } = process.env
  const home = PUBLIC_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
  process.stderr.write(
    `  try it      curl -s ${home}/health\n  command     npm install --global ${home}/downloads/assay-cli.tgz && assay scan <your contracts>\n`,
  )
})

/**
 * npm passes a signal on to its script (`exec` in the script makes that this process and not a shell), but not its own
 * sudden death: nobody would be left who knows of a service that goes on by itself.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const { ppid } = process
  setInterval(() => {
    if (process.ppid !== ppid) process.kill(process.pid, 'SIGTERM')
  }, 1000).unref()
}

// npm start: installs and builds what is missing, then serves from this very process, so that a signal reaches the server.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from './build.mjs'
import { main, root, say } from './project.mjs'
import { setup } from './setup.mjs'

await main(async () => {
  await setup('start')
  await build(['server', 'web'])
  process.setSourceMapsEnabled(true)
  say('starting the service')
  await import(pathToFileURL(join(root, 'server', 'dist', 'main.js')).href)
})

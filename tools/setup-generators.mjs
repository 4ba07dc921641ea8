// Installs the generators of clients that the OpenAPI document is tried with.
//   npm run setup:generators
import { join } from 'node:path'
import { isMain, main, root } from './project.mjs'
import { setupFolder } from './setup-folder.mjs'

export const setupGenerators = () =>
  setupFolder(join(root, 'client', 'generators'), 'generators of clients (about 140 MB)')

if (isMain(import.meta.url)) await main(setupGenerators)

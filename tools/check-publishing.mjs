// Asked by npm before the command is published (`prepublishOnly`): what only its publisher can say must have been said.
//   node tools/check-publishing.mjs [folder of the package]
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure, isMain, main } from './project.mjs'

const isAddress = (text) => typeof text === 'string' && /^(?:git\+)?https:\/\/[^\s/]+\/\S+$/.test(text)

/** What is missing, one sentence each. */
export function whatIsMissing({ name, repository, homepage, config }) {
  const missing = []
  if (!/^@[^/]+\/[^/]+$/.test(name ?? ''))
    missing.push('The name must be in a scope that you own: npm pkg set name=@<your scope>/cli')
  const url = typeof repository === 'string' ? repository : repository?.url
  if (!isAddress(url))
    missing.push(
      'Provenance names the repository that the package was built from: npm pkg set repository.type=git repository.url=git+https://<host>/<owner>/<name>.git repository.directory=cli',
    )
  if (homepage !== undefined && !isAddress(homepage)) missing.push('The homepage must be an https address.')
  if (config?.pages !== undefined && !(isAddress(config.pages) && config.pages.endsWith('/')))
    missing.push('config.pages must be the https address of a folder, with a slash at its end.')
  return missing
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const folder = resolve(process.argv[2] ?? '.')
    const missing = whatIsMissing(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    if (missing.length > 0) throw new Failure(`this package is not ready to be published.\n${missing.join('\n')}`)
  })
}

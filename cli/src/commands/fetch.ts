import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { shownPath } from '../input/collect-files.ts'
import { Complaint, exit, type Io } from '../io.ts'
import { fetchCommand as texts } from '../messages/fetch.ts'
import { printableName } from '../output/printable.ts'
import { createBoundary } from '../project/boundary.ts'

/** The only command that requests sources from the network, and only from the explorer that the user names. */
export const fetchSources = defineCommand({
  name: 'fetch',
  summary: texts.fetchVerifiedSource,
  parameters: '<address>',
  details: [texts.contactsOnlyNamed, texts.writesFolder, texts.exitCode],
  options: {
    'explorer-url': { value: 'url', description: texts.apiUrl },
    'explorer-api': {
      value: 'api',
      choices: ['auto', 'etherscan', 'blockscout', 'sourcify'],
      default: 'auto',
      description: texts.whichApi,
    },
    chain: { value: 'number', default: '1', isNumber: true, description: texts.chainId },
    'explorer-key-file': { value: 'file', description: texts.keyFile },
    output: { value: 'folder', short: 'o', description: texts.newFolder },
  },
  examples: [{ line: texts.exampleLine, does: texts.exampleDoes }],

  async run({ paths: [address, ...others], options, io }) {
    const { findSources, isAddress, NoSources } = await import('../gateways/explorer.ts')
    const { layOutSources } = await import('../fetch/lay-out-sources.ts')
    if (!isAddress(address) || address === undefined || others.length > 0) throw new Complaint(texts.nameAddress)
    const url = explorerUrl(options['explorer-url'])
    const home = newFolder(options.output ?? address.toLowerCase(), io)
    const api = options['explorer-api']
    const isSourcify = api === 'sourcify' || (api === 'auto' && url.href.includes('sourcify'))
    try {
      const found = await findSources({
        url,
        api: isSourcify ? 'sourcify' : 'etherscan',
        chain: Number(options.chain),
        address: address.toLowerCase(),
        key: keyOf(options['explorer-key-file'], io),
      })
      const files = layOutSources(found)
      writeAll(home, files)
      io.out.write(texts.written(files.size - 1, printableName(found.contract), shownPath(home, io.folder)))
      for (const each of found.implementations) io.err.write(texts.isProxy(each))
      return exit.clean
    } catch (error) {
      if (error instanceof NoSources) throw new Complaint(`${address}: ${error.message}`)
      throw error
    }
  },
})

/** A key in the URL would be seen in the list of processes; without TLS anyone on the way could read it. */
function explorerUrl(given: string | undefined): URL {
  if (given === undefined) throw new Complaint(texts.needsUrl)
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isHere = url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere)
  if (!url || !isAllowed || url.username || url.password || url.search)
    throw new Complaint(texts.badUrl(given.split('?')[0] ?? ''))
  return url
}

function keyOf(file: string | undefined, io: Io): string | undefined {
  if (file === undefined) return io.environment.ASSAY_EXPLORER_KEY || undefined
  try {
    return readFileSync(resolve(io.folder, file), 'utf8').trim()
  } catch {
    throw new Complaint(texts.noKeyFile(file))
  }
}

function newFolder(name: string, io: Io): string {
  const home = resolve(io.folder, name)
  if (existsSync(home)) throw new Complaint(texts.existsAlready(shownPath(home, io.folder)))
  if (!createBoundary({ paths: ['.'] }, io).holds(home)) throw new Complaint(texts.outside(name))
  return home
}

/** All files or none: they are written beside the folder, which is then named. */
function writeAll(home: string, files: ReadonlyMap<string, string>): void {
  const unfinished = `${home}.${process.pid}`
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(unfinished, path)), { recursive: true })
      writeFileSync(join(unfinished, path), text, { flag: 'wx' })
    }
    renameSync(unfinished, home)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

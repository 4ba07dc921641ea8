import { explorer as texts } from '../messages/fetch.ts'

/** Sources of a contract as an explorer gives them. */
export interface VerifiedSources {
  readonly contract: string
  readonly files: ReadonlyMap<string, string>
  readonly remappings: readonly string[]
  readonly compiler: string | undefined
  /** Of a proxy: where the code that runs is. */
  readonly implementations: readonly string[]
}

export interface ExplorerRequest {
  /** As typed: no explorer is called that the user did not name. */
  readonly url: URL
  readonly api: 'etherscan' | 'sourcify'
  readonly chain: number
  readonly address: string
  readonly key: string | undefined
}

/** What an explorer answered instead of sources. */
export class NoSources extends Error {}

const maxAnswerBytes = 20 * 1024 * 1024
const timeoutMilliseconds = 30_000

type Fields = Readonly<Record<string, unknown>>

/** Asks once, follows no redirect (the key is part of the query), and reads no more than the limit. */
export async function findSources(request: ExplorerRequest): Promise<VerifiedSources> {
  const answer = parse(await download(request.api === 'sourcify' ? sourcifyUrl(request) : etherscanUrl(request)))
  return request.api === 'sourcify' ? readSourcify(answer) : readEtherscan(answer)
}

/** Etherscan's second version takes the chain as a parameter; Blockscout speaks the same and has one chain. */
function etherscanUrl({ url, chain, address, key }: ExplorerRequest): URL {
  const endpoint = new URL(url)
  const query = { chainid: String(chain), module: 'contract', action: 'getsourcecode', address }
  for (const [name, value] of Object.entries(query)) endpoint.searchParams.set(name, value)
  if (key !== undefined) endpoint.searchParams.set('apikey', key)
  return endpoint
}

const sourcifyUrl = ({ url, chain, address }: ExplorerRequest): URL =>
  new URL(`${url.href.replace(/\/$/, '')}/v2/contract/${chain}/${address}?fields=sources,compilation,proxyResolution`)

async function download(url: URL): Promise<string> {
  let response: Response
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMilliseconds) })
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError'
    throw new NoSources(isLate ? texts.noAnswerInTime(timeoutMilliseconds / 1000) : texts.notReached(url.host))
  }
  const { status, headers } = response
  if (status === 429) throw new NoSources(texts.rateLimit(headers.get('retry-after')))
  if (status === 401 || status === 403) throw new NoSources(texts.keyRefused)
  if (status === 404) throw new NoSources(texts.notVerified)
  if (status >= 300 && status < 400) throw new NoSources(texts.redirects)
  if (status !== 200) throw new NoSources(texts.status(status))
  return readText(response)
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      length += chunk.length
      if (length > maxAnswerBytes) break
    }
  } catch {
    throw new NoSources(texts.brokenOff)
  }
  if (length > maxAnswerBytes) throw new NoSources(texts.tooLarge(maxAnswerBytes))
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    if (isFields(value)) return value
  } catch {
    // Answered below.
  }
  throw new NoSources(texts.notJson)
}

function readEtherscan({ status, result, message }: Fields): VerifiedSources {
  const entry: unknown = Array.isArray(result) ? result[0] : undefined
  if (status !== '1' || !isFields(entry)) throw new NoSources(refusalOf(`${textOf(result)} ${textOf(message)}`))
  const code = textOf(entry.SourceCode)
  if (code === '') throw new NoSources(texts.notVerified)
  if (/^vyper/i.test(textOf(entry.CompilerVersion))) throw new NoSources(texts.notSolidity)
  const contract = textOf(entry.ContractName)
  const { files, remappings } = readCode(code, entry, contract)
  return {
    contract,
    files,
    remappings,
    compiler: /\d+\.\d+\.\d+/.exec(textOf(entry.CompilerVersion))?.[0],
    implementations: entry.Proxy === '1' && isAddress(entry.Implementation) ? [textOf(entry.Implementation)] : [],
  }
}

/** Most refusals come with status 200 and the reason in words. */
function refusalOf(words: string): string {
  if (/rate limit/i.test(words)) return texts.rateLimit(null)
  if (/api key|apikey/i.test(words)) return texts.keyRefused
  if (/not verified|not found|unsupported chainid/i.test(words)) return texts.notVerified
  return texts.refused
}

/** Standard JSON in a further pair of braces, a table of files, or one file; Blockscout lists further ones beside it. */
function readCode(code: string, entry: Fields, contract: string): Pick<VerifiedSources, 'files' | 'remappings'> {
  const text = code.trim()
  if (text.startsWith('{{') && text.endsWith('}}')) {
    const input = parse(text.slice(1, -1))
    return { files: filesOf(input.sources), remappings: remappingsOf(input.settings) }
  }
  if (/^\{\s*"/.test(text)) return { files: filesOf(parse(text)), remappings: [] }
  const further = Array.isArray(entry.AdditionalSources) ? entry.AdditionalSources.filter(isFields) : []
  const settings = isFields(entry.CompilerSettings) ? entry.CompilerSettings : undefined
  return {
    files: new Map([
      [textOf(entry.FileName) || `${contract || 'Contract'}.sol`, code],
      ...further.map(({ Filename, SourceCode }): [string, string] => [textOf(Filename), textOf(SourceCode)]),
    ]),
    remappings: remappingsOf(settings),
  }
}

function readSourcify({ sources, compilation, match, proxyResolution }: Fields): VerifiedSources {
  if (match === null || !isFields(sources)) throw new NoSources(texts.notVerified)
  const facts = isFields(compilation) ? compilation : {}
  if (facts.language !== undefined && facts.language !== 'Solidity') throw new NoSources(texts.notSolidity)
  const implementations =
    isFields(proxyResolution) && Array.isArray(proxyResolution.implementations) ? proxyResolution.implementations : []
  return {
    contract: textOf(facts.name),
    files: filesOf(sources),
    remappings: remappingsOf(facts.compilerSettings),
    compiler: /\d+\.\d+\.\d+/.exec(textOf(facts.compilerVersion))?.[0],
    implementations: implementations.flatMap((each) =>
      isFields(each) && isAddress(each.address) ? [textOf(each.address)] : [],
    ),
  }
}

const filesOf = (value: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isFields(value) ? value : {}).flatMap(([path, file]) =>
      isFields(file) && typeof file.content === 'string' ? [[path, file.content]] : [],
    ),
  )

const remappingsOf = (settings: unknown): readonly string[] =>
  isFields(settings) && Array.isArray(settings.remappings)
    ? settings.remappings.filter((line) => typeof line === 'string')
    : []

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const isAddress = (value: unknown): boolean => /^0x[0-9a-fA-F]{40}$/.test(textOf(value))

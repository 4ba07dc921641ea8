import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Sourcify (API version 2), an explorer as Etherscan is one, and a forge as GitHub is one, over real HTTP, the forge's archives on a port of their own: each with the
 * shapes, statuses and oddities of the real ones.
 */
export interface SourceHostsStandIn {
  readonly url: string
  readonly sourcifyUrl: string
  readonly etherscanUrl: string
  readonly forgeApiUrl: string
  /** What Sourcify knows, by `chain/address` in lower case. */
  readonly sourcify: Map<string, SourcifyContract>
  /** What the explorer knows, by the same. */
  readonly etherscan: Map<string, EtherscanContract>
  /** Archives by `owner/name/ref`; a ref of '' is the default branch. */
  readonly archives: Map<string, Buffer>
  /** Answers instead, once each, in order; by the first part of the path. */
  readonly next: Record<Party, Answer[]>
  readonly received: Received[]
  close(): Promise<void>
}

type Party = 'sourcify' | 'etherscan' | 'forge' | 'codeload'
export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export interface SourcifyContract {
  readonly match: 'exact_match' | 'match'
  readonly sources: Readonly<Record<string, string>>
  readonly language?: string
  readonly remappings?: readonly string[]
  readonly implementations?: readonly string[]
}

export interface EtherscanContract {
  readonly sourceCode: string
  readonly contractName?: string
  readonly compilerVersion?: string
  readonly implementation?: string
}

export interface Received {
  readonly party: Party
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
}

export async function startSourceHosts(): Promise<SourceHostsStandIn> {
  const state = {
    sourcify: new Map<string, SourcifyContract>(),
    etherscan: new Map<string, EtherscanContract>(),
    archives: new Map<string, Buffer>(),
    next: { sourcify: [], etherscan: [], forge: [], codeload: [] } as Record<Party, Answer[]>,
    received: [] as Received[],
  }
  const answerRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const [, first = '', ...rest] = url.pathname.split('/')
    const party = first as Party
    const path = rest.join('/')
    state.received.push({ party, path, query: url.searchParams, headers: request.headers })
    const answer = state.next[party]?.shift()
    if (answer) answer(response, request)
    else if (party === 'sourcify') answerSourcify(state.sourcify, path, url.searchParams, response)
    else if (party === 'etherscan') answerEtherscan(state.etherscan, url.searchParams, response)
    else if (party === 'forge') answerForge(state.archives, path, response, urlOf(codeload))
    else answerCodeload(state.archives, path, response)
  }
  const server = await listen(answerRequest)
  const codeload = await listen(answerRequest)
  const url = urlOf(server)
  return {
    ...state,
    url,
    sourcifyUrl: `${url}/sourcify`,
    etherscanUrl: `${url}/etherscan/v2/api`,
    forgeApiUrl: `${url}/forge`,
    async close() {
      await Promise.all([server, codeload].map(stop))
    },
  }
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body))
}

const nothingKnown = { match: null, creationMatch: null, runtimeMatch: null }

function answerSourcify(
  known: Map<string, SourcifyContract>,
  path: string,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const [, , chainId = '', address = ''] = path.split('/')
  const contract = known.get(`${chainId}/${address.toLowerCase()}`)
  if (!contract) {
    sendJson(response, 404, { ...nothingKnown, chainId, address })
    return
  }
  const { match, language = 'Solidity', remappings = [], implementations = [] } = contract
  const fields: Record<string, unknown> = {
    sources: Object.fromEntries(Object.entries(contract.sources).map(([name, content]) => [name, { content }])),
    compilation: {
      language,
      compiler: 'solc',
      compilerVersion: '0.8.26+commit.8a97fa7a',
      compilerSettings: { remappings, optimizer: { enabled: true, runs: 200 } },
      name: 'Vault',
      fullyQualifiedName: 'src/Vault.sol:Vault',
    },
    proxyResolution: {
      isProxy: implementations.length > 0,
      proxyType: implementations.length > 0 ? 'EIP1967Proxy' : null,
      implementations: implementations.map((implementation) => ({ address: implementation, name: 'Vault' })),
    },
  }
  const wanted = (query.get('fields') ?? '').split(',').filter((field) => field in fields)
  sendJson(response, 200, {
    match,
    creationMatch: match,
    runtimeMatch: match,
    chainId,
    address,
    verifiedAt: '2026-01-02T03:04:05Z',
    matchId: '1',
    ...Object.fromEntries(wanted.map((field) => [field, fields[field]])),
  })
}

function answerEtherscan(
  known: Map<string, EtherscanContract>,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const contract = known.get(`${query.get('chainid')}/${query.get('address')?.toLowerCase()}`)
  const empty = { ContractName: '', CompilerVersion: '', Proxy: '0', Implementation: '', SourceCode: '' }
  const entry = contract
    ? {
        ...empty,
        ABI: '[]',
        SourceCode: contract.sourceCode,
        ContractName: contract.contractName ?? 'Vault',
        CompilerVersion: contract.compilerVersion ?? 'v0.8.26+commit.8a97fa7a',
        Proxy: contract.implementation ? '1' : '0',
        Implementation: contract.implementation ?? '',
      }
    : { ...empty, ABI: 'Contract source code not verified' }
  sendJson(response, 200, { status: '1', message: 'OK', result: [entry] })
}

/** The API never holds an archive itself: it sends to the host that does. */
function answerForge(archives: Map<string, Buffer>, path: string, response: ServerResponse, codeloadUrl: string): void {
  const [, owner, name, , ...ref] = path.split('/')
  const key = `${owner}/${name}/${ref.join('/')}`
  if (archives.has(key)) response.writeHead(302, { location: `${codeloadUrl}/codeload/${key}` }).end()
  else sendJson(response, 404, { message: 'Not Found', status: '404' })
}

function answerCodeload(archives: Map<string, Buffer>, path: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-gzip' }).end(archives.get(path))
}

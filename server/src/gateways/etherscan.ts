import type { Download } from './download.ts'
import {
  isRecord,
  type NoSource,
  parseJson,
  type SourceHost,
  toAddress,
  toNoSource,
  type VerifiedSource,
} from './source-host.ts'

export interface EtherscanOptions {
  /** `https://api.etherscan.io/v2/api`, or an explorer that speaks the same. */
  readonly apiUrl: string
  readonly apiKey?: string | undefined
  /** The one chain it serves; absent: the chain is a parameter. */
  readonly chain?: number | undefined
  readonly download: Download
  readonly now: () => Date
}

/** The contract module of Etherscan's API. Most of its refusals are a 200 with `status: "0"` and the reason in words. */
export function createEtherscan({ apiUrl, apiKey, chain, download, now }: EtherscanOptions): SourceHost {
  return {
    name: 'etherscan',
    async findSource(at, { maxBytes, signal }) {
      if (chain !== undefined && at.chain !== chain) return { kind: 'not-found' }
      const url = new URL(apiUrl)
      const query = { chainid: String(at.chain), module: 'contract', action: 'getsourcecode', address: at.address }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      if (apiKey) url.searchParams.set('apikey', apiKey)
      const outcome = await download({ url: url.href, maxBytes, signal })
      if (outcome.kind !== 'answered' || outcome.status !== 200) return toNoSource(outcome, now())
      return readAnswer(parseJson(outcome.bytes))
    },
  }
}

const SECOND_LIMIT_WAIT = 2
const DAY_LIMIT_WAIT = 3600

function readAnswer(answer: Record<string, unknown> | undefined): VerifiedSource | NoSource {
  if (!answer) return { kind: 'failed', reason: 'no JSON' }
  const { result } = answer
  if (answer.status !== '1') return readRefusal(result)
  const entry: unknown = Array.isArray(result) ? result[0] : undefined
  if (!isRecord(entry) || typeof entry.SourceCode !== 'string') return { kind: 'failed', reason: 'no result' }
  if (entry.SourceCode === '') return { kind: 'not-found' }
  if (/^vyper/i.test(String(entry.CompilerVersion ?? ''))) return { kind: 'not-solidity' }
  const contract = typeof entry.ContractName === 'string' ? entry.ContractName : ''
  const implementation = entry.Proxy === '1' ? toAddress(entry.Implementation) : undefined
  return {
    kind: 'source',
    document: toDocument(entry.SourceCode, contract),
    // An explorer compares too, and does not say how closely.
    match: 'unknown',
    contract,
    implementations: implementation ? [implementation] : [],
  }
}

function readRefusal(result: unknown): NoSource {
  const words = typeof result === 'string' ? result : ''
  if (/rate limit/i.test(words))
    return { kind: 'busy', retryAfterSeconds: /daily/i.test(words) ? DAY_LIMIT_WAIT : SECOND_LIMIT_WAIT }
  if (/not verified|unsupported chainid|not supported for this chain/i.test(words)) return { kind: 'not-found' }
  return { kind: 'failed', reason: /api key/i.test(words) ? 'the key is refused' : 'an unknown refusal' }
}

/** Standard JSON in a further pair of braces, a table of files, or one flat file: each becomes a document of this service. */
function toDocument(code: string, contract: string): Buffer {
  const text = code.trim()
  if (text.startsWith('{{') && text.endsWith('}}')) return Buffer.from(text.slice(1, -1))
  if (/^\{\s*"/.test(text)) return Buffer.from(`{"sources":${text}}`)
  return Buffer.from(JSON.stringify({ fileName: `${contract || 'contract'}.sol`, source: code }))
}

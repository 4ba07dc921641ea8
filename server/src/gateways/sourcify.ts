import type { Download } from './download.ts'
import {
  type ContractAddress,
  isRecord,
  type NoSource,
  parseJson,
  type SourceHost,
  toAddress,
  toNoSource,
  type VerifiedSource,
} from './source-host.ts'

export interface SourcifyOptions {
  /** `https://sourcify.dev/server`: the paths of its second version are added. */
  readonly baseUrl: string
  readonly download: Download
  readonly now: () => Date
}

/** Languages and proxies are reported in little; the sources may be long. */
const MAX_FACTS_BYTES = 1024 * 1024

/**
 * Sourcify's API, version 2. A contract is requested twice: for what it is, then for its sources, whose answer is passed on as it came, so
 * that nobody reads megabytes of it here.
 */
export function createSourcify({ baseUrl, download, now }: SourcifyOptions): SourceHost {
  const sendRequest = ({ chain, address }: ContractAddress, fields: string, maxBytes: number, signal?: AbortSignal) =>
    download({ url: `${baseUrl}/v2/contract/${chain}/${address}?fields=${fields}`, maxBytes, signal })
  return {
    name: 'sourcify',
    async findSource(at, { maxBytes, signal }) {
      const facts = await sendRequest(at, 'compilation,proxyResolution', MAX_FACTS_BYTES, signal)
      if (facts.kind !== 'answered' || facts.status !== 200) return refusalOf(toNoSource(facts, now()), facts)
      const known = readFacts(parseJson(facts.bytes))
      if (known.kind !== 'source') return known
      const sources = await sendRequest(at, 'sources,compilation', maxBytes, signal)
      if (sources.kind !== 'answered' || sources.status !== 200) return toNoSource(sources, now())
      return { ...known, document: sources.bytes }
    },
  }
}

/** A chain that it does not serve is reported as a bad request, by name. */
function refusalOf(reason: NoSource, outcome: Awaited<ReturnType<Download>>): NoSource {
  if (outcome.kind !== 'answered' || outcome.status !== 400) return reason
  const { customCode } = parseJson(outcome.bytes) ?? {}
  return customCode === 'unsupported_chain' ? { kind: 'not-found' } : reason
}

function readFacts(answer: Record<string, unknown> | undefined): Omit<VerifiedSource, 'document'> | NoSource {
  if (!answer) return { kind: 'failed', reason: 'no JSON' }
  const match = answer.match
  if (match === null || match === undefined) return { kind: 'not-found' }
  const compilation = isRecord(answer.compilation) ? answer.compilation : {}
  if (compilation.language !== undefined && compilation.language !== 'Solidity') return { kind: 'not-solidity' }
  return {
    kind: 'source',
    match: match === 'exact_match' ? 'exact' : 'partial',
    contract: typeof compilation.name === 'string' ? compilation.name : '',
    implementations: implementationsOf(answer.proxyResolution),
  }
}

function implementationsOf(resolution: unknown): string[] {
  if (!isRecord(resolution) || resolution.isProxy !== true || !Array.isArray(resolution.implementations)) return []
  return resolution.implementations.flatMap((entry) => (isRecord(entry) ? (toAddress(entry.address) ?? []) : []))
}

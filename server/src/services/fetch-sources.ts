import { refuse } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { labelsOfDocument } from '../core/sources/labels.ts'
import type { AddressOrigin } from '../core/sources/origin.ts'
import { normalisePath } from '../core/sources/source-paths.ts'
import type { Upload } from '../core/sources/upload.ts'
import type { ForgeGateway } from '../gateways/forge.ts'
import type { ContractAddress, NoSource, SourceHost, VerifiedSource } from '../gateways/source-host.ts'

export interface FetchSourcesDeps {
  readonly log: Log
  /** In the order of the requests; empty: not configured. */
  readonly sourceHosts: readonly SourceHost[]
  /** The first is meant when a repository names none. */
  readonly forges: readonly ForgeGateway[]
}

interface FetchOptions {
  /** Of the sources, by the plan. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Nobody needs more to say where sources lie; a longer document holds them itself. */
const MAX_REQUEST_BYTES = 4096
/** Sources in JSON are longer than the sources, and answers hold more than them. */
const ANSWER_FACTOR = 2
const ANSWER_OVERHEAD_BYTES = 1024 * 1024
/** Beside its sources a repository holds pictures, documents and tests. */
const ARCHIVE_FACTOR = 8

/** An upload that only says where the sources lie becomes one that holds them; every other stays as it is. */
export async function fetchSources(deps: FetchSourcesDeps, upload: Upload, options: FetchOptions): Promise<Upload> {
  if (upload.documentKind === 'sources') return upload
  const wanted = readRequest(upload)
  if (upload.documentKind === 'address') return fetchContract(deps, wanted ?? {}, options)
  if (upload.documentKind === 'repository') return fetchRepository(deps, wanted ?? {}, options)
  if (wanted?.address !== undefined) return fetchContract(deps, wanted, options)
  if (wanted?.repository !== undefined) return fetchRepository(deps, wanted, options)
  return upload
}

type Wanted = Readonly<Record<string, unknown>>

function readRequest({ document }: Upload): Wanted | undefined {
  if (!document || document.length > MAX_REQUEST_BYTES) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(document).toString())
    const isPlace = typeof value === 'object' && value !== null && !('sources' in value) && !('source' in value)
    return isPlace ? (value as Wanted) : undefined
  } catch {
    // Anyone who unpacks it says so.
    return undefined
  }
}

async function fetchContract(deps: FetchSourcesDeps, wanted: Wanted, options: FetchOptions): Promise<Upload> {
  const at = { address: readAddress(wanted.address), chain: readChain(wanted.chain) }
  const labels = labelsOfDocument(wanted)
  if (deps.sourceHosts.length === 0) return refuse('addressScansOff')
  const { source, host, implementation } = await resolveProxy(deps, at, options)
  const origin: AddressOrigin = {
    kind: 'address',
    ...at,
    provider: host.name,
    match: source.match,
    implementation,
    notScanned: source.implementations,
  }
  const name = `chain-${at.chain}/${at.address}`
  return { files: [], fields: [], document: source.document, fetched: { name, origin, labels } }
}

function readAddress(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase()
  return refuse('invalid', 'address must be 0x and 40 hexadecimal digits.')
}

function readChain(value: unknown): number {
  const chain = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof chain === 'number' && Number.isSafeInteger(chain) && chain > 0) return chain
  return refuse('invalid', 'chain must be the number of a chain, such as 1.')
}

interface Resolved {
  readonly source: VerifiedSource
  readonly host: SourceHost
  readonly implementation: string | null
}

/** A proxy that points to a proxy, and so on: further than any sound one. */
const MAX_PROXIES = 3

/** A proxy holds no code worth reading: what runs is its implementation. One with several is scanned itself, and says so. */
async function resolveProxy(deps: FetchSourcesDeps, at: ContractAddress, options: FetchOptions): Promise<Resolved> {
  let found = await findVerified(deps, at, options)
  let implementation: string | null = null
  for (let depth = 0; depth < MAX_PROXIES; depth++) {
    const [next, another] = found.source.implementations
    if (next === undefined || another !== undefined || next === (implementation ?? at.address)) break
    implementation = next
    found = await findVerified(deps, { ...at, address: next }, options)
  }
  return { ...found, implementation }
}

async function findVerified(
  { sourceHosts, log }: FetchSourcesDeps,
  at: ContractAddress,
  { maxBytes, signal }: FetchOptions,
): Promise<Pick<Resolved, 'source' | 'host'>> {
  const refusals: NoSource[] = []
  for (const host of sourceHosts) {
    const source = await host.findSource(at, { maxBytes: maxBytes * ANSWER_FACTOR + ANSWER_OVERHEAD_BYTES, signal })
    if (source.kind === 'source') return { source, host }
    if (source.kind === 'failed') log.warn({ host: host.name, reason: source.reason }, 'a source host failed')
    refusals.push(source)
  }
  // A host that could not answer may have what the others lack: only when all said no, it is no.
  const failure = refusals.find(({ kind }) => kind !== 'not-found')
  return failure ? refuseNoSource(failure, maxBytes) : refuse('sourceNotVerified', at.address, at.chain)
}

function refuseNoSource(reason: NoSource, maxBytes: number): never {
  switch (reason.kind) {
    case 'busy':
      return refuse('sourceHostBusy', reason.retryAfterSeconds)
    case 'timeout':
      return refuse('sourceHostTimeout')
    case 'too-large':
      return refuse('fileTooLarge', maxBytes)
    case 'not-solidity':
      return refuse('sourceOtherLanguage')
    case 'not-found':
      return refuse('repositoryNotFound')
    case 'failed':
      return refuse('sourceHostFailed')
  }
}

async function fetchRepository(
  { forges, log }: FetchSourcesDeps,
  wanted: Wanted,
  { maxBytes, signal }: FetchOptions,
): Promise<Upload> {
  const place = readPlace(wanted.repository)
  const ref = readRef(wanted.ref)
  const within = readPath(wanted.path)
  const labels = { ...labelsOfDocument(wanted), allFiles: within === undefined }
  const [usual] = forges
  if (!usual) return refuse('repositoryScansOff')
  const forge = place.host === undefined ? usual : forges.find(({ host }) => host === place.host)
  if (!forge) return refuse('forgeUnknown', forges.map(({ host }) => host).join(', '))
  const maxArchiveBytes = maxBytes * ARCHIVE_FACTOR
  const archive = await forge.download({ ...place, ref }, { maxBytes: maxArchiveBytes, signal })
  if (archive.kind === 'failed') log.warn({ host: forge.host, reason: archive.reason }, 'a forge failed')
  if (archive.kind === 'too-large') return refuse('repositoryTooLarge', maxArchiveBytes)
  if (archive.kind !== 'archive') return refuseNoSource(archive, maxBytes)
  const name = `${place.owner}/${place.name}`
  const origin = {
    kind: 'repository',
    repository: `${forge.host}/${name}`,
    ref: ref ?? null,
    path: within ?? null,
  } as const
  const file = { name: `${place.name}.tar.gz`, bytes: archive.bytes, isTooLarge: false }
  return { files: [file], fields: [], fetched: { name, origin, labels, maxArchiveBytes, within } }
}

interface NamedRepository {
  readonly host: string | undefined
  readonly owner: string
  readonly name: string
}

/** `owner/name`, or its address. */
function readPlace(value: unknown): NamedRepository {
  const rule = 'repository must be owner/name or the https address of a repository.'
  const text = typeof value === 'string' && value.length <= 400 ? value : refuse('invalid', rule)
  const match = /^(?:https:\/\/([a-z0-9.:-]+)\/)?([\w-][\w.-]{0,99})\/([\w.-]{1,100}?)(?:\.git)?\/?$/i.exec(text)
  const [, host, owner = '', name = ''] = match ?? refuse('invalid', rule)
  if (/^\.+$/.test(name)) refuse('invalid', rule)
  return { host: host?.toLowerCase(), owner, name }
}

function readRef(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const isRef = typeof value === 'string' && /^[\w][\w./@+-]{0,199}$/.test(value) && !value.includes('..')
  return isRef ? value : refuse('invalid', 'ref must be the name of a branch or tag, or a commit.')
}

function readPath(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? normalisePath(value) : refuse('invalid', 'path must be a text.')
}

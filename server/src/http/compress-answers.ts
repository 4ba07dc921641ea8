/**
 * Fewer bytes on the wire: an answer that is the same as the one the client holds is not sent again (a weak `ETag`, the same for every
 * encoding), and what is worth it is compressed for those who ask. Both look at the answer as a whole, after the route.
 */
import { createHash } from 'node:crypto'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, type Encoding } from './choose-encoding.ts'

/** Below this the headers cost more than is gained; and no answer with a token or key in it is as long. */
const minBytes = 1400

/** More would keep a thread busy for little: a tenth of the bytes at four times the work. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

type Compress = (bytes: Buffer) => Promise<Buffer>

const compressed: Readonly<Record<Encoding, Compress>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: (bytes) => promisify(gzip)(bytes),
}

/** A fifth fewer bytes for half a second of work: for what is the same for everyone until the program changes. */
const compressedWell: Readonly<Record<Encoding, Compress>> = {
  br: (bytes) => promisify(brotliCompress)(bytes),
  gzip: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** The catalogue and the parts of the reference, by encoding and content. */
const mostRemembered = 64

const isForEveryone = (reply: FastifyReply): boolean =>
  /\bpublic\b/.test(String(reply.getHeader('cache-control') ?? ''))

const compressors: Readonly<Record<Encoding, () => Transform>> = {
  br: () => createBrotliCompress(brotliOptions),
  gzip: () => createGzip(),
}

export function compressAnswers(app: FastifyInstance): void {
  const remembered = new Map<string, Promise<Buffer>>()
  app.addHook('onSend', async (request, reply, payload) => tagAnswer(request, reply, payload))
  app.addHook('onSend', async (request, reply, payload) => compressAnswer(request, reply, payload, remembered))
}

/** Once for each content that everyone gets. */
function compressOnce(encoding: Encoding, bytes: Buffer, remembered: Map<string, Promise<Buffer>>) {
  // Of the content itself: a route may set a tag of its own, or answer without one.
  const key = `${encoding} ${tagOf(bytes)}`
  const known = remembered.get(key)
  if (known) return known
  if (remembered.size >= mostRemembered) return compressed[encoding](bytes)
  const made = compressedWell[encoding](bytes)
  remembered.set(key, made)
  return made
}

const isWhole = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload)

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** Streams are not known before they are sent; anyone who sends one may set a tag of its own. */
function tagAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (!isRead(request) || reply.statusCode !== 200) return payload
  if (!reply.hasHeader('etag')) {
    if (!isWhole(payload)) return payload
    reply.header('etag', tagOf(payload))
  }
  if (!isHeld(request.headers['if-none-match'], String(reply.getHeader('etag')))) return payload
  if (isStream(payload)) payload.destroy()
  reply.code(304).removeHeader('content-length').removeHeader('content-type')
  return ''
}

/** The same for the same content. */
export const tagOf = (payload: string | Buffer): string =>
  `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`

/** Compared weakly: the same content counts, not the same bytes. */
function isHeld(held: string | undefined, tag: string): boolean {
  if (held === undefined) return false
  const bare = (one: string): string => one.trim().replace(/^W\//, '')
  return held.split(',').some((one) => one.trim() === '*' || bare(one) === bare(tag))
}

const isText = (type: string): boolean =>
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|yaml|manifest\+json)|image\/svg)|\+(?:json|xml)\b/.test(
    type,
  )

async function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  remembered: Map<string, Promise<Buffer>>,
): Promise<unknown> {
  const type = String(reply.getHeader('content-type') ?? '')
  if (!isText(type) || reply.hasHeader('content-encoding') || reply.hasHeader('content-range')) return payload
  addToVary(reply, 'accept-encoding')
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  if (encoding === undefined || request.method === 'HEAD') return payload
  if (isWhole(payload)) {
    if (Buffer.byteLength(payload) < minBytes) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    const bytes = Buffer.from(payload)
    if (reply.statusCode !== 200 || !isForEveryone(reply)) return compressed[encoding](bytes)
    return compressOnce(encoding, bytes, remembered)
  }
  if (!isStream(payload)) return payload
  reply.header('content-encoding', encoding).removeHeader('content-length')
  // A source that breaks off breaks the answer off; anyone who reads it notices, and so does the log.
  return pipeline(payload, compressors[encoding](), () => {})
}

const isStream = (payload: unknown): payload is Readable => typeof (payload as Readable | null)?.pipe === 'function'

function addToVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? name : `${before}, ${name}`)
}

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createInflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'

/** Fast over small: text of this kind shrinks to a fifth at any level, and every scan pays for this. */
const LEVEL = 1
const CHUNK_BYTES = 64 * 1024

/** How sources and results rest in the database. For workers, and for short texts: it takes as long as the text is. */
export const pack = (bytes: Uint8Array): Uint8Array => deflateRawSync(bytes, { level: LEVEL })

/** For workers. */
export const unpack = (packed: Uint8Array): Buffer => inflateRawSync(packed)

/** For the serving thread, where the whole is needed: inflated elsewhere. */
export const unpackElsewhere: (packed: Uint8Array) => Promise<Buffer> = promisify(inflateRaw)

/** For the serving thread: inflated elsewhere, a piece at a time, no faster than the client reads. */
export function streamStored(packed: Uint8Array): Readable {
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES })
  inflate.end(packed)
  return inflate
}

/** A stored JSON object as the value of `data`, with more members at its end and the states of records in it, without reading it. */
export const streamStoredWith = (
  packed: Uint8Array,
  members: object,
  states: ReadonlyMap<string, string> = new Map(),
): Readable => Readable.from(splice(packed, members, states), { objectMode: false })

async function* splice(
  packed: Uint8Array,
  members: object,
  states: ReadonlyMap<string, string>,
): AsyncGenerator<Uint8Array | string> {
  yield '{"success":true,"data":'
  let last: Buffer | undefined
  for await (const chunk of withStates(streamStored(packed) as AsyncIterable<Buffer>, states)) {
    if (last) yield last
    last = chunk
  }
  // The closing brace gives way to what is added.
  if (last) yield last.subarray(0, -1)
  yield `,${JSON.stringify(members).slice(1)}}`
}

/** No string of a JSON text can look like this: its quotes would be escaped. */
const recordText = /"record":\{"id":"(fnd_[0-9a-z]+)"\}/g
/** Longer than that. */
const CARRIED_LETTERS = 100

async function* withStates(chunks: AsyncIterable<Buffer>, states: ReadonlyMap<string, string>): AsyncGenerator<Buffer> {
  let carried = ''
  for await (const chunk of chunks) {
    const text = (carried + chunk.toString('latin1')).replace(recordText, (whole, id: string) => {
      const state = states.get(id)
      return state === undefined ? whole : `"record":{"id":"${id}","state":"${state}"}`
    })
    carried = text.slice(-CARRIED_LETTERS)
    const complete = text.slice(0, -CARRIED_LETTERS)
    if (complete) yield Buffer.from(complete, 'latin1')
  }
  yield Buffer.from(carried, 'latin1')
}

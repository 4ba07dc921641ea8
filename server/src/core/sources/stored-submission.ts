import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync } from 'node:zlib'
import { unpackElsewhere } from '../stored.ts'
import type { Submission } from './collect-sources.ts'

/** Fast over small, as everything that is stored. */
const options = { level: 1 } as const
const HEAD_BYTES = 4

/**
 * What is to be scanned as it waits in the database: the length of a JSON head, the head with the length of each source, and the sources one
 * after the other, compressed.
 */
export const storeSubmission = (submission: Submission): Promise<Uint8Array> =>
  promisify(deflateRaw)(toBytes(submission), options) as Promise<Uint8Array>

/** The same, for workers. */
export const storeSubmissionHere = (submission: Submission): Uint8Array => deflateRawSync(toBytes(submission), options)

function toBytes({ sources, ...rest }: Submission): Buffer {
  const head = { ...rest, sources: sources.map(({ path, bytes }) => ({ path, length: bytes.length })) }
  const json = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(HEAD_BYTES)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json, ...sources.map(({ bytes }) => bytes)])
}

interface Head extends Omit<Submission, 'sources'> {
  readonly sources: readonly { readonly path: string; readonly length: number }[]
}

export async function readStoredSubmission(stored: Uint8Array): Promise<Submission> {
  const bytes = await unpackElsewhere(stored)
  let at = HEAD_BYTES + bytes.readUInt32LE(0)
  const head = JSON.parse(bytes.subarray(HEAD_BYTES, at).toString()) as Head
  const sources = head.sources.map(({ path, length }) => {
    at += length
    return { path, bytes: bytes.subarray(at - length, at) }
  })
  const { project, ref, commit, allFiles } = head.labels
  return { ...head, labels: { project, ref, commit, allFiles }, sources }
}

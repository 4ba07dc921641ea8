import { isUtf8 } from 'node:buffer'
import { refuse } from '../errors.ts'
import type { Labels } from './labels.ts'
import type { Origin } from './origin.ts'

/** What arrived in a multipart request, read no further than the limit. */
export interface Upload {
  /** The parts named `file`, in the order they came. */
  readonly files: readonly UploadedFile[]
  /** Text fields in the order they came. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** The bytes of a JSON body, where the route takes one. */
  readonly document?: Uint8Array
  /** What the document must describe, where the route takes one kind only. */
  readonly documentKind?: DocumentKind | undefined
  /** Set when the service fetched the sources itself. */
  readonly fetched?: Fetched
}

/** Sources themselves, or where the service fetches them. */
export type DocumentKind = 'sources' | 'address' | 'repository'

/** Sources that no client put together: what is odd in them is passed over, not refused. */
export interface Fetched {
  readonly name: string
  readonly origin: Origin
  readonly labels: Labels
  /** A repository holds more than its sources. */
  readonly maxArchiveBytes?: number
  /** Only this folder or file of it. */
  readonly within?: string | undefined
}

export const isTooLarge = ({ files }: Upload): boolean => files.some((file) => file.isTooLarge)

export interface UploadedFile {
  /** As the client calls it. */
  readonly name: string
  readonly bytes: Buffer
  /** There was more than the limit; `bytes` holds the beginning. */
  readonly isTooLarge: boolean
}

/** The uploaded source, or the first reason why it is not one. */
export function checkSource({ files }: Upload, maxFileBytes: number): UploadedFile {
  const [file, second] = files
  if (!file) return refuse('noFile')
  if (second) return refuse('oneFileOnly')
  if (!/\.sol$/i.test(file.name)) refuse('notSol')
  if (file.bytes.length === 0) refuse('emptyFile')
  if (!isText(file)) refuse('notText')
  if (file.isTooLarge || file.bytes.length > maxFileBytes) refuse('fileTooLarge', maxFileBytes)
  return file
}

const isText = ({ bytes, isTooLarge }: UploadedFile): boolean =>
  !bytes.includes(0) && (isUtf8(bytes) || (isTooLarge && isUtf8Prefix(bytes)))

/** Whether the text is fine as far as it goes: it may have been cut inside a character. */
function isUtf8Prefix(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

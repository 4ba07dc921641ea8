/** A multipart body as a client would send it. */
export interface Form {
  readonly payload: Buffer
  readonly headers: { 'content-type': string }
}

export type FormPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly fileName: string; readonly bytes: string | Uint8Array }

let boundaries = 0

/** Each with a boundary of its own, as repeated requests have. */
export function form(...parts: readonly FormPart[]): Form {
  boundaries += 1
  const boundary = `----form${boundaries}boundary`
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
    Buffer.from('value' in part ? part.value : part.bytes),
    Buffer.from('\r\n'),
  ])
  return {
    payload: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

const headOf = (part: FormPart): string =>
  'value' in part
    ? `Content-Disposition: form-data; name="${part.name}"`
    : `Content-Disposition: form-data; name="${part.name}"; filename="${part.fileName}"\r\nContent-Type: application/octet-stream`

/** The one part a standard scan needs. */
export const sourceForm = (bytes: string | Uint8Array, fileName = 'Vault.sol'): Form =>
  form({ name: 'file', fileName, bytes })

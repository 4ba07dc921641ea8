import { mediaTypes } from './choose-format.ts'
import { tagOf } from './compress-answers.ts'
import { attachment, withExtension } from './content-disposition.ts'

/** An outsider's text: it is downloaded, never run on this site. */
export const sourceHeaders = (scan: {
  readonly id: string
  readonly file_name: string
  readonly is_project: number
}): Record<string, string> => ({
  'content-type': scan.is_project ? mediaTypes.json : 'text/plain; charset=utf-8',
  'content-disposition': attachment(scan.is_project ? withExtension(scan.file_name, 'json') : scan.file_name),
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  etag: tagOf(`${scan.id} source`),
})

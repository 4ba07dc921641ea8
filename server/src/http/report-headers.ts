import { type Format, mediaTypes } from './choose-format.ts'
import { attachment, withExtension } from './content-disposition.ts'

const extensions: Readonly<Record<Format, string>> = { json: 'json', sarif: 'sarif', markdown: 'md', html: 'html' }

/** A report quotes what an outsider wrote: it is downloaded, never run or framed on this site. */
export const untrustedReport: Readonly<Record<string, string>> = {
  'content-disposition': 'attachment',
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
}

export const reportHeaders = (fileName: string, format: Format): Record<string, string> => ({
  ...untrustedReport,
  'content-type': mediaTypes[format],
  'content-disposition': attachment(withExtension(fileName, extensions[format])),
})

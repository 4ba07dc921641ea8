import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutgoingMail, SmtpGateway } from './smtp.ts'

/** Mails kept as files instead of being sent: the mail server of someone who tries the service out. */
export interface Outbox extends SmtpGateway {
  /** The newest first. */
  list(limit: number): Promise<KeptMail[]>
}

export interface KeptMail {
  file: string
  to: string
  subject: string
  date: string
  text: string
}

const BOUNDARY = 'assay-alternative'

export function createOutbox(folder: string, say: (line: string) => void): Outbox {
  return {
    async send(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, fileNameOf(mail))
      // Aside and renamed: anyone who watches the folder never sees half a mail, and a second try writes the same file.
      await writeFile(`${path}.tmp`, toMessage(mail), { mode: 0o600 })
      await rename(`${path}.tmp`, path)
      say(`mail to ${mail.to}: ${mail.subject}`)
      return { kind: 'sent' }
    },
    async list(limit) {
      const files = await readdir(folder).catch(() => [])
      const newest = files
        .filter((file) => file.endsWith('.eml'))
        .sort()
        .reverse()
        .slice(0, limit)
      return Promise.all(
        newest.map(async (file) => ({ file, ...fromMessage(await readFile(join(folder, file), 'utf8')) })),
      )
    },
    close: () => undefined,
  }
}

const fileNameOf = ({ date, messageId }: OutgoingMail): string =>
  `${date.toISOString().replaceAll(':', '-')}-${messageId.replace(/[^0-9A-Za-z_]/g, '').slice(0, 64)}.eml`

/** An ordinary message file with unencoded parts, so that it can be read with any tool. */
const toMessage = ({
  from,
  to,
  subject,
  date,
  messageId,
  text,
  html,
  headers = {},
}: OutgoingMail): string => `From: ${from}
To: ${to}
Subject: ${encodeHeader(subject)}
Date: ${date.toUTCString().replace('GMT', '+0000')}
Message-ID: ${messageId}
${Object.entries(headers)
  .map(([name, value]) => `${name}: ${value}\n`)
  .join('')}MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="${BOUNDARY}"

--${BOUNDARY}
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

${text}
--${BOUNDARY}
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: 8bit

${html}
--${BOUNDARY}--
`

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const encodeHeader = (text: string): string =>
  isPlain(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`

const decodeHeader = (text: string): string =>
  text.replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_whole, base64: string) => Buffer.from(base64, 'base64').toString())

function fromMessage(message: string): Omit<KeptMail, 'file'> {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? ''
  return { to: header('To'), subject: decodeHeader(header('Subject')), date: header('Date'), text: textPartOf(message) }
}

function textPartOf(message: string): string {
  const mark = '8bit\n\n'
  const start = message.indexOf(mark) + mark.length
  return message.slice(start, message.indexOf(`\n--${BOUNDARY}`, start))
}

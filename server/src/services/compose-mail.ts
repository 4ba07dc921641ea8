/** A mail as data: rendered to text and to HTML from the same blocks, so that both say the same. */
export interface MailDraft {
  subject: string
  blocks: readonly Block[]
}

export type Block =
  | string
  /** Six digits to type. */
  | { code: string }
  | { link: string; label: string }
  /** Alone on a line of its own, to copy. */
  | { alone: string }
  | { list: readonly string[] }

export interface ComposedMail {
  subject: string
  text: string
  html: string
}

export function composeMail({ subject, blocks }: MailDraft): ComposedMail {
  return {
    subject: oneLine(subject),
    text: `${blocks.map(toText).join('\n\n')}\n\n-- \nAssay\n`,
    html: `<!doctype html>
<html lang="en">
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 36em">
${blocks.map(toHtml).join('\n')}
<p style="color: #666">Assay</p>
</body>
</html>
`,
  }
}

function toText(block: Block): string {
  if (typeof block === 'string') return block
  if ('code' in block) return block.code
  if ('link' in block) return `${block.label}:\n${block.link}`
  if ('alone' in block) return block.alone
  return block.list.map((item) => `- ${item}`).join('\n')
}

function toHtml(block: Block): string {
  if (typeof block === 'string') return `<p>${escapeHtml(block)}</p>`
  if ('code' in block) {
    return `<p style="font-size: 2em; letter-spacing: 0.1em; font-family: monospace">${escapeHtml(block.code)}</p>`
  }
  if ('link' in block) return `<p><a href="${escapeHtml(block.link)}">${escapeHtml(block.label)}</a></p>`
  if ('alone' in block) return `<p><code>${escapeHtml(block.alone)}</code></p>`
  return `<ul>${block.list.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * Words that someone else chose, shown in a mail to a person who may not know them: short, on one line, and without
 * anything that a mail program would turn into a link.
 */
export function quoteUntrusted(text: string): string {
  const plain = oneLine(text.replace(/[^\p{L}\p{N}\p{M} .,'’_-]/gu, ' ')).replace(/\.(?=\S)/g, '. ')
  return `“${plain.slice(0, 60)}”`
}

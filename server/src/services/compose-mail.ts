import { type Block, type MailDraft, oneLine } from '../messages/mail-draft.ts'

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

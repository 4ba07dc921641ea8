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

/**
 * Words that someone else chose, shown in a mail to a person who may not know them: short, on one line, and without
 * anything that a mail program would turn into a link.
 */
export function quoteUntrusted(text: string): string {
  const plain = oneLine(text.replace(/[^\p{L}\p{N}\p{M} .,'’_-]/gu, ' ')).replace(/\.(?=\S)/g, '. ')
  return `“${plain.slice(0, 60)}”`
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

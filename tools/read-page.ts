/** What is written by hand about a detector, in `page.md` beside it. */
export interface PageText {
  /** Who does what and gains what, step by step. */
  readonly attack: readonly string[]
  /** For detectors without excuses, which say it otherwise. */
  readonly silentWhen: readonly string[]
  readonly limits: readonly string[]
  /** Losses that are publicly known: name (date, loss): what went wrong. */
  readonly incidents: readonly string[]
}

const parts: Readonly<Record<string, keyof PageText>> = {
  'How it is attacked': 'attack',
  'Stays silent when': 'silentWhen',
  'Known limits': 'limits',
  'Real incidents': 'incidents',
}

/** Four headings with one list each; anything else is a mistake of the author. */
export function readPage(text: string): PageText {
  const page: Record<keyof PageText, string[]> = { attack: [], silentWhen: [], limits: [], incidents: [] }
  let list: string[] | undefined
  for (const line of text.split('\n')) {
    const heading = /^# (.+)$/.exec(line)?.[1]
    const item = /^(?:\d+\.|-) (.+)$/.exec(line)?.[1]
    if (heading !== undefined) {
      const part = parts[heading]
      if (part === undefined) throw new Error(`"${heading}" is none of ${Object.keys(parts).join(', ')}`)
      list = page[part]
    } else if (item !== undefined && list) list.push(item)
    else if (line !== '') throw new Error(`"${line}" belongs to no list under a heading`)
  }
  return page
}

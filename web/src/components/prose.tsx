import { Fragment } from 'react'

/** A sentence that ends in a link: `What happened. [Analysis](https://…).` */
const link = /^(.*)\[([^\]]+)\]\((https:\/\/[^)]+)\)\.$/s

/** The same with the link behind it. */
export function LinkedProse({ text }: { text: string }) {
  const [, sentence = text, words, url] = link.exec(text) ?? []
  return (
    <>
      <Prose text={sentence} />
      {url && (
        <a className="text-accent underline" href={url} target="_blank" rel="noreferrer noopener">
          {words}
        </a>
      )}
    </>
  )
}

/** A sentence in which `backticks` are code. The one place where texts of the engine and the service become a page. */
export function Prose({ text }: { text: string }) {
  return splitCode(text).map(({ code, part }, index) =>
    code ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other identity
      <code key={index} className="rounded bg-sunken px-1 py-px font-mono text-[0.92em] break-words">
        {part}
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other identity
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}

/** Text and code in turn; a backtick without its partner is text. */
export function splitCode(text: string): { code: boolean; part: string }[] {
  const parts: { code: boolean; part: string }[] = []
  let from = 0
  for (const match of text.matchAll(/`([^`]+)`/g)) {
    if (match.index > from) parts.push({ code: false, part: text.slice(from, match.index) })
    parts.push({ code: true, part: match[1] ?? '' })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ code: false, part: text.slice(from) })
  return parts
}

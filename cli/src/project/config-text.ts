/**
 * Reads a key of a JavaScript or TypeScript settings file without running it: running an untrusted project to find out
 * where its contracts lie would be a weakness of our own.
 */
const stringOrComment =
  /"(?:\\.|[^"\\\n])*["\\\n]?|'(?:\\.|[^'\\\n])*['\\\n]?|`(?:\\.|[^`\\])*`?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

export const withoutComments = (text: string): string =>
  text.replace(stringOrComment, (match) => (match.startsWith('/') ? ' ' : match))

/** The text between the braces behind `key:`; undefined when there is no such object. */
export function objectOf(text: string, key: string): string | undefined {
  const start = new RegExp(`(?<![\\w$.])['"]?${key}['"]?\\s*:\\s*\\{`).exec(text)
  if (!start) return undefined
  const from = start.index + start[0].length
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return text.slice(from, at)
  }
  return undefined
}

/** The strings that `key` has as its value: one, or those of a list; none when it is computed. */
export function stringsOf(text: string, key: string): string[] {
  const value = new RegExp(
    `(?<![\\w$.])['"]?${key}['"]?\\s*:\\s*(\\[[^\\]]*\\]|"[^"\\n]*"|'[^'\\n]*'|\`[^\`$]*\`)`,
  ).exec(text)
  return [...(value?.[1] ?? '').matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
}

const HEX_PREFIX = 'hex'
const UNICODE_PREFIX = 'unicode'

/** The value of a string token: escapes resolved; hex strings as their digits. */
export const decodeString = (token: string): string => {
  if (token.startsWith(HEX_PREFIX)) return unquote(token, HEX_PREFIX.length).replaceAll('_', '')
  const body = unquote(token, token.startsWith(UNICODE_PREFIX) ? UNICODE_PREFIX.length : 0)
  return body.includes('\\') ? resolveEscapes(body) : body
}

const unquote = (token: string, prefix: number): string => {
  const quote = token.charAt(prefix)
  const closed = token.length > prefix + 1 && token.endsWith(quote)
  return token.slice(prefix + 1, closed ? token.length - 1 : token.length)
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
  '\r': '',
}

const resolveEscapes = (body: string): string =>
  body.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g, (_, hex, unicode, char) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16))
    return SIMPLE[char] ?? char
  })

/** Heads that open a body: only the head tells which place it is, so edits inside the body keep the fingerprint. */
const bodied =
  /^(?:function|modifier|constructor|fallback|receive|contract|library|interface|abstract|for|while|do|if|unchecked|assembly|struct|enum|try)\b/

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36

/**
 * The text of a place without whitespace and comments: one space stands where two words would run together.
 * Strings are kept as they are.
 */
export const normalise = (text: string): string => {
  const cut = bodied.test(text)
  let out = ''
  let gap = false
  let i = 0
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code <= 32 || code === 0xa0 || code === 0xfeff) {
      gap = true
      i += 1
      continue
    }
    if (code === 47 && (text[i + 1] === '/' || text[i + 1] === '*')) {
      i = skipComment(text, i)
      gap = true
      continue
    }
    if (cut && code === 123) break
    if (gap && isWord(code) && isWord(out.charCodeAt(out.length - 1))) out += ' '
    gap = false
    if (code === 34 || code === 39) {
      const end = skipString(text, i)
      out += text.slice(i, end)
      i = end
      continue
    }
    out += text[i]
    i += 1
  }
  return out
}

/** The offset after the comment that starts at `from`. */
export const skipComment = (text: string, from: number): number => {
  if (text[from + 1] === '*') {
    const end = text.indexOf('*/', from + 2)
    return end < 0 ? text.length : end + 2
  }
  let i = from + 2
  while (i < text.length && text[i] !== '\n' && text[i] !== '\r') i += 1
  return i
}

/** The offset after the string that starts at `from`; an unterminated one ends with its line. */
export const skipString = (text: string, from: number): number => {
  const quote = text[from]
  let i = from + 1
  while (i < text.length) {
    const char = text[i]
    if (char === quote) return i + 1
    if (char === '\n' || char === '\r') return i
    i += char === '\\' ? 2 : 1
  }
  return text.length
}

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
  let out = ''
  /** Where the run of text began that is to be kept as it is. */
  let run = 0
  /** What was kept before the run; a run that follows nothing needs no space. */
  let last = 0
  let i = 0
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code === 34 || code === 39) {
      i = skipString(text, i)
      continue
    }
    if (code === 123 && bodied.test(text)) break
    if (!isBlank(code) && !isCommentStart(text, code, i)) {
      i += 1
      continue
    }
    if (i > run) {
      out += text.slice(run, i)
      last = text.charCodeAt(i - 1)
    }
    i = skipGap(text, i)
    run = i
    if (i < text.length && isWord(last) && isWord(text.charCodeAt(i))) out += ' '
  }
  return run === 0 ? text.slice(0, i) : out + text.slice(run, i)
}

const isBlank = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0xfeff

const isCommentStart = (text: string, code: number, i: number): boolean => {
  if (code !== 47) return false
  const next = text.charCodeAt(i + 1)
  return next === 47 || next === 42
}

/** The offset after the blanks and comments that start at `from`. */
const skipGap = (text: string, from: number): number => {
  let i = from
  for (;;) {
    const code = text.charCodeAt(i)
    if (isBlank(code)) i += 1
    else if (isCommentStart(text, code, i)) i = skipComment(text, i)
    else return i
  }
}

/** The offset after the comment that starts at `from`. */
export const skipComment = (text: string, from: number): number => {
  if (text[from + 1] === '*') {
    const end = text.indexOf('*/', from + 2)
    return end < 0 ? text.length : end + 2
  }
  let i = from + 2
  while (i < text.length && text.charCodeAt(i) !== 10 && text.charCodeAt(i) !== 13) i += 1
  return i
}

/** The offset after the string that starts at `from`; an unterminated one ends with its line. */
export const skipString = (text: string, from: number): number => {
  const quote = text.charCodeAt(from)
  let i = from + 1
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code === quote) return i + 1
    if (code === 10 || code === 13) return i
    i += code === 92 ? 2 : 1
  }
  return text.length
}

/** Heads that open a body: only the head tells which place it is, so edits inside the body keep the fingerprint. */
const bodied =
  /(?:function|modifier|constructor|fallback|receive|contract|library|interface|abstract|for|while|do|if|unchecked|assembly|struct|enum|try)\b/y

const isBodied = (text: string, from: number): boolean => {
  bodied.lastIndex = from
  return bodied.test(text)
}

/** What a character means here: a part of a word, a blank, a quote, perhaps a comment, perhaps the start of a body. */
const plain = 0
const word = 1
const blank = 2
const quote = 3
const slash = 4
const brace = 5

const classes = new Uint8Array(128)
classes.fill(blank, 0, 33)
classes.fill(word, 48, 58)
classes.fill(word, 65, 91)
classes.fill(word, 97, 123)
classes[36] = word
classes[95] = word
classes[34] = quote
classes[39] = quote
classes[47] = slash
classes[123] = brace

const classOf = (code: number): number =>
  code < 128 ? classes[code]! : code === 0xa0 || code === 0xfeff ? blank : plain

/**
 * text[from, to) without whitespace and comments: one space stands where two words would run together. Strings are kept as they
 * are.
 */
export const normalise = (text: string, from = 0, to: number = text.length): string => {
  let kept = ''
  /** The class of the last character kept; what follows nothing needs no space. */
  let last = plain
  let i = from
  const keepUntil = (end: number): void => {
    kept += text.slice(i, end)
    last = classOf(text.charCodeAt(end - 1))
    i = end
  }
  while (i < to) {
    const kind = classOf(text.charCodeAt(i))
    if (kind === blank || (kind === slash && isCommentStart(text, i, to))) {
      i = skipGap(text, i, to)
      if (last === word && i < to && classOf(text.charCodeAt(i)) === word) kept += ' '
    } else if (kind === quote) keepUntil(Math.min(skipString(text, i), to))
    else if (kind === brace && isBodied(text, from)) break
    else keepUntil(endOfPlain(text, i + 1, to))
  }
  return kept
}

/** Where something begins that is neither a word nor a plain character. */
const endOfPlain = (text: string, from: number, to: number): number => {
  let i = from
  while (i < to && classOf(text.charCodeAt(i)) <= word) i += 1
  return i
}

const isCommentStart = (text: string, i: number, to: number): boolean => {
  if (text.charCodeAt(i) !== 47 || i + 1 >= to) return false
  const next = text.charCodeAt(i + 1)
  return next === 47 || next === 42
}

/** Nothing but blanks and comments. */
export const isBlank = (text: string): boolean => skipGap(text, 0, text.length) === text.length

/** The offset after the blanks and comments that start at `from`. */
const skipGap = (text: string, from: number, to: number): number => {
  let i = from
  while (i < to) {
    if (classOf(text.charCodeAt(i)) === blank) i += 1
    else if (isCommentStart(text, i, to)) i = skipComment(text, i)
    else break
  }
  return Math.min(i, to)
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

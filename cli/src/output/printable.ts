/**
 * Source text as a terminal may safely show it. Control characters could move the cursor and bidirectional marks could
 * reorder what is read, which is how an attack hides in plain sight: both are written out instead.
 */
export function printable(text: string): string {
  return text.replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** A name on one line: what looks like the next line of the report must not come from a file's name. */
export const printableName = (text: string): string =>
  printable(text).replace(/[\n\t]/g, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`)

const tabWidth = 4
// C0 and C1 controls except tab and newline, bidirectional marks and isolates, zero-width and other invisible format marks.
const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** One line with tabs as spaces; `columnOf` says where a UTF-16 column of the source stands in it. */
export function printableLine(line: string): { readonly text: string; columnOf(column: number): number } {
  const starts: number[] = []
  let text = ''
  let width = 0
  for (const character of line) {
    for (let unit = 0; unit < character.length; unit++) starts.push(width)
    const shown = character === '\t' ? ' '.repeat(tabWidth - (width % tabWidth)) : printable(character)
    text += shown
    width += shown === character && isWide(character) ? 2 : shown === character ? 1 : shown.length
  }
  return { text, columnOf: (column) => starts[column - 1] ?? width }
}

/** East Asian wide characters and emoji take two cells. */
const isWide = (character: string): boolean =>
  (character.codePointAt(0) ?? 0) > 0xff &&
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
    character,
  )

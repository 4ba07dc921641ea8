/** Where a line begins and ends in a text. */
export function lineRange(text: string, line: number): { start: number; end: number } {
  let start = 0
  for (let at = 1; at < line; at++) {
    const newline = text.indexOf('\n', start)
    if (newline < 0) break
    start = newline + 1
  }
  const end = text.indexOf('\n', start)
  return { start, end: end < 0 ? text.length : end }
}

/** One number a line, in one text: they scroll with the lines. */
export function numbersOf(source: string): string {
  return Array.from(source.split('\n'), (_, index) => index + 1).join('\n')
}

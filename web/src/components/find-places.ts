import type { Range } from './mark-columns.ts'

/** More are not worth counting: who has them will write a longer word. */
const mostPlaces = 1000

/** Every place of a text in the lines of a source, whatever its case; a single letter is no search yet. */
export function findPlaces(lines: readonly string[], query: string): Range[] {
  const places: Range[] = []
  const wanted = query.toLowerCase()
  if (wanted.length < 2) return places
  for (const [index, text] of lines.entries()) {
    const searched = text.toLowerCase()
    const line = index + 1
    for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + wanted.length)) {
      places.push({ line, column: at + 1, endLine: line, endColumn: at + 1 + wanted.length })
      if (places.length === mostPlaces) return places
    }
  }
  return places
}

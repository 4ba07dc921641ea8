/**
 * The first name that an object has twice in a document that is valid JSON. Parsers keep one of the two, and not all of them the same:
 * what one reader checked another would not see.
 */
export function findRepeatedName(text: string): string | undefined {
  /** The names so far of each object around this place; undefined for an array. */
  const around: (Set<string> | undefined)[] = []
  let isNameNext = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') {
      const end = endOfString(text, at)
      const names = isNameNext ? around.at(-1) : undefined
      if (names) {
        const name = JSON.parse(text.slice(at, end + 1)) as string
        if (names.has(name)) return name
        names.add(name)
      }
      isNameNext = false
      at = end
    } else if (letter === '{' || letter === '[') {
      around.push(letter === '{' ? new Set() : undefined)
      isNameNext = letter === '{'
    } else if (letter === '}' || letter === ']') around.pop()
    else if (letter === ',') isNameNext = around.at(-1) !== undefined
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return text.length
    let before = end - 1
    while (text[before] === '\\') before--
    if ((end - before) % 2 === 1) return end
  }
}

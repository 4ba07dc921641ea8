/** The first line of a page that is made. */
export const mark = (source: string): string =>
  `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->`

export const lines = (...parts: readonly (string | readonly string[])[]): string => `${parts.flat().join('\n')}\n`

/** A row of a table. */
export const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

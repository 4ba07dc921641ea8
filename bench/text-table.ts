/** Rows of cells as aligned columns; numbers lean right. */
export const textTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)))
  const isNumeric = head.map((_, i) => rows.length > 0 && rows.every((row) => /^[-\d.,% /of]*$/.test(row[i] ?? '')))
  const line = (row: readonly string[]): string =>
    widths
      .map((width, i) => (isNumeric[i] ? (row[i] ?? '').padStart(width) : (row[i] ?? '').padEnd(width)))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (row: readonly string[]): string => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

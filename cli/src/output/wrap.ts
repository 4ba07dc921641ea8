/** Breaks text at spaces so that no line exceeds the width (a single longer word stays whole); keeps paragraphs. */
export function wrap(text: string, width: number, indent = ''): string[] {
  return text
    .split('\n')
    .flatMap((paragraph) => wrapParagraph(paragraph, Math.max(20, width - indent.length)).map((line) => indent + line))
}

function wrapParagraph(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

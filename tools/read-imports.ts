import { readTokens, type Token } from './read-tokens.ts'

export interface Import {
  readonly from: string
  /** Names taken, `*` for all of them; empty for a bare or dynamic import. */
  readonly names: readonly string[]
  /** Gone after compilation. */
  readonly isTypeOnly: boolean
  readonly line: number
}

/** Every import of a TypeScript module: static, re-exporting, dynamic, and in a type (`import('./x.ts').Y`). */
export function readImports(source: string | readonly Token[]): Import[] {
  const tokens = typeof source === 'string' ? readTokens(source) : source
  const imports: Import[] = []
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' || !isKeyword(tokens, index)) return
    const found =
      token.text === 'import'
        ? readImport(tokens, index)
        : token.text === 'export'
          ? readExport(tokens, index)
          : undefined
    if (found) imports.push(found)
  })
  return imports
}

/** Not `x.import` and not `{ import: … }`. */
const isKeyword = (tokens: readonly Token[], index: number): boolean =>
  tokens[index - 1]?.text !== '.' && tokens[index + 1]?.text !== ':'

function readImport(tokens: readonly Token[], index: number): Import | undefined {
  const { line } = tokens[index] as Token
  const next = tokens[index + 1]
  if (next?.kind === 'string') return { from: next.text, names: [], isTypeOnly: false, line }
  if (next?.text === '(') {
    const path = tokens[index + 2]
    return path && path.kind !== 'word' && path.kind !== 'mark'
      ? { from: path.text, names: [], isTypeOnly: false, line }
      : undefined
  }
  return next?.text === '.' ? undefined : readClause(tokens, index)
}

function readExport(tokens: readonly Token[], index: number): Import | undefined {
  const start = tokens[index + 1]?.text === 'type' ? index + 2 : index + 1
  return tokens[start]?.text === '{' || tokens[start]?.text === '*' ? readClause(tokens, index) : undefined
}

/** From the keyword to `from '…'`: names and braces only, so anything else means that it was no import. */
function readClause(tokens: readonly Token[], index: number): Import | undefined {
  const names: string[] = []
  let typeNames = 0
  let isType = false
  for (let at = index + 1; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const next = tokens[at + 1]
    if (token.text === 'from' && next?.kind === 'string') {
      const isTypeOnly = isType || (names.length > 0 && typeNames === names.length)
      return { from: next.text, names, isTypeOnly, line: (tokens[index] as Token).line }
    }
    if (token.kind === 'mark' && !'{},*'.includes(token.text)) return undefined
    if (token.text === '*') names.push('*')
    if (token.kind !== 'word') continue
    if (token.text === 'type' && at === index + 1 && next?.text !== ',' && next?.text !== 'from') isType = true
    else if (token.text === 'type' && next?.kind === 'word' && next.text !== 'as') typeNames++
    else if (token.text === 'as') at++
    else names.push(token.text)
  }
  return undefined
}

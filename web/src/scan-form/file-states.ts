/** What can be known of a file of a project before anything is uploaded. */
export type FileState =
  | { kind: 'ready'; imports: number }
  | { kind: 'empty' }
  /** It imports by a relative path what is not there. */
  | { kind: 'incomplete'; missing: readonly string[] }

interface SourceFile {
  path: string
  text: string
}

/** The state of each file, in the order given. */
export function fileStates(sources: readonly SourceFile[]): FileState[] {
  const paths = new Set(sources.map(({ path }) => path))
  return sources.map((source) => stateOf(source, paths))
}

function stateOf({ path, text }: SourceFile, paths: ReadonlySet<string>): FileState {
  if (text.trim() === '') return { kind: 'empty' }
  const imported = importsOf(text)
  const relative = imported.filter((name) => name.startsWith('.'))
  const missing = relative.filter((name) => !paths.has(resolve(path, name)))
  if (missing.length > 0) return { kind: 'incomplete', missing }
  // Libraries are named without a path of their own: the service knows many of them.
  return { kind: 'ready', imports: relative.length + imported.filter((name) => paths.has(name)).length }
}

const importsOf = (text: string): string[] =>
  [...text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').matchAll(/\bimport\b[^;"']*["']([^"']+)["']/g)].map(
    ([, name = '']) => name,
  )

function resolve(from: string, name: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of name.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

export function stateWords(state: FileState): string {
  if (state.kind === 'empty') return 'Empty'
  if (state.kind === 'incomplete') return `Missing import: ${state.missing.join(', ')}`
  return 'Ready'
}

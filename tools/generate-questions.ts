/** `docs/reference/questions.md`: what a detector can ask, from the exported comments of `facts/` and `idioms/`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import type { GeneratedFile } from './generated-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Question {
  readonly name: string
  /** `guardsAt(flow: Flow, op: Op): readonly Fact[]`; the bare name for what is no function. */
  readonly signature: string
  /** What its comment says, on one line. */
  readonly sentence: string
}

/** The names that an index hands on as values, each with its file. */
export const exportedNames = (index: string): { name: string; file: string }[] =>
  [...index.matchAll(/^export \{([^}]*)\} from '\.\/([^']+)'/gm)].flatMap(([, names = '', file = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ name, file })),
  )

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Source text on one line. */
const textOf = (source: string, { start, end }: Node): string => source.slice(start, end).replace(/\s+/g, ' ')

/** `Op` in `op: Op`; empty where nothing is written. */
const typeText = (source: string, node: Node | null | undefined): string => {
  const annotation = (node?.typeAnnotation ?? null) as Node | null
  return annotation === null ? '' : textOf(source, annotation)
}

/** `flow: Flow`, `depth?: number`; a parameter that is taken apart is named after its type. */
const parameterText = (source: string, node: Node): string => {
  if (node.type === 'AssignmentPattern') return parameterText(source, { ...(node.left as Node), optional: true })
  const type = typeText(source, node.typeAnnotation as Node | null)
  const name = node.type === 'Identifier' ? String(node.name) : lowerFirst(/\w+/.exec(type)?.[0] ?? '…')
  return `${name}${node.optional === true ? '?' : ''}${type === '' ? '' : `: ${type}`}`
}

const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)

const signatureOf = (source: string, name: string, value: Node): string => {
  if (!Array.isArray(value.params)) return name
  const parameters = (value.params as Node[]).map((parameter) => parameterText(source, parameter)).join(', ')
  const answer = typeText(source, value.returnType as Node | null)
  return `${name}(${parameters})${answer === '' ? '' : `: ${answer}`}`
}

const asSentence = (comment: string): string =>
  comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const statementsOf = (source: string): readonly Node[] =>
  (parseAst(source, { lang: 'ts' }) as unknown as { body: readonly Node[] }).body

/** What a module exports under a name: the statement, and the function or value. */
const exportOf = (statements: readonly Node[], name: string): { statement: Node; value: Node } | undefined => {
  for (const statement of statements) {
    const declared = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : null
    if (declared === null) continue
    for (const one of (declared.declarations as readonly Node[] | undefined) ?? [declared])
      if ((one.id as Node | undefined)?.name === name) return { statement, value: (one.init ?? one) as Node }
  }
  return undefined
}

/** How a name is asked, and what its comment says. */
export const readQuestion = (source: string, name: string, statements = statementsOf(source)): Question => {
  const found = exportOf(statements, name)
  if (found === undefined) throw new Error(`${name} is handed on by an index, and its file does not export it`)
  const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/.exec(source.slice(0, found.statement.start))?.[0] ?? ''
  return { name, signature: signatureOf(source, name, found.value), sentence: asSentence(comment) }
}

export const questionsOf = (room: 'facts' | 'idioms'): Question[] => {
  const read = (file: string): string => readFileSync(path.join(root, 'engine/src', room, file), 'utf8')
  const names = exportedNames(read('index.ts'))
  return [...new Set(names.map(({ file }) => file))]
    .flatMap((file) => {
      const source = read(file)
      const statements = statementsOf(source)
      return names.filter((one) => one.file === file).map(({ name }) => readQuestion(source, name, statements))
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const table = (questions: readonly Question[]): string[] => [
  '| ask | answer |',
  '|---|---|',
  ...questions.map(({ signature, sentence }) => `| \`${cell(signature)}\` | ${cell(sentence)} |`),
]

export const generateQuestions = (): GeneratedFile[] => {
  const content = [
    '# What a detector can ask',
    '',
    'Beside what `Context`, `Flow` and `Op` tell themselves (see the comment on top of `engine/src/ir/index.ts`). Answers are remembered, so asking twice costs nothing.',
    '',
    '## Questions about code',
    '',
    'From `engine/src/facts/`.',
    '',
    ...table(questionsOf('facts')),
    '',
    '## Words of Solidity',
    '',
    'From `engine/src/idioms/`.',
    '',
    ...table(questionsOf('idioms')),
    '',
    '_Generated from the comments on the exports; do not edit._',
    '',
  ].join('\n')
  return [{ path: 'docs/reference/questions.md', content }]
}

/** `docs/reference/questions.md`: what a detector can ask, from the exported comments of `facts/` and `idioms/`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GeneratedFile } from './generated-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Question {
  readonly name: string
  /** `guardsAt(flow, op)`; the bare name for what is no function. */
  readonly call: string
  /** What its comment says, on one line; empty when the name says it all. */
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

/** The text between a parenthesis and its partner. */
const insideParentheses = (text: string, open: number): string => {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(open + 1, at)
  }
  return ''
}

/** Parameters by name; one that is taken apart is known by its type alone. */
const parameterNames = (list: string): string[] => {
  const parts = ['']
  let depth = 0
  for (const [at, char] of [...list].entries()) {
    if ('([{<'.includes(char)) depth++
    // The head of an arrow closes nothing.
    if (')]}'.includes(char) || (char === '>' && list[at - 1] !== '=')) depth--
    if (char === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) =>
      /^[{[]/.test(part) ? lowerFirst(/([A-Z]\w*)[^}]*$/.exec(part)?.[1] ?? '…') : part.replace(/\s*[?:=].*$/s, ''),
    )
}

const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)

const asSentence = (comment: string): string =>
  comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** How a name is asked, and what its comment says. */
export const readQuestion = (source: string, name: string): Question => {
  const found = new RegExp(`(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:const|function\\*?|class) ${name}\\b`).exec(
    source,
  )
  if (found === null) return { name, call: name, sentence: '' }
  const rest = source.slice(found.index + found[0].length)
  const isFunction = /^\s*(?:= (?:<[^>]*>)?\(|(?:<[^>]*>)?\()/.test(rest)
  const call = isFunction ? `${name}(${parameterNames(insideParentheses(rest, rest.indexOf('('))).join(', ')})` : name
  return { name, call, sentence: asSentence(found[1] ?? '') }
}

const questionsOf = (room: string): Question[] => {
  const read = (file: string): string => readFileSync(path.join(root, 'engine/src', room, file), 'utf8')
  return exportedNames(read('index.ts'))
    .map(({ name, file }) => readQuestion(read(file), name))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const table = (questions: readonly Question[]): string[] => [
  '| ask | answer |',
  '|---|---|',
  ...questions.map(({ call, sentence }) => `| \`${cell(call)}\` | ${cell(sentence)} |`),
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

/** Texts that readers see use the trade's words: none of `refused-words.ts` stands in a detector page, the command or the dashboard. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { refusedIn } from '../engine/src/detectors/refused-words.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const filesIn = (folder: string, isWanted: (name: string) => boolean): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => isWanted(name) && !/\.test\.tsx?$|generated/.test(name))
    .map((name) => path.join(folder, name))

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** String literals of more than one word, and text between tags: an approximation that needs no parser. */
const sentencesOf = (text: string, hasMarkup = true): string[] => {
  const code = withoutComments(text)
  const literals = code.match(/'(?:[^'\\\n]|\\.)+'|"(?:[^"\\\n]|\\.)+"|`(?:[^`\\\n]|\\.)+`/g) ?? []
  const between = [...(hasMarkup ? code : '').matchAll(/>([^<>{}=;()]+)</g)].map(([, words = '']) => words)
  return [...literals, ...between].filter((sentence) => /[a-z]+ [a-z]+/i.test(sentence))
}

const problemsIn = (file: string, sentences: readonly string[]): string[] =>
  sentences.flatMap((sentence) =>
    refusedIn(sentence.slice(1, -1)).map((problem) => `${file}: ${problem} in ${sentence.trim()}`),
  )

/** Lines of a page; addresses, code blocks and quoted titles of tests are no prose of it, nor is the name of SCWE. */
const linesOf = (file: string): string[] =>
  read(file)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/Weakness( |\n)(Enumeration|Classification)/g, '')
    .split('\n')
    .map((line) => ` ${line.replace(/\]\([^)]*\)|<https?:[^>]*>|“[^”]*”/g, ']')} `)

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

test.each(['cli/src', 'web/src'])('texts of %s', (folder) => {
  const files = filesIn(folder, (name) => /\.tsx?$/.test(name) && !name.includes('testing'))
  expect(files.flatMap((file) => problemsIn(file, sentencesOf(read(file))))).toEqual([])
})

/** `flex gap-2 text-sm`: a third of the words or more have a hyphen, a colon or a digit, and none a capital. */
const isStyle = (text: string): boolean => {
  const words = text.split(/\s+/).filter(Boolean)
  return !/[A-Z]|[.?!]$/.test(text) && words.filter((word) => /[-:\d[(]./.test(word)).length * 3 >= words.length
}

/** Three words or more of prose; markup, addresses, styles and commands of a shell are none. */
const isProse = (literal: string): boolean => {
  const text = literal.slice(1, -1).replace(/\$\{[^}]*\}|\\?`[^`]*`|\\x1b\S*|\\[nrt]/g, '0')
  if (/===|<\/?[a-z!]|^https?:|[{};]|^(npx|npm|curl) /i.test(text) || isStyle(text)) return false
  return (
    (text.match(/(?<![\w$.-])[A-Za-z][A-Za-z'’-]*(?![\w(=/.])/g) ?? []).length >= 3 && /[a-z][,;:.]? [a-z]/i.test(text)
  )
}

/** Three words or more between the tags of an HTML template. */
const proseBetweenTags = (text: string): string[] =>
  [...withoutComments(text).matchAll(/>([A-Z][^<>{}=;()]*)<\//g)]
    .map(([, words = '']) => words)
    .filter((words) => words.split(' ').length >= 3)

test.each(['cli/src', 'web/src'])('%s keeps its sentences in messages/, where a writer owns them', (folder) => {
  const files = filesIn(folder, (name) => /\.tsx?$/.test(name) && !/^messages|testing|highlight\.ts$/.test(name))
  expect(
    files.flatMap((file) =>
      [
        ...sentencesOf(read(file), file.endsWith('.tsx')).filter(isProse),
        ...(file.endsWith('.ts') ? proseBetweenTags(read(file)) : []),
      ].map((text) => `${file}: ${text}`),
    ),
  ).toEqual([])
  expect(filesIn(folder, (name) => /^messages/.test(name)).length).toBeGreaterThan(5)
})

test('pages of the detectors', () => {
  const files = filesIn('engine/src/detectors', (name) => name.endsWith('page.md'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap((file) => problemsIn(file, linesOf(file)))).toEqual([])
})

/** Marks of the harness name detectors and excuses, and are no prose. */
const marks = /\b(?:safe|expect|miss): ?\S+(?: [\w-]+\/[\w-]+)?/g

/**
 * Words that comments and the remarks of fixtures are free of, beyond those of every text. A reader would have to guess who or what is
 * meant: a derived contract, an account, a condition, a payment or a balance has a name in the trade.
 */
const riddle =
  /\b(heirs?|sisters?|whom?ever|told|asked|brought|booked|vouch\w*|ours|put down|mend(ed|s)?|gravest?|cured?|what (is|was) (owed|held|kept))\b/i

test('remarks in the fixtures and examples of the detectors', () => {
  const files = filesIn('engine/src/detectors', (name) => name.endsWith('.sol'))
  const remarks = (file: string): string[] =>
    [...read(file).matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)].map(([remark]) => ` ${remark.replace(marks, '')} `)
  expect(files.length).toBeGreaterThan(800)
  expect(files.flatMap((file) => problemsIn(file, remarks(file)))).toEqual([])
  expect(files.flatMap((file) => remarks(file).filter((remark) => riddle.test(remark)))).toEqual([])
})

/** Comments of code: `//` behind a colon, a quote or a letter stands in an address or a text. */
const commentsOf = (text: string): string[] => text.match(/(?<![:'"`\w\\])\/\/[^\n]*|\/\*[\s\S]*?\*\//g) ?? []

test.each(['engine/src', 'prover/src', 'server/src', 'cli/src', 'web/src'])('comments in the code of %s', (folder) => {
  const files = filesIn(folder, (name) => /\.tsx?$/.test(name) && !/testing|fixtures/.test(name))
  expect(files.length).toBeGreaterThan(50)
  const comments = files.flatMap((file) => commentsOf(read(file)).map((comment) => `${file}: ${comment}`))
  expect(comments.length).toBeGreaterThan(100)
  expect(comments.filter((comment) => riddle.test(comment))).toEqual([])
})

test('comments in the code of the engine use the words of every text', () => {
  const files = filesIn('engine/src', (name) => name.endsWith('.ts') && !/testing|fixtures|refused-words/.test(name))
  const proseOf = (comment: string): string => ` ${comment.replace(/Weakness Enumeration/g, '')} `
  expect(files.flatMap((file) => problemsIn(file, commentsOf(read(file)).map(proseOf)))).toEqual([])
})

test('a planted word is refused in a comment of any form, and an address is none', () => {
  const text = "// the heir\n/** What is held here. */ const url = 'https://told.example' // whoever calls"
  expect(commentsOf(text).filter((comment) => riddle.test(comment))).toHaveLength(3)
})

/** Generated from comments in code, or by a measurement that names its columns. */
const isElsewhere = (name: string): boolean => /questions\.md$|accuracy\.md$/.test(name)

test('all pages of the documentation', () => {
  const pages = [
    ...filesIn('docs', (name) => name.endsWith('.md') && !isElsewhere(name)),
    ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'cli/README.md', 'client/README.md'],
  ]
  expect(pages.length).toBeGreaterThan(150)
  expect(pages.flatMap((file) => problemsIn(file, linesOf(file)))).toEqual([])
})

test('descriptions, errors and mails of the service', () => {
  const files = filesIn(
    'server/src',
    (name) => name.endsWith('.ts') && !/testing|stand-ins|prompt-injection/.test(name),
  )
  const texts = (file: string): string[] =>
    sentencesOf(read(file), false).map((text) => text.replace(/\$\{[^}]*\}?/g, '').replace(/<[^>]*>?/g, ''))
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap((file) => problemsIn(file, texts(file)))).toEqual([])
})

test('mails and pages of the service keep their sentences in messages/', () => {
  const isPage = (name: string): boolean =>
    name.endsWith('.ts') &&
    !/^messages|testing|stand-ins/.test(name) &&
    /<(html|p|h1|form)\b/.test(read(`server/src/${name}`))
  const files = filesIn('server/src', isPage)
  expect(files.length).toBeGreaterThan(3)
  expect(files.flatMap((file) => proseBetweenTags(read(file)).map((text) => `${file}: ${text}`))).toEqual([])
  expect(proseBetweenTags('<p>Nothing is charged here.</p>')).toEqual(['Nothing is charged here.'])
})

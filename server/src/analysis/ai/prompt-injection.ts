import { createLineCounter, type Segment, segmentSolidity } from './solidity-text.ts'

/**
 * Finds text in a contract that speaks to a language model instead of to a compiler or a colleague: in comments,
 * strings, names, and in characters that a person does not see. The model gets it with the file, marked as data; what is found is reported.
 */
export interface InjectionAttempt {
  readonly where: 'comment' | 'string' | 'name' | 'unicode'
  readonly line: number
  readonly start: number
  readonly end: number
}

const bidirectional = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const invisible = '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200d\\u2060-\\u2064\\u3164\\ufeff\\uffa0'
const tagLetters = '\\u{e0000}-\\u{e007f}'
const hiddenLetters = new RegExp(`[${bidirectional}${invisible}${tagLetters}\\ufe00-\\ufe0f]`, 'gu')
const deceptive = new RegExp(`[${bidirectional}${tagLetters}]+`, 'gu')
const anyHidden = new RegExp(`[${bidirectional}${tagLetters}${invisible}]+`, 'gu')

const shortestInstruction = 8
const shortestName = 16
const longName = /[\p{L}_$][\p{L}\p{N}\p{M}_$\u200b-\u200d]{15,}/gu

/** Without what cannot be seen; a byte-order mark goes with it. */
export const withoutHidden = (text: string): string => (isAscii(text) ? text : text.replace(hiddenLetters, ''))

const things =
  'vulnerabilit* issue issues finding findings bug bugs weakness* problem problems risk risks warning warnings'
const machine = 'ai llm llms language_model language_models gpt* chatgpt claude gemini copilot chatbot'

/**
 * Instructions as chains of words with a few others between them: `[words, most words in between]`. `*` ends a stem, `_`
 * joins two words. Chains are followed in one pass over the text, so nothing an uploader writes makes this slow.
 */
const instructions: readonly (readonly (string | number)[])[] = [
  [
    'ignore disregard forget override bypass discard',
    6,
    'previous prior above earlier preceding all any these your system other',
    6,
    'instruction instructions prompt prompts rules directions guidelines directives message messages',
  ],
  [
    'do_not don_t never must_not should_not refrain_from avoid',
    2,
    'report flag list raise output disclose reporting flagging listing raising',
    6,
    `${things} anything`,
  ],
  ['report return output answer respond reply say state conclude', 6, 'no zero empty without', 2, things],
  ['you_are', 6, `${machine} helpful assistant auditor scanner`],
  ['note notes attention message messages instruction instructions important hello dear hey', 2, machine],
  [machine, 6, 'must should shall please has_to have_to is_to are_to will'],
  ['system_prompt developer_message system_message jailbreak new_instructions'],
  ['end_of', 0, 'prompt untrusted data_block source_file user_data'],
  ['end begin', 0, 'untrusted data_block source_file user_data'],
  [
    'mark rate score classify treat grade',
    2,
    'this it contract code file everything all',
    6,
    'safe secure clean harmless excellent false_positive false_positives 100',
  ],
  [
    'contract code file',
    6,
    'audited verified safe secure',
    8,
    'skip ignore do_not don_t report respond output',
    6,
    `${things} analysis review audit nothing none`,
  ],
  ['respond reply answer output', 0, 'only just exactly', 2, 'with json empty nothing ok safe'],
]

interface Step {
  readonly chain: number
  readonly step: number
  readonly isLast: boolean
  readonly gap: number
}

const stepsByWord = new Map<string, Step[]>()
const stems: [stem: string, step: Step][] = []
for (const [chain, parts] of instructions.entries()) {
  for (let at = 0; at < parts.length; at += 2) {
    const step = { chain, step: at / 2, isLast: at === parts.length - 1, gap: Number(parts[at - 1] ?? 0) }
    for (const word of String(parts[at]).split(' ')) {
      if (word.endsWith('*')) stems.push([word.slice(0, -1), step])
      else stepsByWord.set(word, [...(stepsByWord.get(word) ?? []), step])
    }
  }
}

/** Whether one of the chains is in the words, in order and close enough together. */
function followsChain(words: readonly string[]): boolean {
  // Where the words up to each step were last seen; the nearest one leaves the most room for the next.
  const reached = instructions.map((parts) => new Array<number>((parts.length + 1) / 2).fill(Number.NEGATIVE_INFINITY))
  for (const [index, word] of words.entries()) {
    const pair = `${word}_${words[index + 1] ?? ''}`
    const found = [
      ...(stepsByWord.get(word) ?? []).map((step) => [step, index] as const),
      ...(stepsByWord.get(pair) ?? []).map((step) => [step, index + 1] as const),
      ...stems.filter(([stem]) => word.startsWith(stem)).map(([, step]) => [step, index] as const),
    ]
    // Later steps first: one word cannot be two steps of the same chain.
    for (const [{ chain, step, isLast, gap }, end] of found.sort(([a], [b]) => b.step - a.step)) {
      const places = reached[chain]
      if (!places) continue
      const before = step === 0 ? index - 1 : (places[step - 1] ?? Number.NEGATIVE_INFINITY)
      if (before >= index || index - before - 1 > (step === 0 ? 0 : gap)) continue
      if (isLast) return true
      places[step] = end
    }
  }
  return false
}

/** Marks that only chat templates use. */
const templateMarks =
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant)>|^[ \t*/]*(?:system|assistant)[ \t]*:/im

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** Every attempt in the order of the file. */
export function findInjections(source: string): InjectionAttempt[] {
  const found: InjectionAttempt[] = []
  const segments = segmentSolidity(source)
  const hasHidden = !isAscii(source)
  const judged = new Map<string, boolean>()
  const isHostileName = (name: string): boolean => {
    const known = judged.get(name) ?? speaksToModel(splitName(name))
    judged.set(name, known)
    return known
  }
  const add = (where: InjectionAttempt['where'], start: number, end: number): void => {
    found.push({ where, line: 0, start, end })
  }
  for (const { start, end } of joinLineComments(source, segments)) {
    if (speaksToModel(source.slice(start, end))) add('comment', start, end)
  }
  for (const { kind, start, end } of segments) {
    if (kind === 'string' && speaksToModel(decodeString(source.slice(start, end)))) add('string', start, end)
    if (kind === 'code' && end - start >= shortestName) {
      for (const { 0: name, index } of source.slice(start, end).matchAll(longName)) {
        if (isHostileName(name)) add('name', start + index, start + index + name.length)
      }
    }
    if (!hasHidden) continue
    for (const { 0: letter, index } of source.slice(start, end).matchAll(kind === 'comment' ? deceptive : anyHidden)) {
      // A byte-order mark at the very start is an editor's habit.
      if (start + index > 0) add('unicode', start + index, start + index + letter.length)
    }
  }
  return dedupe(
    withLines(
      source,
      found.sort((a, b) => a.start - b.start),
    ),
  )
}

/** Whether a piece of text, however it is disguised, reads as an instruction to a language model. */
export function speaksToModel(text: string): boolean {
  if (text.length < shortestInstruction) return false
  return disguises(text).some((plain) => templateMarks.test(plain) || followsChain(flatten(plain)))
}

function disguises(text: string): string[] {
  if (isAscii(text)) return [text, ...decodeBase64(text)]
  const seen = withoutHidden(text)
  const tags = (text.match(/[\u{e0001}-\u{e007f}]/gu) ?? []).slice(0, 10_000)
  const hidden = tags.map((letter) => String.fromCharCode((letter.codePointAt(0) ?? 0) - 0xe0000)).join('')
  return [seen, ...(hidden ? [hidden] : []), ...decodeBase64(seen)]
}

function decodeBase64(text: string): string[] {
  const candidates = text.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? []
  return candidates
    .slice(0, 20)
    .map((candidate) => Buffer.from(candidate.slice(0, 8_000), 'base64').toString('utf8'))
    .filter((decoded) => /^[\x09\x0a\x0d\x20-\x7e]{12,}$/.test(decoded))
}

/** Letters of other alphabets that look like Latin ones. */
const lookalikes: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  ԁ: 'd',
  ο: 'o',
  α: 'a',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
}

/** Words in lower case; comment decoration and punctuation are gone. */
function flatten(text: string): string[] {
  const words = isAscii(text)
    ? text.toLowerCase().split(/[^a-z0-9]+/)
    : text
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[а-яѕіјԁα-ω]/g, (letter) => lookalikes[letter] ?? letter)
        .split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => word !== '')
}

const splitName = (name: string): string =>
  name
    .replace(/[_$]+/g, ' ')
    .replace(/(\p{Ll})([\p{Lu}\p{N}])/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')

const decodeString = (literal: string): string =>
  literal
    .slice(1, -1)
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[nrt]/g, ' ')

/** Comments on consecutive lines are read as one text: an instruction may be spread over them. */
function joinLineComments(source: string, segments: readonly Segment[]): { start: number; end: number }[] {
  const joined: { start: number; end: number }[] = []
  for (const { kind, start, end } of segments) {
    if (kind !== 'comment') continue
    const last = joined.at(-1)
    if (last && source[start + 1] === '/' && source.slice(last.end, start).trim() === '') last.end = end
    else joined.push({ start, end })
  }
  return joined
}

/** One report for the hidden characters of a line, not one per character. */
function dedupe(attempts: readonly InjectionAttempt[]): InjectionAttempt[] {
  const kept: InjectionAttempt[] = []
  for (const attempt of attempts) {
    const last = kept.at(-1)
    const isSameRun = last?.where === 'unicode' && attempt.where === 'unicode' && attempt.line === last.line
    if (last && isSameRun) kept[kept.length - 1] = { ...last, end: attempt.end }
    else kept.push(attempt)
  }
  return kept
}

function withLines(source: string, attempts: readonly InjectionAttempt[]): InjectionAttempt[] {
  const lineOf = createLineCounter(source)
  return attempts.map((attempt) => ({ ...attempt, line: lineOf(attempt.start) }))
}

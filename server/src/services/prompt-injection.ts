import { createLineCounter, type Segment, segmentSolidity } from './solidity-text.ts'

/**
 * Finds text in a contract that speaks to a language model instead of to a compiler or a colleague: in comments,
 * strings, names, and in characters that a person does not see. What is found is reported and kept out of the prompt.
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
const deceptive = new RegExp(`[${bidirectional}${tagLetters}]`, 'gu')
const invisibleOnly = new RegExp(`[${invisible}]`, 'gu')

/** Without what cannot be seen; a byte-order mark goes with it. */
export const withoutHidden = (text: string): string => text.replace(hiddenLetters, '')

const things = '(?:vulnerabilit\\w*|issues?|findings?|bugs?|weakness\\w*|problems?|risks?|warnings?)'
const machine = '(?:ai|llms?|language models?|gpt\\w*|chatgpt|claude|gemini|copilot|chatbot|ai assistants?|ai models?)'

const patterns: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|discard)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|these|your|system|other)\b.{0,40}\b(?:instructions?|prompts?|rules|directions|guidelines|directives|messages?)\b/,
  new RegExp(
    `\\b(?:do not|don t|never|must not|should not|refrain from|avoid)\\b.{0,20}\\b(?:report|flag|list|raise|output|disclos|report)\\w*\\b.{0,40}\\b(?:${things}|anything)`,
  ),
  new RegExp(
    `\\b(?:report|return|output|answer|respond|reply|say|state|conclude)\\b.{0,30}\\b(?:no|zero|empty|without)\\b.{0,20}\\b${things}`,
  ),
  new RegExp(`\\byou are\\b.{0,30}\\b(?:${machine}|helpful|an? (?:assistant|auditor|security auditor|scanner))\\b`),
  new RegExp(`\\b(?:notes?|attention|messages?|instructions?|important|hello|dear|hey)\\b.{0,20}\\b${machine}\\b`),
  new RegExp(`\\b${machine}\\b.{0,30}\\b(?:must|should|shall|please|has to|have to|is to|are to|will)\\b`),
  /\b(?:system prompt|developer message|system message|jailbreak|end of prompt|new instructions)\b/,
  /\b(?:mark|rate|score|classify|treat|grade)\b.{0,30}\b(?:this|it|contract|code|file|everything|all)\b.{0,20}\b(?:safe|secure|clean|harmless|excellent|false positives?|100)\b/,
  new RegExp(
    `\\b(?:contract|code|file)\\b.{0,40}\\b(?:audited|verified|safe|secure)\\b.{0,60}\\b(?:skip|ignore|do not|don t|report|respond|output)\\b.{0,40}\\b(?:${things}|analysis|review|audit|nothing|none)`,
  ),
  /\b(?:respond|reply|answer|output)\b.{0,10}\b(?:only|just|exactly)\b.{0,20}\b(?:with|json|empty|nothing|ok|safe)\b/,
  /\b(?:end|begin)\b.{0,6}\b(?:of )?(?:untrusted|data block|source file|user data)\b/,
]

/** Marks that only chat templates use. */
const templateMarks =
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant)>|^\s*(?:system|assistant)\s*:/im

const maxAttempts = 20

export function findInjections(source: string): InjectionAttempt[] {
  const found: InjectionAttempt[] = []
  const segments = segmentSolidity(source)
  const add = (where: InjectionAttempt['where'], start: number, end: number): void => {
    found.push({ where, line: 0, start, end })
  }
  for (const { start, end } of joinLineComments(source, segments)) {
    if (speaksToModel(source.slice(start, end))) add('comment', start, end)
  }
  for (const { kind, start, end } of segments) {
    const text = source.slice(start, end)
    if (kind === 'string' && speaksToModel(decodeString(text))) add('string', start, end)
    if (kind === 'code') {
      for (const { 0: name, index } of text.matchAll(/[\p{L}_$][\p{L}\p{N}\p{M}_$\u200b-\u200d]{15,}/gu)) {
        if (speaksToModel(splitName(name))) add('name', start + index, start + index + name.length)
      }
    }
    const letters = kind === 'comment' ? deceptive : new RegExp(`${deceptive.source}|${invisibleOnly.source}`, 'gu')
    for (const { 0: letter, index } of text.matchAll(letters)) {
      // A byte-order mark at the very start is an editor's habit.
      if (start + index > 0) add('unicode', start + index, start + index + letter.length)
    }
  }
  return withLines(source, dedupe(found.sort((a, b) => a.start - b.start))).slice(0, maxAttempts)
}

/** Whether a piece of text, however it is disguised, reads as an instruction to a language model. */
export function speaksToModel(text: string): boolean {
  return disguises(text).some(
    (plain) => templateMarks.test(plain) || patterns.some((pattern) => pattern.test(flatten(plain))),
  )
}

function disguises(text: string): string[] {
  const seen = withoutHidden(text)
  const tags = [...text].map((letter) => letter.codePointAt(0) ?? 0).filter((code) => code > 0xe0000 && code < 0xe0080)
  const hidden = String.fromCharCode(...tags.slice(0, 4_000).map((code) => code - 0xe0000))
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

/** Lower case, one space between words, comment decoration and punctuation gone. */
const flatten = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[а-яѕіјԁα-ω]/g, (letter) => lookalikes[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const splitName = (name: string): string =>
  name
    .replace(/[_$]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
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

/** One report per run of hidden characters on a place, not one per character. */
function dedupe(attempts: readonly InjectionAttempt[]): InjectionAttempt[] {
  const kept: InjectionAttempt[] = []
  for (const attempt of attempts) {
    const last = kept.at(-1)
    const isSameRun = last?.where === 'unicode' && attempt.where === 'unicode' && attempt.start - last.end < 40
    if (last && isSameRun) kept[kept.length - 1] = { ...last, end: attempt.end }
    else kept.push(attempt)
  }
  return kept
}

function withLines(source: string, attempts: readonly InjectionAttempt[]): InjectionAttempt[] {
  const lineOf = createLineCounter(source)
  return attempts.map((attempt) => ({ ...attempt, line: lineOf(attempt.start) }))
}

/**
 * The source as the model gets to see it: the same lines, without comments, without hidden characters, and with every
 * string and name that speaks to it replaced.
 */
export function neutralise(source: string, attempts: readonly InjectionAttempt[]): string {
  const names = new Map<string, string>()
  for (const { where, start, end } of attempts) {
    if (where === 'name') names.set(source.slice(start, end), `renamed_${names.size + 1}`)
  }
  const isHostile = (start: number): boolean => attempts.some((one) => one.where === 'string' && one.start === start)
  return segmentSolidity(source)
    .map(({ kind, start, end }) => {
      const text = source.slice(start, end)
      if (kind === 'comment') return ` ${text.replace(/[^\r\n]/g, '')}`
      if (kind === 'string') return isHostile(start) || speaksToModel(text) ? '"[removed]"' : withoutHidden(text)
      return rename(withoutHidden(text), names)
    })
    .join('')
}

function rename(code: string, names: ReadonlyMap<string, string>): string {
  let renamed = code
  for (const [name, replacement] of names) renamed = renamed.replaceAll(withoutHidden(name), replacement)
  return renamed
}

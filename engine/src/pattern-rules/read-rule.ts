/** Rules without code, as data: what may stand in one, and what is wrong with one that cannot be used. */
import type { Confidence, Severity } from '../detectors/define-detector.ts'
import { isMetavariable, type Pattern, PatternError, parsePattern } from './pattern.ts'

export interface PatternRule {
  readonly id: string
  readonly title: string
  readonly message: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly description: string
  readonly recommendation: string
  readonly references: readonly string[]
  readonly cwe: readonly string[]
  /** Each is an alternative; within one, all hold. */
  readonly alternatives: readonly Conditions[]
  /** Metavariable → names it may mean, with `*`. */
  readonly where: ReadonlyMap<string, readonly string[]>
  readonly callableBy: 'anyone' | 'role' | null
  readonly taint: Taint | null
}

export interface Conditions {
  readonly matches: readonly Pattern[]
  readonly not: readonly Pattern[]
  readonly inside: readonly Pattern[]
  readonly notInside: readonly Pattern[]
}

export interface Taint {
  readonly sources: readonly (SourceName | Pattern)[]
  /** The metavariable of the sink that must come from a source. */
  readonly into: string
}

export const sourceNames = [
  'parameter',
  'sender',
  'value',
  'calldata',
  'origin',
  'timestamp',
  'block',
  'state',
  'outsider-state',
  'call-result',
  'balance',
] as const
export type SourceName = (typeof sourceNames)[number]

type Fields = Readonly<Record<string, unknown>>

const severities: readonly string[] = ['critical', 'high', 'medium', 'low', 'info']
/** Semgrep's own words. */
const severityNames: Readonly<Record<string, string>> = { ERROR: 'high', WARNING: 'medium', INFO: 'info' }
const keys = [
  ...['id', 'title', 'message', 'severity', 'confidence', 'description', 'recommendation', 'references', 'cwe'],
  ...['languages', 'pattern', 'patterns', 'pattern-either', 'where', 'callable-by', 'taint'],
]
const conditionKeys = ['pattern', 'pattern-either', 'pattern-not', 'pattern-inside', 'pattern-not-inside']
const maxPatterns = 50
const maxTextLength = 2000

/** The rule that some data describes. Throws a `PatternError` that says what is wrong with it. */
export const readPatternRule = (data: unknown): PatternRule => {
  const fields = fieldsOf(data, 'a rule')
  refuseOthers(fields, keys, 'a rule')
  const id = textOf(fields, 'id')
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)) throw new PatternError(`the id "${id}" is not in kebab-case`)
  const message = textOf(fields, 'message')
  const written = textOf(fields, 'severity')
  const severity = severityNames[written] ?? written
  if (!severities.includes(severity)) throw new PatternError(`severity must be one of ${severities.join(', ')}`)
  const taint = fields.taint === undefined ? null : readTaint(fieldsOf(fields.taint, 'taint'))
  return {
    id,
    title: optionalText(fields, 'title') ?? sentenceOf(id),
    message,
    severity: severity as Severity,
    confidence: choiceOf(fields, 'confidence', ['high', 'medium', 'low'], 'medium') as Confidence,
    description: optionalText(fields, 'description') ?? message,
    recommendation: optionalText(fields, 'recommendation') ?? message,
    references: textsOf(fields, 'references'),
    cwe: textsOf(fields, 'cwe'),
    alternatives: taint === null ? readAlternatives(fields) : taint.alternatives,
    where: readWhere(fields.where),
    callableBy:
      fields['callable-by'] === undefined
        ? null
        : (choiceOf(fields, 'callable-by', ['anyone', 'role'], '') as 'anyone' | 'role'),
    taint,
  }
}

const sentenceOf = (id: string): string => `${id[0]?.toUpperCase()}${id.slice(1).replaceAll('-', ' ')}`

function readAlternatives(fields: Fields): readonly Conditions[] {
  const given = ['pattern', 'patterns', 'pattern-either'].filter((key) => fields[key] !== undefined)
  if (given.length !== 1) throw new PatternError('a rule has one of pattern, patterns, pattern-either, taint')
  const items = fields.patterns === undefined ? [fields] : listOf(fields.patterns, 'patterns')
  const conditions = items.map((item) => fieldsOf(item, 'an item of patterns'))
  if (fields.patterns !== undefined)
    for (const item of conditions) refuseOthers(item, conditionKeys, 'an item of patterns')
  const of = (key: string): Pattern[] =>
    conditions.flatMap((item) => (item[key] === undefined ? [] : [pattern(item[key])]))
  const either = conditions.flatMap((item) =>
    item['pattern-either'] === undefined ? [] : [eitherOf(item['pattern-either'])],
  )
  const shared = { not: of('pattern-not'), inside: of('pattern-inside'), notInside: of('pattern-not-inside') }
  const positive = either.reduce<Pattern[][]>(
    (lists, choices) => lists.flatMap((list) => choices.map((choice) => [...list, choice])),
    [of('pattern')],
  )
  if (positive.length > maxPatterns) throw new PatternError(`a rule has at most ${maxPatterns} patterns`)
  if (positive.some((matches) => matches.length === 0))
    throw new PatternError('patterns needs a pattern or a pattern-either that says what to report')
  return positive.map((matches) => ({ ...shared, matches }))
}

const eitherOf = (value: unknown): Pattern[] =>
  listOf(value, 'pattern-either').map((item) =>
    pattern(typeof item === 'string' ? item : fieldsOf(item, 'an item of pattern-either').pattern),
  )

function readTaint(fields: Fields): Taint & { readonly alternatives: readonly Conditions[] } {
  refuseOthers(fields, ['source', 'sink', 'into'], 'taint')
  const sources = (Array.isArray(fields.source) ? fields.source : [fields.source]).map((source) =>
    sourceNames.includes(source as SourceName) ? (source as SourceName) : pattern(source),
  )
  const sink = pattern(fields.sink)
  const [only, ...others] = sink.metavariables
  const into = optionalText(fields, 'into') ?? (others.length === 0 ? only : undefined)
  if (into === undefined || !sink.metavariables.has(into))
    throw new PatternError('taint needs `into`: the metavariable of the sink that the source reaches')
  return { sources, into, alternatives: [{ matches: [sink], not: [], inside: [], notInside: [] }] }
}

function readWhere(value: unknown): ReadonlyMap<string, readonly string[]> {
  if (value === undefined) return new Map()
  return new Map(
    Object.entries(fieldsOf(value, 'where')).map(([name, wanted]) => {
      if (!isMetavariable(name)) throw new PatternError(`where: "${name}" is no metavariable, such as $NAME`)
      return [name, Array.isArray(wanted) ? wanted.map(String) : [String(wanted)]]
    }),
  )
}

const pattern = (value: unknown): Pattern => {
  if (typeof value !== 'string') throw new PatternError('a pattern must be a text')
  const read = parsePattern(value)
  if (isMetavariable(read.text)) throw new PatternError(`the pattern ${read.text} matches everything`)
  return read
}

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new PatternError(`${what} must be a table of keys and values`)
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= maxPatterns) return value
  throw new PatternError(`${what} must be a list of 1 to ${maxPatterns}`)
}

function refuseOthers(fields: Fields, known: readonly string[], what: string): void {
  const other = Object.keys(fields).find((key) => !known.includes(key))
  if (other !== undefined) throw new PatternError(`${what} has no key "${other}"; it has ${known.join(', ')}`)
}

function textOf(fields: Fields, key: string): string {
  const text = optionalText(fields, key)
  if (text === undefined) throw new PatternError(`a rule needs ${key}`)
  return text
}

function optionalText(fields: Fields, key: string): string | undefined {
  const value = fields[key]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.trim() === '' || value.length > maxTextLength)
    throw new PatternError(`${key} must be a text of 1 to ${maxTextLength} characters`)
  return value.trim()
}

const textsOf = (fields: Fields, key: string): readonly string[] => {
  const value = fields[key] ?? []
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string') || value.length > maxPatterns)
    throw new PatternError(`${key} must be a list of texts`)
  return value
}

function choiceOf(fields: Fields, key: string, choices: readonly string[], usual: string): string {
  const value = fields[key] === undefined ? usual : fields[key]
  if (!choices.includes(value as string)) throw new PatternError(`${key} must be one of ${choices.join(', ')}`)
  return value as string
}

import { type ContractMember, firstPast, type TopLevel } from '../syntax/index.ts'
import { type Comment, readComments } from './comments.ts'
import { type ForeignTool, mapForeignRules } from './foreign-rules.ts'
import type { LineMap } from './line-map.ts'
import { skipComment, skipString } from './normalise.ts'
import type { Diagnostic } from './report.ts'
import type { ScannedFile } from './scanned-file.ts'
import { findWeakness } from './weaknesses.ts'

/** A comment that sets findings aside, with the lines it reaches. */
export interface Suppression {
  /** Our own comments are answered for: an unused one is reported. Those of other tools may serve that tool alone. */
  readonly tool: 'assay' | ForeignTool
  /** SWC classes and detector ids. */
  readonly rules: ReadonlySet<string>
  readonly reason: string | null
  /** As written, without delimiters. */
  readonly comment: string
  readonly line: number
  readonly from: number
  readonly to: number
}

export interface SuppressionComments {
  readonly suppressions: readonly Suppression[]
  /** What is wrong with some of the comments. */
  readonly remarks: readonly Diagnostic[]
}

const noSuppressions: SuppressionComments = Object.freeze({ suppressions: [], remarks: [] })

interface Reading extends SuppressionComments {
  readonly suppressions: Suppression[]
  readonly remarks: Diagnostic[]
  readonly file: ScannedFile
  readonly lines: LineMap
  readonly ruleIds: ReadonlySet<string>
  /** `-start` comments still waiting for their end. */
  readonly open: Suppression[]
  readonly statementEnds: Map<number, number>
  functions: readonly FunctionPlace[] | null
}

interface Placed {
  readonly comment: Comment
  /** The first line after it that holds code. */
  readonly nextLine: number
}

/** More than anyone writes by hand; keeps the work in proportion to the file. */
const maxComments = 5_000

const marker = /assay-ignore|slither-disable|aderyn-(?:ignore|fp)/

const ownComment = /(?:^|[\s*/])assay-ignore(-next-line|-line|-file)?(?![\w-])[ \t]*([^\r\n]*)/g
const slitherComment = /(?:^|[\s*/])slither-disable(-next-line|-line|-start|-end)(?![\w-])[ \t]*([^\r\n]*)/g
const aderynComment = /(?:^|[\s*/])(aderyn-(?:ignore|fp)(-next-line)?)(?![\w-])[ \t]*(?:\(([^)]*)\))?/g

/** `a, b because …`: the names before the first word that cannot be one. */
const leadingNames = (text: string): string[] => {
  const names: string[] = []
  for (const part of text.replace(/\s*(?:--|\/\/|\().*$/, '').split(',')) {
    const [name, ...rest] = part.trim().split(/\s+/)
    if (name && /^[\w-]+$/.test(name)) names.push(name)
    if (rest.length > 0) break
  }
  return names
}

const isCommentStart = (text: string, i: number): boolean =>
  text[i] === '/' && (text[i + 1] === '/' || text[i + 1] === '*')

/** For each comment the first line after it that holds code; from the last to the first, so that runs of comments cost nothing. */
const findNextLines = (text: string, lines: LineMap, comments: readonly Comment[]): number[] => {
  const next = new Array<number>(comments.length).fill(lines.lineCount)
  for (let i = comments.length - 1; i >= 0; i--) {
    let at = comments[i]!.end
    while (at < text.length && text.charCodeAt(at) <= 32) at += 1
    next[i] = comments[i + 1]?.start === at ? next[i + 1]! : lines.lineOf(at)
  }
  return next
}

/** `f{value: 1}` opens call options, `if (x) {` a body. */
const opensCallOptions = (text: string, i: number): boolean =>
  /[\w)\]]/.test(text[i - 1] ?? '') && /^\{\s*(?:value|gas|salt)\s*:/.test(text.slice(i, i + 60))

/** The last line of the statement or head that begins on a line, so that a comment reaches all of it. */
const statementEnd = (reading: Reading, line: number): number => {
  const known = reading.statementEnds.get(line)
  if (known !== undefined) return known
  const end = findStatementEnd(reading, line)
  reading.statementEnds.set(line, end)
  return end
}

const findStatementEnd = ({ file: { text }, lines }: Reading, line: number): number => {
  let i = lines.startOf(line)
  let depth = 0
  while (i < text.length) {
    const char = text[i] ?? ''
    if (char === '"' || char === "'") {
      i = skipString(text, i)
      continue
    }
    if (isCommentStart(text, i)) {
      i = skipComment(text, i)
      continue
    }
    if (char === '(' || char === '[' || (char === '{' && opensCallOptions(text, i))) depth += 1
    else if (char === ')' || char === ']' || (char === '}' && depth > 0)) depth -= 1
    else if (depth <= 0 && (char === ';' || char === '{' || char === '}')) return Math.max(line, lines.lineOf(i))
    i += 1
  }
  return lines.lineCount
}

const statementLines = (reading: Reading, line: number): { from: number; to: number } => ({
  from: line,
  to: statementEnd(reading, line),
})

interface FunctionPlace {
  readonly start: number
  readonly bodyStart: number
  readonly line: number
  readonly endLine: number
}

/** Functions and modifiers in the order of the text. */
const listFunctions = (file: ScannedFile, lines: LineMap): FunctionPlace[] => {
  const members = file.unit.members.flatMap<TopLevel | ContractMember>((member) =>
    member.kind === 'ContractDefinition' ? member.members : [member],
  )
  return members.flatMap((member) => {
    if (member.kind !== 'FunctionDefinition' && member.kind !== 'ModifierDefinition') return []
    const start = member.start - file.base
    const bodyStart = (member.bodyStart ?? member.end) - file.base
    return [{ start, bodyStart, line: lines.lineOf(start), endLine: lines.lineOf(member.end - file.base) }]
  })
}

/** Index of the first function that starts at or after an offset. */
const firstFrom = (functions: readonly FunctionPlace[], offset: number): number =>
  firstPast(functions, ({ start }) => start >= offset)

/** The function that a comment stands directly above, or between whose head and body it stands. */
const functionLines = (reading: Reading, comment: Comment, nextLine: number) => {
  reading.functions ??= listFunctions(reading.file, reading.lines)
  const { functions } = reading
  const index = firstFrom(functions, comment.end)
  const above = functions[index]
  if (above && comment.ownLine && above.line === nextLine) return { from: above.line, to: above.endLine }
  const around = functions[index - 1]
  if (around && comment.start >= around.start && comment.end <= around.bodyStart)
    return { from: around.line, to: around.endLine }
  return null
}

const reachOf = (reading: Reading, { comment, nextLine }: Placed, form: string): { from: number; to: number } => {
  if (form === '-file') return { from: 1, to: reading.lines.lineCount }
  if (form === '-line') return { from: comment.line, to: comment.line }
  if (form === '-next-line') return statementLines(reading, nextLine)
  const whole = functionLines(reading, comment, nextLine)
  if (whole) return whole
  return comment.ownLine ? statementLines(reading, nextLine) : { from: comment.line, to: comment.line }
}

const remark = (reading: Reading, code: Diagnostic['code'], line: number, message: string): void => {
  reading.remarks.push({ code, line, message })
}

const readOwn = (reading: Reading, placed: Placed): void => {
  const { comment } = placed
  for (const [all, form = '', rest = ''] of comment.body.matchAll(ownComment)) {
    const [, ruleText = '', reasonText = ''] = /^([^:]*)(?::(.*))?$/s.exec(rest) ?? []
    const named = ruleText.split(/[\s,]+/).filter((name) => name !== '')
    const known = named.filter((name) => reading.ruleIds.has(name) || findWeakness(name.toUpperCase()))
    for (const name of named)
      if (!known.includes(name))
        remark(reading, 'suppression-unknown-rule', comment.line, `assay-ignore names no rule of ours: ${name}.`)
    const reason = reasonText.trim()
    if (named.length === 0)
      remark(reading, 'suppression-unknown-rule', comment.line, 'assay-ignore must name the rule, for example SWC-107.')
    else if (reason === '')
      remark(
        reading,
        'suppression-without-reason',
        comment.line,
        'assay-ignore has no effect without a reason: write `assay-ignore <rule>: <reason>`.',
      )
    else if (known.length > 0)
      reading.suppressions.push({
        tool: 'assay',
        rules: new Set(known.map((name) => (findWeakness(name.toUpperCase()) ? name.toUpperCase() : name))),
        reason,
        comment: all.trim(),
        line: comment.line,
        ...reachOf(reading, placed, form),
      })
  }
}

/** Ends the open suppressions that name one of these rules, or all of them when none is named. */
const close = (reading: Reading, names: readonly string[], line: number): void => {
  const ended = mapForeignRules('slither', names)
  const isEnded = ({ rules }: Suppression): boolean => names.length === 0 || [...rules].every((rule) => ended.has(rule))
  const waiting = reading.open.splice(0)
  for (const suppression of waiting)
    if (isEnded(suppression)) reading.suppressions.push({ ...suppression, to: line })
    else reading.open.push(suppression)
}

const readSlither = (reading: Reading, placed: Placed): void => {
  const { comment } = placed
  for (const [all, form = '', rest = ''] of comment.body.matchAll(slitherComment)) {
    const names = leadingNames(rest)
    if (form === '-end') {
      close(reading, names, comment.line)
      continue
    }
    const rules = mapForeignRules('slither', names)
    if (rules.size === 0) continue
    const base = { tool: 'slither' as const, rules, reason: null, comment: all.trim(), line: comment.line }
    if (form === '-start') reading.open.push({ ...base, from: comment.line, to: reading.lines.lineCount })
    else reading.suppressions.push({ ...base, ...reachOf(reading, placed, form) })
  }
}

const readAderyn = (reading: Reading, placed: Placed): void => {
  const { comment } = placed
  for (const [all, , form, names] of comment.body.matchAll(aderynComment)) {
    const rules = mapForeignRules('aderyn', leadingNames(names ?? ''))
    if (rules.size === 0) continue
    reading.suppressions.push({
      tool: 'aderyn',
      rules,
      reason: null,
      comment: all.trim(),
      line: comment.line,
      ...reachOf(reading, placed, form ?? '-line'),
    })
  }
}

/** Reads every suppression comment of a file; `ruleIds` gives the ids of our detectors, which few files need. */
export const readSuppressions = (
  file: ScannedFile,
  lines: LineMap,
  ruleIds: () => ReadonlySet<string>,
): SuppressionComments => {
  // Few files hold any: the others are read no further.
  if (!marker.test(file.text)) return noSuppressions
  const reading: Reading = {
    file,
    lines,
    ruleIds: ruleIds(),
    suppressions: [],
    remarks: [],
    open: [],
    statementEnds: new Map(),
    functions: null,
  }
  const comments = readComments(file.text, lines)
  const nextLines = findNextLines(file.text, lines, comments)
  let count = 0
  for (const [index, comment] of comments.entries()) {
    if (!marker.test(comment.body)) continue
    count += 1
    if (count > maxComments) {
      remark(reading, 'analysis-note', comment.line, `Only the first ${maxComments} suppression comments are read.`)
      break
    }
    const placed = { comment, nextLine: nextLines[index]! }
    readOwn(reading, placed)
    readSlither(reading, placed)
    readAderyn(reading, placed)
  }
  reading.suppressions.push(...reading.open)
  return reading
}

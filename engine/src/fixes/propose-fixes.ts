/**
 * Patches that follow from a finding by rule. Each is a proposal: anyone who applies one scans the result again and keeps it
 * only when the finding is gone, nothing new has come and the text still parses.
 */
import type { Place } from '../report/index.ts'
import {
  type Block,
  type Call,
  type Expression,
  type FunctionDefinition,
  type Node,
  parse,
  type SourceUnit,
  type Statement,
  sharedRange,
  versionRange,
  walk,
} from '../syntax/index.ts'

/** Offsets in UTF-16 units, the end exclusive. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** `safe`: who passes a guard, and which payments must succeed, stays as it was. */
export type FixSafety = 'safe' | 'unsafe'

export interface Fix {
  readonly title: string
  readonly safety: FixSafety
  readonly edits: readonly Edit[]
  /** Writes down what the language takes the text for anyway: the compiler makes the same code of it. */
  readonly keepsCode?: true
}

export interface FixHints {
  /** The compiler version of the whole project, to pin to; without one no pragma is pinned. */
  readonly compilerVersion?: string | undefined
}

interface Spot {
  readonly text: string
  readonly unit: SourceUnit
  readonly start: number
  readonly end: number
  readonly hints: FixHints
}

type Fixer = (spot: Spot) => Fix[]

/** Proposals for a finding in this text, the preferred first; none where no patch is mechanical. */
export const proposeFixes = (
  text: string,
  finding: Place & { readonly detector: string },
  hints: FixHints = {},
): Fix[] => {
  const fixer = fixers[finding.detector]
  if (!fixer) return []
  const { unit } = parse(text, 0)
  const start = offsetOf(text, finding.line, finding.column)
  const end = offsetOf(text, finding.endLine, finding.endColumn)
  return fixer({ text, unit, start, end, hints })
}

export const applyEdits = (text: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text)

const offsetOf = (text: string, line: number, column: number): number => {
  const breaks = /\r\n|[\n\r]/g
  let start = 0
  for (let at = 1; at < line; at++) {
    const found = breaks.exec(text)
    if (!found) break
    start = found.index + found[0].length
  }
  return start + column - 1
}

const overlapping = <K extends Node['kind']>({ unit, start, end }: Spot, kind: K): Extract<Node, { kind: K }>[] => {
  const found: Extract<Node, { kind: K }>[] = []
  walk(unit, (node) => {
    if (node.start >= end || node.end <= start) return false
    if (node.kind === kind) found.push(node as Extract<Node, { kind: K }>)
    return true
  })
  return found
}

const replacement = (node: { readonly start: number; readonly end: number }, text: string): Edit => ({
  start: node.start,
  end: node.end,
  text,
})

/** The newest release that is known to have no bug of medium or higher severity, for pragmas that admit it. */
const recommendedRelease = '0.8.28'

const pragmasOf = (text: string): string[] =>
  [...text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ').matchAll(/\bpragma\s+solidity\s+([^;]+);/g)].map(
    ([, range = '']) => range,
  )

const newestFirst = (versions: readonly string[]): string[] =>
  [...versions].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))

/**
 * One version that every file admits: the newest of those that are wanted, else the recommended one, else the newest. Files that are pinned
 * to versions of their own, each the lowest it admits, could not be compiled together.
 */
export const chooseCompilerVersion = (texts: readonly string[], wanted?: readonly string[]): string | undefined => {
  const shared = sharedRange(texts.flatMap(pragmasOf).map(versionRange))
  if (wanted !== undefined) return newestFirst(wanted).find((version) => shared.admits(version))
  return shared.admits(recommendedRelease) ? recommendedRelease : (shared.max() ?? undefined)
}

const pinPragma: Fixer = (spot) => {
  const pragma = overlapping(spot, 'PragmaDirective').find(({ name }) => name === 'solidity')
  if (!pragma) return []
  const version = spot.hints.compilerVersion
  if (version === undefined || !versionRange(pragma.value).admits(version)) return []
  const edits = [replacement(pragma, `pragma solidity ${version};`)]
  return [{ title: `Pin the pragma to ${version}`, safety: 'safe', edits, keepsCode: true }]
}

const useMsgSender: Fixer = (spot) => {
  const origins = overlapping(spot, 'Member').filter(
    ({ object, name }) => name.name === 'origin' && object.kind === 'Identifier' && object.name === 'tx',
  )
  if (origins.length === 0) return []
  return [
    {
      title: 'Use msg.sender instead of tx.origin',
      safety: 'unsafe',
      edits: origins.map((node) => replacement(node, 'msg.sender')),
    },
  ]
}

const lowLevelCalls = ['call', 'delegatecall', 'staticcall', 'send']

const checkResult: Fixer = (spot) => {
  const statement = overlapping(spot, 'ExpressionStatement').find(({ expression }) => expression.kind === 'Call')
  if (statement?.expression.kind !== 'Call') return []
  const name = lowLevelName(statement.expression)
  if (name === undefined) return []
  const recipient = recipientOf(statement.expression, spot.text)
  // A recipient that refuses would block everything else the function does.
  if (recipient !== 'msg.sender' && isPayment(statement.expression, name, spot.text)) return []
  const call = spot.text.slice(statement.expression.start, statement.expression.end)
  const isTuple = name !== 'send' && isAtLeast(spot.unit, '0.5.0')
  const indent = indentAt(spot.text, statement.start)
  const result = freeName(spot.text)
  const text = isTuple
    ? `(bool ${result}, ) = ${call};\n${indent}require(${result}, "${name} failed");`
    : `require(${call}, "${name} failed");`
  const safety = recipient === 'msg.sender' ? 'safe' : 'unsafe'
  return [{ title: `Revert when the ${name} fails`, safety, edits: [replacement(statement, text)] }]
}

/** What is called, without a cast around it: `payable(msg.sender).call` calls `msg.sender`. */
const recipientOf = ({ callee }: Call, text: string): string => {
  const path = text.slice(callee.start, callee.end).replace(/\s+/g, '')
  return path
    .replace(/\.(call|delegatecall|staticcall|send)\b[\s\S]*$/, '')
    .replace(/^(payable|address)\((.*)\)$/, '$2')
    .replace(/^(payable|address)\((.*)\)$/, '$2')
}

const isPayment = ({ callee }: Call, name: string, text: string): boolean =>
  name === 'send' || /\bvalue\b/.test(text.slice(callee.start, callee.end))

const lowLevelName = ({ callee }: Call): string | undefined => {
  const target = callee.kind === 'CallOptions' ? callee.callee : callee
  // Before 0.7 options were written as calls: `a.call.value(1)()`.
  if (target.kind === 'Call' && target.callee.kind === 'Member' && ['value', 'gas'].includes(target.callee.name.name)) {
    const { object } = target.callee
    return object.kind === 'Member' && lowLevelCalls.includes(object.name.name) ? object.name.name : undefined
  }
  return target.kind === 'Member' && lowLevelCalls.includes(target.name.name) ? target.name.name : undefined
}

const freeName = (text: string): string =>
  ['success', 'ok', 'sent', 'callSucceeded'].find((name) => !new RegExp(`\\b${name}\\b`).test(text)) ?? 'callSucceeded_'

const indentAt = (text: string, offset: number): string =>
  /[ \t]*$/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? ''

const solidityPragma = ({ members }: SourceUnit): string | undefined =>
  members.flatMap((member) =>
    member.kind === 'PragmaDirective' && member.name === 'solidity' ? [member.value] : [],
  )[0]

/** Whether every compiler that the file admits is this new. */
const isAtLeast = (unit: SourceUnit, version: string): boolean =>
  !versionRange(solidityPragma(unit) ?? '').overlaps(null, version)

const makeConstructor: Fixer = (spot) => {
  const fn = overlapping(spot, 'FunctionDefinition').find(({ name }) => name !== null)
  if (!fn?.name) return []
  if (isAtLeast(spot.unit, '0.4.22')) {
    const head = { start: fn.start, end: fn.name.end, text: 'constructor' }
    return [{ title: 'Write it as a constructor', safety: 'unsafe', edits: [head] }]
  }
  const contract = overlapping(spot, 'ContractDefinition').find((each) => each.start <= fn.start && fn.end <= each.end)
  return contract?.name
    ? [
        {
          title: `Rename it to ${contract.name.name}, the contract name`,
          safety: 'unsafe',
          edits: [replacement(fn.name, contract.name.name)],
        },
      ]
    : []
}

/** What the language takes it for anyway, written down. */
const writeVisibility: Fixer = (spot) => {
  const fn = overlapping(spot, 'FunctionDefinition').find(({ visibility }) => visibility === null)
  if (fn) {
    const after = closingOfParameters(spot.text, fn)
    return after === undefined
      ? []
      : [
          {
            title: 'Add the visibility it has: public',
            safety: 'safe',
            edits: [{ start: after, end: after, text: ' public' }],
            keepsCode: true,
          },
        ]
  }
  const variable = overlapping(spot, 'StateVariable').find(({ visibility }) => visibility === null)
  if (!variable) return []
  const at = variable.type.end
  const edits = [{ start: at, end: at, text: ' internal' }]
  return [{ title: 'Add the visibility it has: internal', safety: 'safe', edits, keepsCode: true }]
}

const closingOfParameters = (text: string, fn: FunctionDefinition): number | undefined => {
  const from = fn.params.at(-1)?.end ?? fn.name?.end ?? fn.start
  const at = text.indexOf(')', from)
  return at < 0 || at > fn.end ? undefined : at + 1
}

const modernNames: readonly (readonly [RegExp, string])[] = [
  [/^suicide$/, 'selfdestruct'],
  [/^sha3$/, 'keccak256'],
  [/^now$/, 'block.timestamp'],
  [/^block\s*\.\s*blockhash$/, 'blockhash'],
  [/^msg\s*\.\s*gas$/, 'gasleft()'],
]

const useModernName: Fixer = (spot) => {
  const edits: Edit[] = []
  walk(spot.unit, (node) => {
    if (node.start >= spot.end || node.end <= spot.start) return false
    if (node.kind !== 'Identifier' && node.kind !== 'Member') return true
    const written = spot.text.slice(node.start, node.end)
    const modern = modernNames.find(([pattern]) => pattern.test(written))
    if (modern) edits.push(replacement(node, modern[1]))
    return modern === undefined
  })
  const thrown = /^throw\b/.exec(spot.text.slice(spot.start, spot.end))
  if (thrown) edits.push({ start: spot.start, end: spot.start + thrown[0].length, text: 'revert()' })
  return edits.length === 0 ? [] : [{ title: 'Use the current name', safety: 'safe', edits, keepsCode: true }]
}

/** Writes that stand after the call in the same block, move before it, when nothing that the call gives flows into them. */
const writeBeforeCall: Fixer = (spot) => {
  const block = innermostBlock(spot)
  if (!block) return []
  const at = block.statements.findIndex((statement) => statement.start <= spot.start && spot.start < statement.end)
  const call = block.statements[at]
  if (!call || !['ExpressionStatement', 'VariableStatement'].includes(call.kind)) return []
  const given = namesDeclared(call)
  const moved: Statement[] = []
  for (const statement of block.statements.slice(at + 1)) {
    if (isCheckOf(statement, given)) continue
    if (!isPlainWrite(statement) || namesIn(statement).some((name) => given.has(name))) break
    moved.push(statement)
  }
  if (moved.length === 0) return []
  const indent = indentAt(spot.text, call.start)
  const before = moved.map((statement) => `${spot.text.slice(statement.start, statement.end)}\n${indent}`).join('')
  return [
    {
      title: 'Update state before the call',
      safety: 'safe',
      edits: [
        { start: call.start, end: call.start, text: before },
        ...moved.map((statement) => ({
          start: lineStart(spot.text, statement.start),
          end: lineEnd(spot.text, statement.end),
          text: '',
        })),
      ],
    },
  ]
}

const innermostBlock = (spot: Spot): Block | undefined =>
  overlapping(spot, 'Block')
    .filter(({ start, end }) => start <= spot.start && spot.end <= end)
    .sort((a, b) => a.end - a.start - (b.end - b.start))[0]

const namesDeclared = (statement: Statement): Set<string> => {
  const names = new Set<string>()
  if (statement.kind === 'VariableStatement')
    for (const declared of statement.declarations) if (declared?.name) names.add(declared.name.name)
  return names
}

const namesIn = (node: Node): string[] => {
  const names: string[] = []
  walk(node, (each) => {
    if (each.kind === 'Identifier') names.push(each.name)
  })
  return names
}

/** `require(success, "…")`: stays where it is. */
const isCheckOf = (statement: Statement, given: ReadonlySet<string>): boolean =>
  statement.kind === 'ExpressionStatement' &&
  statement.expression.kind === 'Call' &&
  statement.expression.callee.kind === 'Identifier' &&
  ['require', 'assert'].includes(statement.expression.callee.name) &&
  namesIn(statement.expression).some((name) => given.has(name))

const isPlainWrite = (statement: Statement): boolean => {
  if (statement.kind !== 'ExpressionStatement') return false
  const { expression } = statement
  const isWrite =
    expression.kind === 'Assignment' ||
    (expression.kind === 'Unary' && ['++', '--', 'delete'].includes(expression.operator))
  return isWrite && !hasCall(expression)
}

const hasCall = (expression: Expression): boolean => {
  let has = false
  walk(expression, (node) => {
    if (node.kind === 'Call') has = true
    return !has
  })
  return has
}

/** The whole line goes when nothing else stands on it. */
const lineStart = (text: string, offset: number): number => {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return text.slice(start, offset).trim() === '' ? start : offset
}
const lineEnd = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset)
  return end >= 0 && text.slice(offset, end).trim() === '' ? end + 1 : offset
}

const fixers: Readonly<Record<string, Fixer>> = {
  'floating-pragma': pinPragma,
  'tx-origin-authorization': useMsgSender,
  'unchecked-call-return-value': checkResult,
  'incorrect-constructor-name': makeConstructor,
  'function-default-visibility': writeVisibility,
  'state-variable-default-visibility': writeVisibility,
  'deprecated-function': useModernName,
  reentrancy: writeBeforeCall,
}

/** Detectors whose findings may have a patch. */
export const fixableDetectors: readonly string[] = Object.keys(fixers)

import type {
  AssemblyStatement,
  Identifier,
  YulAssignment,
  YulBlock,
  YulCall,
  YulCase,
  YulExpression,
  YulExpressionStatement,
  YulFunctionDefinition,
  YulLiteral,
  YulPath,
  YulStatement,
} from './ast.ts'
import { type Cursor, NONE } from './cursor.ts'
import { decodeString } from './decode-string.ts'
import {
  BREAK,
  CASE,
  COLON,
  COMMA,
  CONTINUE,
  DEFAULT,
  DOT,
  END,
  FALSE,
  FOR,
  FUNCTION,
  HEX_NUMBER,
  HEX_STRING,
  IF,
  LAST_WORD,
  LBRACE,
  LEAVE,
  LET,
  LPAREN,
  NAME,
  NUMBER,
  RBRACE,
  RETURN_ARROW,
  RPAREN,
  STACK_ASSIGN,
  STRING,
  SWITCH,
  TRUE,
  UNICODE_STRING,
  YUL_ASSIGN,
} from './tokens.ts'

/** Instructions without operands: before 0.5 they could be written without parentheses (`call(gas, …)`). */
const NULLARY = new Set(
  (
    'address caller callvalue calldatasize codesize gas gasprice gaslimit origin coinbase timestamp number ' +
    'difficulty msize pc returndatasize stop invalid'
  ).split(' '),
)

/** `assembly "evmasm" ("memory-safe") { … }` from the keyword on. */
export const parseAssembly = (p: Cursor): AssemblyStatement => {
  const start = p.start
  p.next()
  const dialect = p.kind === STRING ? takeString(p) : null
  const flags: string[] = []
  if (p.accept(LPAREN)) {
    while (p.kind === STRING) {
      flags.push(takeString(p))
      if (!p.accept(COMMA)) break
    }
    p.close(RPAREN)
  }
  const style = { legacy: false }
  const body = parseBlock(p, style)
  const { legacy } = style
  const node: AssemblyStatement = { kind: 'AssemblyStatement', start, end: p.lastEnd, dialect, flags, body, legacy }
  p.found.AssemblyStatement.push(node)
  return node
}

interface Style {
  legacy: boolean
}

const takeString = (p: Cursor): string => {
  const value = decodeString(p.word)
  p.next()
  return value
}

const parseBlock = (p: Cursor, style: Style): YulBlock => {
  if (p.kind !== LBRACE) {
    p.fail('Expected `{`')
    return { kind: 'YulBlock', start: p.lastEnd, end: p.lastEnd, statements: NONE }
  }
  const start = p.start
  if (!p.enter()) {
    p.skipBalanced()
    return { kind: 'YulBlock', start, end: p.lastEnd, statements: NONE }
  }
  p.next()
  const statements: YulStatement[] = []
  while (p.kind !== RBRACE && p.kind !== END && !p.atContract()) parseStatementInto(p, style, statements)
  p.depth--
  p.close(RBRACE)
  return { kind: 'YulBlock', start, end: p.lastEnd, statements }
}

/** One statement, or an error node over whatever stands in its place. */
const parseStatementInto = (p: Cursor, style: Style, statements: YulStatement[]): void => {
  const before = p.at
  const statement = parseStatement(p, style)
  if (statement !== null) statements.push(statement)
  if (!p.panic && p.at > before) return
  p.panic = false
  if (p.at > before) return
  const start = p.start
  if (p.kind === RBRACE || p.kind === END) return
  p.skipBalanced()
  statements.push({ kind: 'YulError', start, end: p.lastEnd })
}

const parseStatement = (p: Cursor, style: Style): YulStatement | null => {
  const start = p.start
  switch (p.kind) {
    case LBRACE:
      return parseBlock(p, style)
    case LET:
      return parseVariable(p, start)
    case IF: {
      p.next()
      const condition = parseYulExpression(p)
      const body = parseBlock(p, style)
      return { kind: 'YulIf', start, end: p.lastEnd, condition, body }
    }
    case FOR: {
      p.next()
      const init = parseBlock(p, style)
      const condition = parseYulExpression(p)
      const update = parseBlock(p, style)
      const body = parseBlock(p, style)
      return { kind: 'YulFor', start, end: p.lastEnd, init, condition, update, body }
    }
    case SWITCH:
      return parseSwitch(p, style, start)
    case FUNCTION:
      return parseFunction(p, style, start)
    case LEAVE:
      if (p.peek(1) === LPAREN || p.peek(1) === YUL_ASSIGN) break
      p.next()
      return { kind: 'YulLeave', start, end: p.lastEnd }
    case BREAK:
      p.next()
      return { kind: 'YulBreak', start, end: p.lastEnd }
    case CONTINUE:
      p.next()
      return { kind: 'YulContinue', start, end: p.lastEnd }
    case STACK_ASSIGN: {
      style.legacy = true
      p.next()
      const target = p.wordIdentifier()
      return { kind: 'YulStackAssignment', start, end: p.lastEnd, target }
    }
  }
  return parseSimple(p, style, start)
}

/** What begins with a word or literal: call, assignment, label, or a bare instruction of the legacy style. */
const parseSimple = (p: Cursor, style: Style, start: number): YulStatement | null => {
  if (p.kind === NAME && p.peek(1) === COLON) {
    style.legacy = true
    const name = p.wordIdentifier()
    p.next()
    return { kind: 'YulLabel', start, end: p.lastEnd, name }
  }
  const expression = parseYulExpression(p)
  if (expression.kind === 'YulPath' && (p.kind === YUL_ASSIGN || p.kind === COMMA)) {
    const targets: YulPath[] = [expression]
    while (p.accept(COMMA)) targets.push(parsePath(p))
    p.expect(YUL_ASSIGN)
    const value = parseYulExpression(p)
    const { start: from } = expression
    const assignment: YulAssignment = { kind: 'YulAssignment', start: from, end: p.lastEnd, targets, value }
    p.found.YulAssignment.push(assignment)
    return assignment
  }
  if (p.lastEnd <= start) return null
  if (expression.kind !== 'YulCall' || (expression.args.length === 0 && isBare(expression))) style.legacy = true
  const { start: from } = expression
  const node: YulExpressionStatement = { kind: 'YulExpressionStatement', start: from, end: p.lastEnd, expression }
  p.found.YulExpressionStatement.push(node)
  return node
}

/** Written without parentheses. Those that end the execution need none of the stack, so they are not stack style. */
const isBare = (call: { start: number; end: number; name: Identifier }): boolean =>
  call.end === call.name.end && call.name.name !== 'stop' && call.name.name !== 'invalid'

const parseVariable = (p: Cursor, start: number): YulStatement => {
  p.next()
  const names = parseNames(p)
  const value = p.accept(YUL_ASSIGN) ? parseYulExpression(p) : null
  return { kind: 'YulVariable', start, end: p.lastEnd, names, value }
}

/** Names with the optional types of typed Yul, which carry nothing here. */
const parseNames = (p: Cursor): Identifier[] => {
  const names: Identifier[] = []
  do {
    names.push(parseDottedName(p))
    if (p.accept(COLON)) p.wordIdentifier()
  } while (!p.panic && p.accept(COMMA))
  return names
}

const parseFunction = (p: Cursor, style: Style, start: number): YulStatement => {
  p.next()
  const name = parseDottedName(p)
  p.expect(LPAREN)
  const params = p.kind === RPAREN ? NONE : parseNames(p)
  p.close(RPAREN)
  const returns = p.accept(RETURN_ARROW) ? parseNames(p) : NONE
  const body = parseBlock(p, style)
  const node: YulFunctionDefinition = {
    kind: 'YulFunctionDefinition',
    start,
    end: p.lastEnd,
    name,
    params,
    returns,
    body,
  }
  p.found.YulFunctionDefinition.push(node)
  return node
}

const parseSwitch = (p: Cursor, style: Style, start: number): YulStatement => {
  p.next()
  const value = parseYulExpression(p)
  const cases: YulCase[] = []
  while (p.kind === CASE || p.kind === DEFAULT) {
    const caseStart = p.start
    let match: YulLiteral | null = null
    if (p.kind === CASE) {
      p.next()
      match = parseLiteral(p)
      if (match === null) p.fail('Expected a literal')
    } else p.next()
    const body = parseBlock(p, style)
    cases.push({ kind: 'YulCase', start: caseStart, end: p.lastEnd, value: match, body })
  }
  if (cases.length === 0) p.fail('Expected `case`')
  return { kind: 'YulSwitch', start, end: p.lastEnd, value, cases }
}

const parseYulExpression = (p: Cursor): YulExpression => {
  const found = parseLiteral(p)
  if (found !== null) return found
  const path = parsePath(p)
  if (p.kind === LPAREN) return parseCall(p, joined(path))
  const only = path.names.length === 1 ? path.names[0]! : null
  if (only === null || !NULLARY.has(only.name) || p.kind === YUL_ASSIGN || p.kind === COLON) return path
  return foundCall(p, { kind: 'YulCall', start: path.start, end: path.end, name: only, args: NONE })
}

const foundCall = (p: Cursor, call: YulCall): YulCall => {
  p.found.YulCall.push(call)
  return call
}

const parseCall = (p: Cursor, name: Identifier): YulExpression => {
  const start = name.start
  if (!p.enter()) {
    p.skipBalanced()
    return foundCall(p, { kind: 'YulCall', start, end: p.lastEnd, name, args: NONE })
  }
  p.next()
  const args: YulExpression[] = []
  while (p.kind !== RPAREN && p.kind !== END && !p.panic) {
    args.push(parseYulExpression(p))
    if (!p.accept(COMMA)) break
  }
  p.depth--
  p.close(RPAREN)
  return foundCall(p, { kind: 'YulCall', start, end: p.lastEnd, name, args })
}

const parsePath = (p: Cursor): YulPath => {
  const first = p.wordIdentifier()
  if (p.kind !== DOT) return { kind: 'YulPath', start: first.start, end: first.end, names: [first] }
  const names = [first]
  while (p.accept(DOT)) names.push(p.wordIdentifier())
  return { kind: 'YulPath', start: first.start, end: p.lastEnd, names }
}

/** Dots are ordinary characters in the names of Yul functions and variables. */
const parseDottedName = (p: Cursor): Identifier => joined(parsePath(p))

const joined = (path: YulPath): Identifier =>
  path.names.length === 1
    ? path.names[0]!
    : {
        kind: 'Identifier',
        start: path.start,
        end: path.end,
        name: path.names.map(({ name }) => name).join('.'),
        meaning: undefined,
      }

const parseLiteral = (p: Cursor): YulLiteral | null => {
  const kind = p.kind
  if (kind >= NAME && kind <= LAST_WORD && kind !== TRUE && kind !== FALSE) return null
  const literalKind = literalKindOf(kind)
  if (literalKind === null) return null
  const start = p.start
  const value = literalKind === 'string' || literalKind === 'hexString' ? decodeString(p.word) : p.word
  p.next()
  const end = p.lastEnd
  if (p.kind === COLON) {
    p.next()
    p.wordIdentifier()
  }
  return { kind: 'YulLiteral', start, end, literalKind, value }
}

const literalKindOf = (kind: number): YulLiteral['literalKind'] | null => {
  switch (kind) {
    case NUMBER:
      return 'number'
    case HEX_NUMBER:
      return 'hexNumber'
    case STRING:
    case UNICODE_STRING:
      return 'string'
    case HEX_STRING:
      return 'hexString'
    case TRUE:
    case FALSE:
      return 'bool'
    default:
      return null
  }
}

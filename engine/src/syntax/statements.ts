import type {
  Block,
  CatchClause,
  ElementaryType,
  Expression,
  ExpressionStatement,
  IfStatement,
  Parameter,
  Statement,
  ThrowStatement,
  VariableStatement,
} from './ast.ts'
import { type Cursor, isNameKind, NONE } from './cursor.ts'
import {
  continueExpression,
  declarationFollows,
  finishParameter,
  parseExpression,
  parseParameters,
  parseType,
  toType,
} from './expressions.ts'
import {
  ADDRESS,
  ASSEMBLY,
  ASSIGN,
  BREAK,
  CATCH,
  COMMA,
  CONSTRUCTOR,
  CONTINUE,
  DO,
  DOT,
  ELEMENTARY,
  ELSE,
  EMIT,
  END,
  EVENT,
  FOR,
  FUNCTION,
  IF,
  IMPORT,
  LBRACE,
  LPAREN,
  MAPPING,
  MODIFIER,
  NAME,
  PRAGMA,
  RBRACE,
  RETURN,
  RETURNS,
  REVERT,
  RPAREN,
  SEMICOLON,
  STRUCT,
  THROW,
  TRY,
  UNCHECKED,
  USING,
  VAR,
  WHILE,
} from './tokens.ts'
import { parseAssembly } from './yul.ts'

export const parseBlock = (p: Cursor, unchecked = false, start = p.start): Block => {
  if (p.kind !== LBRACE) {
    p.fail('Expected `{`')
    return { kind: 'Block', start: Math.min(start, p.lastEnd), end: p.lastEnd, unchecked, statements: NONE }
  }
  if (!p.enter()) {
    p.skipBalanced()
    return { kind: 'Block', start, end: p.lastEnd, unchecked, statements: NONE }
  }
  p.panic = false
  p.next()
  const from = p.heldStatements
  while (p.kind !== RBRACE && p.kind !== END && !startsMember(p)) holdNextStatement(p)
  const statements = p.takePile(from)
  p.depth--
  if (!p.accept(RBRACE)) p.fail('Expected `}`')
  return { kind: 'Block', start, end: p.lastEnd, unchecked, statements }
}

/** A statement list that runs into the next member has lost its closing brace. */
const startsMember = (p: Cursor): boolean => {
  switch (p.kind) {
    case FUNCTION:
    case MODIFIER:
    case EVENT:
    case STRUCT:
      return isNameKind(p.peek(1))
    case CONSTRUCTOR:
      return p.peek(1) === LPAREN && closesBeforeHead(p)
    case PRAGMA:
    case IMPORT:
    case USING:
      return true
    default:
      return p.atContract()
  }
}

/** `constructor(…) public {`: a call would end in `;` right after its parenthesis. Looks at one bracket only. */
const closesBeforeHead = (p: Cursor): boolean => {
  let distance = 1
  let depth = 0
  for (;;) {
    const kind = p.peek(distance)
    if (kind === END || kind === SEMICOLON || kind === LBRACE || kind === RBRACE) return false
    if (kind === LPAREN) depth++
    else if (kind === RPAREN && --depth === 0) return p.peek(distance + 1) === LBRACE || p.peek(distance + 1) > NAME
    distance++
  }
}

const holdNextStatement = (p: Cursor): void => {
  const before = p.at
  const statement = parseStatement(p)
  if (statement.end > statement.start) p.holdStatement(statement)
  if (!p.panic && p.at > before) return
  p.panic = false
  const start = p.start
  const skipped = p.at
  recover(p, before)
  if (p.at > skipped) p.holdStatement({ kind: 'ErrorStatement', start, end: p.lastEnd })
}

/** Skips to the next place where a statement can begin, at least one token after `before`. */
const recover = (p: Cursor, before: number): void => {
  let brackets = 0
  for (;;) {
    const kind = p.kind
    if (kind === END || kind === RBRACE) return
    if (kind === LBRACE && p.at > before) return
    if (p.at > before && brackets <= 0 && (startsStatement(kind) || startsMember(p))) return
    if (kind === LPAREN) brackets++
    else if (kind === RPAREN) brackets--
    p.next()
    if (kind === SEMICOLON) return
  }
}

const startsStatement = (kind: number): boolean => {
  switch (kind) {
    case IF:
    case FOR:
    case WHILE:
    case DO:
    case RETURN:
    case TRY:
    case ASSEMBLY:
    case THROW:
    case EMIT:
      return true
    default:
      return false
  }
}

const parseStatement = (p: Cursor): Statement => {
  const start = p.start
  if (!p.enter()) {
    p.skipStatement()
    return { kind: 'ErrorStatement', start, end: p.lastEnd }
  }
  const statement = parseEntered(p, start)
  p.depth--
  return statement
}

const parseEntered = (p: Cursor, start: number): Statement => {
  switch (p.kind) {
    case NAME:
      // The very first compilers took `_` without a semicolon.
      if ((p.peek(1) === SEMICOLON || p.peek(1) === RBRACE) && p.word === '_') {
        p.next()
        p.accept(SEMICOLON)
        return { kind: 'PlaceholderStatement', start, end: p.lastEnd }
      }
      return finishSimple(p)
    case LBRACE:
      return parseBlock(p)
    case IF:
      return parseIf(p)
    case FOR:
      return parseFor(p, start)
    case RETURN: {
      p.next()
      const value = p.kind === SEMICOLON ? null : parseExpression(p)
      p.expectEnd()
      return { kind: 'ReturnStatement', start, end: p.lastEnd, value }
    }
    case EMIT:
      if (!isNameKind(p.peek(1))) break
      p.next()
      return parseCallStatement(p, 'EmitStatement', start)
    case REVERT:
      if (!isNameKind(p.peek(1))) break
      p.next()
      return parseCallStatement(p, 'RevertStatement', start)
    case WHILE: {
      p.next()
      const condition = parseCondition(p)
      const body = parseStatement(p)
      return { kind: 'WhileStatement', start, end: p.lastEnd, condition, body }
    }
    case DO:
      return parseDoWhile(p, start)
    case CONTINUE:
      p.next()
      p.expectEnd()
      return { kind: 'ContinueStatement', start, end: p.lastEnd }
    case BREAK:
      p.next()
      p.expectEnd()
      return { kind: 'BreakStatement', start, end: p.lastEnd }
    case THROW: {
      p.next()
      p.expectEnd()
      const node: ThrowStatement = { kind: 'ThrowStatement', start, end: p.lastEnd }
      p.found.ThrowStatement.push(node)
      return node
    }
    case ASSEMBLY:
      return parseAssembly(p)
    case TRY:
      return parseTry(p, start)
    case UNCHECKED:
      if (p.peek(1) !== LBRACE) break
      p.next()
      return parseBlock(p, true, start)
  }
  return finishSimple(p)
}

const finishSimple = (p: Cursor): Statement => {
  const statement = parseSimple(p)
  p.expectEnd()
  return settle(p, statement)
}

/** The semicolon belongs to the statement. */
const settle = <T extends VariableStatement | ExpressionStatement>(p: Cursor, statement: T): T => {
  ;(statement as { end: number }).end = p.lastEnd
  if (statement.kind === 'VariableStatement') p.found.VariableStatement.push(statement)
  else p.found.ExpressionStatement.push(statement)
  return statement
}

/** A declaration or an expression, without its semicolon. */
const parseSimple = (p: Cursor): VariableStatement | ExpressionStatement => {
  switch (p.kind) {
    case ELEMENTARY:
    case ADDRESS:
      if (p.peek(1) === LPAREN || p.peek(1) === DOT) break
      return finishDeclaration(p, finishParameter(p, parseType(p), true))
    case MAPPING:
    case FUNCTION:
      return finishDeclaration(p, finishParameter(p, parseType(p), true))
    case VAR:
      return parseVar(p)
    case LPAREN:
      return parseTupleOrExpression(p)
  }
  const expression = parseExpression(p)
  if (declarationFollows(p) && !p.panic) {
    const type = toType(p, expression)
    if (type !== null) return finishDeclaration(p, finishParameter(p, type, true))
  }
  return expressionStatement(expression)
}

const expressionStatement = (expression: Expression): ExpressionStatement => ({
  kind: 'ExpressionStatement',
  start: expression.start,
  end: expression.end,
  expression,
})

const finishDeclaration = (p: Cursor, declared: Parameter): VariableStatement | ExpressionStatement => {
  if (declared.name === null) {
    const { type, start, end } = declared
    if (p.kind === SEMICOLON)
      return expressionStatement({ kind: 'TypeExpression', start: type.start, end: type.end, type })
    p.fail('Expected a name')
    return { kind: 'VariableStatement', start, end, declarations: [declared], tuple: false, value: null }
  }
  return finishVariables(p, declared.start, [declared], false)
}

const finishVariables = (
  p: Cursor,
  start: number,
  declarations: readonly (Parameter | null)[],
  tuple: boolean,
): VariableStatement => {
  const value = p.accept(ASSIGN) ? parseExpression(p) : null
  return { kind: 'VariableStatement', start, end: p.lastEnd, declarations, tuple, value }
}

/** `var x = …` and `var (a, , b) = …`. */
const parseVar = (p: Cursor): VariableStatement => {
  const start = p.start
  p.next()
  if (p.kind !== LPAREN) {
    const type: ElementaryType = { kind: 'ElementaryType', start, end: p.lastEnd, name: 'var', payable: false }
    return finishVariables(p, start, [finishVarName(p, type)], false)
  }
  p.next()
  const declarations: (Parameter | null)[] = []
  do {
    if (p.kind === COMMA || p.kind === RPAREN) declarations.push(null)
    else {
      const here = p.start
      declarations.push(
        finishVarName(p, { kind: 'ElementaryType', start: here, end: here, name: 'var', payable: false }),
      )
    }
  } while (!p.panic && p.accept(COMMA))
  p.close(RPAREN)
  return finishVariables(p, start, declarations, true)
}

const finishVarName = (p: Cursor, type: ElementaryType): Parameter => {
  const name = p.identifier()
  const start = Math.min(type.start, name.start)
  const at = { ...type, start, end: Math.max(start, Math.min(type.end, name.start)) }
  return { kind: 'Parameter', start, end: name.end, type: at, location: null, name, indexed: false }
}

/**
 * After `(` both `(uint a, , B memory b) = …` and any expression can follow. Each element is read as an expression;
 * the first one with a name behind it shows that it was a type.
 */
const parseTupleOrExpression = (p: Cursor): VariableStatement | ExpressionStatement => {
  const start = p.start
  p.next()
  const elements: (Expression | null)[] = []
  const declarations: (Parameter | null)[] = []
  let declares = false
  if (p.kind !== RPAREN)
    do {
      if (p.kind === COMMA || p.kind === RPAREN) {
        elements.push(null)
        declarations.push(null)
        continue
      }
      const element = parseExpression(p)
      const type = declares || declarationFollows(p) ? toType(p, element) : null
      elements.push(element)
      if (type === null) {
        declarations.push(null)
        if (declares) p.fail('Expected a declaration')
        continue
      }
      declares = true
      declarations.push(finishParameter(p, type, true))
    } while (!p.panic && p.accept(COMMA))
  p.close(RPAREN)
  if (declares) return finishVariables(p, start, declarations, true)
  const tuple: Expression = { kind: 'Tuple', start, end: p.lastEnd, elements }
  return expressionStatement(continueExpression(p, tuple))
}

const parseCondition = (p: Cursor): Expression => {
  p.expect(LPAREN)
  const condition = parseExpression(p)
  p.close(RPAREN)
  return condition
}

/** `else if` chains are collected in a loop and folded from the end: their length costs no stack here. */
const parseIf = (p: Cursor): Statement => {
  const heads: { start: number; condition: Expression; then: Statement }[] = []
  let otherwise: Statement | null = null
  const depth = p.depth
  for (;;) {
    const start = p.start
    p.next()
    const condition = parseCondition(p)
    const then = parseStatement(p)
    heads.push({ start, condition, then })
    if (!p.accept(ELSE)) break
    if (p.kind !== IF) {
      otherwise = parseStatement(p)
      break
    }
    if (!p.enter()) {
      const skipped = p.start
      skipElseChain(p)
      otherwise = { kind: 'ErrorStatement', start: skipped, end: p.lastEnd }
      break
    }
  }
  p.depth = depth
  const end = p.lastEnd
  for (let i = heads.length - 1; i >= 0; i--) {
    const { start, condition, then } = heads[i]!
    const node: IfStatement = { kind: 'IfStatement', start, end, condition, then, else: otherwise }
    p.found.IfStatement.push(node)
    otherwise = node
  }
  return otherwise!
}

const skipElseChain = (p: Cursor): void => {
  do p.skipStatement()
  while (p.accept(ELSE))
}

const parseFor = (p: Cursor, start: number): Statement => {
  p.next()
  p.expect(LPAREN)
  let init: VariableStatement | ExpressionStatement | null = null
  if (!p.accept(SEMICOLON)) {
    init = parseSimple(p)
    p.expect(SEMICOLON)
    init = settle(p, init)
  }
  const condition = p.kind === SEMICOLON ? null : parseExpression(p)
  p.expect(SEMICOLON)
  const update = p.kind === RPAREN ? null : parseExpression(p)
  p.close(RPAREN)
  const body = parseStatement(p)
  return { kind: 'ForStatement', start, end: p.lastEnd, init, condition, update, body }
}

const parseDoWhile = (p: Cursor, start: number): Statement => {
  p.next()
  const body = parseStatement(p)
  if (!p.accept(WHILE)) p.fail('Expected `while`')
  const condition = parseCondition(p)
  p.expectEnd()
  return { kind: 'DoWhileStatement', start, end: p.lastEnd, body, condition }
}

const parseCallStatement = (p: Cursor, kind: 'EmitStatement' | 'RevertStatement', start: number): Statement => {
  const expression = parseExpression(p)
  if (expression.kind !== 'Call') p.fail('Expected a call')
  p.expectEnd()
  return expression.kind === 'Call'
    ? { kind, start, end: p.lastEnd, call: expression }
    : { kind: 'ErrorStatement', start, end: p.lastEnd }
}

const parseTry = (p: Cursor, start: number): Statement => {
  p.next()
  const call = parseExpression(p)
  const returns = p.accept(RETURNS) ? parseParameters(p) : NONE
  const body = parseBlock(p)
  const catches: CatchClause[] = []
  while (p.kind === CATCH) {
    const clauseStart = p.start
    p.next()
    const name = p.isName ? p.identifier() : null
    const params = p.kind === LPAREN ? parseParameters(p) : NONE
    const clauseBody = parseBlock(p)
    catches.push({ kind: 'CatchClause', start: clauseStart, end: p.lastEnd, name, params, body: clauseBody })
  }
  if (catches.length === 0) p.fail('Expected `catch`')
  return { kind: 'TryStatement', start, end: p.lastEnd, call, returns, body, catches }
}

import type {
  Assignment,
  Call,
  CallArguments,
  DataLocation,
  ElementaryType,
  Expression,
  FunctionType,
  Identifier,
  Literal,
  LiteralKind,
  MappingType,
  Member,
  Mutability,
  NewExpression,
  Parameter,
  Path,
  TypeName,
  Visibility,
} from './ast.ts'
import { type Cursor, isNameKind, NONE } from './cursor.ts'
import { decodeString } from './decode-string.ts'
import {
  ADD,
  ADDRESS,
  ARROW,
  ASSIGN,
  BIT_NOT,
  CALLDATA,
  COLON,
  COMMA,
  CONSTANT,
  DEC,
  DELETE,
  DOT,
  ELEMENTARY,
  END,
  EXP,
  EXTERNAL,
  FALSE,
  FUNCTION,
  HEX_NUMBER,
  HEX_STRING,
  INC,
  INDEXED,
  INTERNAL,
  LAST_ASSIGN,
  LAST_NAME,
  LAST_WORD,
  LBRACE,
  LBRACKET,
  LPAREN,
  MAPPING,
  MEMORY,
  NAME,
  NEW,
  NOT,
  NUMBER,
  PAYABLE,
  PRECEDENCE,
  PRIVATE,
  PUBLIC,
  PURE,
  QUESTION,
  RBRACE,
  RBRACKET,
  RETURNS,
  RPAREN,
  SPELLING,
  STORAGE,
  STRING,
  SUB,
  TRUE,
  TYPE,
  UNICODE_STRING,
  UNIT,
  VAR,
  VIEW,
} from './tokens.ts'

// Expressions

export const parseExpression = (p: Cursor): Expression => {
  if (!p.enter()) return skippedExpression(p)
  const expression = finishExpression(p, parseBinary(p, parseUnary(p), 1))
  p.depth--
  return expression
}

/** Goes on with an expression whose first operand the caller has read already. */
export const continueExpression = (p: Cursor, operand: Expression): Expression =>
  finishExpression(p, parseBinary(p, parsePostfix(p, operand), 1))

/** Assignment and conditional bind weakest and to the right, exactly as in the compiler. */
const finishExpression = (p: Cursor, left: Expression): Expression => {
  const kind = p.kind
  if (kind >= ASSIGN && kind <= LAST_ASSIGN) {
    p.next()
    const value = parseExpression(p)
    const operator = SPELLING[kind]!
    const node: Assignment = { kind: 'Assignment', start: left.start, end: value.end, operator, target: left, value }
    p.found.Assignment.push(node)
    return node
  }
  if (kind !== QUESTION) return left
  p.next()
  const then = parseExpression(p)
  p.expect(COLON)
  const otherwise = parseExpression(p)
  return { kind: 'Conditional', start: left.start, end: otherwise.end, condition: left, then, else: otherwise }
}

/** Precedence climbing: chains of one level are a loop, so only brackets and changes of level cost stack. */
const parseBinary = (p: Cursor, first: Expression, minimum: number): Expression => {
  let left = first
  for (;;) {
    const kind = p.kind
    const power = PRECEDENCE[kind]!
    if (power < minimum || power === 0) return left
    p.next()
    let right = parseUnary(p)
    const following = PRECEDENCE[p.kind]!
    if (following > power || (following === power && kind === EXP)) {
      if (!p.enter()) right = skippedExpression(p, right.start)
      else {
        right = parseBinary(p, right, kind === EXP ? power : power + 1)
        p.depth--
      }
    }
    left = { kind: 'Binary', start: left.start, end: right.end, operator: SPELLING[kind]!, left, right }
  }
}

const parseUnary = (p: Cursor): Expression => {
  const kind = p.kind
  if (kind === NAME) return parsePostfix(p, p.identifier())
  if (
    kind === NOT ||
    kind === SUB ||
    kind === BIT_NOT ||
    kind === INC ||
    kind === DEC ||
    kind === ADD ||
    kind === DELETE
  ) {
    const start = p.start
    if (!p.enter()) return skippedExpression(p)
    p.next()
    const operand = parseUnary(p)
    p.depth--
    const operator = kind === DELETE ? 'delete' : SPELLING[kind]!
    return { kind: 'Unary', start, end: operand.end, operator, prefix: true, operand }
  }
  return parsePostfix(p, parsePrimary(p))
}

const parsePostfix = (p: Cursor, operand: Expression): Expression => {
  let left = operand
  for (;;) {
    switch (p.kind) {
      case DOT: {
        p.next()
        const name = p.wordIdentifier()
        const member: Member = {
          kind: 'Member',
          start: left.start,
          end: name.end,
          object: left,
          name,
          meaning: undefined,
        }
        p.found.Member.push(member)
        left = member
        continue
      }
      case LPAREN: {
        const args = parseCallArguments(p)
        const call: Call = { kind: 'Call', start: left.start, end: args.end, callee: left, args, meaning: undefined }
        p.found.Call.push(call)
        left = call
        continue
      }
      case LBRACKET:
        left = parseIndex(p, left)
        continue
      case LBRACE:
        if (!isOptionList(p)) return left
        left = parseCallOptions(p, left)
        continue
      case INC:
      case DEC: {
        const operator = SPELLING[p.kind]!
        p.next()
        left = { kind: 'Unary', start: left.start, end: p.lastEnd, operator, prefix: false, operand: left }
        continue
      }
      default:
        return left
    }
  }
}

/** `{name:` is an option list; anything else after an expression is the block that follows it. */
const isOptionList = (p: Cursor): boolean => {
  const word = p.peek(1)
  return word >= NAME && word <= LAST_WORD && p.peek(2) === COLON
}

const parseCallOptions = (p: Cursor, callee: Expression): Expression => {
  p.next()
  const names: Identifier[] = []
  const values: Expression[] = []
  parseNamedValues(p, names, values)
  return { kind: 'CallOptions', start: callee.start, end: p.lastEnd, callee, names, values }
}

/** `a: 1, b: 2}` with the closing brace. */
const parseNamedValues = (p: Cursor, names: Identifier[], values: Expression[]): void => {
  while (p.kind !== RBRACE && p.kind !== END && !p.panic) {
    names.push(p.wordIdentifier())
    p.expect(COLON)
    values.push(parseExpression(p))
    if (!p.accept(COMMA)) break
  }
  p.close(RBRACE)
}

export const parseCallArguments = (p: Cursor): CallArguments => {
  const start = p.start
  p.next()
  if (p.accept(RPAREN)) return { kind: 'CallArguments', start, end: p.lastEnd, values: NONE, names: null }
  let values: Expression[]
  let names: Identifier[] | null = null
  if (p.accept(LBRACE)) {
    names = []
    values = []
    parseNamedValues(p, names, values)
  } else values = parseList(p, parseExpression)
  p.close(RPAREN)
  return { kind: 'CallArguments', start, end: p.lastEnd, values, names }
}

/**
 * One or more, with commas between them. Nearly all lists are short, and one that is written out has room for just its
 * elements, where one that grows keeps seventeen places: an eighth of the whole tree.
 */
const parseList = <T>(p: Cursor, parseOne: (p: Cursor) => T): T[] => {
  const first = parseOne(p)
  if (p.panic || !p.accept(COMMA)) return [first]
  const second = parseOne(p)
  if (p.panic || !p.accept(COMMA)) return [first, second]
  const list = [first, second, parseOne(p)]
  while (!p.panic && p.accept(COMMA)) list.push(parseOne(p))
  return list
}

const parseIndex = (p: Cursor, object: Expression): Expression => {
  p.next()
  const from = p.kind === RBRACKET || p.kind === COLON ? null : parseExpression(p)
  if (p.kind !== COLON) {
    p.close(RBRACKET)
    return { kind: 'Index', start: object.start, end: p.lastEnd, object, index: from }
  }
  p.next()
  const to = p.kind === RBRACKET ? null : parseExpression(p)
  p.close(RBRACKET)
  return { kind: 'Slice', start: object.start, end: p.lastEnd, object, from, to }
}

const parsePrimary = (p: Cursor): Expression => {
  const kind = p.kind
  if (kind <= LAST_NAME && kind >= NAME) return p.identifier()
  switch (kind) {
    case NUMBER:
    case HEX_NUMBER:
      return parseNumber(p)
    case STRING:
      return parseString(p, 'string')
    case HEX_STRING:
      return parseString(p, 'hexString')
    case UNICODE_STRING:
      return parseString(p, 'unicodeString')
    case TRUE:
    case FALSE: {
      const start = p.start
      p.next()
      return literal('bool', start, p.lastEnd, kind === TRUE ? 'true' : 'false', null)
    }
    case LPAREN:
      return parseTuple(p)
    case LBRACKET:
      return parseArrayLiteral(p)
    case NEW: {
      const start = p.start
      p.next()
      const type = parseType(p)
      const made: NewExpression = { kind: 'NewExpression', start, end: p.lastEnd, type }
      p.found.NewExpression.push(made)
      return made
    }
    case TYPE:
      return p.wordIdentifier()
    case ADDRESS:
    case ELEMENTARY:
    case PAYABLE:
    case VAR:
      return typeExpression(elementaryType(p))
    case MAPPING:
      return typeExpression(parseMapping(p))
    case FUNCTION:
      return typeExpression(parseFunctionType(p))
    default:
      p.fail('Expected an expression')
      return { kind: 'ErrorExpression', start: p.lastEnd, end: p.lastEnd }
  }
}

const typeExpression = (type: TypeName): Expression => ({
  kind: 'TypeExpression',
  start: type.start,
  end: type.end,
  type,
})

const literal = (
  literalKind: LiteralKind,
  start: number,
  end: number,
  value: string,
  unit: string | null,
): Literal => ({ kind: 'Literal', start, end, literalKind, value, unit })

const parseNumber = (p: Cursor): Literal => {
  const start = p.start
  const literalKind = p.kind === NUMBER ? 'number' : 'hexNumber'
  const value = p.word
  p.next()
  let unit: string | null = null
  if (p.kind === UNIT) {
    unit = p.word
    p.next()
  }
  return literal(literalKind, start, p.lastEnd, value, unit)
}

/** Adjacent strings are one. */
export const parseString = (p: Cursor, literalKind: 'string' | 'hexString' | 'unicodeString'): Literal => {
  const start = p.start
  let value = ''
  while (p.kind === STRING || p.kind === HEX_STRING || p.kind === UNICODE_STRING) {
    value += decodeString(p.word)
    p.next()
  }
  return literal(literalKind, start, p.lastEnd, value, null)
}

const parseTuple = (p: Cursor): Expression => {
  const start = p.start
  p.next()
  if (p.accept(RPAREN)) return { kind: 'Tuple', start, end: p.lastEnd, elements: NONE }
  const elements = parseList(p, parseTupleElement)
  p.close(RPAREN)
  return { kind: 'Tuple', start, end: p.lastEnd, elements }
}

const parseTupleElement = (p: Cursor): Expression | null =>
  p.kind === COMMA || p.kind === RPAREN ? null : parseExpression(p)

const parseArrayLiteral = (p: Cursor): Expression => {
  const start = p.start
  p.next()
  const elements: Expression[] = []
  while (p.kind !== RBRACKET && p.kind !== END && !p.panic) {
    elements.push(parseExpression(p))
    if (!p.accept(COMMA)) break
  }
  p.close(RBRACKET)
  return { kind: 'ArrayLiteral', start, end: p.lastEnd, elements }
}

const skippedExpression = (p: Cursor, start = p.start): Expression => {
  const at = p.at
  p.skipElement()
  return p.at === at && start === p.start
    ? { kind: 'ErrorExpression', start: p.lastEnd, end: p.lastEnd }
    : { kind: 'ErrorExpression', start, end: p.lastEnd }
}

// Types

export const parseType = (p: Cursor): TypeName => {
  if (!p.enter()) {
    const skipped = skippedExpression(p)
    return { kind: 'ErrorType', start: skipped.start, end: skipped.end }
  }
  const type = parseArraySuffix(p, parseBaseType(p))
  p.depth--
  return type
}

const parseBaseType = (p: Cursor): TypeName => {
  const kind = p.kind
  if (kind === ELEMENTARY || kind === ADDRESS || kind === VAR || kind === PAYABLE) return elementaryType(p)
  if (isNameKind(kind)) return userType(p.path())
  if (kind === MAPPING) return parseMapping(p)
  if (kind === FUNCTION) return parseFunctionType(p)
  p.fail('Expected a type')
  return { kind: 'ErrorType', start: p.lastEnd, end: p.lastEnd }
}

const userType = (path: Path): TypeName => ({ kind: 'UserType', start: path.start, end: path.end, path })

const parseArraySuffix = (p: Cursor, base: TypeName): TypeName => {
  let type = base
  while (p.kind === LBRACKET) {
    p.next()
    const length = p.kind === RBRACKET ? null : parseExpression(p)
    p.close(RBRACKET)
    type = { kind: 'ArrayType', start: type.start, end: p.lastEnd, base: type, length }
  }
  return type
}

/** `payable(x)` is a conversion to `address payable`. */
const elementaryType = (p: Cursor): ElementaryType => {
  const start = p.start
  const kind = p.kind
  const name = kind === PAYABLE ? 'address' : p.word
  p.next()
  const payable = kind === PAYABLE || (kind === ADDRESS && p.accept(PAYABLE))
  return { kind: 'ElementaryType', start, end: p.lastEnd, name, payable }
}

const parseMapping = (p: Cursor): MappingType => {
  const start = p.start
  p.next()
  p.expect(LPAREN)
  const key = parseType(p)
  const keyName = p.isName ? p.identifier() : null
  p.expect(ARROW)
  const value = parseType(p)
  const valueName = p.isName ? p.identifier() : null
  p.close(RPAREN)
  return { kind: 'MappingType', start, end: p.lastEnd, key, keyName, value, valueName }
}

const parseFunctionType = (p: Cursor): FunctionType => {
  const start = p.start
  p.next()
  const params = parseParameters(p)
  let visibility: Visibility | null = null
  let mutability: Mutability = 'nonpayable'
  let returns: readonly Parameter[] = NONE
  for (;;) {
    const written = visibilityOf(p.kind)
    if (written !== null && visibility === null) visibility = written
    else {
      const mutable = mutabilityOf(p.kind)
      // A `constant` after another mutability belongs to the variable.
      if (mutable === null || (mutable === 'constant' && mutability !== 'nonpayable')) break
      mutability = mutable
    }
    p.next()
  }
  if (p.accept(RETURNS)) returns = parseParameters(p)
  const type: FunctionType = { kind: 'FunctionType', start, end: p.lastEnd, params, returns, visibility, mutability }
  p.found.FunctionType.push(type)
  return type
}

export const visibilityOf = (kind: number): Visibility | null => {
  switch (kind) {
    case PUBLIC:
      return 'public'
    case EXTERNAL:
      return 'external'
    case INTERNAL:
      return 'internal'
    case PRIVATE:
      return 'private'
    default:
      return null
  }
}

export const mutabilityOf = (kind: number): Mutability | null => {
  switch (kind) {
    case VIEW:
      return 'view'
    case PURE:
      return 'pure'
    case PAYABLE:
      return 'payable'
    case CONSTANT:
      return 'constant'
    default:
      return null
  }
}

/**
 * Reads an expression as the type that it may spell: `A.B[3]` is both until the token after it decides. Null when it
 * cannot be a type.
 */
export const toType = (p: Cursor, expression: Expression): TypeName | null => {
  const lengths: { length: Expression | null; end: number }[] = []
  let base = expression
  while (base.kind === 'Index') {
    lengths.push({ length: base.index, end: base.end })
    base = base.object
  }
  let type = base.kind === 'TypeExpression' ? base.type : toUserType(p, base)
  if (type === null) return null
  for (let i = lengths.length - 1; i >= 0; i--) {
    const { length, end } = lengths[i]!
    type = { kind: 'ArrayType', start: type.start, end, base: type, length }
  }
  return type
}

const toUserType = (p: Cursor, expression: Expression): TypeName | null => {
  if (expression.kind === 'Identifier')
    return userType({ kind: 'Path', start: expression.start, end: expression.end, names: [expression] })
  const names: Identifier[] = []
  const members: Member[] = []
  let object: Expression = expression
  while (object.kind === 'Member') {
    members.push(object)
    names.push(object.name)
    object = object.object
  }
  if (object.kind !== 'Identifier') return null
  for (const member of members) p.found.forgetMember(member)
  names.push(object)
  return userType({ kind: 'Path', start: expression.start, end: expression.end, names: names.reverse() })
}

// Parameters

export const parseParameters = (p: Cursor): readonly Parameter[] => {
  if (!p.expect(LPAREN)) return NONE
  if (p.accept(RPAREN)) return NONE
  const params = parseList(p, parseParameter)
  p.close(RPAREN)
  return params
}

const parseParameter = (p: Cursor): Parameter => finishParameter(p, parseType(p), false)

/** Location, `indexed` and name after the type. A statement's declaration needs a name, a parameter does not. */
export const finishParameter = (p: Cursor, type: TypeName, needsName: boolean): Parameter => {
  let location: DataLocation | null = null
  let indexed = false
  for (;;) {
    const kind = p.kind
    if (kind === NAME) break
    if (kind === MEMORY) location = 'memory'
    else if (kind === STORAGE) location = 'storage'
    else if (kind === CALLDATA && isLocation(p, type, needsName)) location = 'calldata'
    else if (kind === INDEXED) indexed = true
    else break
    p.next()
  }
  const name = p.isName ? p.identifier() : null
  return { kind: 'Parameter', start: type.start, end: p.lastEnd, type, location, name, indexed }
}

/** Before 0.5 `calldata` was a name like any other. */
const isLocation = (p: Cursor, type: TypeName, needsName: boolean): boolean => {
  if (isNameKind(p.peek(1))) return true
  if (needsName) return false
  return type.kind !== 'ElementaryType' || type.name === 'bytes' || type.name === 'string'
}

/** Can the token after a complete type only mean that a declaration goes on? */
export const declarationFollows = (p: Cursor): boolean => p.kind === MEMORY || p.kind === STORAGE || isNameKind(p.kind)

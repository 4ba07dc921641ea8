import type {
  Block,
  ContractDefinition,
  ContractKind,
  ContractMember,
  EnumDefinition,
  ErrorDefinition,
  EventDefinition,
  FunctionDefinition,
  FunctionKind,
  Identifier,
  ImportDirective,
  InheritanceSpecifier,
  ModifierDefinition,
  ModifierInvocation,
  Mutability,
  Override,
  Parameter,
  Path,
  PragmaDirective,
  StateVariable,
  StructDefinition,
  TopLevel,
  UserTypeDefinition,
  UsingDirective,
  Visibility,
} from './ast.ts'
import { type Cursor, isNameKind, NONE } from './cursor.ts'
import { decodeString } from './decode-string.ts'
import {
  finishParameter,
  mutabilityOf,
  parseCallArguments,
  parseExpression,
  parseParameters,
  parseType,
  visibilityOf,
} from './expressions.ts'
import { LateBody } from './late-body.ts'
import { parseBlock } from './statements.ts'
import {
  ABSTRACT,
  ANONYMOUS,
  AS,
  ASSIGN,
  AT,
  COMMA,
  CONSTANT,
  CONSTRUCTOR,
  CONTRACT,
  END,
  ENUM,
  ERROR,
  EVENT,
  FALLBACK,
  FOR,
  FROM,
  FUNCTION,
  GLOBAL,
  IMMUTABLE,
  IMPORT,
  INTERFACE,
  IS,
  LAYOUT,
  LBRACE,
  LBRACKET,
  LIBRARY,
  LPAREN,
  MAPPING,
  MODIFIER,
  MUL,
  OVERRIDE,
  PRAGMA,
  RBRACE,
  RECEIVE,
  RETURNS,
  RPAREN,
  SEMICOLON,
  STRING,
  STRUCT,
  TRANSIENT,
  TYPE,
  USING,
  VIRTUAL,
} from './tokens.ts'

export const parseTopLevelInto = (p: Cursor, members: TopLevel[]): void => {
  const before = p.at
  const member = parseTopLevel(p)
  if (member !== null) members.push(member)
  recoverInto(p, before, members, true)
}

const parseTopLevel = (p: Cursor): TopLevel | null => {
  switch (p.kind) {
    case PRAGMA:
      return parsePragma(p)
    case IMPORT:
      return parseImport(p)
    case ABSTRACT:
      if (p.peek(1) === CONTRACT) return parseContract(p)
      break
    case CONTRACT:
    case INTERFACE:
    case LIBRARY:
      return parseContract(p)
    case SEMICOLON:
      p.next()
      return null
  }
  return parseShared(p, true)
}

const parseMember = (p: Cursor): ContractMember | null => {
  switch (p.kind) {
    case MODIFIER:
      return parseModifier(p)
    case CONSTRUCTOR:
    case FALLBACK:
    case RECEIVE:
      if (p.peek(1) === LPAREN) return parseFunction(p, false)
      break
    case SEMICOLON:
      p.next()
      return null
  }
  return parseShared(p, false)
}

type SharedMember = Extract<TopLevel, ContractMember>

/** What may stand both in a contract and at file level. */
const parseShared = (p: Cursor, free: boolean): SharedMember | null => {
  switch (p.kind) {
    case FUNCTION:
      if (p.peek(1) === LPAREN && isFunctionVariable(p)) break
      return parseFunction(p, free)
    case EVENT:
      return parseEvent(p)
    case STRUCT:
      return parseStruct(p)
    case ENUM:
      return parseEnum(p)
    case USING:
      return parseUsing(p)
    case TYPE:
      return parseUserType(p)
    case ERROR:
      if (isNameKind(p.peek(1)) && p.peek(2) === LPAREN) return parseError(p)
      break
  }
  return parseStateVariable(p)
}

/** After a broken member, an error node covers everything up to the next place where one can begin. */
const recoverInto = (
  p: Cursor,
  before: number,
  members: { push(member: ErrorMemberNode): void },
  top: boolean,
): void => {
  if (!p.panic && p.at > before) return
  p.panic = false
  const start = p.start
  const from = p.at
  for (;;) {
    if (p.kind === END || (p.kind === RBRACE && !top)) break
    if (p.at > before && (startsMember(p) || p.atContract())) break
    const kind = p.kind
    if (kind === LBRACE && p.at > before) {
      p.skipBalanced()
      break
    }
    p.next()
    if (kind === SEMICOLON || kind === RBRACE) break
  }
  if (p.at > from) members.push({ kind: 'ErrorMember', start, end: p.lastEnd })
}

type ErrorMemberNode = Extract<ContractMember, { kind: 'ErrorMember' }>

const startsMember = (p: Cursor): boolean => {
  switch (p.kind) {
    case FUNCTION:
    case MODIFIER:
    case EVENT:
    case STRUCT:
    case ENUM:
    case USING:
    case PRAGMA:
    case IMPORT:
    case MAPPING:
      return true
    case CONSTRUCTOR:
    case FALLBACK:
    case RECEIVE:
      return p.peek(1) === LPAREN
    default:
      return false
  }
}

// Directives

const parsePragma = (p: Cursor): PragmaDirective => {
  const start = p.start
  p.next()
  const name = p.kind === SEMICOLON || p.kind === END ? '' : p.word
  if (name !== '') p.next()
  const from = p.lastEnd
  while (p.kind !== SEMICOLON && p.kind !== END && p.kind !== LBRACE && !startsMember(p) && !p.atContract()) p.next()
  const value = p.text.slice(from - p.base, p.lastEnd - p.base).trim()
  p.expectEnd()
  return { kind: 'PragmaDirective', start, end: p.lastEnd, name, value }
}

const parseImport = (p: Cursor): ImportDirective => {
  const start = p.start
  let unitAlias: Identifier | null = null
  let symbols: { name: Identifier; alias: Identifier | null }[] | null = null
  let path = ''
  p.next()
  if (p.kind === STRING) {
    path = takePath(p)
    if (p.accept(AS)) unitAlias = p.identifier()
  } else {
    if (p.accept(MUL)) {
      if (p.accept(AS)) unitAlias = p.identifier()
    } else if (p.accept(LBRACE)) symbols = parseSymbols(p)
    else unitAlias = p.identifier()
    if (!p.accept(FROM)) p.fail('Expected `from`')
    path = takePath(p)
  }
  p.expectEnd()
  return { kind: 'ImportDirective', start, end: p.lastEnd, path, unitAlias, symbols }
}

const takePath = (p: Cursor): string => {
  if (p.kind !== STRING) {
    p.fail('Expected a path in quotes')
    return ''
  }
  const path = decodeString(p.word)
  p.next()
  return path
}

const parseSymbols = (p: Cursor): { name: Identifier; alias: Identifier | null }[] => {
  const symbols: { name: Identifier; alias: Identifier | null }[] = []
  while (p.kind !== RBRACE && p.kind !== END && !p.panic) {
    const name = p.identifier()
    symbols.push({ name, alias: p.accept(AS) ? p.identifier() : null })
    if (!p.accept(COMMA)) break
  }
  p.close(RBRACE)
  return symbols
}

const parseUsing = (p: Cursor): UsingDirective => {
  const start = p.start
  p.next()
  const functions: { path: Path; operator: string | null }[] = []
  const braces = p.accept(LBRACE)
  if (braces) {
    while (p.kind !== RBRACE && p.kind !== END && !p.panic) {
      const path = p.path()
      functions.push({ path, operator: p.accept(AS) ? takeOperator(p) : null })
      if (!p.accept(COMMA)) break
    }
    p.close(RBRACE)
  } else functions.push({ path: p.path(), operator: null })
  if (!p.accept(FOR)) p.fail('Expected `for`')
  const type = p.accept(MUL) ? null : parseType(p)
  const global = p.accept(GLOBAL)
  p.expectEnd()
  return { kind: 'UsingDirective', start, end: p.lastEnd, functions, braces, type, global }
}

const takeOperator = (p: Cursor): string => {
  const operator = p.word
  p.next()
  return operator
}

// Contracts

const parseContract = (p: Cursor): ContractDefinition => {
  const start = p.start
  const contractKind = takeContractKind(p)
  const name = p.identifier()
  const bases: InheritanceSpecifier[] = []
  let layout: ContractDefinition['layout'] = null
  for (;;) {
    if (p.accept(IS)) {
      do bases.push(parseBase(p))
      while (!p.panic && p.accept(COMMA))
    } else if (p.kind === LAYOUT && p.peek(1) === AT) {
      p.next()
      p.next()
      layout = parseExpression(p)
    } else break
  }
  const members: ContractMember[] = []
  if (p.expect(LBRACE) || skipToBody(p)) {
    while (p.kind !== RBRACE && p.kind !== END && !startsUnit(p)) {
      const before = p.at
      const member = parseMember(p)
      if (member !== null) members.push(member)
      recoverInto(p, before, members, false)
    }
    if (!p.accept(RBRACE)) p.fail('Expected `}`')
  }
  return { kind: 'ContractDefinition', start, end: p.lastEnd, contractKind, name, bases, layout, members }
}

const takeContractKind = (p: Cursor): ContractKind => {
  const kind = p.kind
  p.next()
  if (kind === ABSTRACT) p.next()
  return kind === ABSTRACT ? 'abstract' : kind === INTERFACE ? 'interface' : kind === LIBRARY ? 'library' : 'contract'
}

/** A broken head does not cost the body, if the body follows at once. */
const skipToBody = (p: Cursor): boolean => {
  while (p.kind !== LBRACE) {
    if (p.kind === END || p.kind === SEMICOLON || p.kind === RBRACE || startsUnit(p)) return false
    p.next()
  }
  p.next()
  p.panic = false
  return true
}

const startsUnit = (p: Cursor): boolean => p.kind === PRAGMA || p.kind === IMPORT || p.atContract()

const parseBase = (p: Cursor): InheritanceSpecifier => {
  const base = p.path()
  const args = p.kind === LPAREN ? parseCallArguments(p) : null
  return { kind: 'InheritanceSpecifier', start: base.start, end: p.lastEnd, base, args }
}

// Functions and modifiers

/**
 * `function (…) …` is the unnamed function, or a state variable of function type: then its name stands last before
 * `;`, or `=` or `[` follows.
 */
const isFunctionVariable = (p: Cursor): boolean => {
  let distance = 1
  let depth = 0
  let last = END
  for (;;) {
    const kind = p.peek(distance)
    if (kind === LPAREN) depth++
    else if (kind === RPAREN) depth--
    else if (kind === SEMICOLON) return depth <= 0 && isNameKind(last)
    else if (kind === END || kind === LBRACE || kind === RBRACE) return false
    else if (depth <= 0) {
      if (kind === ASSIGN || kind === LBRACKET) return true
      if (kind === FUNCTION) return false
    }
    last = kind
    distance++
  }
}

const parseFunction = (p: Cursor, free: boolean): FunctionDefinition => {
  const start = p.start
  const keyword = p.kind
  p.next()
  const name = keyword === FUNCTION && p.kind !== LPAREN ? p.identifier() : null
  const functionKind = functionKindOf(keyword, name, free)
  const params = parseParameters(p)
  let returns: readonly Parameter[] = NONE
  let visibility: Visibility | null = null
  let mutability: Mutability = 'nonpayable'
  let virtual = false
  let override: Override | null = null
  let modifiers: ModifierInvocation[] | null = null
  for (;;) {
    const kind = p.kind
    if (kind === LBRACE || kind === SEMICOLON || p.panic) break
    const written = visibilityOf(kind)
    const mutable = written === null ? mutabilityOf(kind) : null
    if (written !== null) {
      visibility = written
      p.next()
    } else if (mutable !== null) {
      mutability = mutable
      p.next()
    } else if (kind === RETURNS) {
      p.next()
      returns = parseParameters(p)
    } else if (kind === VIRTUAL) {
      virtual = true
      p.next()
    } else if (kind === OVERRIDE) override = parseOverride(p)
    else if (isNameKind(kind)) {
      const invocation = parseInvocation(p)
      if (modifiers === null) modifiers = [invocation]
      else modifiers.push(invocation)
    } else break
  }
  const headEnd = p.lastEnd
  const { reads } = p
  const bodyStart = p.kind === LBRACE ? p.start : null
  const body = parseBody(p)
  return {
    kind: 'FunctionDefinition',
    start,
    end: p.lastEnd,
    functionKind,
    name,
    params,
    returns,
    visibility,
    mutability,
    virtual,
    override,
    modifiers: modifiers ?? NONE,
    get body() {
      reads.note(this)
      return body instanceof LateBody ? body.block : body
    },
    bodyStart,
    headEnd,
  }
}

const functionKindOf = (keyword: number, name: Identifier | null, free: boolean): FunctionKind => {
  if (keyword === CONSTRUCTOR) return 'constructor'
  if (keyword === FALLBACK) return 'fallback'
  if (keyword === RECEIVE) return 'receive'
  if (free) return 'free'
  return name === null ? 'unnamed' : 'function'
}

const parseBody = (p: Cursor): Block | LateBody | null => {
  if (p.kind === LBRACE) return p.lateBodies === null ? parseBlock(p) : passOver(p, p.lateBodies)
  if (!p.accept(SEMICOLON)) p.fail('Expected `{` or `;`')
  return null
}

/** Of a body that is read late there are the braces alone. */
const passOver = (p: Cursor, lateBodies: NonNullable<Cursor['lateBodies']>): LateBody => {
  const { start, text, base } = p
  p.next()
  p.next()
  const late = new LateBody(text, base, start, p.lastEnd)
  lateBodies.push(late)
  return late
}

const parseInvocation = (p: Cursor): ModifierInvocation => {
  const name = p.path()
  const args = p.kind === LPAREN ? parseCallArguments(p) : null
  return { kind: 'ModifierInvocation', start: name.start, end: p.lastEnd, name, args }
}

const parseOverride = (p: Cursor): Override => {
  const start = p.start
  p.next()
  const bases: Path[] = []
  if (p.accept(LPAREN)) {
    do bases.push(p.path())
    while (!p.panic && p.accept(COMMA))
    p.close(RPAREN)
  }
  return { kind: 'Override', start, end: p.lastEnd, bases }
}

const parseModifier = (p: Cursor): ModifierDefinition => {
  const start = p.start
  p.next()
  const name = p.identifier()
  const params = p.kind === LPAREN ? parseParameters(p) : NONE
  let virtual = false
  let override: Override | null = null
  for (;;) {
    if (p.accept(VIRTUAL)) virtual = true
    else if (p.kind === OVERRIDE) override = parseOverride(p)
    else break
  }
  const { reads } = p
  const bodyStart = p.kind === LBRACE ? p.start : null
  const body = parseBody(p)
  return {
    kind: 'ModifierDefinition',
    start,
    end: p.lastEnd,
    name,
    params,
    virtual,
    override,
    get body() {
      reads.note(this)
      return body instanceof LateBody ? body.block : body
    },
    bodyStart,
  }
}

// Variables and types

const parseStateVariable = (p: Cursor): StateVariable | null => {
  const start = p.start
  const before = p.at
  const type = parseType(p)
  let visibility: Visibility | null = null
  let constant = false
  let immutable = false
  let transient = false
  let override: Override | null = null
  for (;;) {
    const kind = p.kind
    const written = visibilityOf(kind)
    if (written !== null) visibility = written
    else if (kind === CONSTANT) constant = true
    else if (kind === IMMUTABLE && !namesVariable(p)) immutable = true
    else if (kind === TRANSIENT && !namesVariable(p)) transient = true
    else if (kind === OVERRIDE && !namesVariable(p)) {
      override = parseOverride(p)
      continue
    } else break
    p.next()
  }
  if (p.panic && p.at === before) return null
  const name = p.identifier()
  const value = p.accept(ASSIGN) ? parseExpression(p) : null
  p.expectEnd()
  return {
    kind: 'StateVariable',
    start: Math.min(start, type.start),
    end: p.lastEnd,
    type,
    name,
    visibility,
    constant,
    immutable,
    transient,
    override,
    value,
  }
}

/** In older versions the words of newer attributes were names. */
const namesVariable = (p: Cursor): boolean => p.peek(1) === SEMICOLON || p.peek(1) === ASSIGN

const parseStruct = (p: Cursor): StructDefinition => {
  const start = p.start
  p.next()
  const name = p.identifier()
  const fields: Parameter[] = []
  p.expect(LBRACE)
  while (p.kind !== RBRACE && p.kind !== END && !p.panic) {
    fields.push(finishParameter(p, parseType(p), true))
    p.expectEnd()
  }
  p.close(RBRACE)
  return { kind: 'StructDefinition', start, end: p.lastEnd, name, fields }
}

const parseEnum = (p: Cursor): EnumDefinition => {
  const start = p.start
  p.next()
  const name = p.identifier()
  const values: Identifier[] = []
  p.expect(LBRACE)
  while (p.kind !== RBRACE && p.kind !== END && !p.panic) {
    values.push(p.identifier())
    if (!p.accept(COMMA)) break
  }
  p.close(RBRACE)
  return { kind: 'EnumDefinition', start, end: p.lastEnd, name, values }
}

const parseUserType = (p: Cursor): UserTypeDefinition => {
  const start = p.start
  p.next()
  const name = p.identifier()
  if (!p.accept(IS)) p.fail('Expected `is`')
  const underlying = parseType(p)
  p.expectEnd()
  return { kind: 'UserTypeDefinition', start, end: p.lastEnd, name, underlying }
}

const parseError = (p: Cursor): ErrorDefinition => {
  const start = p.start
  p.next()
  const name = p.identifier()
  const params = parseParameters(p)
  p.expectEnd()
  return { kind: 'ErrorDefinition', start, end: p.lastEnd, name, params }
}

const parseEvent = (p: Cursor): EventDefinition => {
  const start = p.start
  p.next()
  const name = p.identifier()
  const params = parseParameters(p)
  const anonymous = p.accept(ANONYMOUS)
  p.expectEnd()
  return { kind: 'EventDefinition', start, end: p.lastEnd, name, params, anonymous }
}

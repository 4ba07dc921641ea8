/**
 * Patterns are Solidity with metavariables (`$X`) and ellipses (`...`), in the manner of Semgrep. They are read by the parser of
 * the scan: an expression, a statement, a function, a contract or an import.
 */
import { type Node, parse } from '../syntax/index.ts'

/** Stands for `...`: any number of arguments, parameters or statements. */
export const ellipsis = '$__ANY'
const metavariable = /^\$[A-Z][A-Z0-9_]*$/

export const isMetavariable = (name: string): boolean => metavariable.test(name)

export interface Pattern {
  readonly text: string
  readonly node: Node
  /** Whether only the head of a contract is compared. */
  readonly metavariables: ReadonlySet<string>
}

export class PatternError extends Error {}

const maxLength = 4000
const stringOrEllipsis = /"(?:\\.|[^"\\\n])*["\\\n]?|'(?:\\.|[^'\\\n])*['\\\n]?|\.\.\./g

export const parsePattern = (given: string): Pattern => {
  const text = given.trim()
  if (text === '' || text.length > maxLength) throw new PatternError(`a pattern has 1 to ${maxLength} characters`)
  const node = readNode(text)
  if (node === undefined) throw new PatternError(`this is not Solidity: ${text.split('\n')[0]}`)
  return { text, node, metavariables: new Set(text.match(/\$[A-Z][A-Z0-9_]*/g) ?? []) }
}

const readNode = (text: string): Node | undefined => {
  const code = expandEllipses(text)
  if (/^(?:abstract\s+)?(?:contract|library|interface)\b/.test(text)) return readMember(emptyBody(text))
  if (/^import\b/.test(text)) return readMember(closed(code))
  if (/^(?:function|constructor|fallback|receive|modifier)\b/.test(text)) return readInContract(code)
  return readInFunction(code)
}

const closed = (code: string): string => (/[;}]$/.test(code) ? code : `${code};`)

/** Of a contract the head alone is compared. */
const emptyBody = (text: string): string => text.replace(/\{[\s\S]*$/, '').concat(' {}')

const readMember = (code: string): Node | undefined => {
  const { unit, errors } = parse(code)
  return errors.length === 0 && unit.members.length === 1 ? unit.members[0] : undefined
}

const readInContract = (code: string): Node | undefined => {
  const contract = readMember(`contract P { ${closed(code)} }`)
  return contract?.kind === 'ContractDefinition' && contract.members.length === 1 ? contract.members[0] : undefined
}

const readInFunction = (code: string): Node | undefined => {
  const fn = readInContract(`function p() { ${closed(code)} }`)
  const statements = fn?.kind === 'FunctionDefinition' ? (fn.body?.statements ?? []) : []
  const [only, ...others] = statements
  if (only === undefined || others.length > 0) return undefined
  return only.kind === 'ExpressionStatement' && !code.endsWith(';') ? only.expression : only
}

/** `...` where a statement stands becomes a statement, elsewhere a name. */
const expandEllipses = (text: string): string =>
  text.replace(stringOrEllipsis, (match, at: number) => {
    if (match !== '...') return match
    const before = text.slice(0, at).trimEnd().at(-1)
    return before === '{' || before === ';' || before === '}' ? `${ellipsis};` : ellipsis
  })

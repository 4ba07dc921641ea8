import { type Call, type Expression, type Literal, nodesOf } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

const isText = (expression: Expression | undefined): expression is Literal =>
  expression?.kind === 'Literal' && expression.literalKind === 'string'

const isMemberOf = (callee: Expression, object: string, name: string): boolean =>
  callee.kind === 'Member' &&
  callee.name.name === name &&
  callee.object.kind === 'Identifier' &&
  callee.object.name === object

/** Type names that are short for others: a selector is made from the full ones. */
const fullTypes: Readonly<Record<string, string>> = {
  uint: 'uint256',
  int: 'int256',
  byte: 'bytes1',
  fixed: 'fixed128x18',
  ufixed: 'ufixed128x18',
}

/** Types at the top level of the parentheses; null when they do not match up. */
const splitTypes = (list: string): string[] | null => {
  if (list === '') return []
  const types = ['']
  let depth = 0
  for (const char of list) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth < 0) return null
    if (char === ',' && depth === 0) types.push('')
    else types[types.length - 1] += char
  }
  return depth === 0 ? types : null
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What is wrong with the text of a signature, in words. */
const findFault = (text: string, argumentCount: number | null): string | null => {
  const match = /^([A-Za-z_$][\w$]*)\((.*)\)$/s.exec(text)
  if (!match)
    return /\)$/.test(text)
      ? `\`${text}\` is not a function signature, so its selector matches no function: a call with it fails.`
      : `\`${text}\` lacks the closing parenthesis of a signature, so its selector matches no function: a call with it fails, and \`msg.sig\` never equals it.`
  if (/\s/.test(text))
    return `The signature of \`${match[1]}()\` contains spaces, so its selector matches no function: a call with it fails, and \`msg.sig\` never equals it.`
  const types = splitTypes(match[2] ?? '')
  if (types === null || types.includes(''))
    return 'The parameter list of this signature is malformed, so its selector matches no function and the call fails.'
  for (const type of types.flatMap((each) => each.split(/[(),]/))) {
    const full = fullTypes[type.replace(/\[\d*\]/g, '')]
    if (full)
      return `\`${match[1]}()\` is hashed with the type \`${type}\`, which a signature must write as \`${type.replace(/^[a-z]+/, full)}\`: the selector matches no such function, so the call fails or runs the fallback.`
  }
  if (argumentCount !== null && argumentCount !== types.length)
    return `\`${text}\` has ${counted(types.length, 'parameter')} but ${counted(argumentCount, 'argument')} ${argumentCount === 1 ? 'is' : 'are'} passed, so the callee ignores or misreads some of the data.`
  return null
}

/** `bytes4(keccak256("f(uint)"))` */
const selectorText = (call: Call): Literal | null => {
  if (
    call.callee.kind !== 'TypeExpression' ||
    call.callee.type.kind !== 'ElementaryType' ||
    call.callee.type.name !== 'bytes4'
  )
    return null
  const [inner] = call.args.values
  if (
    inner?.kind !== 'Call' ||
    inner.callee.kind !== 'Identifier' ||
    !['keccak256', 'sha3'].includes(inner.callee.name)
  )
    return null
  const [text] = inner.args.values
  return inner.args.values.length === 1 && isText(text) && text.value.includes('(') ? text : null
}

interface Candidate {
  readonly text: Literal
  /** What is wrong with it, in words. */
  readonly fault: string
}

/** A text from which a selector is made, when it gives another one than was meant. */
const faultyText = (call: Call): Candidate | null => {
  const { values } = call.args
  const [first] = values
  const isEncoding = isMemberOf(call.callee, 'abi', 'encodeWithSignature') && isText(first)
  const text = isEncoding ? first : selectorText(call)
  const fault = text && findFault(text.value, isEncoding ? values.length - 1 : null)
  return text && fault ? { text, fault } : null
}

export default defineDetector<Candidate>({
  id: 'call-signature-mismatch',
  swc: null,
  title: 'Malformed function signature string',
  aliases: { words: ['wrong selector', 'encodeWithSignature', 'function signature typo'] },
  severity: 'medium',
  confidence: 'high',
  description:
    'A selector is computed from a signature string. A space, a type alias such as `uint` or a wrong parameter list changes the selector, so the call hits the fallback function or reverts.',
  recommendation: 'Use `abi.encodeCall(Interface.f, (…))` or `Interface.f.selector`, which the compiler checks.',
  references: ['https://docs.soliditylang.org/en/latest/abi-spec.html#function-selector'],
  cwe: ['CWE-628'],

  *candidatesInFile({ unit }) {
    for (const call of nodesOf(unit, 'Call')) {
      const faulty = faultyText(call)
      if (faulty) yield faulty
    }
  },

  finding: ({ text, fault }) => ({ at: text, message: fault }),
})

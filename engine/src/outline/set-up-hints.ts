/**
 * How a project deploys its own contracts: the constructor arguments and the calls that `setUp()` of its tests and the functions of its deploy
 * scripts write down as constants. What is computed at run time (`makeAddr("alice")`, `address(token)`) is left open.
 */
import type { InputFile } from '../model/index.ts'
import {
  type Call,
  type ContractDefinition,
  collect,
  type Expression,
  type FunctionDefinition,
  type Literal,
  parse,
  type TypeName,
} from '../syntax/index.ts'

/** null: not a constant. */
export type HintValue = bigint | boolean | string | null

/** A deployment, or a call of a contract that was deployed. */
export interface SetUpHint {
  readonly contract: string
  /** null: its constructor. */
  readonly function: string | null
  readonly args: readonly HintValue[]
}

const units: Readonly<Record<string, bigint>> = {
  wei: 1n,
  gwei: 10n ** 9n,
  ether: 10n ** 18n,
  seconds: 1n,
  minutes: 60n,
  hours: 3_600n,
  days: 86_400n,
  weeks: 604_800n,
}

const maxHints = 200
const maxExponent = 77

const numberOf = ({ value, literalKind, unit }: Literal): bigint | null => {
  const text = value.replaceAll('_', '')
  const scale = unit === null ? 1n : units[unit]
  if (scale === undefined) return null
  if (literalKind === 'hexNumber') return text.length === 42 ? null : BigInt(text) * scale
  const [, whole = '', part = '', exponent = '0'] = /^(\d*)(?:\.(\d+))?(?:[eE](\d+))?$/.exec(text) ?? []
  if (Number(exponent) > maxExponent || part.length > maxExponent) return null
  const digits = BigInt(`${whole}${part}` || '0') * 10n ** BigInt(exponent) * scale
  return digits % 10n ** BigInt(part.length) === 0n ? digits / 10n ** BigInt(part.length) : null
}

type Constants = ReadonlyMap<string, Expression>

const compute = (operator: string, a: bigint, b: bigint): bigint | null => {
  if (operator === '+') return a + b
  if (operator === '-') return a - b
  if (operator === '*') return a * b
  if (operator === '/') return b === 0n ? null : a / b
  return operator === '**' && b >= 0n && b <= BigInt(maxExponent) ? a ** b : null
}

const constantOf = (node: Expression | null, constants: Constants, depth = 0): HintValue => {
  if (!node || depth > 8) return null
  const inner = (each: Expression | null) => constantOf(each, constants, depth + 1)
  if (node.kind === 'Literal') {
    if (node.literalKind === 'bool') return node.value === 'true'
    if (node.literalKind === 'string' || node.literalKind === 'unicodeString') return node.value
    return node.literalKind === 'hexString' ? null : numberOf(node)
  }
  if (node.kind === 'Tuple') return node.elements.length === 1 ? inner(node.elements[0] ?? null) : null
  if (node.kind === 'Identifier') return inner(constants.get(node.name) ?? null)
  if (node.kind === 'Binary') {
    const [a, b] = [inner(node.left), inner(node.right)]
    return typeof a === 'bigint' && typeof b === 'bigint' ? compute(node.operator, a, b) : null
  }
  // uint128(5)
  if (node.kind === 'Call' && node.callee.kind === 'TypeExpression' && node.args.values.length === 1)
    return inner(node.args.values[0] ?? null)
  return null
}

const isSetUp = ({ name }: FunctionDefinition): boolean =>
  /^_?(?:setUp|run|deploy\w*|fixture\w*)$/i.test(name?.name ?? '')

const nameOfType = (type: TypeName): string | undefined =>
  type.kind === 'UserType' ? type.path.names.at(-1)?.name : undefined

const calleeOf = ({ callee }: Call): Expression => (callee.kind === 'CallOptions' ? callee.callee : callee)

/** Variables that hold a contract, by their declared type; and constants. */
const declaredIn = (
  contract: ContractDefinition,
): { types: Map<string, string>; constants: Map<string, Expression> } => {
  const types = new Map<string, string>()
  const constants = new Map<string, Expression>()
  const note = (name: string | undefined, type: TypeName, value: Expression | null) => {
    const contractName = nameOfType(type)
    if (name && contractName) types.set(name, contractName)
    if (name && value && !contractName) constants.set(name, value)
  }
  for (const { name, type, value } of collect(contract, 'StateVariable')) note(name.name, type, value)
  for (const { declarations, value } of collect(contract, 'VariableStatement')) {
    const [only, ...others] = declarations
    if (only && others.length === 0) note(only.name?.name, only.type, value)
  }
  return { types, constants }
}

const hintOf = (call: Call, types: ReadonlyMap<string, string>, constants: Constants): SetUpHint | undefined => {
  const callee = calleeOf(call)
  const args = call.args.names ? [] : call.args.values.map((each) => constantOf(each, constants))
  const isKnown = args.some((value) => value !== null)
  if (!isKnown) return undefined
  if (callee.kind === 'NewExpression') {
    const contract = nameOfType(callee.type)
    return contract ? { contract, function: null, args } : undefined
  }
  if (callee.kind !== 'Member' || callee.object.kind !== 'Identifier') return undefined
  const contract = types.get(callee.object.name)
  return contract ? { contract, function: callee.name.name, args } : undefined
}

/** In the order in which they are written, each once. */
export const setUpHints = (files: readonly InputFile[]): SetUpHint[] => {
  const found = new Map<string, SetUpHint>()
  for (const { text } of files) {
    for (const contract of collect(parse(text).unit, 'ContractDefinition')) {
      const { types, constants } = declaredIn(contract)
      const bodies = collect(contract, 'FunctionDefinition').filter(isSetUp)
      for (const call of bodies.flatMap((body) => collect(body, 'Call'))) {
        const hint = hintOf(call, types, constants)
        if (hint && found.size < maxHints) found.set(`${hint.contract}.${hint.function}(${hint.args.join()})`, hint)
      }
    }
  }
  return [...found.values()]
}

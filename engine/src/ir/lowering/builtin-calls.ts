/** What the language itself offers as a function. */
import type { CallTarget } from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import type { Op } from '../ir.ts'
import { grow, shrink } from './assignments.ts'
import type { Builder } from './builder.ts'
import { resultCount, results } from './external-calls.ts'
import { expr, exprs, isTypeName, plainValue, scalar } from './operands.ts'

/** Builtins that only compute: their name says everything. */
const plainBuiltins = new Set([
  'keccak256',
  'sha3',
  'sha256',
  'ripemd160',
  'ecrecover',
  'blockhash',
  'blobhash',
  'addmod',
  'mulmod',
  'gasleft',
])

export const isPlainBuiltin = (name: string): boolean => plainBuiltins.has(name)

/** Old names as the new ones. */
export const canonicalBuiltin = (name: string): string => {
  if (name === 'suicide') return 'selfdestruct'
  if (name === 'sha3') return 'keccak256'
  if (name === 'block.blockhash') return 'blockhash'
  return name
}

const abiFunctions = new Map(
  ['encode', 'encodePacked', 'encodeWithSelector', 'encodeWithSignature', 'encodeCall'].map((name) => [
    name,
    `abi.${name}`,
  ]),
)

/** The full name of a member of `abi`; those that exist are made once. */
export const abiFunction = (name: string): string => abiFunctions.get(name) ?? `abi.${name}`

/** `abi.encodeCall(f, (a, b))`: each of what is encoded, as in the other forms. */
export const encodedValues = (name: string, args: readonly ast.Expression[]): readonly ast.Expression[] =>
  name !== 'abi.encodeCall'
    ? args
    : args.flatMap((arg) => (arg.kind === 'Tuple' ? arg.elements.filter((element) => element !== null) : [arg]))

export const builtin = (to: Builder, e: ast.Call, target: CallTarget): Op => {
  const name = target.builtin ?? ''
  switch (name) {
    case 'require':
    case 'assert': {
      const condition = target.args[0] ?? e.args.values[0]
      if (condition !== undefined) require(to, condition, e, name)
      return to.nothing(e)
    }
    case 'revert':
      to.revert(e, exprs(to, target.args))
      return to.nothing(e)
    case 'push':
      return target.receiver === null ? to.unknown('receiver', e) : grow(to, e, target.receiver, target.args[0])
    case 'pop':
      return target.receiver === null ? to.unknown('receiver', e) : shrink(to, e, target.receiver)
    case 'wrap':
    case 'unwrap':
      // Another type for the same value.
      return target.args[0] === undefined ? to.unknown(name, e) : plainValue(to, target.args[0])
    default:
      return computed(to, e, target, canonicalBuiltin(name))
  }
}

const computed = (to: Builder, e: ast.Call, target: CallTarget, name: string): Op => {
  const args: Op[] = []
  if (target.receiver !== null && !isTypeName(to.model, target.receiver)) args.push(scalar(expr(to, target.receiver)))
  for (const arg of encodedValues(name, target.args)) args.push(plainValue(to, arg))
  const op = to.emit('builtin', e, name, args)
  if (name === 'selfdestruct') to.leave()
  return name === 'abi.decode' ? results(to, op, resultCount(target), e) : op
}

/** `a && b` must both hold, one after the other; `a || b` stays one condition. A revert leaves no trace: no new block. */
export const require = (to: Builder, condition: ast.Expression, node: ast.Span, name: string): void => {
  let rest = condition
  let later: ast.Expression[] | null = null
  for (;;) {
    if (rest.kind === 'Tuple' && rest.elements.length === 1 && rest.elements[0]) rest = rest.elements[0]
    else if (rest.kind === 'Binary' && rest.operator === '&&') {
      if (later === null) later = [rest.right]
      else later.push(rest.right)
      rest = rest.left
    } else break
  }
  assume(to, rest, node, name)
  if (later !== null) for (let i = later.length - 1; i >= 0; i--) assume(to, later[i]!, node, name)
}

const assume = (to: Builder, condition: ast.Expression, node: ast.Span, name: string): void => {
  to.emit('assume', node, name, [scalar(expr(to, condition))])
}

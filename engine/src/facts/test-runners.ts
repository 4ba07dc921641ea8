/** What only a test runner answers: on a chain there is no code at its addresses, and nobody can put any there. */
import { type CallOp, type Flow, type Op, stripCasts } from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import type { Expression } from '../syntax/index.ts'

/** Where tests write to be read: the words `console.log` as an address. */
const log = 0x636f6e736f6c652e6c6f67n
/** Where tests change the clock, the sender and the storage of others: the end of a hash of these words. */
const cheats = 0x7109709ecfa91a80626ff3989d68f67f5b1dd12dn
const hashedForCheats = 'hevm cheat code'

/** The address is written into the code, as a number or as the hash that it is the end of. */
export const isTestRunner = (address: Op): boolean => {
  const { kind, constant, decl } = stripCasts(address)
  if (kind !== 'const') return false
  if (constant !== null) return constant === log || constant === cheats
  return decl?.kind === 'variable' && isHashForCheats(decl.value, decl, 0)
}

const mostNames = 4

const isHashForCheats = (value: Expression | null, named: VariableModel, depth: number): boolean => {
  let at = value
  while (at?.kind === 'Call' && at.args.values.length === 1) {
    const [operand] = at.args.values
    if (at.callee.kind === 'Identifier' && at.callee.name === 'keccak256')
      return operand?.kind === 'Literal' && operand.value === hashedForCheats
    at = operand ?? null
  }
  if (at?.kind !== 'Identifier' || depth === mostNames) return false
  const { name } = at
  const other = named.contract?.allStateVariables.find((variable) => variable.name === name)
  return other?.isConstant === true && isHashForCheats(other.value, other, depth + 1)
}

/** Calls of a test runner that must come back: where there is no code, the language reverts. */
export const runnerCallsOf = (flow: Flow): readonly CallOp[] => flow.answer(findRunnerCalls)

const findRunnerCalls = (flow: Flow): readonly CallOp[] =>
  flow
    .externalCalls()
    .filter(
      ({ call: { kind, target, isTried } }) =>
        kind === 'external' && !isTried && target !== null && isTestRunner(target),
    )

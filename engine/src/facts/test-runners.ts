/** What only a test runner answers: on a chain there is no code at its addresses, and nobody can put any there. */
import { type CallOp, type Flow, type Op, stripCasts } from '../ir/index.ts'
import type { ContractModel, Model, VariableModel } from '../model/index.ts'
import { collect, type Expression } from '../syntax/index.ts'

/** Where tests write to be read: the words `console.log` as an address. */
const log = 0x636f6e736f6c652e6c6f67n
/** Where tests change the clock, the sender and the storage of others: the end of a hash of these words. */
const cheats = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12d'
const hashedForCheats = 'hevm cheat code'

/** The address is written into the code, as a number or as the hash that it is the end of. */
export const isTestRunner = (address: Op): boolean => {
  const { kind, constant, decl } = stripCasts(address)
  if (kind !== 'const') return false
  if (constant !== null) return constant === log || constant === BigInt(cheats)
  return decl?.kind === 'variable' && namesCheats(decl.value, decl, 0)
}

/** Made to be run by a test runner: its own code names the address that changes the clock and the sender. A base that only offers the address makes no test. */
export const isForTestRunner = (model: Model, { node, allStateVariables }: ContractModel): boolean => {
  const cheating = allStateVariables.filter(
    (variable) => variable.isConstant && namesCheats(variable.value, variable, 0),
  )
  if (cheating.length === 0) return false
  return collect(node, 'Identifier').some((name) => cheating.some((variable) => model.declarationOf(name) === variable))
}

const mostNames = 4

const namesCheats = (value: Expression | null, named: VariableModel, depth: number): boolean => {
  let at = value
  while (at?.kind === 'Call' && at.args.values.length === 1) {
    const [operand] = at.args.values
    if (at.callee.kind === 'Identifier' && at.callee.name === 'keccak256')
      return operand?.kind === 'Literal' && operand.value === hashedForCheats
    at = operand ?? null
  }
  if (at?.kind === 'Literal') return at.value.toLowerCase() === cheats
  if (at?.kind !== 'Identifier' || depth === mostNames) return false
  const { name } = at
  const other = named.contract?.allStateVariables.find((variable) => variable.name === name)
  return other?.isConstant === true && namesCheats(other.value, other, depth + 1)
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

import type { ContractModel, Model, SourceFile, VariableModel } from '../../model/index.ts'
import type { Identifier, Span } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** A name that no longer means what it meant before it was declared again. */
interface Candidate {
  readonly at: Span
  readonly message: string
  /** A parameter or a variable of a function. */
  readonly isLocal?: true
  readonly name: string
  readonly file: SourceFile
  readonly contract: ContractModel | undefined
  /** The state variable that had the name; null where the language has it. */
  readonly hidden: VariableModel | null
  /** What is said of that variable. */
  readonly step: string
}

const builtins = new Set([
  ...['msg', 'block', 'tx', 'abi', 'require', 'assert', 'revert', 'keccak256', 'sha256', 'ripemd160', 'ecrecover'],
  ...['addmod', 'mulmod', 'selfdestruct', 'blockhash', 'gasleft', 'now'],
])

/** State variables of that name among the contract and its bases, nearest first. */
const stateNamed = (name: string, linearization: readonly ContractModel[]): VariableModel[] =>
  linearization.flatMap(({ stateVariables }) => stateVariables.filter((variable) => variable.name === name))

function* redeclaredState(contract: ContractModel): Iterable<Candidate> {
  const bases = contract.linearization.slice(1)
  if (bases.length === 0) return
  for (const { node, name, file } of contract.stateVariables)
    for (const hidden of stateNamed(name, bases)) {
      const message = `\`${name}\` shadows the variable that \`${hidden.contract!.name}\` declares and uses: functions of the base read that one, functions here the other, and a value set in one is not seen in the other.`
      yield { at: node, message, name, file, contract, hidden, step: 'The shadowed variable is declared here.' }
    }
}

function* redeclaredBuiltin(
  name: Identifier | null,
  file: SourceFile,
  contract: ContractModel | undefined,
  word: 'Function' | 'Variable',
): Iterable<Candidate> {
  if (name === null || !builtins.has(name.name)) return
  const message = `${word} \`${name.name}\` shadows the Solidity builtin of that name, so \`${name.name}\` means this ${word.toLowerCase()} here.`
  yield { at: name, message, name: name.name, file, contract, hidden: null, step: '' }
}

function* hiddenInFunction(model: Model, { node, name, file, role }: VariableModel): Iterable<Candidate> {
  if (node.kind !== 'Parameter') return
  const contract = model.contractAt(node.start)
  yield* redeclaredBuiltin(node.name, file, contract, 'Variable')
  const fn = model.functionAt(node.start)?.name
  const message = `${fn ? `In \`${fn}()\`` : 'In the constructor'}, the ${role === 'parameter' ? 'parameter' : 'local variable'} \`${name}\` shadows the state variable of that name, so reads and writes of \`${name}\` there never reach storage.`
  for (const hidden of stateNamed(name, contract?.linearization ?? []))
    yield {
      at: node,
      message,
      name,
      file,
      contract,
      hidden,
      isLocal: true,
      step: 'The state variable is declared here.',
    }
}

export default defineDetector<Candidate>({
  id: 'shadowed-state-variable',
  swc: 'SWC-119',
  title: 'Shadowed state variable',
  aliases: {
    slither: ['shadowing-state', 'shadowing-abstract', 'shadowing-builtin', 'shadowing-local'],
    aderyn: ['state-variable-shadowing', 'local-variable-shadowing', 'builtin-symbol-shadowing'],
    scwe: ['SCWE-069', 'SCWE-010'],
    words: ['shadowing', 'duplicate variable'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    'A variable has the name of a visible state variable. In a derived contract this creates a second variable while inherited functions keep using the first; in a function it hides the state. A redeclared builtin (`assert`, `now`) no longer does what readers expect.',
  recommendation: 'Rename the variable, or remove it and use the inherited one.',
  references: ['https://swcregistry.io/docs/SWC-119'],
  cwe: ['CWE-710'],

  *candidatesInFile(file, model) {
    for (const contract of file.contracts) {
      yield* redeclaredState(contract)
      for (const { node } of contract.stateVariables)
        yield* redeclaredBuiltin(node.name, contract.file, contract, 'Variable')
      for (const { node } of contract.functions)
        yield* redeclaredBuiltin(node.name, contract.file, contract, 'Function')
    }
    for (const variable of model.hidingVariables(file)) yield* hiddenInFunction(model, variable)
  },
  excuses: [
    excuse(
      'private',
      'the other variable is private to its contract',
      ({ hidden, contract }) => hidden?.visibility === 'private' && hidden.contract !== contract,
    ),
    excuse(
      'free-again',
      '`now` is an ordinary name since 0.7',
      ({ name, file, hidden }) => hidden === null && name === 'now' && file.versions.isAtLeast(7),
    ),
  ],
  finding: ({ at, message, name, hidden, isLocal = false, step }) => ({
    at,
    message,
    ...(hidden === null
      ? { title: 'Shadowed builtin', recommendation: 'Rename it, or remove it and use the builtin.' }
      : {}),
    ...(isLocal ? { recommendation: `Rename it, for example \`${name}_\`.` } : {}),
    ...(hidden === null || hidden.contract?.isStub ? {} : { trace: [{ at: hidden.node, message: step }] }),
  }),
})

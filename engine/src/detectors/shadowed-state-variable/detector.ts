import type { ContractModel, Model, SourceFile, VariableModel } from '../../model/index.ts'
import type { Identifier, Parameter, Span } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

// Names of state variables

/** The state variable that a name in the contract's functions would mean. */
const visibleState = (contract: ContractModel, name: string): VariableModel | undefined => {
  for (const base of contract.linearization)
    for (const variable of base.stateVariables)
      if (variable.name === name && (base === contract || variable.visibility !== 'private')) return variable
  return undefined
}

const findRedeclared = (contract: ContractModel, hits: Hit[]): void => {
  for (const variable of contract.stateVariables)
    for (const base of contract.linearization) {
      if (base === contract) continue
      const hidden = base.stateVariables.find(
        ({ name, visibility }) => name === variable.name && visibility !== 'private',
      )
      if (hidden === undefined) continue
      hits.push({
        at: variable.node,
        message: `\`${variable.name}\` is a second variable besides the one that \`${base.name}\` declares and uses.`,
        ...(base.isStub ? {} : { trace: [{ at: hidden.node, message: 'The shadowed variable is declared here.' }] }),
      })
      break
    }
}

const hiding = (declared: Parameter, hidden: VariableModel): Hit => ({
  at: declared,
  message: `Inside this function \`${hidden.name}\` no longer means the state variable of that name.`,
  ...(hidden.contract?.isStub ? {} : { trace: [{ at: hidden.node, message: 'The state variable.' }] }),
})

// Names of the language

const builtins = new Set([
  ...['msg', 'block', 'tx', 'abi', 'require', 'assert', 'revert', 'keccak256', 'sha256', 'ripemd160', 'ecrecover'],
  ...['addmod', 'mulmod', 'selfdestruct', 'blockhash', 'gasleft', 'now'],
])

interface Named extends Span {
  readonly name: Identifier | null
}

const checkBuiltin = (declared: Named, versions: SourceFile['versions'], hits: Hit[]): void => {
  const { name } = declared
  if (name === null || !builtins.has(name.name)) return
  // A plain name again since 0.7.
  if (name.name === 'now' && versions.isAtLeast(7)) return
  hits.push({
    at: name,
    message: `From here on \`${name.name}\` no longer means what the language calls by that name.`,
  })
}

const findRedefined = (contract: ContractModel, hits: Hit[]): void => {
  const { versions } = contract.file
  for (const { node } of contract.stateVariables) checkBuiltin(node, versions, hits)
  for (const { node } of contract.functions) if (node.body !== null) checkBuiltin(node, versions, hits)
}

// Both, inside a function

const checkVariable = (model: Model, { node, name, file }: VariableModel, hits: Hit[]): void => {
  if (node.kind !== 'Parameter') return
  checkBuiltin(node, file.versions, hits)
  const contract = model.contractAt(node.start)
  const hidden = contract && visibleState(contract, name)
  if (hidden !== undefined) hits.push(hiding(node, hidden))
}

export default defineDetector({
  id: 'shadowed-state-variable',
  swc: 'SWC-119',
  title: 'Shadowed state variable',
  severity: 'low',
  confidence: 'high',
  description:
    'A variable has the name of a state variable that is visible there. In a derived contract this makes a second variable, and inherited functions keep using the first; in a function it hides the state. A name of the language (`assert`, `now`) that is declared anew no longer means what readers expect.',
  recommendation: 'Give the variable another name, or use the inherited one.',
  references: ['https://swcregistry.io/docs/SWC-119'],
  cwe: ['CWE-710'],

  run({ model, part }) {
    const hits: Hit[] = []
    for (const contract of part.contracts) {
      if (contract.node.bases.length > 0) findRedeclared(contract, hits)
      if (contract.contractKind !== 'interface') findRedefined(contract, hits)
    }
    for (const file of part.files)
      for (const variable of model.hidingVariables(file)) checkVariable(model, variable, hits)
    return hits
  },
})

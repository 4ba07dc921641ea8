import type { ContractModel, Model, SourceFile, VariableModel } from '../model/index.ts'
import { type Identifier, nodesOf, type Parameter, type SourceUnit, type Span } from '../syntax/index.ts'
import { defineDetector, type Hit } from './detector.ts'

// Names of state variables

/** The names of all state variables: told by it alone, most names hide nothing anywhere. */
const stateNames = ({ contracts }: Model): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const contract of contracts) {
    for (const { name } of contract.stateVariables) names.add(name)
    if (contract.bases.length > 0)
      for (const base of contract.linearization)
        if (base.isStub) for (const { name } of base.stateVariables) names.add(name)
  }
  return names
}

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

const checkHiding = (declared: Parameter, contract: ContractModel | undefined, hits: Hit[]): void => {
  const hidden = contract && visibleState(contract, declared.name!.name)
  if (hidden !== undefined) hits.push(hiding(declared, hidden))
}

const findHidingParameters = ({ functions }: ContractModel, names: ReadonlySet<string>, hits: Hit[]): void => {
  for (const { node, contract } of functions) {
    if (node.body === null) continue
    for (const declared of node.params)
      if (declared.name !== null && names.has(declared.name.name)) checkHiding(declared, contract!, hits)
    for (const declared of node.returns)
      if (declared.name !== null && names.has(declared.name.name)) checkHiding(declared, contract!, hits)
  }
}

const findHidingLocals = (model: Model, unit: SourceUnit, names: ReadonlySet<string>, hits: Hit[]): void => {
  for (const { declarations, start } of nodesOf(unit, 'VariableStatement'))
    for (const declared of declarations)
      if (declared !== null && declared.name !== null && names.has(declared.name.name))
        checkHiding(declared, model.contractAt(start), hits)
}

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
  for (const { node } of contract.functions) {
    if (node.body === null) continue
    checkBuiltin(node, versions, hits)
    for (const declared of node.params) checkBuiltin(declared, versions, hits)
    for (const declared of node.returns) checkBuiltin(declared, versions, hits)
  }
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

  run({ model }) {
    const hits: Hit[] = []
    const { contracts, files } = model
    const names = stateNames(model)
    for (const contract of contracts) {
      if (contract.bases.length > 0) findRedeclared(contract, hits)
      if (names.size > 0) findHidingParameters(contract, names, hits)
    }
    for (const contract of contracts) if (contract.contractKind !== 'interface') findRedefined(contract, hits)
    for (const { unit, versions } of files)
      for (const { declarations } of nodesOf(unit, 'VariableStatement'))
        for (const declared of declarations) if (declared !== null) checkBuiltin(declared, versions, hits)
    if (names.size > 0) for (const { unit } of files) findHidingLocals(model, unit, names, hits)
    return hits
  },
})

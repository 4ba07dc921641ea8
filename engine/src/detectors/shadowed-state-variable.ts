import type { ContractModel, FunctionModel, Model, SourceFile, VariableModel } from '../model/index.ts'
import { type Identifier, nodesOf, type Parameter, type Span } from '../syntax/index.ts'
import { defineDetector, type Hit } from './detector.ts'

/** State variables that a name in the contract's functions would mean, nearest first. */
const visibleState = (contract: ContractModel): Map<string, VariableModel> => {
  const visible = new Map<string, VariableModel>()
  for (const base of contract.linearization)
    for (const variable of base.stateVariables)
      if (!visible.has(variable.name) && (base === contract || variable.visibility !== 'private'))
        visible.set(variable.name, variable)
  return visible
}

function* redeclared(contract: ContractModel): Generator<Hit> {
  for (const variable of contract.stateVariables)
    for (const base of contract.linearization.slice(1)) {
      const hidden = base.stateVariables.find(
        ({ name, visibility }) => name === variable.name && visibility !== 'private',
      )
      if (hidden === undefined) continue
      yield {
        at: variable.node,
        message: `\`${variable.name}\` is a second variable besides the one that \`${base.name}\` declares and uses.`,
        ...(base.isStub ? {} : { trace: [{ at: hidden.node, message: 'The shadowed variable is declared here.' }] }),
      }
      break
    }
}

const hiding = (declared: Parameter, hidden: VariableModel): Hit => ({
  at: declared,
  message: `Inside this function \`${hidden.name}\` no longer means the state variable of that name.`,
  ...(hidden.contract?.isStub ? {} : { trace: [{ at: hidden.node, message: 'The state variable.' }] }),
})

function* parameters(fn: FunctionModel, visible: ReadonlyMap<string, VariableModel>): Generator<Hit> {
  if (fn.node.body === null) return
  for (const list of [fn.node.params, fn.node.returns])
    for (const declared of list) {
      const hidden = declared.name === null ? undefined : visible.get(declared.name.name)
      if (hidden !== undefined) yield hiding(declared, hidden)
    }
}

function* locals(
  model: Model,
  visibleIn: (contract: ContractModel) => ReadonlyMap<string, VariableModel>,
): Generator<Hit> {
  for (const { unit } of model.files)
    for (const { declarations, start } of nodesOf(unit, 'VariableStatement')) {
      const contract = model.contractAt(start)
      if (contract === undefined) continue
      const visible = visibleIn(contract)
      for (const declared of declarations) {
        const hidden = declared?.name ? visible.get(declared.name.name) : undefined
        if (declared && hidden !== undefined) yield hiding(declared, hidden)
      }
    }
}

// Names of the language

const builtins = new Set([
  ...['msg', 'block', 'tx', 'abi', 'require', 'assert', 'revert', 'keccak256', 'sha256', 'ripemd160', 'ecrecover'],
  ...['addmod', 'mulmod', 'selfdestruct', 'blockhash', 'gasleft'],
])

const hidesBuiltin = (declared: { readonly name: Identifier | null }, versions: SourceFile['versions']): boolean => {
  const name = declared.name?.name ?? ''
  // A plain name again since 0.7.
  return builtins.has(name) || (name === 'now' && !versions.isAtLeast(7))
}

const hidingBuiltin = (declared: Span & { readonly name: Identifier | null }): Hit => ({
  at: declared.name ?? declared,
  message: `From here on \`${declared.name?.name}\` no longer means what the language calls by that name.`,
})

function* redefinedBuiltins(model: Model): Generator<Hit> {
  for (const { contractKind, functions, stateVariables, file } of model.contracts) {
    if (contractKind === 'interface') continue
    for (const { node } of stateVariables) if (hidesBuiltin(node, file.versions)) yield hidingBuiltin(node)
    for (const { node } of functions) {
      if (node.body === null) continue
      if (hidesBuiltin(node, file.versions)) yield hidingBuiltin(node)
      for (const declared of [...node.params, ...node.returns])
        if (hidesBuiltin(declared, file.versions)) yield hidingBuiltin(declared)
    }
  }
  for (const { unit, versions } of model.files)
    for (const { declarations } of nodesOf(unit, 'VariableStatement'))
      for (const declared of declarations)
        if (declared !== null && hidesBuiltin(declared, versions)) yield hidingBuiltin(declared)
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

  *run({ model }) {
    const known = new Map<ContractModel, ReadonlyMap<string, VariableModel>>()
    for (const contract of model.contracts) {
      if (contract.linearization.length > 1) yield* redeclared(contract)
      const visible = visibleState(contract)
      known.set(contract, visible)
      if (visible.size > 0) for (const fn of contract.functions) yield* parameters(fn, visible)
    }
    yield* redefinedBuiltins(model)
    yield* locals(model, (contract) => known.get(contract) ?? visibleState(contract))
  },
})

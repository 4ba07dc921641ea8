import type { ContractModel, Declaration, FunctionModel, Model, VariableModel } from '../model/index.ts'
import { type Identifier, nodesOf } from '../syntax/index.ts'
import { defineDetector, type Hit } from './detector.ts'

type Candidates = Map<string, Set<VariableModel>>

const addTo = (candidates: Candidates, variable: VariableModel | undefined | null): void => {
  if (!variable || variable.name === '') return
  const known = candidates.get(variable.name)
  if (known === undefined) candidates.set(variable.name, new Set([variable]))
  else known.add(variable)
}

/** Contracts above and below: a function that one of them shares must keep its parameters. */
const relatives = (model: Model, contract: ContractModel): ContractModel[] =>
  model.contracts.filter(
    (other) => other !== contract && (contract.linearization.includes(other) || other.linearization.includes(contract)),
  )

const isFree = (fn: FunctionModel, related: readonly ContractModel[]): boolean => {
  const { body, override, virtual } = fn.node
  if (body === null || body.statements.length === 0 || override !== null || virtual) return false
  const inherited = fn.contract?.linearization.slice(1) ?? []
  return ![...related, ...inherited].some(({ functions }) =>
    functions.some(({ signature }) => signature === fn.signature),
  )
}

/** A private variable is used here or nowhere; an internal one may wait for a contract that is not among the files. */
const isClosed = ({ visibility, type, isTransient }: VariableModel, { contractKind }: ContractModel): boolean => {
  // A fixed array that nothing names reserves storage for later versions.
  if (type.kind === 'array' && type.length !== null) return false
  if (isTransient) return false
  return visibility === 'private' || (visibility === 'internal' && contractKind === 'contract')
}

const collectCandidates = (model: Model): Candidates => {
  const candidates: Candidates = new Map()
  for (const contract of model.contracts) {
    for (const variable of contract.stateVariables) if (isClosed(variable, contract)) addTo(candidates, variable)
    if (contract.contractKind === 'interface') continue
    const related = relatives(model, contract)
    if (!contract.hasUnresolvedBase)
      for (const fn of contract.functions)
        if (fn.role === 'function' && isFree(fn, related)) for (const param of fn.params) addTo(candidates, param)
  }
  for (const { unit } of model.files)
    for (const statement of nodesOf(unit, 'VariableStatement'))
      for (const variable of model.variablesOf(statement)) addTo(candidates, variable)
  return candidates
}

const strike = (candidates: Candidates, meant: Declaration | readonly Declaration[] | undefined): void => {
  if (meant === undefined) return
  for (const declaration of Array.isArray(meant) ? (meant as readonly Declaration[]) : [meant as Declaration]) {
    if (declaration.kind !== 'variable') continue
    const named = candidates.get(declaration.name)
    if (named?.delete(declaration) && named.size === 0) candidates.delete(declaration.name)
  }
}

/** Whatever any name means is used; only names that some candidate has are looked up. */
const strikeUsed = (model: Model, candidates: Candidates): void => {
  for (const { unit } of model.files) {
    const declared = new Set<Identifier | null>()
    for (const { name } of nodesOf(unit, 'Parameter')) declared.add(name)
    for (const { name } of nodesOf(unit, 'StateVariable')) declared.add(name)
    for (const identifier of nodesOf(unit, 'Identifier'))
      if (candidates.has(identifier.name) && !declared.has(identifier)) strike(candidates, model.resolve(identifier))
    for (const member of nodesOf(unit, 'Member'))
      if (candidates.has(member.name.name)) strike(candidates, model.memberOf(member))
    for (const path of nodesOf(unit, 'YulPath')) {
      strike(candidates, model.resolve(path))
      // `x_slot` before 0.7.
      const old = /^(.+)_(?:slot|offset)$/.exec(path.names[0]!.name)?.[1]
      if (old !== undefined) candidates.delete(old)
    }
  }
}

const words: Partial<Record<VariableModel['role'], string>> = {
  state: 'State variable',
  parameter: 'Parameter',
  local: 'Variable',
}

export default defineDetector({
  id: 'unused-variable',
  swc: 'SWC-131',
  title: 'Unused variable',
  severity: 'info',
  confidence: 'medium',
  description:
    'A variable is declared and never used. It costs gas, confuses readers, and may stand where a check was forgotten.',
  recommendation: 'Remove it, leave the parameter without a name, or use it as intended.',
  references: ['https://swcregistry.io/docs/SWC-131'],
  cwe: ['CWE-1164'],

  *run({ model }) {
    const candidates = collectCandidates(model)
    strikeUsed(model, candidates)
    const hits: Hit[] = []
    for (const named of candidates.values())
      for (const { role, name, node } of named)
        hits.push({ at: node, message: `${words[role] ?? 'Variable'} \`${name}\` is never used.` })
    yield* hits.sort((a, b) => a.at.start - b.at.start)
  },
})

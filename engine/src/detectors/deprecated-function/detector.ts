import type { Builtin, ContractModel, FunctionModel, Model, ModifierModel, SourceFile } from '../../model/index.ts'
import {
  type Call,
  type Expression,
  type Identifier,
  type Member,
  nodesOf,
  type SourceUnit,
  type Span,
} from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** Builtins that later compilers renamed or removed, and what replaces them. */
const oldNames: Readonly<Record<string, string>> = { suicide: 'selfdestruct', sha3: 'keccak256' }
const oldMembers: Readonly<Record<string, string>> = {
  'block.blockhash': 'blockhash()',
  'msg.gas': 'gasleft()',
}

const isBuiltin = (declaration: unknown): declaration is Builtin =>
  typeof declaration === 'object' && declaration !== null && (declaration as Builtin).kind === 'builtin'

const replacement = (old: string, instead: string): string => `\`${old}\` is deprecated; use \`${instead}\`.`

/** Gas and value, each once, in either style: more cannot stand between `callcode` and its arguments. */
const mostOptions = 4

/** `x.callcode(…)`, also with options of either style. */
const isCallcode = (callee: Expression): boolean => {
  let inner = callee
  for (let options = 0; options <= mostOptions; options++) {
    if (inner.kind === 'Member') return inner.name.name === 'callcode'
    if (inner.kind === 'CallOptions') inner = inner.callee
    else if (inner.kind === 'Call' && inner.callee.kind === 'Member') inner = inner.callee.object
    else return false
  }
  return false
}

/** A name counts only when it means the builtin, not when the contract declares something of that name. */
const checkCall = (model: Model, call: Call, hits: Hit[]): void => {
  const { callee } = call
  if (callee.kind === 'Identifier') {
    const instead = Object.hasOwn(oldNames, callee.name) ? oldNames[callee.name] : undefined
    if (instead !== undefined && isBuiltin(model.declarationOf(callee)))
      hits.push({ at: call, message: replacement(callee.name, instead) })
    return
  }
  if (!isCallcode(callee)) return
  const target = model.callTarget(call)
  if (target.builtin === 'callcode' && target.kind === 'low-level' && !target.isOption)
    hits.push({ at: call, message: replacement('callcode', 'delegatecall') })
}

const checkMember = (model: Model, member: Member, hits: Hit[]): void => {
  if (member.object.kind !== 'Identifier' || (member.name.name !== 'blockhash' && member.name.name !== 'gas')) return
  const name = `${member.object.name}.${member.name.name}`
  const instead = Object.hasOwn(oldMembers, name) ? oldMembers[name] : undefined
  if (instead !== undefined && isBuiltin(model.declarationOf(member.object)))
    hits.push({ at: member, message: replacement(name, instead) })
}

const namesNow = (unit: SourceUnit): readonly Identifier[] =>
  unit.found?.now ?? nodesOf(unit, 'Identifier').filter(({ name }) => name === 'now')

/** Once in each function, which is changed in one go. */
const addOncePerFunction = (model: Model, places: readonly Span[], message: string, hits: Hit[]): void => {
  if (places.length === 0) return
  const seen = new Set<FunctionModel | ModifierModel | Span>()
  for (const at of places) {
    const within = model.functionAt(at.start) ?? model.modifierAt(at.start) ?? at
    if (seen.has(within)) continue
    seen.add(within)
    hits.push({ at, message })
  }
}

/** `now` is gone since 0.7; whoever is still before 0.5 has more to change than that. */
const findOldTime = (model: Model, unit: SourceUnit, hits: Hit[]): void => {
  const names = namesNow(unit).filter((name) => isBuiltin(model.declarationOf(name)))
  addOncePerFunction(model, names, replacement('now', 'block.timestamp'), hits)
}

const findOldSyntax = (model: Model, unit: SourceUnit, hits: Hit[]): void => {
  addOncePerFunction(model, nodesOf(unit, 'ThrowStatement'), replacement('throw', 'revert()'), hits)
  for (const statement of nodesOf(unit, 'VariableStatement')) {
    const type = statement.declarations.find((declared) => declared !== null)?.type
    if (type?.kind === 'ElementaryType' && type.name === 'var')
      hits.push({ at: statement, message: replacement('var', 'an explicit type') })
  }
}

const checkFile = (model: Model, { unit, versions }: SourceFile, hits: Hit[]): void => {
  for (const call of nodesOf(unit, 'Call')) checkCall(model, call, hits)
  for (const member of nodesOf(unit, 'Member')) checkMember(model, member, hits)
  if (!versions.isAtLeast(5)) findOldSyntax(model, unit, hits)
  else if (!versions.isAtLeast(7)) findOldTime(model, unit, hits)
}

/** Only old compilers know what this looks for; a contract for newer ones is left alone. */
const findOldMutability = (contracts: readonly ContractModel[], hits: Hit[]): void => {
  for (const { functions, file } of contracts) {
    if (file.versions.isAtLeast(5)) continue
    for (const { node } of functions)
      if (node.mutability === 'constant')
        hits.push({ at: { start: node.start, end: node.headEnd }, message: replacement('constant', 'view') })
  }
}

export default defineDetector({
  id: 'deprecated-function',
  swc: 'SWC-111',
  title: 'Deprecated function or keyword',
  severity: 'info',
  confidence: 'high',
  description:
    'The code uses what later compilers deprecated or removed (`suicide`, `sha3`, `throw`, `callcode`, `var`, …), often because it was easy to misuse.',
  recommendation: 'Use the replacement that the message names.',
  references: ['https://swcregistry.io/docs/SWC-111'],
  cwe: ['CWE-477'],

  run({ model, part }) {
    const hits: Hit[] = []
    for (const file of part.files) checkFile(model, file, hits)
    findOldMutability(part.contracts, hits)
    return hits
  },
})

import type { Builtin, Model } from '../model/index.ts'
import { type Expression, nodesOf, type SourceUnit } from '../syntax/index.ts'
import { defineDetector, type Hit } from './detector.ts'

/** Builtins that later compilers renamed or removed, and what replaces them. */
const oldNames: Readonly<Record<string, string>> = { suicide: 'selfdestruct', sha3: 'keccak256' }
const oldMembers: Readonly<Record<string, string>> = {
  'block.blockhash': 'blockhash()',
  'msg.gas': 'gasleft()',
}

const isBuiltin = (declaration: unknown): declaration is Builtin =>
  typeof declaration === 'object' && declaration !== null && (declaration as Builtin).kind === 'builtin'

const replacement = (old: string, instead: string): string => `\`${old}\` is deprecated; use \`${instead}\`.`

/** `x.callcode(…)`, also with options of either style. */
const isCallcode = (callee: Expression): boolean => {
  let inner = callee
  for (;;) {
    if (inner.kind === 'Member' && inner.name.name === 'callcode') return true
    if (inner.kind === 'Member') inner = inner.object
    else if (inner.kind === 'Call' || inner.kind === 'CallOptions') inner = inner.callee
    else return false
  }
}

/** A name counts only when it means the builtin, not when the contract declares something of that name. */
function* oldBuiltins(model: Model, unit: SourceUnit): Generator<Hit> {
  for (const call of nodesOf(unit, 'Call')) {
    const { callee } = call
    if (callee.kind === 'Identifier') {
      const instead = Object.hasOwn(oldNames, callee.name) ? oldNames[callee.name] : undefined
      if (instead !== undefined && isBuiltin(model.declarationOf(callee)))
        yield { at: call, message: replacement(callee.name, instead) }
    }
    if (!isCallcode(callee)) continue
    const target = model.callTarget(call)
    if (target.builtin === 'callcode' && target.kind === 'low-level' && !target.isOption)
      yield { at: call, message: replacement('callcode', 'delegatecall') }
  }
  for (const member of nodesOf(unit, 'Member')) {
    if (member.object.kind !== 'Identifier' || (member.name.name !== 'blockhash' && member.name.name !== 'gas'))
      continue
    const name = `${member.object.name}.${member.name.name}`
    const instead = Object.hasOwn(oldMembers, name) ? oldMembers[name] : undefined
    if (instead !== undefined && isBuiltin(model.declarationOf(member.object)))
      yield { at: member, message: replacement(name, instead) }
  }
}

/** `now`, gone since 0.7: once in each function, which is changed in one go. */
function* oldTime(model: Model, unit: SourceUnit): Generator<Hit> {
  const seen = new Set<unknown>()
  for (const name of nodesOf(unit, 'Identifier')) {
    if (name.name !== 'now' || !isBuiltin(model.declarationOf(name))) continue
    const within = model.functionAt(name.start) ?? model.modifierAt(name.start) ?? name
    if (seen.has(within)) continue
    seen.add(within)
    yield { at: name, message: replacement('now', 'block.timestamp') }
  }
}

function* oldSyntax(unit: SourceUnit): Generator<Hit> {
  for (const at of nodesOf(unit, 'ThrowStatement')) yield { at, message: replacement('throw', 'revert()') }
  for (const statement of nodesOf(unit, 'VariableStatement')) {
    const type = statement.declarations.find((declared) => declared !== null)?.type
    if (type?.kind === 'ElementaryType' && type.name === 'var')
      yield { at: statement, message: replacement('var', 'an explicit type') }
  }
}

/** Only old compilers know what this looks for; a contract for newer ones is left alone. */
function* oldMutability({ contracts }: Model): Generator<Hit> {
  for (const { functions, file } of contracts) {
    if (file.versions.isAtLeast(5)) continue
    for (const { node } of functions)
      if (node.mutability === 'constant')
        yield { at: { start: node.start, end: node.headEnd }, message: replacement('constant', 'view') }
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

  *run({ model }) {
    for (const { unit, versions, text } of model.files) {
      yield* oldBuiltins(model, unit)
      if (!versions.isAtLeast(5)) yield* oldSyntax(unit)
      if (!versions.isAtLeast(7) && text.includes('now')) yield* oldTime(model, unit)
    }
    yield* oldMutability(model)
  },
})

import type { Builtin, ContractModel, FunctionModel, Model, ModifierModel, SourceFile } from '../../model/index.ts'
import { type Call, type Identifier, type Member, nodesOf, type SourceUnit, type Span } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly at: Span
  readonly old: string
  readonly instead: string
  readonly file: SourceFile
}

/** Builtins that later compilers renamed or removed, and what replaces them. */
const oldNames: ReadonlyMap<string, string> = new Map([
  ['suicide', 'selfdestruct'],
  ['sha3', 'keccak256'],
])
/** By object and member. */
const oldMembers: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['block', new Map([['blockhash', 'blockhash()']])],
  ['msg', new Map([['gas', 'gasleft()']])],
])

/** A name counts only when it means the builtin, not when the contract declares something of that name. */
const isBuiltin = (declaration: unknown): declaration is Builtin =>
  typeof declaration === 'object' && declaration !== null && (declaration as Builtin).kind === 'builtin'

const oldCall = (model: Model, file: SourceFile, call: Call): Candidate | null => {
  const { callee } = call
  if (callee.kind === 'Identifier') {
    const instead = oldNames.get(callee.name)
    const isOld = instead !== undefined && isBuiltin(model.declarationOf(callee))
    return isOld ? { at: call, old: callee.name, instead, file } : null
  }
  const target = model.callTarget(call)
  const isOld = target.builtin === 'callcode' && target.kind === 'low-level' && !target.isOption
  return isOld ? { at: call, old: 'callcode', instead: 'delegatecall', file } : null
}

const oldMember = (model: Model, file: SourceFile, { object, name, start, end }: Member): Candidate | null => {
  if (object.kind !== 'Identifier') return null
  const instead = oldMembers.get(object.name)?.get(name.name)
  if (instead === undefined || !isBuiltin(model.declarationOf(object))) return null
  return { at: { start, end }, old: `${object.name}.${name.name}`, instead, file }
}

const namesNow = (unit: SourceUnit): readonly Identifier[] =>
  unit.found?.now ?? nodesOf(unit, 'Identifier').filter(({ name }) => name === 'now')

/** Names that parameters of errors and events have: nothing refers to them. */
const declaredNames = (unit: SourceUnit): ReadonlySet<Identifier | null> =>
  new Set(
    [...nodesOf(unit, 'ErrorDefinition'), ...nodesOf(unit, 'EventDefinition')].flatMap(({ params }) =>
      params.map(({ name }) => name),
    ),
  )

/** The first in each function, which is changed in one go. */
const firstInFunctions = (model: Model, places: readonly Span[]): Span[] => {
  const seen = new Set<FunctionModel | ModifierModel | Span>()
  return places.filter((at) => {
    const within = model.functionAt(at.start) ?? model.modifierAt(at.start) ?? at
    const isFirst = !seen.has(within)
    seen.add(within)
    return isFirst
  })
}

/** What compilers before 0.5 let pass. */
function* oldSyntax(model: Model, file: SourceFile): Iterable<Candidate> {
  for (const at of firstInFunctions(model, nodesOf(file.unit, 'ThrowStatement')))
    yield { at, old: 'throw', instead: 'revert()', file }
  for (const at of nodesOf(file.unit, 'VariableStatement')) {
    const type = at.declarations.find((declared) => declared !== null)?.type
    if (type?.kind === 'ElementaryType' && type.name === 'var')
      yield { at, old: 'var', instead: 'an explicit type', file }
  }
}

function* oldMutability({ functions, file }: ContractModel): Iterable<Candidate> {
  for (const { node } of functions)
    if (node.mutability === 'constant')
      yield { at: { start: node.start, end: node.headEnd }, old: 'constant', instead: 'view', file }
}

export default defineDetector<Candidate>({
  id: 'deprecated-function',
  swc: 'SWC-111',
  title: 'Deprecated function or keyword',
  aliases: {
    slither: ['deprecated-standards'],
    scwe: ['SCWE-072', 'SCWE-009'],
    words: ['deprecated', 'suicide', 'sha3', 'throw'],
  },
  severity: 'info',
  confidence: 'high',
  description:
    'The code uses functions or keywords that later compilers deprecated or removed (`suicide`, `sha3`, `throw`, `callcode`, `var`, …), often because they were easy to misuse.',
  recommendation: 'Replace it as the message says; the replacement compiles with every later version.',
  references: ['https://swcregistry.io/docs/SWC-111'],
  cwe: ['CWE-477'],

  *candidatesInFile(file, model) {
    for (const call of nodesOf(file.unit, 'Call')) {
      const old = oldCall(model, file, call)
      if (old !== null) yield old
    }
    for (const member of nodesOf(file.unit, 'Member')) {
      const old = oldMember(model, file, member)
      if (old !== null) yield old
    }
    const declared = declaredNames(file.unit)
    const names = namesNow(file.unit).filter((name) => isBuiltin(model.declarationOf(name)) && !declared.has(name))
    for (const at of firstInFunctions(model, names)) yield { at, old: 'now', instead: 'block.timestamp', file }
    yield* oldSyntax(model, file)
    for (const contract of file.contracts) yield* oldMutability(contract)
  },
  excuses: [
    excuse(
      'more-to-change',
      'it is `now` in code for compilers before 0.5',
      ({ old, file }) => old === 'now' && !file.versions.isAtLeast(5),
    ),
  ],
  finding: ({ at, old, instead }) => ({
    at,
    message: `\`${old}\` is deprecated; use ${old === 'var' ? instead : `\`${instead}\``}.`,
    factors: { isInText: true },
  }),
})

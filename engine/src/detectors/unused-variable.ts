import type { ContractModel, EventModel, FunctionModel, Model, SourceFile, VariableModel } from '../model/index.ts'
import { nodesOf, type Span } from '../syntax/index.ts'
import { defineDetector, type Hit } from './detector.ts'

/**
 * Use is told by the name alone, within the text where the variable could be meant. That errs on the quiet side: a name
 * that occurs there for another reason counts as a use. Comments do not count.
 */
const isWordPart = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 36

const isInComment = ({ comments }: SourceFile, offset: number): boolean => {
  let low = 0
  let high = comments.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const { start, end } = comments[middle]!
    if (offset < start) high = middle - 1
    else if (offset >= end) low = middle + 1
    else return true
  }
  return false
}

/** Places of a word in a part of the file; not those after a dot, which name members. */
function* placesOf(file: SourceFile, name: string, { start, end }: Span): Generator<number> {
  const { text, base } = file
  // Recovery leaves members without a name, and an empty word is found everywhere without end.
  if (name === '') return
  // Cut to the part first: a search that fails would otherwise run to the end of the file.
  const from = start - base
  const part = text.slice(from, end - base)
  for (let found = part.indexOf(name); found >= 0; found = part.indexOf(name, found + name.length)) {
    const at = from + found
    if (at > 0 && isWordPart(text.charCodeAt(at - 1))) continue
    const after = text.charCodeAt(at + name.length)
    if (isWordPart(after) && !isOldSlot(text, at + name.length)) continue
    if (text.charCodeAt(at - 1) === 46 && !isQualified(text, at)) continue
    if (!isInComment(file, base + at)) yield base + at
  }
}

/** `x_slot` in assembly before 0.7. */
const isOldSlot = (text: string, at: number): boolean => text.startsWith('_slot', at) || text.startsWith('_offset', at)

/** `Base.x` names a variable of a contract by its full name: told by the capital letter of the word before. */
const isQualified = (text: string, at: number): boolean => {
  let start = at - 1
  while (start > 0 && isWordPart(text.charCodeAt(start - 1))) start--
  const first = text.charCodeAt(start)
  return first >= 65 && first <= 90
}

const nameStart = ({ node }: VariableModel): number => node.name?.start ?? node.start

/** The name stands in the function only where it is declared, once per declaration. */
const isUnusedLocal = (variable: VariableModel, within: Span, declared: ReadonlySet<number>): boolean => {
  for (const place of placesOf(variable.file, variable.name, within)) if (!declared.has(place)) return false
  return true
}

/** Contracts above and below: a function that one of them shares must keep its parameters. */
const isFree = (model: Model, fn: FunctionModel): boolean => {
  const { body, override, virtual } = fn.node
  if (body === null || body.statements.length === 0 || override !== null || virtual) return false
  const own = fn.contract!
  const shares = ({ functions }: ContractModel): boolean =>
    functions.some((other) => other !== fn && other.name === fn.name && other.signature === fn.signature)
  if (own.linearization.some((base) => base !== own && shares(base))) return false
  return own.isMostDerived || !model.contracts.some((other) => other.linearization.includes(own) && shares(other))
}

function* unusedLocals(model: Model): Generator<VariableModel> {
  const declared = new Set<number>()
  const locals = new Map<FunctionModel, VariableModel[]>()
  for (const { unit } of model.files)
    for (const statement of nodesOf(unit, 'VariableStatement')) {
      const fn = model.functionAt(statement.start)
      for (const { name } of statement.declarations.filter((node) => node !== null)) if (name) declared.add(name.start)
      if (fn === undefined) continue
      const known = locals.get(fn) ?? []
      for (const variable of model.variablesOf(statement)) if (variable !== null) known.push(variable)
      locals.set(fn, known)
    }
  for (const contract of model.contracts) {
    if (contract.contractKind === 'interface') continue
    for (const fn of contract.functions) {
      if (fn.node.body === null) continue
      for (const param of fn.params) declared.add(nameStart(param))
      const isOpen = fn.role === 'function' && !contract.hasUnresolvedBase && isFree(model, fn)
      const candidates = [...(isOpen ? fn.params : []), ...(locals.get(fn) ?? [])]
      for (const variable of candidates)
        if (variable.name !== '' && isUnusedLocal(variable, fn.node, declared)) yield variable
    }
  }
}

/** A private variable is used here or nowhere; an internal one may wait for a contract that is not among the files. */
const isClosed = ({ visibility, type, isTransient, value }: VariableModel, contract: ContractModel): boolean => {
  const { contractKind } = contract
  // A fixed array that nothing names reserves storage for later versions.
  if (isTransient || (type.kind === 'array' && type.length !== null)) return false
  // A getter uses the variable, but one that nothing ever sets has nothing to tell.
  // No base can set it, missing or not; a contract without any code of its own keeps state for others.
  if (visibility === 'public') return value === null && contractKind === 'contract' && hasCode(contract)
  return visibility === 'private' || (visibility === 'internal' && contractKind === 'contract')
}

const hasCode = ({ functions, hasUnresolvedBase }: ContractModel): boolean =>
  !hasUnresolvedBase || functions.some(({ role, isImplemented }) => role !== 'constructor' && isImplemented)

/** Functions in which the name means something else. */
const hidesName = ({ params, returns }: FunctionModel, name: string): boolean =>
  params.some((param) => param.name === name) || returns.some((result) => result.name === name)

function* unusedState(model: Model): Generator<VariableModel> {
  const localNames = new Map<string, Set<FunctionModel>>()
  for (const { unit } of model.files)
    for (const { declarations, start } of nodesOf(unit, 'VariableStatement'))
      for (const node of declarations) {
        const fn = node?.name ? model.functionAt(start) : undefined
        if (fn !== undefined) localNames.set(node!.name!.name, (localNames.get(node!.name!.name) ?? new Set()).add(fn))
      }
  const isUsedIn = (variable: VariableModel, contract: ContractModel): boolean => {
    for (const place of placesOf(contract.file, variable.name, contract.node)) {
      if (place === nameStart(variable)) continue
      const fn = model.functionAt(place)
      if (fn !== undefined && (hidesName(fn, variable.name) || localNames.get(variable.name)?.has(fn))) continue
      return true
    }
    return false
  }
  for (const contract of model.contracts)
    for (const variable of contract.stateVariables) {
      if (!isClosed(variable, contract)) continue
      const heirs =
        contract.isMostDerived || variable.visibility === 'private'
          ? [contract]
          : model.contracts.filter((other) => other.linearization.includes(contract))
      if (!heirs.some((heir) => isUsedIn(variable, heir))) yield variable
    }
}

/** Assembly writes logs without naming the event. */
const logsByHand = /\blog[0-4]\s*\(/

/** The event's name stands somewhere else than at a declaration. */
const isNamedIn = (part: Span, { file, name }: EventModel, declared: ReadonlySet<number>): boolean => {
  for (const place of placesOf(file, name, part)) if (!declared.has(place)) return true
  return false
}

/** Events of finished contracts that nothing in sight emits; an interface or an abstract base only announces them. */
function* unusedEvents(model: Model): Generator<EventModel> {
  const handWritten = new Map<SourceFile, boolean>()
  for (const contract of model.contracts) {
    const { file, contractKind, events, functions } = contract
    if (contractKind !== 'contract' || events.length === 0 || !contract.isMostDerived) continue
    if (!hasCode(contract) || functions.length === 0 || functions.some(({ isImplemented }) => !isImplemented)) continue
    if (!handWritten.has(file)) handWritten.set(file, logsByHand.test(file.text))
    if (handWritten.get(file)) continue
    const all = new Set(events.map(({ node }) => node.name.start))
    // Its own contract first: that is where most are emitted, and the rest of the file can be long.
    for (const event of events)
      if (event.name !== '' && !isNamedIn(contract.node, event, all) && !isNamedIn(file.unit, event, all)) yield event
  }
}

const words: Partial<Record<VariableModel['role'], string>> = {
  state: 'State variable',
  parameter: 'Parameter',
  local: 'Variable',
}

const report = ({ role, name, node, visibility }: VariableModel): Hit => ({
  at: node,
  message: `${words[role] ?? 'Variable'} \`${name}\` is never ${visibility === 'public' ? 'set' : 'used'}.`,
})

export default defineDetector({
  id: 'unused-variable',
  swc: 'SWC-131',
  title: 'Unused variable',
  severity: 'info',
  confidence: 'medium',
  description:
    'A variable or an event is declared and never used. It costs gas, confuses readers, and may stand where a check was forgotten.',
  recommendation: 'Remove it, leave the parameter without a name, or use it as intended.',
  references: ['https://swcregistry.io/docs/SWC-131'],
  cwe: ['CWE-1164'],

  *run({ model }) {
    for (const variable of unusedState(model)) yield report(variable)
    for (const variable of unusedLocals(model)) yield report(variable)
    for (const { node, name } of unusedEvents(model))
      yield { at: node, message: `Event \`${name}\` is never emitted: whoever waits for it waits in vain.` }
  },
})

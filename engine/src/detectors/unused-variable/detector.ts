import type { Context, Flow } from '../../ir/index.ts'
import type { ContractModel, EventModel, FunctionModel, Model, SourceFile, VariableModel } from '../../model/index.ts'
import { firstPast, nodesOf, type Span, type VariableStatement } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/**
 * What bound code names is used. Of the rest, use is told by the name alone, within the text where the variable could be
 * meant. That errs on the quiet side: a name that occurs there for another reason counts as a use. Comments do not count.
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

/** Whether a word stands in a part of the file at a place that counts; not after a dot, where it names a member. */
const standsIn = (
  file: SourceFile,
  name: string,
  { start, end }: Span,
  counts: (place: number) => boolean,
): boolean => {
  const { text, base } = file
  // Recovery leaves members without a name, and an empty word is found everywhere without end.
  if (name === '') return false
  // Cut to the part first: a search that fails would otherwise run to the end of the file.
  const from = start - base
  const part = text.slice(from, end - base)
  for (let found = part.indexOf(name); found >= 0; found = part.indexOf(name, found + name.length)) {
    const at = from + found
    if (at > 0 && isWordPart(text.charCodeAt(at - 1))) continue
    const after = text.charCodeAt(at + name.length)
    if (isWordPart(after) && !isOldSlot(text, at + name.length)) continue
    if (text.charCodeAt(at - 1) === 46 && !isQualified(text, at)) continue
    if (!isInComment(file, base + at) && counts(base + at)) return true
  }
  return false
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

const mayDropParameter = (model: Model, fn: FunctionModel): boolean =>
  fn.role === 'function' && !fn.contract!.hasUnresolvedBase && isFree(model, fn)

/** Where the first statement stands that begins at or after a place; they are in the order of the text. */
const firstFrom = (statements: readonly VariableStatement[], place: number): number =>
  firstPast(statements, ({ start }) => start >= place)

/** A local or a parameter of the function gets its name at this place. */
const isDeclaration = (fn: FunctionModel, place: number): boolean => {
  if (fn.params.some((param) => nameStart(param) === place)) return true
  const statements = nodesOf(fn.file.unit, 'VariableStatement')
  const around = statements[firstFrom(statements, place + 1) - 1]
  return around?.declarations.some((node) => node?.name?.start === place) ?? false
}

const declaresLocal = ({ file, node }: FunctionModel, name: string): boolean => {
  const statements = nodesOf(file.unit, 'VariableStatement')
  for (let i = firstFrom(statements, node.start); i < statements.length && statements[i]!.start < node.end; i++)
    if (statements[i]!.declarations.some((declared) => declared?.name?.name === name)) return true
  return false
}

/** What came in is handed on as a whole, the parameters with it. */
const forwardsAll = (flow: Flow | undefined): boolean =>
  flow !== undefined && (flow.usesEnvironment('msg.data') || flow.builtins('calldatacopy').length > 0)

const findUnusedLocals = (context: Context, found: VariableModel[]): void => {
  const { model, part } = context
  for (const file of part.files)
    for (const variable of model.unnamedVariables(file)) {
      const fn = model.functionAt(variable.node.start)
      if (!fn?.contract || fn.contract.contractKind === 'interface') continue
      if (variable.role === 'parameter' && !mayDropParameter(model, fn)) continue
      // The name stands in the function only where it is declared, once per declaration.
      if (standsIn(file, variable.name, fn.node, (place) => !isDeclaration(fn, place))) continue
      if (variable.role !== 'parameter' || !forwardsAll(context.flowOf(fn))) found.push(variable)
    }
}

/** A private variable is used here or nowhere; an internal one may wait for a contract that is not among the files. */
const isClosed = ({ visibility, type, isTransient, value }: VariableModel, contract: ContractModel): boolean => {
  const { contractKind } = contract
  // A fixed array that nothing names reserves storage for later versions.
  if (isTransient || (type.kind === 'array' && type.length !== null)) return false
  // A contract without any code of its own keeps state, constants or places in storage for others.
  if (contractKind === 'contract' && contract.functions.length === 0) return false
  // A getter uses the variable, but one that nothing ever sets has nothing to tell.
  // No base can set it, missing or not.
  if (visibility === 'public') return value === null && contractKind === 'contract' && hasCode(contract)
  return visibility === 'private' || (visibility === 'internal' && contractKind === 'contract')
}

const hasCode = ({ functions, hasUnresolvedBase }: ContractModel): boolean =>
  !hasUnresolvedBase || functions.some(({ role, isImplemented }) => role !== 'constructor' && isImplemented)

/** Functions in which the name means something else. */
const hidesName = ({ params, returns }: FunctionModel, name: string): boolean =>
  params.some((param) => param.name === name) || returns.some((result) => result.name === name)

const findUnusedState = ({ model, part }: Context, found: VariableModel[]): void => {
  const isUsedIn = (variable: VariableModel, contract: ContractModel): boolean =>
    standsIn(contract.file, variable.name, contract.node, (place) => {
      if (place === nameStart(variable)) return false
      const fn = model.functionAt(place)
      return fn === undefined || !(hidesName(fn, variable.name) || declaresLocal(fn, variable.name))
    })
  for (const contract of part.contracts)
    for (const variable of contract.stateVariables) {
      if (variable.isNamed || !isClosed(variable, contract)) continue
      const heirs =
        contract.isMostDerived || variable.visibility === 'private'
          ? [contract]
          : part.contracts.filter((other) => other.linearization.includes(contract))
      if (!heirs.some((heir) => isUsedIn(variable, heir))) found.push(variable)
    }
}

/** Assembly writes logs without naming the event. */
const logsByHand = /\blog[0-4]\s*\(/

const isUnused = ({ name, isNamed }: EventModel): boolean => name !== '' && !isNamed

/** Events of finished contracts that nothing in sight emits; an interface or an abstract base only announces them. */
const findUnusedEvents = (model: Model, found: EventModel[]): void => {
  let handWritten: Map<SourceFile, boolean> | null = null
  for (const contract of model.contracts) {
    const { file, contractKind, events, functions } = contract
    if (contractKind !== 'contract' || !events.some(isUnused) || !contract.isMostDerived) continue
    if (!hasCode(contract) || functions.length === 0 || functions.some(({ isImplemented }) => !isImplemented)) continue
    handWritten ??= new Map()
    if (!handWritten.has(file)) handWritten.set(file, logsByHand.test(file.text))
    if (handWritten.get(file)) continue
    const all = new Set(events.map(({ node }) => node.name.start))
    const isUse = (place: number): boolean => !all.has(place)
    for (const event of events) {
      if (isUnused(event) && !standsIn(file, event.name, file.unit, isUse)) found.push(event)
    }
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

  run(context) {
    const variables: VariableModel[] = []
    findUnusedState(context, variables)
    findUnusedLocals(context, variables)
    return variables.map(report)
  },

  // Any contract may emit it: told when all are known.
  read(model) {
    const events: EventModel[] = []
    findUnusedEvents(model, events)
    return events.map(({ node, name }) => ({
      at: node,
      message: `Event \`${name}\` is never emitted: whoever waits for it waits in vain.`,
    }))
  },
})

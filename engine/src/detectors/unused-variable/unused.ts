import type { Context, Flow } from '../../ir/index.ts'
import type { ContractModel, EventModel, FunctionModel, Model, SourceFile, VariableModel } from '../../model/index.ts'
import { collect, nodesOf, type Span } from '../../syntax/index.ts'

/** A declaration that nothing in sight names. */
export type Unused = UnusedState | UnusedLocal | UnusedEvent

export interface UnusedState {
  readonly kind: 'state'
  readonly declared: VariableModel
  readonly contract: ContractModel
}

export interface UnusedLocal {
  readonly kind: 'local'
  readonly declared: VariableModel
  readonly contract: ContractModel
  readonly fn: FunctionModel
  readonly flow: Flow | undefined
  readonly model: Model
}

export interface UnusedEvent {
  readonly kind: 'event'
  readonly declared: EventModel
  readonly contract: ContractModel
}

/** State of the contracts of a file that neither they nor contracts that inherit from them name. */
export function* unusedState(file: SourceFile, model: Model): Iterable<UnusedState> {
  for (const contract of file.contracts)
    for (const declared of contract.stateVariables) {
      const family =
        contract.isMostDerived || declared.visibility === 'private' ? [contract] : withDerived(contract, model)
      const isMeant = family.some((each) => isMeantIn(model, each, declared))
      if (!isMeant && !isNamedIn(model, withDerived(contract, model), declared))
        yield { kind: 'state', declared, contract }
    }
}

/** A contract and all that inherit from it, itself first: nobody else can name what it declares. */
const withDerived = (contract: ContractModel, model: Model): readonly ContractModel[] =>
  contract.isMostDerived ? [contract] : [contract, ...model.derivedFrom(contract)]

/** Bodies are bound where the letters of the name stand: `x_slot` names `x`, too. */
const isNamedIn = (model: Model, family: readonly ContractModel[], declared: VariableModel | EventModel): boolean =>
  family.some(({ file, node }) => {
    for (const place of placesOf(file, declared.name, node)) {
      const owner = model.functionAt(place) ?? model.modifierAt(place)
      if (owner !== undefined) model.bind(owner)
      if (declared.isNamed) return true
    }
    return false
  })

export function* unusedLocals(context: Context): Iterable<UnusedLocal> {
  const { model, part } = context
  const declarations = new Declarations()
  for (const file of part.files) {
    for (const declared of model.unnamedVariables(file)) {
      const fn = model.functionAt(declared.node.start)
      if (!fn?.contract || (declared.role === 'parameter' && fn.role !== 'function')) continue
      const places = declarations.of(file).get(declared.name)
      if (!standsIn(file, declared.name, fn.node, (place) => places?.has(place) !== true))
        yield { kind: 'local', declared, contract: fn.contract, fn, flow: context.flowOf(fn), model }
    }
  }
}

/** Any contract that inherits it may emit it. */
export function* unusedEvents(file: SourceFile, model: Model): Iterable<UnusedEvent> {
  let ofLibraries: ReadonlySet<string> | null = null
  for (const contract of file.contracts) {
    const { events } = contract
    const places = new Set(events.map(({ node }) => node.name.start))
    for (const declared of events) {
      if (standsIn(file, declared.name, file.unit, (place) => !places.has(place))) continue
      if (isNamedIn(model, withDerived(contract, model), declared)) continue
      ofLibraries ??= eventsOfLibraries(model)
      if (!ofLibraries.has(headOf(declared))) yield { kind: 'event', declared, contract }
    }
  }
}

/** Events that libraries emit in the name of the contract, whose ABI announces them. */
const eventsOfLibraries = ({ contracts }: Model): ReadonlySet<string> =>
  new Set(contracts.flatMap(({ contractKind, events }) => (contractKind === 'library' ? events.map(headOf) : [])))

const headOf = ({ name, params }: EventModel): string => `${name}/${params.length}`

/** The name of a state variable stands there, and not in a function that declares the same name for itself. */
const isMeantIn = (model: Model, { file, node: part }: ContractModel, { name, node }: VariableModel): boolean =>
  standsIn(file, name, part, (place) => {
    const fn = model.functionAt(place)
    return place !== node.name?.start && (fn === undefined || !declares(fn, name))
  })

const declares = (fn: FunctionModel, name: string): boolean =>
  collect(fn.node, 'Parameter').some((each) => each.name?.name === name)

/** Looked for in the files alone in which something may be unused: these are few, and a whole tree is walked for it. */
class Declarations {
  readonly #byFile = new Map<SourceFile, ReturnType<typeof declarationsIn>>()

  of(file: SourceFile): ReturnType<typeof declarationsIn> {
    const known = this.#byFile.get(file) ?? declarationsIn(file)
    this.#byFile.set(file, known)
    return known
  }
}

/** Where parameters and local variables are declared, by their names. */
const declarationsIn = ({ unit }: SourceFile): ReadonlyMap<string, ReadonlySet<number>> => {
  const places = new Map<string, Set<number>>()
  for (const { name } of nodesOf(unit, 'Parameter')) {
    if (name === null) continue
    if (places.get(name.name)?.add(name.start) === undefined) places.set(name.name, new Set([name.start]))
  }
  return places
}

/**
 * Whether a word stands in a part of the file at a place that counts. What bound code names is known; of the rest (values of
 * declarations, arguments of modifiers, code that was not understood) use is recognized by the name alone, and errs on the quiet side.
 */
const standsIn = (file: SourceFile, name: string, part: Span, counts: (place: number) => boolean): boolean => {
  // Recovery leaves members without a name, and an empty word is found everywhere without end.
  if (name === '') return true
  const { code, base } = file
  for (const place of placesOf(file, name, part)) {
    const at = place - base
    if (isWordPart(code[at - 1]) || isWordPart(code[at + name.length])) continue
    if ((code[at - 1] !== '.' || isQualified(code, at)) && counts(place)) return true
  }
  return false
}

/** Where the letters of a name stand, also inside of a longer word. */
function* placesOf({ code, base }: SourceFile, name: string, { start, end }: Span): Iterable<number> {
  // Cut to the part first: a search that fails would otherwise run to the end of the file.
  const part = code.slice(start - base, end - base)
  for (let found = part.indexOf(name); found >= 0; found = part.indexOf(name, found + name.length)) yield start + found
}

const isWordPart = (c: string | undefined): boolean => c !== undefined && /[\w$]/.test(c)

/** `Base.x` names a variable of a contract by its full name, any other `y.x` a member: recognized by the capital letter. */
const isQualified = (code: string, at: number): boolean => {
  let start = at - 1
  while (isWordPart(code[start - 1])) start--
  return /[A-Z]/.test(code[start]!)
}

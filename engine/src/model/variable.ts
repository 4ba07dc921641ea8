import type { Expression, Parameter, Span, StateVariable, TypeName, Visibility } from '../syntax/index.ts'
import type { Declaration, Location, Type, VariableModel, VariableRole } from './declaration.ts'
import type { ContractSymbol, FileSymbol, FunctionSymbol, Initial, Symbols, VariableSymbol } from './symbols.ts'
import { typeOfVariable } from './type-names.ts'

export class Variable implements VariableSymbol {
  readonly kind = 'variable'
  readonly role: VariableRole
  readonly name: string
  readonly node: StateVariable | Parameter
  readonly file: FileSymbol
  /** The contract whose scope its type is read in. */
  readonly home: ContractSymbol | null
  /** Of parameters and results: whose. */
  readonly owner: FunctionSymbol | null
  readonly initial: Initial | null
  readonly isConstant: boolean
  isNamed = false
  private readonly symbols: Symbols
  private known: Type | undefined
  private place: Location | undefined

  constructor(
    symbols: Symbols,
    role: VariableRole,
    node: StateVariable | Parameter,
    file: FileSymbol,
    home: ContractSymbol | null,
    owner: FunctionSymbol | null = null,
    initial: Initial | null = null,
  ) {
    this.symbols = symbols
    this.role = role
    this.name = node.name?.name ?? ''
    this.node = node
    this.file = file
    this.home = home
    this.owner = owner
    this.initial = initial
    this.isConstant = role === 'constant' || (node.kind === 'StateVariable' && node.constant)
  }

  get contract(): ContractSymbol | null {
    return this.role === 'state' ? this.home : null
  }

  get type(): Type {
    this.known ??= typeOfVariable(this, this.symbols)
    return this.known
  }

  get location(): Location {
    if (this.place === undefined) this.place = this.findLocation()
    return this.place
  }

  private findLocation(): Location {
    // Most types say by their name that they live nowhere else than where they stand.
    if (isPlainValue(this.node.type)) return null
    const { type } = this
    switch (type.kind) {
      case 'mapping':
        return 'storage'
      case 'bytes':
      case 'string':
      case 'array':
      case 'struct':
        return type.location
      default:
        // What is written is known, also where the type is not among the files.
        return this.node.kind === 'Parameter' ? this.node.location : null
    }
  }

  get isImmutable(): boolean {
    return this.node.kind === 'StateVariable' && this.node.immutable
  }

  get isTransient(): boolean {
    return this.node.kind === 'StateVariable' && this.node.transient
  }

  get visibility(): Visibility | null {
    return this.role === 'state' && this.node.kind === 'StateVariable' ? (this.node.visibility ?? 'internal') : null
  }

  get value(): Expression | null {
    return this.node.kind === 'StateVariable' ? this.node.value : null
  }

  get span(): Span {
    return this.node
  }
}

const isPlainValue = (written: TypeName): boolean =>
  written.kind === 'ElementaryType' && written.name !== 'bytes' && written.name !== 'string' && written.name !== 'var'

/** Parameters of a head, or fields of a struct. */
export const variablesOf = (
  symbols: Symbols,
  nodes: readonly Parameter[],
  role: VariableRole,
  file: FileSymbol,
  home: ContractSymbol | null,
  owner: FunctionSymbol | null = null,
): readonly Variable[] => {
  if (nodes.length === 0) return noVariables
  const variables = [new Variable(symbols, role, nodes[0]!, file, home, owner)]
  for (let i = 1; i < nodes.length; i++) variables.push(new Variable(symbols, role, nodes[i]!, file, home, owner))
  return variables
}

const noVariables: readonly Variable[] = []

/** By its class, which is recognized much quicker than the kind of any of a dozen shapes. */
export const isVariable = (found: Declaration | readonly Declaration[] | undefined): found is VariableModel =>
  found instanceof Variable

/** Structs, enums, user-defined value types, events and errors. */
import type {
  EnumDefinition,
  ErrorDefinition,
  EventDefinition,
  Identifier,
  StructDefinition,
  UserTypeDefinition,
} from '../syntax/index.ts'
import type { EnumModel, EnumValueModel, ErrorModel, StructModel, Type, UserTypeModel } from './declaration.ts'
import type { ContractSymbol, EventSymbol, FileSymbol, Symbols, VariableSymbol } from './symbols.ts'
import type { MadeTypes } from './type-table.ts'
import { variablesOf } from './variable.ts'

type DefinitionNode = StructDefinition | EnumDefinition | UserTypeDefinition | ErrorDefinition | EventDefinition

/** What all of them have: a name, and a place where it was given. */
class Definition<Node extends DefinitionNode> {
  /** Types made of this declaration; kept by the type table. */
  made: MadeTypes | null = null
  readonly name: string
  readonly node: Node
  readonly file: FileSymbol
  readonly contract: ContractSymbol | null
  protected readonly symbols: Symbols

  constructor(symbols: Symbols, node: Node, file: FileSymbol, contract: ContractSymbol | null) {
    this.symbols = symbols
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contract = contract
  }
}

export class Struct extends Definition<StructDefinition> implements StructModel {
  readonly kind = 'struct'
  private members: readonly VariableSymbol[] | undefined

  get fields(): readonly VariableSymbol[] {
    this.members ??= variablesOf(this.symbols, this.node.fields, 'field', this.file, this.contract)
    return this.members
  }
}

export class Enum extends Definition<EnumDefinition> implements EnumModel {
  readonly kind = 'enum'
  private members: readonly EnumValueModel[] | undefined
  private byName: ReadonlyMap<string, EnumValueModel> | undefined

  /** By name, as every mention of one asks. */
  valueNamed(name: string): EnumValueModel | undefined {
    this.byName ??= new Map(this.values.toReversed().map((value) => [value.name, value]))
    return this.byName.get(name)
  }

  get values(): readonly EnumValueModel[] {
    this.members ??= this.node.values.map((node: Identifier, index) => ({
      kind: 'enumValue',
      name: node.name,
      node,
      enum: this,
      index,
    }))
    return this.members
  }
}

export class UserType extends Definition<UserTypeDefinition> implements UserTypeModel {
  readonly kind = 'userType'

  get underlying(): Type {
    return this.symbols.typeOfName(this.node.underlying, this.contract, this.file)
  }
}

export class Event extends Definition<EventDefinition> implements EventSymbol {
  readonly kind = 'event'
  isNamed = false
  private members: readonly VariableSymbol[] | undefined

  get params(): readonly VariableSymbol[] {
    this.members ??= variablesOf(this.symbols, this.node.params, 'parameter', this.file, this.contract)
    return this.members
  }
}

export class Err extends Definition<ErrorDefinition> implements ErrorModel {
  readonly kind = 'error'
  private members: readonly VariableSymbol[] | undefined

  get params(): readonly VariableSymbol[] {
    this.members ??= variablesOf(this.symbols, this.node.params, 'parameter', this.file, this.contract)
    return this.members
  }
}

export const define = (
  symbols: Symbols,
  node: DefinitionNode,
  file: FileSymbol,
  contract: ContractSymbol | null,
): Struct | Enum | UserType | Err | Event => {
  switch (node.kind) {
    case 'StructDefinition':
      return new Struct(symbols, node, file, contract)
    case 'EnumDefinition':
      return new Enum(symbols, node, file, contract)
    case 'UserTypeDefinition':
      return new UserType(symbols, node, file, contract)
    case 'ErrorDefinition':
      return new Err(symbols, node, file, contract)
    case 'EventDefinition':
      return new Event(symbols, node, file, contract)
  }
}

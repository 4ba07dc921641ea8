/** Structs, enums, user-defined value types, events and errors. */
import type {
  EnumDefinition,
  ErrorDefinition,
  EventDefinition,
  Identifier,
  StructDefinition,
  UserTypeDefinition,
} from '../syntax/index.ts'
import type { Contract } from './contract.ts'
import type { EnumModel, EnumValueModel, ErrorModel, EventModel, StructModel, UserTypeModel } from './declaration.ts'
import type { File } from './file.ts'
import type { SymbolTable } from './symbol-table.ts'
import type { Type } from './type.ts'
import type { MadeTypes } from './type-table.ts'
import { type Variable, variablesOf } from './variable.ts'

type DefinitionNode = StructDefinition | EnumDefinition | UserTypeDefinition | ErrorDefinition | EventDefinition

/** What all of them have: a name, and a place where it was given. */
class Definition<Node extends DefinitionNode> {
  /** Types made of this declaration; kept by the type table. */
  made: MadeTypes | null = null
  readonly name: string
  readonly node: Node
  readonly file: File
  readonly contract: Contract | null
  protected readonly symbols: SymbolTable

  constructor(symbols: SymbolTable, node: Node, file: File, contract: Contract | null) {
    this.symbols = symbols
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contract = contract
  }
}

export class Struct extends Definition<StructDefinition> implements StructModel {
  readonly kind = 'struct'
  private members: readonly Variable[] | undefined

  get fields(): readonly Variable[] {
    this.members ??= variablesOf(this.symbols, this.node.fields, 'field', this.file, this.contract)
    return this.members
  }
}

export class Enum extends Definition<EnumDefinition> implements EnumModel {
  readonly kind = 'enum'
  private members: readonly EnumValueModel[] | undefined

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

export class Event extends Definition<EventDefinition> implements EventModel {
  readonly kind = 'event'
  isNamed = false
  private members: readonly Variable[] | undefined

  get params(): readonly Variable[] {
    this.members ??= variablesOf(this.symbols, this.node.params, 'parameter', this.file, this.contract)
    return this.members
  }
}

export class Err extends Definition<ErrorDefinition> implements ErrorModel {
  readonly kind = 'error'
  private members: readonly Variable[] | undefined

  get params(): readonly Variable[] {
    this.members ??= variablesOf(this.symbols, this.node.params, 'parameter', this.file, this.contract)
    return this.members
  }
}

export const define = (
  symbols: SymbolTable,
  node: DefinitionNode,
  file: File,
  contract: Contract | null,
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

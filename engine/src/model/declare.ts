/**
 * The declarations of a file as objects that answer on demand: types, signatures and inherited members are worked out
 * at the first question and kept. Making them costs one pass over the members, no look into bodies.
 */
import type {
  Comment,
  ContractDefinition,
  ContractMember,
  EnumDefinition,
  ErrorDefinition,
  EventDefinition,
  Expression,
  FunctionDefinition,
  Identifier,
  ModifierDefinition,
  Parameter,
  SourceUnit,
  Span,
  StateVariable,
  StructDefinition,
  SyntaxDiagnostic,
  UserTypeDefinition,
  UsingDirective,
  Visibility,
} from '../syntax/index.ts'
import type { CompilerVersions } from './compiler-versions.ts'
import type {
  BaseModel,
  ContractModel,
  Declaration,
  EnumModel,
  EnumValueModel,
  ErrorModel,
  EventModel,
  FunctionModel,
  FunctionRole,
  KnownEffect,
  ModifierModel,
  ModifierUse,
  StructModel,
  UserTypeModel,
  VariableModel,
  VariableRole,
} from './declaration.ts'
import { linearizeInto } from './linearize.ts'
import { canonicalSignature, overrideKey } from './signature.ts'
import type { ImportModel, SourceFile } from './source-file.ts'
import type { Location, Type } from './type.ts'
import { typeOfVariable } from './type-names.ts'
import type { MadeTypes } from './type-table.ts'
import type { World } from './world.ts'

export class File implements SourceFile {
  readonly path: string
  readonly text: string
  readonly base: number
  readonly unit: SourceUnit
  readonly isStub: boolean
  readonly errors: readonly SyntaxDiagnostic[]
  readonly comments: readonly Comment[]
  readonly versions: CompilerVersions
  imports: readonly ImportModel[] = []
  /** Names declared in this file. */
  readonly own = new Map<string, Declaration[]>()
  /** The same plus imported ones; equal to `own` until imports are linked. */
  scope: Map<string, readonly Declaration[]> = this.own
  readonly contracts: Contract[] = []
  readonly functions: Fn[] = []
  readonly usings: UsingDirective[] = []
  /** Meaning of each bound identifier, by where it starts. */
  readonly resolved = new Map<number, Declaration | readonly Declaration[]>()

  constructor(
    world: World,
    path: string,
    text: string,
    base: number,
    unit: SourceUnit,
    isStub: boolean,
    errors: readonly SyntaxDiagnostic[] = [],
    comments: readonly Comment[] = [],
  ) {
    this.errors = errors
    this.comments = comments
    this.path = path
    this.text = text
    this.base = base
    this.unit = unit
    this.isStub = isStub
    this.versions = world.versionsOf(unit)
    for (const node of unit.members) {
      switch (node.kind) {
        case 'ContractDefinition': {
          const contract = new Contract(world, node, this)
          this.contracts.push(contract)
          declare(this.own, contract)
          break
        }
        case 'FunctionDefinition': {
          const fn = new Fn(world, node, this, null)
          this.functions.push(fn)
          declare(this.own, fn)
          break
        }
        case 'StateVariable':
          declare(this.own, new Variable(world, 'constant', node, this, null))
          break
        case 'UsingDirective':
          this.usings.push(node)
          break
        case 'StructDefinition':
        case 'EnumDefinition':
        case 'UserTypeDefinition':
        case 'ErrorDefinition':
        case 'EventDefinition':
          declare(this.own, declareSimple(world, node, this, null))
      }
    }
  }
}

const declare = (scope: Map<string, Declaration[]>, declaration: Declaration) => {
  if (declaration.name === '') return
  const same = scope.get(declaration.name)
  if (same === undefined) scope.set(declaration.name, [declaration])
  else same.push(declaration)
}

type SimpleNode = StructDefinition | EnumDefinition | UserTypeDefinition | ErrorDefinition | EventDefinition
type Simple = Struct | Enum | UserType | Err | Event

const declareSimple = (world: World, node: SimpleNode, file: File, contract: Contract | null): Simple => {
  switch (node.kind) {
    case 'StructDefinition':
      return new Struct(world, node, file, contract)
    case 'EnumDefinition':
      return new Enum(node, file, contract)
    case 'UserTypeDefinition':
      return new UserType(world, node, file, contract)
    case 'ErrorDefinition':
      return new Err(world, node, file, contract)
    case 'EventDefinition':
      return new Event(world, node, file, contract)
  }
}

export class Contract implements ContractModel {
  readonly kind = 'contract'
  /** Types made of this declaration; kept by the type table. */
  readonly made: MadeTypes = {}
  readonly name: string
  readonly node: ContractDefinition
  readonly file: File
  readonly contractKind: ContractDefinition['contractKind']
  readonly isStub: boolean
  readonly stateVariables: Variable[] = []
  readonly functions: Fn[] = []
  readonly modifiers: Modifier[] = []
  readonly events: Event[] = []
  readonly errors: Err[] = []
  readonly structs: Struct[] = []
  readonly enums: Enum[] = []
  readonly userTypes: UserType[] = []
  readonly usings: UsingDirective[] = []
  readonly own = new Map<string, Declaration[]>()
  /** Names found so far, also through bases; null: not here. */
  readonly found = new Map<string, readonly Declaration[] | null>()
  private readonly world: World
  private foundBases: readonly BaseModel[] | undefined
  private foundConstructor: Fn | null | undefined
  /** Set by `linearizeInto`, which also uses the next three. */
  order: readonly Contract[] | undefined
  isOpen = false
  depth = 0
  readonly cut: Contract[] = []
  private storage: readonly Variable[] | undefined
  private winners: Map<string, FunctionModel> | undefined
  private modifierWinners: Map<string, ModifierModel> | undefined
  private entries: readonly FunctionModel[] | undefined
  private everyFunction: readonly FunctionModel[] | undefined
  private isIncomplete: boolean | undefined

  constructor(world: World, node: ContractDefinition, file: File) {
    this.world = world
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contractKind = node.contractKind
    this.isStub = file.isStub
    for (const member of node.members) this.declare(member)
  }

  private declare(member: ContractMember) {
    const { world, file, own } = this
    switch (member.kind) {
      case 'StateVariable': {
        const variable = new Variable(world, 'state', member, file, this)
        this.stateVariables.push(variable)
        declare(own, variable)
        break
      }
      case 'FunctionDefinition': {
        const fn = new Fn(world, member, file, this)
        this.functions.push(fn)
        declare(own, fn)
        break
      }
      case 'ModifierDefinition': {
        const modifier = new Modifier(world, member, file, this)
        this.modifiers.push(modifier)
        declare(own, modifier)
        break
      }
      case 'UsingDirective':
        this.usings.push(member)
        break
      case 'ErrorMember':
        break
      default: {
        const simple = declareSimple(world, member, file, this)
        declare(own, simple)
        switch (simple.kind) {
          case 'struct':
            this.structs.push(simple)
            break
          case 'enum':
            this.enums.push(simple)
            break
          case 'userType':
            this.userTypes.push(simple)
            break
          case 'error':
            this.errors.push(simple)
            break
          case 'event':
            this.events.push(simple)
        }
      }
    }
  }

  get bases(): readonly BaseModel[] {
    this.foundBases ??= this.node.bases.map((node) => this.world.baseOf(node, this))
    return this.foundBases
  }

  get linearization(): readonly Contract[] {
    if (this.order === undefined) linearizeInto(this, this.world)
    return this.order ?? [this]
  }

  get hasUnresolvedBase(): boolean {
    this.isIncomplete ??= this.linearization.some((contract) => contract.bases.some((base) => base.contract === null))
    return this.isIncomplete
  }

  get isMostDerived(): boolean {
    return !this.world.inheritedContracts().has(this)
  }

  get allStateVariables(): readonly Variable[] {
    if (this.storage === undefined) {
      const { linearization } = this
      const all: Variable[] = []
      for (let i = linearization.length - 1; i >= 0; i--) {
        for (const variable of (linearization[i] as Contract).stateVariables) all.push(variable)
      }
      this.storage = all
    }
    return this.storage
  }

  get constructor_(): Fn | null {
    if (this.foundConstructor === undefined)
      this.foundConstructor = this.functions.find((fn) => fn.role === 'constructor') ?? null
    return this.foundConstructor
  }

  /** The function that each override key runs in an instance of this contract. */
  get dispatchTable(): Map<string, FunctionModel> {
    if (this.winners !== undefined) return this.winners
    const winners = new Map<string, FunctionModel>()
    for (const contract of this.linearization) {
      for (const fn of contract.functions) {
        if (fn.role === 'constructor' || fn.visibility === 'private') continue
        const known = winners.get(fn.overrideKey)
        if (known === undefined || (!known.isImplemented && fn.isImplemented)) winners.set(fn.overrideKey, fn)
      }
    }
    this.winners = winners
    return winners
  }

  get modifierTable(): Map<string, ModifierModel> {
    if (this.modifierWinners !== undefined) return this.modifierWinners
    const winners = new Map<string, ModifierModel>()
    for (const contract of this.linearization) {
      for (const modifier of contract.modifiers) {
        const known = winners.get(modifier.name)
        if (known === undefined || (known.node.body === null && modifier.node.body !== null)) {
          winners.set(modifier.name, modifier)
        }
      }
    }
    this.modifierWinners = winners
    return winners
  }

  get entryPoints(): readonly FunctionModel[] {
    if (this.entries === undefined) {
      const entries: FunctionModel[] = []
      for (const fn of this.dispatchTable.values()) {
        if (fn.isImplemented && (fn.visibility === 'public' || fn.visibility === 'external')) entries.push(fn)
      }
      this.entries = entries
    }
    return this.entries
  }

  get allFunctions(): readonly FunctionModel[] {
    this.everyFunction ??= this.linearization.flatMap((contract) => contract.functions)
    return this.everyFunction
  }
}

const roleOf = (node: FunctionDefinition, file: File, contract: Contract | null): FunctionRole => {
  if (contract === null) return 'free'
  switch (node.functionKind) {
    case 'constructor':
      return 'constructor'
    case 'fallback':
    case 'unnamed':
      return 'fallback'
    case 'receive':
      return 'receive'
    default:
      // From 0.5 on a function with the contract's name is an ordinary (and then forbidden) one.
      return node.name?.name === contract.name && contract.contractKind !== 'library' && !file.versions.isAtLeast(5)
        ? 'constructor'
        : 'function'
  }
}

const visibilityOf = (node: FunctionDefinition, role: FunctionRole, contract: Contract | null): Visibility => {
  if (role === 'free' || contract === null) return 'internal'
  if (contract.contractKind === 'interface') return 'external'
  if (node.visibility !== null) return node.visibility
  return role === 'fallback' || role === 'receive' ? 'external' : 'public'
}

const mutabilityOf = (node: FunctionDefinition): FunctionModel['mutability'] =>
  node.mutability === 'constant' ? 'view' : node.mutability

export class Fn implements FunctionModel {
  readonly kind = 'function'
  /** Types made of this declaration; kept by the type table. */
  readonly made: MadeTypes = {}
  readonly name: string
  readonly node: FunctionDefinition
  readonly file: File
  readonly contract: Contract | null
  readonly role: FunctionRole
  readonly visibility: Visibility
  /** Identifiers of head and body are in `File.resolved`. */
  isBound = false
  private readonly world: World
  private parameters: readonly Variable[] | undefined
  private results: readonly Variable[] | undefined
  private canonical: string | undefined
  private key: string | undefined
  private uses: readonly ModifierUse[] | undefined
  private guaranteed: KnownEffect | null | undefined

  constructor(world: World, node: FunctionDefinition, file: File, contract: Contract | null) {
    this.world = world
    this.node = node
    this.file = file
    this.contract = contract
    this.role = roleOf(node, file, contract)
    this.name = this.role === 'function' || this.role === 'free' ? (node.name?.name ?? '') : ''
    this.visibility = visibilityOf(node, this.role, contract)
  }

  get mutability(): FunctionModel['mutability'] {
    return mutabilityOf(this.node)
  }

  get isImplemented(): boolean {
    return this.node.body !== null
  }

  get isVirtual(): boolean {
    if (this.contract === null || this.role === 'constructor' || this.visibility === 'private') return false
    if (this.contract.contractKind === 'library') return false
    return (
      this.node.virtual ||
      this.node.override !== null ||
      this.contract.contractKind === 'interface' ||
      !this.file.versions.isAtLeast(6)
    )
  }

  get isStub(): boolean {
    return this.file.isStub
  }

  get effect(): KnownEffect | null {
    if (!this.file.isStub) return null
    if (this.guaranteed === undefined) this.guaranteed = this.world.effectOf(this)
    return this.guaranteed
  }

  get params(): readonly Variable[] {
    this.parameters ??= this.node.params.map(
      (node) => new Variable(this.world, 'parameter', node, this.file, this.contract, this),
    )
    return this.parameters
  }

  get returns(): readonly Variable[] {
    this.results ??= this.node.returns.map(
      (node) => new Variable(this.world, 'return', node, this.file, this.contract, this),
    )
    return this.results
  }

  get signature(): string {
    this.canonical ??= canonicalSignature(this)
    return this.canonical
  }

  /** Equal for functions that override each other. */
  get overrideKey(): string {
    this.key ??= overrideKey(this)
    return this.key
  }

  get modifiers(): readonly ModifierUse[] {
    this.uses ??= this.node.modifiers.map((node) => this.world.modifierUse(node, this))
    return this.uses
  }
}

export class Modifier implements ModifierModel {
  readonly kind = 'modifier'
  readonly name: string
  readonly node: ModifierDefinition
  readonly file: File
  readonly contract: Contract
  isBound = false
  private readonly world: World
  private parameters: readonly Variable[] | undefined
  private guaranteed: KnownEffect | null | undefined

  constructor(world: World, node: ModifierDefinition, file: File, contract: Contract) {
    this.world = world
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contract = contract
  }

  get params(): readonly Variable[] {
    this.parameters ??= this.node.params.map(
      (node) => new Variable(this.world, 'parameter', node, this.file, this.contract),
    )
    return this.parameters
  }

  get isStub(): boolean {
    return this.file.isStub
  }

  get effect(): KnownEffect | null {
    if (!this.file.isStub) return null
    if (this.guaranteed === undefined) this.guaranteed = this.world.effectOf(this)
    return this.guaranteed
  }
}

/** What a `var` takes its type from: the value, or one element of it. */
export interface Initial {
  readonly value: Expression
  /** -1: the whole value. */
  readonly index: number
}

export class Variable implements VariableModel {
  readonly kind = 'variable'
  readonly role: VariableRole
  readonly name: string
  readonly node: StateVariable | Parameter
  readonly file: File
  /** The contract whose scope its type is read in. */
  readonly home: Contract | null
  /** Of parameters and results: whose. */
  readonly owner: Fn | null
  readonly initial: Initial | null
  isNamed = false
  private readonly world: World
  private known: Type | undefined

  constructor(
    world: World,
    role: VariableRole,
    node: StateVariable | Parameter,
    file: File,
    home: Contract | null,
    owner: Fn | null = null,
    initial: Initial | null = null,
  ) {
    this.world = world
    this.role = role
    this.name = node.name?.name ?? ''
    this.node = node
    this.file = file
    this.home = home
    this.owner = owner
    this.initial = initial
  }

  get contract(): Contract | null {
    return this.role === 'state' ? this.home : null
  }

  get type(): Type {
    this.known ??= typeOfVariable(this, this.world)
    return this.known
  }

  get location(): Location {
    const { type } = this
    if (type.kind === 'mapping') return 'storage'
    return 'location' in type ? type.location : null
  }

  get isConstant(): boolean {
    return this.role === 'constant' || (this.node.kind === 'StateVariable' && this.node.constant)
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

const fieldsOf = (
  world: World,
  nodes: readonly Parameter[],
  role: VariableRole,
  file: File,
  contract: Contract | null,
): readonly Variable[] => nodes.map((node) => new Variable(world, role, node, file, contract))

export class Struct implements StructModel {
  readonly kind = 'struct'
  /** Types made of this declaration; kept by the type table. */
  readonly made: MadeTypes = {}
  readonly name: string
  readonly node: StructDefinition
  readonly file: File
  readonly contract: Contract | null
  private readonly world: World
  private members: readonly Variable[] | undefined

  constructor(world: World, node: StructDefinition, file: File, contract: Contract | null) {
    this.world = world
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contract = contract
  }

  get fields(): readonly Variable[] {
    this.members ??= fieldsOf(this.world, this.node.fields, 'field', this.file, this.contract)
    return this.members
  }
}

export class Enum implements EnumModel {
  readonly kind = 'enum'
  /** Types made of this declaration; kept by the type table. */
  readonly made: MadeTypes = {}
  readonly name: string
  readonly node: EnumDefinition
  readonly file: File
  readonly contract: Contract | null
  private members: readonly EnumValueModel[] | undefined

  constructor(node: EnumDefinition, file: File, contract: Contract | null) {
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contract = contract
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

export class UserType implements UserTypeModel {
  readonly kind = 'userType'
  /** Types made of this declaration; kept by the type table. */
  readonly made: MadeTypes = {}
  readonly name: string
  readonly node: UserTypeDefinition
  readonly file: File
  readonly contract: Contract | null
  private readonly world: World

  constructor(world: World, node: UserTypeDefinition, file: File, contract: Contract | null) {
    this.world = world
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contract = contract
  }

  get underlying(): Type {
    return this.world.typeOfName(this.node.underlying, this.contract, this.file)
  }
}

export class Event implements EventModel {
  readonly kind = 'event'
  isNamed = false
  /** Types made of this declaration; kept by the type table. */
  readonly made: MadeTypes = {}
  readonly name: string
  readonly node: EventDefinition
  readonly file: File
  readonly contract: Contract | null
  private readonly world: World
  private members: readonly Variable[] | undefined

  constructor(world: World, node: EventDefinition, file: File, contract: Contract | null) {
    this.world = world
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contract = contract
  }

  get params(): readonly Variable[] {
    this.members ??= fieldsOf(this.world, this.node.params, 'parameter', this.file, this.contract)
    return this.members
  }
}

export class Err implements ErrorModel {
  readonly kind = 'error'
  /** Types made of this declaration; kept by the type table. */
  readonly made: MadeTypes = {}
  readonly name: string
  readonly node: ErrorDefinition
  readonly file: File
  readonly contract: Contract | null
  private readonly world: World
  private members: readonly Variable[] | undefined

  constructor(world: World, node: ErrorDefinition, file: File, contract: Contract | null) {
    this.world = world
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contract = contract
  }

  get params(): readonly Variable[] {
    this.members ??= fieldsOf(this.world, this.node.params, 'parameter', this.file, this.contract)
    return this.members
  }
}

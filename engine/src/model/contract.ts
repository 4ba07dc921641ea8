import type { ContractDefinition, ContractMember, UsingDirective } from '../syntax/index.ts'
import { Fn, Modifier } from './callables.ts'
import type { BaseModel, Declaration, FunctionModel, ModifierModel } from './declaration.ts'
import { define, type Enum, type Err, type Event, type Struct, type UserType } from './definitions.ts'
import { DispatchTable } from './dispatch-table.ts'
import { linearizeInto } from './linearize.ts'
import type { ContractSymbol, FileSymbol, FunctionSymbol, Symbols } from './symbols.ts'
import type { MadeTypes } from './type-table.ts'
import { Variable } from './variable.ts'

export class Contract implements ContractSymbol {
  readonly kind = 'contract'
  /** Types made of this declaration; kept by the type table. */
  made: MadeTypes | null = null
  readonly name: string
  readonly node: ContractDefinition
  readonly file: FileSymbol
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
  found: Map<string, readonly Declaration[] | null> | null = null
  supers: Map<string, ReadonlyMap<string, FunctionSymbol>> | null = null
  /** Of the names found so far the nearest declaration, overloads not looked at; null: not here. */
  firsts: Map<string, Declaration | null> | null = null
  /** What names that are no locals mean inside, in the file and the language too; null: nothing. */
  meanings: Map<string, Declaration | readonly Declaration[] | null> | null = null
  private readonly symbols: Symbols
  private foundBases: readonly BaseModel[] | undefined
  private foundConstructor: Fn | null | undefined
  /** Set by `linearizeInto`, which also uses the next three. */
  order: readonly Contract[] | undefined
  isOpen = false
  depth = 0
  readonly cut: Contract[] = []
  private storage: readonly Variable[] | undefined
  private namesOfState: Set<string> | undefined
  private winners: DispatchTable | undefined
  private modifierWinners: Map<string, ModifierModel> | undefined
  private entries: readonly FunctionModel[] | undefined
  private everyFunction: readonly FunctionModel[] | undefined
  private isIncomplete: boolean | undefined

  constructor(symbols: Symbols, node: ContractDefinition, file: FileSymbol) {
    this.symbols = symbols
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contractKind = node.contractKind
    this.isStub = file.isStub
    for (const member of node.members) this.declare(member)
  }

  private declare(member: ContractMember) {
    const { symbols, file, own } = this
    switch (member.kind) {
      case 'StateVariable': {
        const variable = new Variable(symbols, 'state', member, file, this)
        this.stateVariables.push(variable)
        declare(own, variable)
        break
      }
      case 'FunctionDefinition': {
        const fn = new Fn(symbols, member, file, this)
        this.functions.push(fn)
        declare(own, fn)
        break
      }
      case 'ModifierDefinition': {
        const modifier = new Modifier(symbols, member, file, this)
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
        const simple = define(symbols, member, file, this)
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
    this.foundBases ??= this.node.bases.map((node) => this.symbols.baseOf(node, this))
    return this.foundBases
  }

  get linearization(): readonly Contract[] {
    if (this.order === undefined) linearizeInto(this, this.symbols)
    return this.order ?? [this]
  }

  get hasUnresolvedBase(): boolean {
    this.isIncomplete ??= this.linearization.some((contract) => contract.bases.some((base) => base.contract === null))
    return this.isIncomplete
  }

  get isMostDerived(): boolean {
    return !this.symbols.inheritedContracts().has(this)
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

  /** Names of state variables, own and inherited, those that cannot be seen included. */
  get stateNames(): ReadonlySet<string> {
    if (this.namesOfState === undefined) {
      this.namesOfState = new Set()
      const { linearization } = this
      for (let c = 0; c < linearization.length; c++) {
        const { stateVariables } = linearization[c]!
        for (let i = 0; i < stateVariables.length; i++) this.namesOfState.add(stateVariables[i]!.name)
      }
    }
    return this.namesOfState
  }

  get constructor_(): Fn | null {
    if (this.foundConstructor === undefined) {
      this.foundConstructor = this.functions.find((fn) => fn.role === 'constructor') ?? null
    }
    return this.foundConstructor
  }

  /** The functions that an instance of this contract runs. */
  get dispatchTable(): DispatchTable {
    this.winners ??= new DispatchTable(this.linearization)
    return this.winners
  }

  get modifierTable(): Map<string, ModifierModel> {
    if (this.modifierWinners !== undefined) return this.modifierWinners
    const winners = new Map<string, ModifierModel>()
    const { linearization } = this
    for (let c = 0; c < linearization.length; c++) {
      const { modifiers } = linearization[c]!
      for (let i = 0; i < modifiers.length; i++) {
        const modifier = modifiers[i]!
        const known = winners.get(modifier.name)
        if (known === undefined || (known.node.bodyStart === null && modifier.node.bodyStart !== null)) {
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
      const { winners } = this.dispatchTable
      for (let i = 0; i < winners.length; i++) {
        const fn = winners[i]!
        if (fn.isImplemented && (fn.visibility === 'public' || fn.visibility === 'external')) entries.push(fn)
      }
      this.entries = entries
    }
    return this.entries
  }

  get allFunctions(): readonly FunctionModel[] {
    if (this.everyFunction === undefined) {
      const { linearization } = this
      if (linearization.length === 1) this.everyFunction = this.functions
      else {
        const all: FunctionModel[] = []
        for (let c = 0; c < linearization.length; c++) {
          const { functions } = linearization[c]!
          for (let i = 0; i < functions.length; i++) all.push(functions[i]!)
        }
        this.everyFunction = all
      }
    }
    return this.everyFunction
  }
}

/** Adds a declaration to those of its name. */
export const declare = (scope: Map<string, Declaration[]>, declaration: Declaration) => {
  if (declaration.name === '') return
  const same = scope.get(declaration.name)
  if (same === undefined) scope.set(declaration.name, [declaration])
  else same.push(declaration)
}

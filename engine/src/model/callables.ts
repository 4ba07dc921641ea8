/** Functions and modifiers. */
import type { FunctionDefinition, ModifierDefinition, Visibility } from '../syntax/index.ts'
import type { Declaration, FunctionModel, FunctionRole, KnownEffect, ModifierUse } from './declaration.ts'
import { canonicalSignature, overrideKey } from './signature.ts'
import type { ContractSymbol, FileSymbol, FunctionSymbol, ModifierSymbol, Symbols, VariableSymbol } from './symbols.ts'
import type { MadeTypes } from './type-table.ts'
import { variablesOf } from './variable.ts'

const roleOf = (node: FunctionDefinition, file: FileSymbol, contract: ContractSymbol | null): FunctionRole => {
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

const visibilityOf = (node: FunctionDefinition, role: FunctionRole, contract: ContractSymbol | null): Visibility => {
  if (role === 'free' || contract === null) return 'internal'
  if (contract.contractKind === 'interface') return 'external'
  if (node.visibility !== null) return node.visibility
  return role === 'fallback' || role === 'receive' ? 'external' : 'public'
}

const mutabilityOf = (node: FunctionDefinition): FunctionModel['mutability'] =>
  node.mutability === 'constant' ? 'view' : node.mutability

const noUses: readonly ModifierUse[] = []

const usesOf = (symbols: Symbols, nodes: FunctionDefinition['modifiers'], fn: Fn): readonly ModifierUse[] => {
  if (nodes.length === 0) return noUses
  const uses = [symbols.modifierUse(nodes[0]!, fn)]
  for (let i = 1; i < nodes.length; i++) uses.push(symbols.modifierUse(nodes[i]!, fn))
  return uses
}

export const isFunction = (declaration: Declaration): declaration is FunctionModel => declaration.kind === 'function'

export class Fn implements FunctionSymbol {
  readonly kind = 'function'
  /** Types made of this declaration; kept by the type table. */
  made: MadeTypes | null = null
  readonly name: string
  readonly node: FunctionDefinition
  readonly file: FileSymbol
  readonly contract: ContractSymbol | null
  readonly role: FunctionRole
  readonly visibility: Visibility
  readonly isImplemented: boolean
  /** Identifiers of head and body have their meanings. */
  isBound = false
  private readonly symbols: Symbols
  private parameters: readonly VariableSymbol[] | undefined
  private results: readonly VariableSymbol[] | undefined
  private canonical: string | undefined
  private key: string | undefined
  private uses: readonly ModifierUse[] | undefined
  private guaranteed: KnownEffect | null | undefined

  constructor(symbols: Symbols, node: FunctionDefinition, file: FileSymbol, contract: ContractSymbol | null) {
    this.symbols = symbols
    this.node = node
    this.file = file
    this.contract = contract
    this.role = roleOf(node, file, contract)
    this.name = this.role === 'function' || this.role === 'free' ? (node.name?.name ?? '') : ''
    this.visibility = visibilityOf(node, this.role, contract)
    this.isImplemented = node.bodyStart !== null
  }

  get mutability(): FunctionModel['mutability'] {
    return mutabilityOf(this.node)
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
    if (this.guaranteed === undefined) this.guaranteed = this.symbols.effectOf(this)
    return this.guaranteed
  }

  get params(): readonly VariableSymbol[] {
    this.parameters ??= variablesOf(this.symbols, this.node.params, 'parameter', this.file, this.contract, this)
    return this.parameters
  }

  get returns(): readonly VariableSymbol[] {
    this.results ??= variablesOf(this.symbols, this.node.returns, 'return', this.file, this.contract, this)
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
    if (this.uses === undefined) {
      this.uses = usesOf(this.symbols, this.node.modifiers, this)
    }
    return this.uses
  }
}

export class Modifier implements ModifierSymbol {
  readonly kind = 'modifier'
  readonly name: string
  readonly node: ModifierDefinition
  readonly file: FileSymbol
  readonly contract: ContractSymbol
  isBound = false
  private readonly symbols: Symbols
  private parameters: readonly VariableSymbol[] | undefined
  private guaranteed: KnownEffect | null | undefined

  constructor(symbols: Symbols, node: ModifierDefinition, file: FileSymbol, contract: ContractSymbol) {
    this.symbols = symbols
    this.name = node.name.name
    this.node = node
    this.file = file
    this.contract = contract
  }

  get params(): readonly VariableSymbol[] {
    this.parameters ??= variablesOf(this.symbols, this.node.params, 'parameter', this.file, this.contract)
    return this.parameters
  }

  get isStub(): boolean {
    return this.file.isStub
  }

  get effect(): KnownEffect | null {
    if (!this.file.isStub) return null
    if (this.guaranteed === undefined) this.guaranteed = this.symbols.effectOf(this)
    return this.guaranteed
  }
}

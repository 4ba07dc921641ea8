import {
  type Binary,
  type Call,
  type Expression,
  type Identifier,
  type Parameter,
  type Path,
  parse,
  type Span,
  type TypeName,
  type Unary,
  type VariableStatement,
  type YulCall,
  type YulPath,
} from '../syntax/index.ts'
import { operatorTarget } from './attached-functions.ts'
import { bindBody } from './bind-body.ts'
import type { Contract } from './contract.ts'
import { ContractIndex } from './contract-index.ts'
import type {
  ContractModel,
  Declaration,
  FunctionModel,
  ModifierModel,
  ModifierUse,
  SourceFile,
  Type,
  VariableModel,
} from './declaration.ts'
import { describeType } from './describe-type.ts'
import type { ModelDiagnostic } from './diagnostic.ts'
import { File } from './file.ts'
import { type ImportTargets, linkImports } from './link-imports.ts'
import { memberInfo } from './members.ts'
import type { Model } from './model.ts'
import { NamedSlot } from './named-slot.ts'
import { SymbolTable } from './symbol-table.ts'
import type { ContractSymbol, FileSymbol, FunctionSymbol, ModifierSymbol } from './symbols.ts'

/** A file as the caller gives it. */
export interface InputFile {
  readonly path: string
  readonly text: string
}

export interface ModelOptions {
  /** `@oz/=lib/openzeppelin/`: prefix of an import path → prefix of a given file's path. */
  readonly remappings?: readonly string[]
  /** Goes before remappings and all rules of thumb. */
  readonly importTargets?: ImportTargets
  /** Where the bodies of a text are that was read before and had no errors: they are read when someone needs them. */
  readonly bodiesOf?: (text: string) => readonly number[] | null
}

/** Reads the files and prepares to answer; the answers themselves are worked out on request. */
export const buildModel = (inputs: readonly InputFile[], options: ModelOptions = {}): Model => {
  const symbols = new SymbolTable()
  readFiles(symbols, inputs, options.bodiesOf)
  linkImports(symbols, options.remappings ?? [], options.importTargets)
  return new TableModel(symbols)
}

const readFiles = (symbols: SymbolTable, inputs: readonly InputFile[], bodiesOf: ModelOptions['bodiesOf']): void => {
  let base = 0
  for (const { path, text } of inputs) {
    symbols.files.push(new File(symbols, path, text, base, parse(text, base, bodiesOf?.(text)), false))
    base += text.length + 1
  }
}

const single = (found: Declaration | readonly Declaration[] | undefined): Declaration | undefined =>
  Array.isArray(found) ? undefined : (found as Declaration | undefined)

/** The answers of a symbol table. A class: an object of this many functions takes longer to make than a small file to read. */
class TableModel implements Model {
  readonly #symbols: SymbolTable
  readonly #slots = new Map<bigint | string | VariableModel, VariableModel>()
  #contractIndex: ContractIndex | null = null
  readonly files: Model['files']
  readonly contracts: readonly ContractSymbol[]
  readonly freeFunctions: readonly FunctionSymbol[]

  constructor(symbols: SymbolTable) {
    this.#symbols = symbols
    this.files = symbols.files
    const [first] = symbols.files
    const isAlone = symbols.files.length === 1 && first !== undefined
    this.contracts = isAlone ? first.contracts : symbols.files.flatMap((file) => file.contracts)
    this.freeFunctions = isAlone ? first.functions : symbols.files.flatMap((file) => file.functions)
  }

  implementationsOf(fn: FunctionModel, named: ContractModel): readonly ContractModel[] {
    return this.#index().implementationsOf(fn, named)
  }

  derivedFrom(contract: ContractModel): readonly ContractModel[] {
    return this.#index().derivedFrom(contract)
  }

  #index(): ContractIndex {
    this.#contractIndex ??= new ContractIndex(this.contracts)
    return this.#contractIndex
  }

  forgetSlots(): void {
    this.#slots.clear()
  }

  slotOf(name: bigint | string | VariableModel, span: Span): VariableModel | undefined {
    const known = this.#slots.get(name)
    const file = known === undefined ? this.fileAt(span.start) : undefined
    if (file === undefined) return known
    const slot = new NamedSlot(file, this.#symbols.types.unknown('slot'), span)
    this.#slots.set(name, slot)
    return slot
  }

  get diagnostics(): readonly ModelDiagnostic[] {
    for (const contract of this.contracts) void contract.linearization
    reportDuplicates(this.#symbols)
    return this.#symbols.diagnostics
  }

  get hasUnresolvedImport(): boolean {
    return this.#symbols.files.some((file) => file.imports.some((entry) => entry.target === null))
  }

  fileAt(offset: number) {
    return this.#symbols.fileAt(offset)
  }

  contractAt(offset: number) {
    return this.#symbols.contractAt(offset)
  }

  functionAt(offset: number) {
    return this.#symbols.functionAt(offset)
  }

  modifierAt(offset: number) {
    return this.#symbols.modifierAt(offset)
  }

  resolve(node: Identifier | Path | YulPath) {
    return this.#symbols.resolve(node)
  }

  declarationOf(node: Identifier | Path | YulPath) {
    return single(this.#symbols.resolve(node))
  }

  memberOf(node: Expression & { kind: 'Member' }) {
    return memberInfo(node, this.#symbols).found
  }

  variablesOf(statement: VariableStatement) {
    return statement.declarations.map((node) => (node === null ? null : (this.variableOf(node) ?? null)))
  }

  unnamedVariables(file: SourceFile) {
    file.unit.reads.note(file.unit)
    this.#symbols.bindAll(file as FileSymbol)
    return (file as FileSymbol).unnamed
  }

  hidingVariables(file: SourceFile) {
    file.unit.reads.note(file.unit)
    this.#symbols.bindAll(file as FileSymbol)
    return (file as FileSymbol).hiding
  }

  variableOf(node: Parameter) {
    return node.name ? (single(this.#symbols.resolve(node.name)) as VariableModel | undefined) : undefined
  }

  typeOf(expression: Expression) {
    return this.#symbols.typeOf(expression)
  }

  typeOfName(name: TypeName) {
    return this.#symbols.typeOfNameAt(name)
  }

  describe(type: Type) {
    return describeType(type)
  }

  callTarget(call: Call) {
    return this.#symbols.callTarget(call)
  }

  yulCallTarget(call: YulCall) {
    return single(this.#symbols.resolve(call.name))
  }

  operatorTarget(node: Unary | Binary) {
    const symbols = this.#symbols
    return operatorTarget(node, symbols.typeOf(node.kind === 'Unary' ? node.operand : node.left), symbols)
  }

  bind(owner: FunctionModel | ModifierModel) {
    if (!(owner as FunctionSymbol | ModifierSymbol).isBound)
      bindBody(owner as FunctionSymbol | ModifierSymbol, this.#symbols)
  }

  dispatch(fn: FunctionModel, mostDerived: ContractModel): FunctionModel {
    if (!fn.isVirtual) return fn
    return (mostDerived as Contract).dispatchTable.winnerOf(fn as FunctionSymbol) ?? fn
  }

  superOf(fn: FunctionModel, from: ContractModel, mostDerived: ContractModel): FunctionModel | undefined {
    const { linearization } = mostDerived
    const { overrideKey } = fn as FunctionSymbol
    for (let i = linearization.indexOf(from) + 1; i > 0 && i < linearization.length; i++) {
      for (const candidate of (linearization[i] as ContractSymbol).functions) {
        if (candidate.isImplemented && candidate.visibility !== 'private' && candidate.overrideKey === overrideKey) {
          return candidate
        }
      }
    }
    return undefined
  }

  modifierFor(use: ModifierUse, mostDerived: ContractModel): ModifierModel | null {
    const { modifier } = use
    if (modifier === null) return null
    // `Base.guarded` names one version.
    if (use.node.name.names.length > 1) return modifier
    return (mostDerived as Contract).modifierTable.get(modifier.name) ?? modifier
  }

  constantValue(expression: Expression) {
    return this.#symbols.constantValue(expression)
  }
}

const reportDuplicates = (symbols: SymbolTable) => {
  for (const file of symbols.files) {
    for (const [name, found] of file.own) {
      if (found.length < 2) continue
      const second = found.find((declaration, i) => i > 0 && declaration.kind !== 'function')
      if (second !== undefined && 'node' in second) {
        symbols.report('duplicate-declaration', second.node, `${name} is declared more than once in this file.`)
      }
    }
    for (const contract of file.contracts) reportStructs(contract, symbols)
  }
}

/** A struct that holds itself other than through a mapping or a growing array has no size. */
const reportStructs = (contract: ContractSymbol, symbols: SymbolTable) => {
  for (const struct of contract.structs) {
    const seen = new Set<object>()
    const stack = struct.fields.map((field) => field.type)
    while (stack.length > 0) {
      const type = stack.pop()
      if (type?.kind === 'array' && type.length !== null) stack.push(type.base)
      if (type?.kind !== 'struct' || seen.has(type.struct)) continue
      seen.add(type.struct)
      if (type.struct === struct) {
        symbols.report('recursive-struct', struct.node.name, `${struct.name} contains itself.`)
        break
      }
      for (const field of type.struct.fields) stack.push(field.type)
    }
  }
}

/** Everything the parts of the model share while they answer: files, tables of what is known, and name look-up. */

import { isForTests } from '../paths/index.ts'
import type {
  Call,
  Expression,
  Identifier,
  InheritanceSpecifier,
  Member,
  ModifierInvocation,
  Path,
  SourceUnit,
  Span,
  TypeName,
  YulPath,
} from '../syntax/index.ts'
import { bindBody } from './bind-body.ts'
import { globals, instructions } from './builtins.ts'
import { callTarget } from './call-targets.ts'
import { type CompilerVersions, guessedVersions, readVersions } from './compiler-versions.ts'
import { constantValue } from './constant-value.ts'
import type {
  BaseModel,
  Builtin,
  Declaration,
  FunctionModel,
  KnownEffect,
  ModifierModel,
  ModifierUse,
  Type,
  VariableModel,
} from './declaration.ts'
import type { ModelDiagnostic } from './diagnostic.ts'
import { File } from './file.ts'
import { findKnownFile, findKnownName, knownEffect, type StubSource } from './known-libraries/index.ts'
import { isOrderOfItsOwn } from './linearize.ts'
import { keepName, meaningOf } from './meanings.ts'
import { memberInfo } from './members.ts'
import type { CallTarget } from './model.ts'
import type {
  Attachments,
  BoundNames,
  ConstantValue,
  ContractSymbol,
  FileSymbol,
  Found,
  FunctionSymbol,
  MemberInfo,
  ModifierSymbol,
  Symbols,
  VariableSymbol,
} from './symbols.ts'
import { typeOf } from './type-expressions.ts'
import { readTypeName } from './type-names.ts'
import { TypeTable } from './type-table.ts'

/** More of them in one file say nothing new; those of other files do. */
const maxNotesPerFile = 100

export class SymbolTable implements Symbols {
  readonly types = new TypeTable()
  readonly files: FileSymbol[] = []
  readonly diagnostics: ModelDiagnostic[] = []
  /** Places that were reported, and how many in each file. */
  readonly #noted = new Set<string>()
  readonly #notesByFile = new Map<FileSymbol | undefined, number>()
  readonly expressionTypes = new Map<Expression, Type>()
  /** What is known about nodes of known libraries; that about all others hangs on them. */
  readonly meanings = new Map<object, unknown>()
  #constants: Map<VariableModel, ConstantValue> | null = null
  #attachments: Map<ContractSymbol | FileSymbol, Attachments> | null = null
  #globalAttachments: Map<FileSymbol, Attachments> | null = null
  readonly unknownCall = this.types.unknown('call')
  /** Room for the locals of the function that is being bound; null while it is taken. */
  boundNames: BoundNames | null = null
  /** How many `typeOf` are open. */
  depth = 0
  private readonly stubs: FileSymbol[] = []
  private inferring: Set<VariableSymbol> | null = null
  private lastFile: FileSymbol | undefined
  private inherited: Set<ContractSymbol> | undefined

  get constants(): Map<VariableModel, ConstantValue> {
    this.#constants ??= new Map()
    return this.#constants
  }

  get globalAttachments(): Map<FileSymbol, Attachments> {
    this.#globalAttachments ??= new Map()
    return this.#globalAttachments
  }

  get attachments(): Map<ContractSymbol | FileSymbol, Attachments> {
    this.#attachments ??= new Map()
    return this.#attachments
  }

  report(code: ModelDiagnostic['code'], at: Span, message: string) {
    const place = `${code} ${at.start}`
    if (this.#noted.has(place)) return
    const file = this.fileAt(at.start)
    const notesByFile = this.#notesByFile.get(file) ?? 0
    if (notesByFile >= maxNotesPerFile) return
    this.#notesByFile.set(file, notesByFile + 1)
    this.#noted.add(place)
    this.diagnostics.push({ code, message, start: at.start, end: at.end })
  }

  // Places

  fileAt(offset: number): FileSymbol | undefined {
    const last = this.lastFile
    if (last !== undefined && offset >= last.base && offset <= last.unit.end) return last
    const found = findSpan(this.files, offset) ?? findSpan(this.stubs, offset)
    if (found !== undefined) this.lastFile = found
    return found
  }

  contractAt(offset: number): ContractSymbol | undefined {
    const file = this.fileAt(offset)
    return file === undefined ? undefined : findNode(file.contracts, offset)
  }

  functionAt(offset: number): FunctionSymbol | undefined {
    const file = this.fileAt(offset)
    if (file === undefined) return undefined
    const contract = findNode(file.contracts, offset)
    return findNode(contract === undefined ? file.functions : contract.functions, offset)
  }

  modifierAt(offset: number): ModifierSymbol | undefined {
    const contract = this.contractAt(offset)
    return contract === undefined ? undefined : findNode(contract.modifiers, offset)
  }

  // Names

  /** What a name that is no local means in a contract (or outside of one) of a file. */
  lookup(name: string, home: ContractSymbol | null, file: FileSymbol): Found | undefined {
    // Without bases the search is no longer than the way to a note of its outcome.
    if (home === null || home.linearization.length === 1) return this.search(name, home, file)
    home.meanings ??= new Map()
    const known = home.meanings.get(name)
    if (known !== undefined) return known ?? undefined
    const found = this.search(name, home, file)
    home.meanings.set(name, found ?? null)
    return found
  }

  private search(name: string, home: ContractSymbol | null, file: FileSymbol): Found | undefined {
    const found = (home === null ? undefined : this.searchContract(home, name)) ?? file.scope.get(name)
    if (found !== undefined) return found.length === 1 ? found[0] : found
    return globals.get(name) ?? this.lookupGuess(name, file)
  }

  /** Own and inherited declarations of a contract with this name; overridden functions left out. */
  lookupInContract(contract: ContractSymbol, name: string): readonly Declaration[] | undefined {
    if (contract.linearization.length === 1) return contract.own.get(name)
    contract.found ??= new Map()
    const known = contract.found.get(name)
    if (known !== undefined) return known ?? undefined
    const found = this.searchContract(contract, name)
    contract.found.set(name, found ?? null)
    return found
  }

  private searchContract(contract: ContractSymbol, name: string): readonly Declaration[] | undefined {
    const { linearization } = contract
    let found: readonly Declaration[] | undefined = contract.own.get(name)
    for (let i = 1; i < linearization.length; i++) {
      const base = linearization[i]!
      const inherited = base.own.get(name)
      // What a base keeps for itself it finds before what its derived contracts find.
      if (isOrderOfItsOwn(linearization, i) && !inherited?.some(isPrivate)) {
        const rest = this.lookupInContract(base, name)
        if (rest === undefined || found === undefined) return found ?? rest
        if (areFunctions(found) && areFunctions(rest)) return joined(found, rest)
      }
      if (inherited !== undefined) found = joined(found, inherited)
    }
    return found
  }

  /** A name that a missing import may have supplied: taken for the known library of that name. */
  private lookupGuess(name: string, file: FileSymbol): Found | undefined {
    if (file.isStub || !file.imports.some((entry) => entry.target === null || entry.target.isStub)) return undefined
    const stub = findKnownName(name)
    if (stub === undefined) return undefined
    const found = this.stubFile(stub).own.get(name)
    return found === undefined ? undefined : found.length === 1 ? found[0] : found
  }

  stubFile(source: StubSource): FileSymbol {
    let file = this.stubs.find((candidate) => candidate.base === source.base)
    if (file === undefined) {
      const parsed = { unit: source.unit(), errors: [], comments: [] }
      file = new File(this, source.path, source.text, source.base, parsed, true)
      this.stubs.push(file)
      this.stubs.sort((a, b) => a.base - b.base)
      this.linkStub(file)
    }
    return file
  }

  /** Stubs name each other freely: their imports are by the name of the library. */
  private linkStub(file: FileSymbol) {
    const scope = new Map<string, readonly Declaration[]>(file.own)
    file.scope = scope
    for (const node of file.unit.members) {
      if (node.kind !== 'ImportDirective') continue
      const source = findKnownFile(node.path)
      if (source === undefined) continue
      for (const [name, found] of this.stubFile(source).scope) if (!scope.has(name)) scope.set(name, found)
    }
  }

  instruction(name: string): Builtin | undefined {
    return instructions.get(name)
  }

  /**
   * What a path of names means first of all. Overloads are not compared: the types of their parameters may be named by the very path that is
   * being looked up.
   */
  resolvePath(names: readonly Identifier[], home: ContractSymbol | null, file: FileSymbol): Declaration | undefined {
    const [first] = names
    if (first === undefined) return undefined
    let found = this.lookupFirst(first.name, home, file)
    for (let i = 1; i < names.length && found !== undefined; i++) {
      found = this.firstMember(found, (names[i] as Identifier).name)
    }
    return found
  }

  private lookupFirst(name: string, home: ContractSymbol | null, file: FileSymbol): Declaration | undefined {
    const inContract = home === null ? undefined : this.firstInContract(home, name)
    if (inContract !== undefined) return inContract
    return asList(file.scope.get(name) ?? globals.get(name) ?? this.lookupGuess(name, file))[0]
  }

  private firstMember(declaration: Declaration, name: string): Declaration | undefined {
    return declaration.kind === 'contract'
      ? this.firstInContract(declaration as ContractSymbol, name)
      : this.memberOfDeclaration(declaration, name)[0]
  }

  /** Its own declaration of this name, or the nearest inherited one that it can see. */
  private firstInContract(contract: ContractSymbol, name: string): Declaration | undefined {
    if (contract.linearization.length === 1) return contract.own.get(name)?.[0]
    contract.firsts ??= new Map()
    const known = contract.firsts.get(name)
    if (known !== undefined) return known ?? undefined
    const inherited = (base: ContractSymbol) => base.own.get(name)?.find((declaration) => !isPrivate(declaration))
    let found = contract.own.get(name)?.[0]
    for (let i = 1; i < contract.linearization.length && found === undefined; i++) {
      found = inherited(contract.linearization[i] as ContractSymbol)
    }
    contract.firsts.set(name, found ?? null)
    return found
  }

  resolvePathAll(names: readonly Identifier[], home: ContractSymbol | null, file: FileSymbol): readonly Declaration[] {
    const [first] = names
    if (first === undefined) return []
    let found = asList(this.lookup(first.name, home, file))
    for (let i = 1; i < names.length && found.length > 0; i++) {
      found = this.memberOfDeclaration(found[0] as Declaration, (names[i] as Identifier).name)
    }
    return found
  }

  private memberOfDeclaration(declaration: Declaration, name: string): readonly Declaration[] {
    switch (declaration.kind) {
      case 'contract':
        return this.lookupInContract(declaration as ContractSymbol, name) ?? []
      case 'module':
        return declaration.target?.scope.get(name) ?? []
      case 'enum':
        return declaration.values.filter((value) => value.name === name)
      default:
        return []
    }
  }

  resolve(node: Identifier | Path | YulPath): Found | undefined {
    if (node.kind === 'Path') return this.resolveWritten(node)
    const identifier = node.kind === 'YulPath' ? node.names[0] : node
    if (identifier === undefined) return undefined
    const known = meaningOf(identifier, this)
    return known === undefined ? this.resolveUnbound(identifier) : (known ?? undefined)
  }

  /** Finds the meaning of every name in the bodies of a file that is not looked up yet. */
  bindAll(file: FileSymbol): void {
    if (file.isBound) return
    file.isBound = true
    this.bindEach(file.functions)
    for (const contract of file.contracts) {
      this.bindEach(contract.functions)
      this.bindEach(contract.modifiers)
    }
  }

  private bindEach(owners: readonly (FunctionSymbol | ModifierSymbol)[]): void {
    for (let i = 0; i < owners.length; i++) {
      const owner = owners[i]!
      if (!owner.isBound && owner.node.bodyStart !== null) bindBody(owner, this)
    }
  }

  private resolveUnbound(node: Identifier): Found | undefined {
    const file = this.fileAt(node.start)
    if (file === undefined) return undefined
    const contract = findNode(file.contracts, node.start)
    const owner =
      contract === undefined
        ? findNode(file.functions, node.start)
        : (findNode(contract.functions, node.start) ?? findNode(contract.modifiers, node.start))
    if (owner !== undefined && !owner.isBound) {
      bindBody(owner, this)
      const bound = meaningOf(node, this)
      if (bound !== undefined) return bound ?? undefined
    }
    const found = this.lookup(node.name, contract ?? null, file)
    keepName(node, found ?? null, this)
    return found
  }

  private resolveWritten(path: Path): Found | undefined {
    const file = this.fileAt(path.start)
    if (file === undefined) return undefined
    const found = this.resolvePathAll(path.names, findNode(file.contracts, path.start) ?? null, file)
    return found.length <= 1 ? found[0] : found
  }

  baseOf(node: InheritanceSpecifier, contract: ContractSymbol): BaseModel {
    const found = this.resolvePath(node.base.names, null, contract.file)
    if (found === contract) {
      this.report('cyclic-inheritance', node, `${contract.name} inherits itself.`)
      return { node, contract: null }
    }
    if (found?.kind !== 'contract') {
      const name = node.base.names.map((part) => part.name).join('.')
      this.report('base-not-found', node, `The base ${name} is not among the given files.`)
      return { node, contract: null }
    }
    return { node, contract: found }
  }

  modifierUse(node: ModifierInvocation, fn: FunctionSymbol): ModifierUse {
    const found = this.resolvePathAll(node.name.names, fn.contract, fn.file)
    for (const declaration of found) {
      if (declaration.kind === 'modifier') return { node, modifier: declaration, base: null }
      if (declaration.kind === 'contract') return { node, modifier: null, base: declaration }
    }
    return { node, modifier: null, base: null }
  }

  /** The bases that are written: what these inherit is added with them, unless they are no code of the product themselves. */
  #basesToAdd({ linearization, bases, cut }: ContractSymbol): readonly ContractSymbol[] {
    if (linearization.length < 2) return []
    const direct = bases.flatMap(({ contract }) => (contract as ContractSymbol | null) ?? [])
    const areOfProduct = direct.every(({ file }) => !file.isStub && !isForTests(file.path))
    if (!areOfProduct) return linearization.slice(1) as readonly ContractSymbol[]
    return direct.filter((base) => !cut.includes(base))
  }

  inheritedContracts(): Set<ContractSymbol> {
    if (this.inherited === undefined) {
      this.inherited = new Set()
      for (const file of this.files) {
        const isOfTests = isForTests(file.path)
        // A harness that derives from a contract of the product is no reason not to judge that as it is.
        for (const contract of file.contracts)
          for (const base of this.#basesToAdd(contract))
            if (!isOfTests || isForTests(base.file.path)) this.inherited.add(base)
      }
    }
    return this.inherited
  }

  effectOf(declaration: FunctionModel | ModifierModel): KnownEffect | null {
    return knownEffect(declaration.contract?.name ?? '', declaration.name)
  }

  // Types

  typeOf(node: Expression): Type {
    return typeOf(node, this)
  }

  typeOfName(name: TypeName, home: ContractSymbol | null, file: FileSymbol): Type {
    // Nothing is noted: those who ask for the type of a variable keep it, and each type is made once.
    return readTypeName(name, home, file, this)
  }

  typeOfNameAt(name: TypeName): Type {
    const file = this.fileAt(name.start)
    if (file === undefined) return this.types.unknown('outside')
    return this.typeOfName(name, findNode(file.contracts, name.start) ?? null, file)
  }

  memberInfo(node: Member): MemberInfo {
    return memberInfo(node, this)
  }

  callTarget(node: Call): CallTarget {
    return callTarget(node, this)
  }

  constantValue(node: Expression): ConstantValue {
    return constantValue(node, this)
  }

  isInferring(variable: VariableSymbol): boolean {
    return this.inferring?.has(variable) === true
  }

  startInferring(variable: VariableSymbol) {
    this.inferring ??= new Set()
    this.inferring.add(variable)
  }

  endInferring(variable: VariableSymbol) {
    this.inferring?.delete(variable)
  }

  versionsOf(unit: SourceUnit, noteExact: () => void): CompilerVersions {
    const pragmas: string[] = []
    for (const node of unit.members) {
      if (node.kind === 'PragmaDirective' && node.name === 'solidity') pragmas.push(node.value)
    }
    return pragmas.length > 0 ? readVersions(pragmas, noteExact) : guessVersions(unit)
  }
}

const asList = (found: Found | undefined): readonly Declaration[] =>
  found === undefined ? [] : Array.isArray(found) ? found : [found as Declaration]

const isPrivate = (declaration: Declaration): boolean =>
  (declaration.kind === 'function' || declaration.kind === 'variable') && declaration.visibility === 'private'

const areFunctions = (found: readonly Declaration[]): boolean => found.every(({ kind }) => kind === 'function')

const joined = (
  nearer: readonly Declaration[] | undefined,
  inherited: readonly Declaration[],
): readonly Declaration[] | undefined => {
  let found = nearer
  for (const declaration of inherited) {
    if (isPrivate(declaration)) continue
    if (found === undefined) found = [declaration]
    else if (isOverload(declaration, found)) found = [...found, declaration]
  }
  return found
}

/** Functions and events of bases join those found so far unless one with the same parameters is there. */
const isOverload = (declaration: Declaration, found: readonly Declaration[]): boolean => {
  if (declaration.kind === 'function') {
    const { overrideKey } = declaration as FunctionSymbol
    return found.every((other) => other.kind === 'function' && (other as FunctionSymbol).overrideKey !== overrideKey)
  }
  return declaration.kind === 'event' && found.every((other) => other.kind === 'event')
}

/** The item whose span holds the offset; items are in order and do not overlap. */
const findNode = <T extends { readonly node: Span }>(items: readonly T[], offset: number): T | undefined => {
  let low = 0
  let high = items.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const item = items[middle] as T
    if (offset < item.node.start) high = middle - 1
    else if (offset >= item.node.end) low = middle + 1
    else return item
  }
  return undefined
}

const findSpan = (files: readonly FileSymbol[], offset: number): FileSymbol | undefined => {
  let low = 0
  let high = files.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const file = files[middle] as FileSymbol
    if (offset < file.base) high = middle - 1
    else if (offset > file.unit.end) low = middle + 1
    else return file
  }
  return undefined
}

/** What the heads of the definitions say about the compiler when no pragma does. */
const guessVersions = (unit: SourceUnit): CompilerVersions => {
  let lowest = 4000
  let highest = Number.POSITIVE_INFINITY
  const atLeast = (version: number) => {
    lowest = Math.max(lowest, version)
  }
  for (const node of unit.members) {
    if (node.kind === 'FunctionDefinition') atLeast(7001)
    else if (node.kind === 'ErrorDefinition' || node.kind === 'UserTypeDefinition') atLeast(8004)
    if (node.kind !== 'ContractDefinition') continue
    if (node.contractKind === 'abstract') atLeast(6000)
    for (const member of node.members) {
      if (member.kind === 'ErrorDefinition') atLeast(8004)
      if (member.kind !== 'FunctionDefinition') continue
      if (member.functionKind === 'receive' || member.virtual || member.override !== null) atLeast(6000)
      if (member.functionKind === 'constructor') atLeast(4022)
      if (member.functionKind === 'unnamed') highest = Math.min(highest, 5999)
      if (member.functionKind === 'function' && member.visibility === null) highest = Math.min(highest, 4999)
      if (member.mutability === 'constant') highest = Math.min(highest, 4999)
    }
  }
  return lowest <= highest ? guessedVersions(lowest, highest) : guessedVersions(4000, Number.POSITIVE_INFINITY)
}

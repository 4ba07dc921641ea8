import { parse } from '../syntax/index.ts'
import { operatorTarget } from './attached-functions.ts'
import type {
  ContractModel,
  Declaration,
  FunctionModel,
  ModifierModel,
  ModifierUse,
  VariableModel,
} from './declaration.ts'
import { type Contract, File, type Fn } from './declare.ts'
import { describeType } from './describe-type.ts'
import { linkImports } from './link-imports.ts'
import { memberInfo } from './members.ts'
import type { Model } from './model.ts'
import { World } from './world.ts'

/** A file as the caller gives it. */
export interface InputFile {
  readonly path: string
  readonly text: string
}

export interface ModelOptions {
  /** `@oz/=lib/openzeppelin/`: prefix of an import path → prefix of a given file's path. */
  readonly remappings?: readonly string[]
}

/** Reads the files and prepares to answer; the answers themselves are worked out when asked for. */
export const buildModel = (inputs: readonly InputFile[], options: ModelOptions = {}): Model => {
  const world = new World()
  let base = 0
  for (const { path, text } of inputs) {
    const { unit, errors, comments } = parse(text, base)
    world.files.push(new File(world, path, text, base, unit, false, errors, comments))
    base += text.length + 1
  }
  linkImports(world, options.remappings ?? [])
  return modelOf(world)
}

const modelOf = (world: World): Model => {
  const contracts = world.files.flatMap((file) => file.contracts)
  const single = (found: Declaration | readonly Declaration[] | undefined): Declaration | undefined =>
    Array.isArray(found) ? undefined : (found as Declaration | undefined)
  return {
    files: world.files,
    contracts,
    freeFunctions: world.files.flatMap((file) => file.functions),
    get diagnostics() {
      for (const contract of contracts) void contract.linearization
      reportDuplicates(world)
      return world.diagnostics
    },
    get hasUnresolvedImport() {
      return world.files.some((file) => file.imports.some((entry) => entry.target === null))
    },
    fileAt: (offset) => world.fileAt(offset),
    contractAt: (offset) => world.contractAt(offset),
    functionAt: (offset) => world.functionAt(offset),
    modifierAt: (offset) => world.modifierAt(offset),
    resolve: (node) => world.resolve(node),
    declarationOf: (node) => single(world.resolve(node)),
    memberOf: (node) => memberInfo(node, world).found,
    variablesOf: (statement) =>
      statement.declarations.map((node) =>
        node?.name ? ((single(world.resolve(node.name)) as VariableModel | undefined) ?? null) : null,
      ),
    variableOf: (node) => (node.name ? (single(world.resolve(node.name)) as VariableModel | undefined) : undefined),
    typeOf: (node) => world.typeOf(node),
    typeOfName: (name) => world.typeOfNameAt(name),
    describe: describeType,
    callTarget: (call) => world.callTarget(call),
    yulCallTarget: (call) => single(world.resolve(call.name)),
    operatorTarget: (node) =>
      operatorTarget(node, world.typeOf(node.kind === 'Unary' ? node.operand : node.left), world),
    dispatch,
    superOf,
    modifierFor,
    constantValue: (node) => world.constantValue(node),
  }
}

const dispatch = (fn: FunctionModel, mostDerived: ContractModel): FunctionModel => {
  if (!fn.isVirtual) return fn
  return (mostDerived as Contract).dispatchTable.get((fn as Fn).overrideKey) ?? fn
}

const superOf = (fn: FunctionModel, from: ContractModel, mostDerived: ContractModel): FunctionModel | undefined => {
  const { linearization } = mostDerived
  const { overrideKey } = fn as Fn
  for (let i = linearization.indexOf(from) + 1; i > 0 && i < linearization.length; i++) {
    for (const candidate of (linearization[i] as Contract).functions) {
      if (candidate.isImplemented && candidate.visibility !== 'private' && candidate.overrideKey === overrideKey) {
        return candidate
      }
    }
  }
  return undefined
}

const modifierFor = (use: ModifierUse, mostDerived: ContractModel): ModifierModel | null => {
  const { modifier } = use
  if (modifier === null) return null
  // `Base.guarded` names one version.
  if (use.node.name.names.length > 1) return modifier
  return (mostDerived as Contract).modifierTable.get(modifier.name) ?? modifier
}

const reportDuplicates = (world: World) => {
  for (const file of world.files) {
    for (const [name, found] of file.own) {
      if (found.length < 2) continue
      const second = found.find((declaration, i) => i > 0 && declaration.kind !== 'function')
      if (second !== undefined && 'node' in second) {
        world.report('duplicate-declaration', second.node, `${name} is declared more than once in this file.`)
      }
    }
    for (const contract of file.contracts) reportStructs(contract, world)
  }
}

/** A struct that holds itself other than through a mapping or a growing array has no size. */
const reportStructs = (contract: Contract, world: World) => {
  for (const struct of contract.structs) {
    const seen = new Set<object>()
    const stack = struct.fields.map((field) => field.type)
    while (stack.length > 0) {
      const type = stack.pop()
      if (type?.kind === 'array' && type.length !== null) stack.push(type.base)
      if (type?.kind !== 'struct' || seen.has(type.struct)) continue
      seen.add(type.struct)
      if (type.struct === struct) {
        world.report('recursive-struct', struct.node.name, `${struct.name} contains itself.`)
        break
      }
      for (const field of type.struct.fields) stack.push(field.type)
    }
  }
}

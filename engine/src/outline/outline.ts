import {
  buildModel,
  type ContractModel,
  type FunctionModel,
  type InputFile,
  type Model,
  type ModelOptions,
} from '../model/index.ts'
import { BodyReader } from './body-facts.ts'
import { CallerReader } from './callers.ts'
import { layOut, type StorageEntry, unreadBases } from './storage-layout.ts'

/** The shape of a program, for people who read it: who may do what, what rests on what, where state lies. */
export interface Outline {
  readonly contracts: readonly ContractOutline[]
}

export interface ContractOutline {
  readonly name: string
  readonly kind: string
  readonly path: string
  readonly line: number
  /** Direct ones, as written. */
  readonly bases: readonly string[]
  /** Most derived first, starting with the contract itself. */
  readonly linearization: readonly string[]
  readonly functions: readonly FunctionOutline[]
  readonly storage: readonly StorageEntry[]
  /** Base contracts that were not read: with one of them no slot is known. */
  readonly unreadBases: readonly string[]
  /** Made to be used behind a proxy, as far as its source shows: initializer, storage gap, namespace, UUPS. */
  readonly isUpgradeable: boolean
  /** Calls between functions: `from` and `to` are `Contract.function`, external callees as written. */
  readonly calls: readonly CallEdge[]
}

export interface CallEdge {
  readonly from: string
  readonly to: string
  readonly isExternal: boolean
}

/** A function that can be called from outside. */
export interface FunctionOutline {
  readonly signature: string
  readonly contract: string
  readonly line: number
  readonly mutability: string
  readonly modifiers: readonly string[]
  /** The checks of the caller that hold, as written; empty: anyone may call. */
  readonly callers: readonly string[]
  readonly writes: readonly string[]
  readonly externalCalls: readonly string[]
}

/** The outline of several files as one program. */
export const outline = (files: readonly InputFile[], options: ModelOptions = {}): Outline => {
  const model = buildModel(files, options)
  const reader = new BodyReader(model)
  const callers = new CallerReader(model)
  return { contracts: model.contracts.map((contract) => outlineContract(contract, model, reader, callers)) }
}

const lineAt = (contract: ContractModel | null, offset: number): number => {
  if (!contract) return 1
  const { text, base } = contract.file
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset - base; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** Bases that only contracts behind a proxy have a use for. */
const upgradeBase = /^(Initializable|UUPSUpgradeable|\w+Upgradeable)$/

const isUpgradeable = (contract: ContractModel, storage: readonly StorageEntry[]): boolean =>
  contract.contractKind === 'contract' &&
  (storage.some(({ isGap, namespace }) => isGap || namespace !== undefined) ||
    [...contract.linearization.map(({ name }) => name), ...unreadBases(contract)].some((name) =>
      upgradeBase.test(name),
    ) ||
    contract.entryPoints.some(({ modifiers }) => modifiers.some(({ modifier }) => modifier?.name === 'initializer')))

const outlineContract = (
  contract: ContractModel,
  model: Model,
  reader: BodyReader,
  callers: CallerReader,
): ContractOutline => {
  const storage = contract.contractKind === 'interface' ? [] : layOut(contract, model)
  return {
    name: contract.name,
    kind: contract.contractKind,
    path: contract.file.path,
    line: lineAt(contract, contract.node.start),
    bases: contract.bases.map(({ contract: base, node }) => base?.name ?? textOf(contract, node)),
    linearization: contract.linearization.map(({ name }) => name),
    functions: contract.entryPoints
      .filter((fn) => fn.role !== 'constructor')
      .map((fn) => outlineFunction(fn, contract, reader, callers)),
    storage,
    unreadBases: contract.contractKind === 'interface' ? [] : unreadBases(contract),
    isUpgradeable: isUpgradeable(contract, storage),
    calls: callsOf(contract, reader),
  }
}

const textOf = ({ file }: ContractModel, { start, end }: { readonly start: number; readonly end: number }): string =>
  file.text.slice(start - file.base, end - file.base).replace(/\s+/g, ' ')

const nameOf = (fn: FunctionModel): string => `${fn.contract?.name ?? ''}.${fn.name || fn.role}`

const outlineFunction = (
  fn: FunctionModel,
  instance: ContractModel,
  reader: BodyReader,
  callers: CallerReader,
): FunctionOutline => {
  const facts = reader.readAll(fn, instance)
  const uses = fn.modifiers.map(({ node }) => (fn.contract ? textOf(fn.contract, node) : ''))
  return {
    signature: fn.name === '' ? `${fn.role}()` : fn.signature,
    contract: fn.contract?.name ?? '',
    line: lineAt(fn.contract, fn.node.start),
    mutability: fn.mutability,
    modifiers: uses,
    // Only one of the views asks, and it takes an analysis.
    get callers() {
      return callers.callersOf(fn, instance)
    },
    writes: [...facts.writes].map(({ name }) => name).sort(),
    externalCalls: facts.externalCalls,
  }
}

const callsOf = (contract: ContractModel, reader: BodyReader): CallEdge[] => {
  const edges = contract.allFunctions
    .filter(({ isImplemented, isStub }) => isImplemented && !isStub)
    .flatMap((fn) => {
      const { calls, externalCalls } = reader.read(fn, contract)
      return [
        ...calls.map((called) => ({ from: nameOf(fn), to: nameOf(called), isExternal: false })),
        ...externalCalls.map((to) => ({ from: nameOf(fn), to, isExternal: true })),
      ]
    })
  const unique = new Map(edges.map((edge) => [`${edge.from}\0${edge.to}`, edge]))
  return [...unique.values()]
}

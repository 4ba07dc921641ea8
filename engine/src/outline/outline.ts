import type { Flow } from '../ir/index.ts'
import {
  buildModel,
  type ContractModel,
  type FunctionModel,
  type InputFile,
  type Model,
  type ModelOptions,
} from '../model/index.ts'
import { CallerReader } from './callers.ts'
import { type BlockOutline, type CallEdge, type Dependency, FlowReader } from './flow-reader.ts'
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

/** A function that can be called from outside. */
export interface FunctionOutline {
  readonly signature: string
  readonly contract: string
  readonly line: number
  readonly mutability: string
  readonly modifiers: readonly string[]
  /** The checks of the caller that hold, as written; empty: anyone may call. */
  readonly callers: readonly string[]
  /** State variables that it writes and reads, with everything that it calls. */
  readonly writes: readonly string[]
  readonly reads: readonly string[]
  readonly externalCalls: readonly string[]
  /** What can be lost by it: ether and tokens that go out, code of others that runs. */
  readonly risks: readonly string[]
  readonly blocks: readonly BlockOutline[]
  readonly dependencies: readonly Dependency[]
}

/** The outline of several files as one program. */
export const outline = (files: readonly InputFile[], options: ModelOptions = {}): Outline => {
  const model = buildModel(files, options)
  const reader = new FlowReader(model)
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
  reader: FlowReader,
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
    get calls() {
      return callsOf(contract, reader, callers)
    },
  }
}

const textOf = ({ file }: ContractModel, { start, end }: { readonly start: number; readonly end: number }): string =>
  file.text.slice(start - file.base, end - file.base).replace(/\s+/g, ' ')

/** Each view asks for some of it, and it takes an analysis: what is not requested is not worked out. */
const outlineFunction = (
  fn: FunctionModel,
  instance: ContractModel,
  reader: FlowReader,
  callers: CallerReader,
): FunctionOutline => {
  const read = <T>(question: (flow: Flow) => readonly T[]): readonly T[] => {
    const flow = callers.flowOf(fn, instance)
    return flow === undefined ? [] : question(flow)
  }
  return {
    signature: fn.name === '' ? `${fn.role}()` : fn.signature,
    contract: fn.contract?.name ?? '',
    line: lineAt(fn.contract, fn.node.start),
    mutability: fn.mutability,
    modifiers: fn.modifiers.map(({ node }) => (fn.contract ? textOf(fn.contract, node) : '')),
    get callers() {
      return callers.callersOf(fn, instance)
    },
    get writes() {
      return read((flow) => reader.writesOf(flow))
    },
    get reads() {
      return read((flow) => reader.readsOf(flow))
    },
    get externalCalls() {
      return read((flow) => reader.externalCallsOf(flow))
    },
    get risks() {
      return read((flow) => reader.risksOf(flow))
    },
    get blocks() {
      return read((flow) => reader.blocksOf(flow))
    },
    get dependencies() {
      return read((flow) => reader.dependenciesOf(flow))
    },
  }
}

const callsOf = (contract: ContractModel, reader: FlowReader, callers: CallerReader): CallEdge[] => {
  const edges = contract.allFunctions
    .filter(({ isImplemented, isStub }) => isImplemented && !isStub)
    .flatMap((fn) => {
      const flow = callers.flowOf(fn, contract)
      return flow === undefined ? [] : reader.callsOf(flow)
    })
  const unique = new Map(edges.map((edge) => [`${edge.from}\0${edge.to}`, edge]))
  return [...unique.values()]
}

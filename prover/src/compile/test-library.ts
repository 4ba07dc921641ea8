/** What a contract inherits from the library of its tests is no part of the program: it calls cheat codes, which no chain has. */
import type { AbiFunction } from '../evm/abi.ts'
import type { Compilation, CompiledContract, CompiledSource } from './compilation.ts'
import { nodesOf } from './compile.ts'
import { rangesByPc } from './source-map.ts'

const isTestLibrary = ({ path }: CompiledSource): boolean => /(?:^|\/)(?:forge-std|ds-test)\//.test(path)

const functionsIn = (sources: readonly CompiledSource[]): Set<string> =>
  new Set(
    sources.flatMap(({ ast }) =>
      nodesOf(ast).flatMap(({ nodeType, name }) => (nodeType === 'FunctionDefinition' && name ? [name] : [])),
    ),
  )

/** Functions and public state variables of the program itself. */
export const ownFunctions = ({ sources }: Compilation, { functions }: CompiledContract): AbiFunction[] => {
  const inherited = functionsIn(sources.filter(isTestLibrary))
  const own = functionsIn(sources.filter((source) => !isTestLibrary(source)))
  return functions.filter(({ name }) => own.has(name) || !inherited.has(name))
}

/** Whether an instruction is compiled from the program itself. */
export const isOwnInstruction = ({ sources }: Compilation, contract: CompiledContract): ((pc: number) => boolean) => {
  const inherited = new Set(sources.filter(isTestLibrary).map(({ index }) => index))
  if (inherited.size === 0) return () => true
  const ranges = rangesByPc(contract)
  return (pc) => !inherited.has(ranges.get(pc)?.file ?? -1)
}

/** Where a function is written, for a report that starts from a call. */
import type { Compilation, CompiledContract } from '../compile/compilation.ts'
import { nodesOf } from '../compile/compile.ts'

export interface Place {
  readonly path: string
  readonly contract: string
  readonly function: string | null
  readonly line: number
}

const spanOf = (src: string): { start: number; end: number } => {
  const [start = 0, length = 0] = src.split(':').map(Number)
  return { start, end: start + length }
}

/** In the contract itself or in the nearest of its bases; the contract's head where it has no such function. */
export const placeOf = ({ sources }: Compilation, contract: CompiledContract, name: string | null): Place => {
  const found = contract.bases.flatMap((base) =>
    sources.flatMap((source) => {
      const nodes = nodesOf(source.ast)
      const definition = nodes.find((node) => node.nodeType === 'ContractDefinition' && node.name === base)
      if (!definition) return []
      const outer = spanOf(definition.src)
      const node = nodes.find((each) => {
        const { start, end } = spanOf(each.src)
        return each.nodeType === 'FunctionDefinition' && each.name === name && start >= outer.start && end <= outer.end
      })
      const at = node ?? (base === contract.name ? definition : undefined)
      if (!at) return []
      const line = Buffer.from(source.text, 'utf8')
        .subarray(0, spanOf(at.src).start)
        .toString('utf8')
        .split('\n').length
      return [
        { isExact: node !== undefined, place: { path: source.path, contract: contract.name, function: name, line } },
      ]
    }),
  )
  const best = found.find(({ isExact }) => isExact) ?? found[0]
  return best?.place ?? { path: contract.path, contract: contract.name, function: name, line: 1 }
}

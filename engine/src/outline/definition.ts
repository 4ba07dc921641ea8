import {
  buildModel,
  type Declaration,
  type FunctionModel,
  type InputFile,
  type Model,
  type ModelOptions,
  type SourceFile,
} from '../model/index.ts'
import { childrenOf, type Node, type Span } from '../syntax/index.ts'

/** Where a name is declared, lines and columns from 1. */
export interface Definition {
  readonly name: string
  readonly kind: string
  /** The contract that it is declared in. */
  readonly contract?: string | undefined
  readonly path: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/**
 * What the name at a place means: its declaration, after the functions that implement it. Overloads that could not be distinguished
 * give all of them; a builtin or a name without a meaning gives none.
 */
export const definitionsAt = (
  files: readonly InputFile[],
  { path, line, column }: { readonly path: string; readonly line: number; readonly column: number },
  options: ModelOptions = {},
): readonly Definition[] => {
  const model = buildModel(files, options)
  const file = model.files.find((each) => each.path === path)
  if (file === undefined) return []
  const found = meaningOf(nodesAt(file.unit, file.base + offsetOf(file.text, line, column)), model)
  const all = found.flatMap((each) => [...implementationsOf(each, model), each])
  return [...new Set(all)].flatMap((each) => definitionOf(each) ?? [])
}

/** Everything with a name outside of bodies, in the order written. */
export const declarationsOf = (files: readonly InputFile[], options: ModelOptions = {}): readonly Definition[] => {
  const { contracts, freeFunctions } = buildModel(files, options)
  const inContracts = contracts.flatMap((contract) => [
    contract,
    ...contract.functions.filter(({ name }) => name !== ''),
    ...contract.modifiers,
    ...contract.stateVariables,
    ...contract.structs,
    ...contract.enums,
    ...contract.events,
    ...contract.errors,
  ])
  return [...inContracts, ...freeFunctions].flatMap((each) => definitionOf(each) ?? [])
}

/** From the whole file down to the innermost node at an offset. */
const nodesAt = (unit: Node, offset: number): readonly Node[] => {
  const nodes: Node[] = []
  for (let next: Node | undefined = unit; next !== undefined; ) {
    nodes.push(next)
    next = childrenOf(next).find(({ start, end }) => start <= offset && offset < end)
  }
  return nodes
}

const meaningOf = (nodes: readonly Node[], model: Model): readonly Declaration[] => {
  const [node, parent, above] = nodes.toReversed()
  if (parent?.kind === 'Path' || parent?.kind === 'YulPath') return list(model.resolve(parent))
  if (node?.kind === 'Path' || node?.kind === 'YulPath') return list(model.resolve(node))
  if (node?.kind !== 'Identifier' && node?.kind !== 'Member') return []
  const member = node.kind === 'Member' ? node : parent?.kind === 'Member' && parent.name === node ? parent : undefined
  const written = member ?? node
  const around = written === node ? parent : above
  if (around?.kind === 'Call' && around.callee === written) {
    const { functions } = model.callTarget(around)
    if (functions.length > 0) return functions
  }
  return list(member ? model.memberOf(member) : node.kind === 'Identifier' ? model.resolve(node) : undefined)
}

const list = (found: Declaration | readonly Declaration[] | undefined): readonly Declaration[] =>
  found === undefined ? [] : 'kind' in found ? [found] : found

/** A function without a body is implemented by contracts that inherit it. */
const implementationsOf = (declaration: Declaration, model: Model): readonly FunctionModel[] => {
  if (declaration.kind !== 'function' || declaration.isImplemented || declaration.contract === null) return []
  const { contract, signature } = declaration
  return model
    .derivedFrom(contract)
    .flatMap(({ functions }) => functions.filter((fn) => fn.isImplemented && fn.signature === signature))
}

const definitionOf = (declaration: Declaration): Definition | undefined => {
  if (!('file' in declaration) || declaration.file.isStub) return undefined
  const { file, node, name } = declaration
  const at = 'name' in node && node.name !== null && typeof node.name === 'object' ? node.name : node
  const contract = 'contract' in declaration ? declaration.contract?.name : undefined
  return { name, kind: kindOf(declaration), contract, path: file.path, ...placeOf(file, at) }
}

const kindOf = (declaration: Declaration): string =>
  declaration.kind === 'contract'
    ? declaration.contractKind
    : declaration.kind === 'variable' && declaration.role === 'state'
      ? 'state variable'
      : declaration.kind

const placeOf = ({ text, base }: SourceFile, { start, end }: Span) => {
  const [from, to] = [positionOf(text, start - base), positionOf(text, end - base)]
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column }
}

const lineEnd = /\r\n|\r|\n/g

const positionOf = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const lines = text.slice(0, offset).split(lineEnd)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

const offsetOf = (text: string, line: number, column: number): number => {
  const ends = text.matchAll(lineEnd)
  let start = 0
  for (let at = 1; at < line; at++) {
    const end = ends.next()
    if (end.done) break
    start = end.value.index + end.value[0].length
  }
  return start + column - 1
}

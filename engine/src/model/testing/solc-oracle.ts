/** For the tests of this room: what solc says about names and inheritance, and where the model says something else. */
import type { Call, Expression, Identifier, Member } from '../../syntax/index.ts'
import { buildModel, type Declaration, type InputFile, type Model, type SourceFile } from '../index.ts'

export interface Comparison {
  /** Errors of solc: with any, its tree has no references and the comparison means nothing. */
  readonly errors: readonly string[]
  readonly identifiers: number
  readonly members: number
  readonly contracts: number
  readonly differences: readonly string[]
}

export interface SolcNode {
  readonly nodeType: string
  readonly id: number
  readonly src: string
  readonly name?: string
  readonly memberName?: string
  readonly referencedDeclaration?: number | null
  readonly linearizedBaseContracts?: readonly number[]
}

export interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly sources?: Readonly<Record<string, { readonly id: number; readonly ast: SolcNode }>>
}

const everyNode = (root: unknown, visit: (node: Record<string, unknown>) => void) => {
  const stack: unknown[] = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (Array.isArray(value)) for (const item of value) stack.push(item)
    else if (typeof value === 'object' && value !== null) {
      visit(value as Record<string, unknown>)
      for (const item of Object.values(value)) stack.push(item)
    }
  }
}

/** solc counts bytes, the model UTF-16 units. */
const unitsOf = (text: string): ((bytes: number) => number) => {
  if (!/[^\x00-\x7f]/.test(text)) return (bytes) => bytes
  const units = new Map<number, number>()
  let bytes = 0
  for (let i = 0; i < text.length; ) {
    units.set(bytes, i)
    const point = text.codePointAt(i) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    i += point > 0xffff ? 2 : 1
  }
  units.set(bytes, text.length)
  return (at) => units.get(at) ?? -1
}

/** Nodes of our tree by file and place, and the call that each callee belongs to. */
const indexModel = (model: Model) => {
  const identifiers = new Map<string, Identifier>()
  const members = new Map<string, Member>()
  const calls = new Map<Expression, Call>()
  for (const file of model.files) {
    everyNode(file.unit, (value) => {
      const node = value as unknown as Expression
      if (node.kind === 'Identifier') identifiers.set(`${file.path}:${node.start - file.base}`, node)
      if (node.kind === 'Member') members.set(`${file.path}:${node.start - file.base}:${node.end - file.base}`, node)
      if (node.kind === 'Call') calls.set(bareCallee(node.callee), node)
    })
  }
  return { identifiers, members, calls }
}

const bareCallee = (callee: Expression): Expression => {
  let node = callee
  for (;;) {
    if (node.kind === 'CallOptions') node = node.callee
    else if (node.kind === 'Tuple' && node.elements.length === 1 && node.elements[0]) node = node.elements[0]
    else if (node.kind === 'Call' && node.callee.kind === 'Member' && /^(value|gas)$/.test(node.callee.name.name)) {
      node = node.callee.object
    } else return node
  }
}

export const compareWithSolc = (output: SolcOutput, files: readonly InputFile[]): Comparison => {
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const messages = errors.map(({ formattedMessage }) => formattedMessage)
    return { errors: messages, identifiers: 0, members: 0, contracts: 0, differences: [] }
  }
  return compare(output, buildModel(files), files)
}

const compare = (output: SolcOutput, model: Model, files: readonly InputFile[]): Comparison => {
  const sources = Object.entries(output.sources ?? {})
  const pathOf = new Map(sources.map(([path, { id }]) => [id, path]))
  const toUnits = new Map(files.map(({ path, text }) => [path, unitsOf(text)]))
  const spanOf = (node: SolcNode) => {
    const [start = 0, length = 0, source = 0] = node.src.split(':').map(Number)
    const path = pathOf.get(source) ?? ''
    const units = toUnits.get(path) ?? ((at: number) => at)
    return { path, start: units(start), end: units(start + length) }
  }
  const declarations = new Map<number, SolcNode>()
  const nodes: SolcNode[] = []
  for (const [, { ast }] of sources) {
    everyNode(ast, (value) => {
      const node = value as unknown as SolcNode
      if (typeof node.nodeType !== 'string' || typeof node.src !== 'string') return
      nodes.push(node)
      declarations.set(node.id, node)
    })
  }
  const isSame = (found: Declaration | undefined, wanted: SolcNode | undefined): boolean => {
    if (wanted === undefined) return found?.kind === 'builtin'
    if (found === undefined || found.kind === 'builtin') return false
    if (found.kind === 'module') return wanted.nodeType === 'ImportDirective'
    const span = spanOf(wanted)
    const file = model.fileAt(found.node.start) as SourceFile
    return file.path === span.path && found.node.start - file.base === span.start
  }
  const { identifiers, members, calls } = indexModel(model)
  const choose = (found: Declaration | readonly Declaration[] | undefined, node: Expression, wanted?: SolcNode) => {
    if (!Array.isArray(found)) return found as Declaration | undefined
    const call = calls.get(node)
    if (call === undefined) return found.find((one) => isSame(one, wanted)) as Declaration | undefined
    const target = model.callTarget(call)
    return target.function ?? target.event ?? undefined
  }

  const differences: string[] = []
  const counts = { identifiers: 0, members: 0, contracts: 0 }
  for (const node of nodes) {
    const { path, start, end } = spanOf(node)
    if (node.linearizedBaseContracts !== undefined) {
      counts.contracts++
      const wanted = node.linearizedBaseContracts.map((id) => declarations.get(id)?.name).join(' ')
      const contract = model.contracts.find((one) => one.file.path === path && one.node.start - one.file.base === start)
      const got = contract?.linearization.map((base) => base.name).join(' ')
      if (got !== wanted) differences.push(`${path}: ${node.name} is ordered ${got}, by solc ${wanted}`)
    }
    const reference = node.referencedDeclaration
    if (reference === null || reference === undefined) continue
    const wanted = declarations.get(reference)
    if (node.nodeType === 'MemberAccess' && wanted !== undefined) {
      counts.members++
      const member = members.get(`${path}:${start}:${end}`)
      const found = member && choose(model.memberOf(member), member, wanted)
      if (!isSame(found, wanted)) differences.push(`${path}:${start}: .${node.memberName} is ${found?.kind}`)
    } else if (/^(Identifier|IdentifierPath|UserDefinedTypeName)$/.test(node.nodeType) && node.name) {
      counts.identifiers++
      const found = resolveWritten(node.name, path, start)
      if (!isSame(found && choose(found.found, found.node, wanted), wanted)) {
        differences.push(`${path}:${start}: ${node.name} means ${describe(found?.found)}`)
      }
    }
  }
  return { errors: [], ...counts, differences }

  function resolveWritten(name: string, path: string, start: number) {
    const names: Identifier[] = []
    let at = start
    for (const part of name.split('.')) {
      const node = identifiers.get(`${path}:${at}`)
      if (node === undefined) return undefined
      names.push(node)
      at += part.length + 1
    }
    const [first] = names
    const last = names[names.length - 1]
    if (first === undefined || last === undefined) return undefined
    if (names.length === 1) return { node: first, found: model.resolve(first) }
    return { node: first, found: model.resolve({ kind: 'Path', names, start: first.start, end: last.end }) }
  }
}

const describe = (found: Declaration | readonly Declaration[] | undefined): string =>
  found === undefined ? 'nothing' : Array.isArray(found) ? `${found.length} candidates` : (found as Declaration).kind

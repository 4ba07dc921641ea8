/** For the tests of this room: ask about a place by the text that stands there. */
import type { Call, Expression, Identifier } from '../../syntax/index.ts'
import type { Declaration } from '../declaration.ts'
import { buildModel, type InputFile, type Model, type ModelOptions } from '../index.ts'

export interface Probe {
  readonly model: Model
  readonly text: string
  readonly nodes: readonly AnyNode[]
}

type AnyNode = { readonly kind: string; readonly start: number; readonly end: number }

export const modelOf = (input: string | readonly InputFile[], options: ModelOptions = {}): Probe => {
  const files = typeof input === 'string' ? [{ path: 'contract.sol', text: input }] : input
  const model = buildModel(files, options)
  const nodes: AnyNode[] = []
  const stack: unknown[] = model.files.map((file) => file.unit)
  while (stack.length > 0) {
    const value = stack.pop()
    if (Array.isArray(value)) stack.push(...value)
    else if (typeof value === 'object' && value !== null) {
      if ('kind' in value && 'start' in value) nodes.push(value as AnyNode)
      for (const [key, child] of Object.entries(value)) if (key !== 'meaning') stack.push(child)
    }
  }
  return { model, text: files.map((file) => file.text).join('\n'), nodes }
}

const offsetOf = (probe: Probe, snippet: string): number => {
  const at = probe.text.indexOf(snippet)
  if (at < 0) throw new Error(`no such text: ${snippet}`)
  if (probe.text.indexOf(snippet, at + 1) >= 0) throw new Error(`not the only one: ${snippet}`)
  return at
}

/** The node of one kind that starts where the snippet starts; the widest if several do. */
export const place = <K extends Expression['kind']>(
  probe: Probe,
  snippet: string,
  kind: K,
): Extract<Expression, { kind: K }> => {
  const start = offsetOf(probe, snippet)
  const found = probe.nodes.filter((node) => node.kind === kind && node.start === start)
  found.sort((a, b) => b.end - a.end)
  const [node] = found
  if (node === undefined) throw new Error(`no ${kind} at: ${snippet}`)
  return node as unknown as Extract<Expression, { kind: K }>
}

/** What the name at the start of the snippet means. */
export const resolveAt = (probe: Probe, snippet: string): Declaration | readonly Declaration[] | undefined =>
  probe.model.resolve(place(probe, snippet, 'Identifier') as Identifier)

/** The call that starts at the snippet. */
export const callAt = (probe: Probe, snippet: string) => probe.model.callTarget(place(probe, snippet, 'Call') as Call)

export const typeAt = (probe: Probe, snippet: string, kind: Expression['kind']): string =>
  probe.model.describe(probe.model.typeOf(place(probe, snippet, kind)))

export const describeFound = (found: Declaration | readonly Declaration[] | undefined): string => {
  if (found === undefined) return 'nothing'
  if (Array.isArray(found)) return `${found.length} candidates`
  const declaration = found as Declaration
  const owner = 'contract' in declaration && declaration.contract ? `${declaration.contract.name}.` : ''
  return `${declaration.kind} ${owner}${declaration.name}`
}

/** What the functions of a contract do, by their operations: the control-flow graph, what values depend on, what is paid, who is called. */
import { chosenByCaller, parametersIn, Source, stateReadsOf, taintOf } from '../facts/index.ts'
import { tokenCallOf, tokenCalls } from '../idioms/index.ts'
import { type BasicBlock, type CallOp, type Flow, type Op, stripCasts } from '../ir/index.ts'
import type { FunctionModel, Model, ModifierModel } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'

export interface CallEdge {
  readonly from: string
  readonly to: string
  readonly isExternal: boolean
}

/** One block of a control-flow graph. */
export interface BlockOutline {
  readonly id: string
  /** What it does, one operation with an effect a line. */
  readonly lines: readonly string[]
  readonly next: readonly { readonly id: string; readonly when: string }[]
}

/** A state variable that a function writes, and where the value comes from. */
export interface Dependency {
  readonly target: string
  readonly from: readonly string[]
}

const maxText = 80

export class FlowReader {
  readonly #model: Model

  constructor(model: Model) {
    this.#model = model
  }

  /** State variables that it writes, with everything that it calls. */
  writesOf(flow: Flow): readonly string[] {
    return unique(flow.stateStores().map(({ location }) => location.variable?.name ?? 'storage slot')).sort()
  }

  readsOf(flow: Flow): readonly string[] {
    return unique(flow.stateLoads().flatMap(({ location }) => location.variable?.name ?? [])).sort()
  }

  /** Calls that leave the contract, as written. */
  externalCallsOf(flow: Flow): readonly string[] {
    return unique(flow.externalCalls().map((call) => this.#calleeOf(call)))
  }

  /** What can be lost by it: ether and tokens that go out, code of others that runs, the end of the contract. */
  risksOf(flow: Flow): readonly string[] {
    const isChosen = (value: Op | null) => value !== null && (taintOf(flow, value) & chosenByCaller) !== 0
    const open = flow.externalCalls().filter(({ call }) => call.kind === 'lowlevel' || call.kind === 'external')
    return unique([
      ...flow.sends().map(({ call }) => `sends ETH${recipientWords(call.target, isChosen)}`),
      ...tokenCalls(flow).map(({ name, token }) =>
        name === 'approve' ? 'approves tokens' : `moves ${token === null ? 'tokens' : this.#valueText(token)}`,
      ),
      ...flow
        .ops('call')
        .flatMap(({ call }) => (call.kind === 'delegate' || call.kind === 'callcode' ? ['delegatecall'] : [])),
      ...(flow.builtins('selfdestruct').length > 0 ? ['selfdestruct'] : []),
      ...open.flatMap((op) =>
        isChosen(op.call.target) && tokenCallOf(op) === null && op.call.value === null
          ? ["calls an address of the caller's choice"]
          : [],
      ),
    ])
  }

  /** Calls between functions, and to others; in what is inlined, from the function in which they are written. */
  callsOf(flow: Flow): readonly CallEdge[] {
    return flow.ops('call').flatMap((op): CallEdge[] => {
      const from = nameOf(flow.writtenIn(op) ?? flow.fn)
      const { kind, definition } = op.call
      if (kind === 'internal' || kind === 'library')
        return definition === null ? [] : [{ from, to: nameOf(definition), isExternal: false }]
      return [{ from, to: this.#calleeOf(op), isExternal: true }]
    })
  }

  /** The control-flow graph with modifiers and internal calls inlined; blocks without an effect are passed through. */
  blocksOf(flow: Flow): readonly BlockOutline[] {
    const lines = new Map(flow.blocks.map((block) => [block.id, this.#linesOf(block)]))
    const isShown = (id: number) =>
      id === 0 || (lines.get(id)?.length ?? 0) > 0 || (flow.blocks[id]?.succs.length ?? 0) !== 1
    const follow = (id: number): number => {
      const seen = new Set<number>()
      let at = id
      while (!isShown(at) && !seen.has(at)) {
        seen.add(at)
        at = flow.blocks[at]?.succs[0] ?? at
      }
      return at
    }
    return flow.blocks
      .filter(({ id }) => isShown(id))
      .map((block) => ({
        id: `B${block.id}`,
        lines: lines.get(block.id) ?? [],
        next: block.succs.map((to, index) => ({ id: `B${follow(to)}`, when: conditionWord(block, index) })),
      }))
  }

  dependenciesOf(flow: Flow): readonly Dependency[] {
    const byTarget = new Map<string, Set<string>>()
    for (const store of flow.stateStores()) {
      const target = flow.describe(store.location)
      const from = byTarget.get(target) ?? new Set()
      for (const source of this.#sourcesOf(flow, store.args[0])) from.add(source)
      byTarget.set(target, from)
    }
    return [...byTarget].map(([target, from]) => ({ target, from: [...from].sort() }))
  }

  #sourcesOf(flow: Flow, value: Op): readonly string[] {
    const bits = taintOf(flow, value)
    return [
      ...[...parametersIn(flow, value)].map(({ operator }) => operator),
      ...stateReadsOf(flow, value).map(({ location }) => flow.describe(location)),
      ...sourceWords.flatMap(([bit, words]) => ((bits & bit) !== 0 ? [words] : [])),
      ...(stripCasts(value).kind === 'const' ? [this.#textAt(value) || 'constant'] : []),
    ]
  }

  #linesOf({ ops, condition, succs }: BasicBlock): readonly string[] {
    const lines = ops.flatMap((op) => {
      const word = effectWords[op.kind]
      const isEffect = word !== undefined && !(op.kind === 'store' && op.location.variable === null)
      return isEffect ? [wordsOf(word, this.#textAt(op))] : []
    })
    return unique(condition !== null && succs.length > 1 ? [...lines, `if ${this.#valueText(condition)}`] : lines)
  }

  /** `token.transfer` of `token.transfer{gas: 1}(to, 1)`. */
  #calleeOf(op: CallOp): string {
    const text = op.node === null ? op.call.name : this.#sourceOf(op.node)
    return oneLine(text.replace(/[({][\s\S]*$/, '')) || op.call.name || op.call.kind
  }

  /** A parameter by its name: it is written where it is declared. */
  #valueText(value: Op): string {
    return value.kind === 'param' ? value.operator : this.#textAt(value) || '…'
  }

  #textAt(span: Span): string {
    return oneLine(this.#sourceOf(span))
  }

  #sourceOf({ start, end }: Span): string {
    const file = this.#model.fileAt(start)
    return file === undefined ? '' : file.text.slice(start - file.base, end - file.base)
  }
}

export const nameOf = (fn: FunctionModel | ModifierModel | null): string =>
  fn === null ? 'constructor' : `${fn.contract?.name ?? ''}.${fn.name || ('role' in fn ? fn.role : '')}`

const effectWords: Partial<Record<Op['kind'], string>> = {
  store: '',
  call: '',
  emit: 'emit ',
  return: '',
  revert: 'revert ',
  assume: 'check ',
}

/** A check is written as one, and the end of a function that has no `return` has the text of the function. */
const wordsOf = (word: string, text: string): string => {
  if (/^(require|assert)\b/.test(text)) return text
  return /^(function|constructor|receive|fallback)\b/.test(text) ? 'return' : `${word}${text}`
}

const recipientWords = (target: Op | null, isChosen: (value: Op | null) => boolean): string => {
  if (target !== null && stripCasts(target).operator === 'msg.sender') return ' to the caller'
  return isChosen(target) ? " to an account of the caller's choice" : ''
}

const sourceWords: readonly (readonly [number, string])[] = [
  [Source.sender, 'msg.sender'],
  [Source.value, 'msg.value'],
  [Source.data, 'msg.data'],
  [Source.origin, 'tx.origin'],
  [Source.time, 'block time'],
  [Source.block, 'block values'],
  [Source.call, 'result of an external call'],
  [Source.balance, 'ETH balance'],
]

const conditionWord = ({ succs, condition }: BasicBlock, index: number): string =>
  succs.length < 2 || condition === null ? '' : index === 0 ? 'yes' : 'no'

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxText ? `${line.slice(0, maxText - 1)}…` : line
}

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)]

/**
 * What a function does, with all that it calls inside of its contract: which state it writes and what it calls outside. Read from the tree alone, so it says what is written, not what can happen.
 */
import type { ContractModel, FunctionModel, Model, ModifierModel, VariableModel } from '../model/index.ts'
import { type Call, type Expression, type Node, walk } from '../syntax/index.ts'

export interface BodyFacts {
  readonly writes: ReadonlySet<VariableModel>
  /** `token.transfer`, as written. */
  readonly externalCalls: readonly string[]
  /** Functions of the same contract that are called directly. */
  readonly calls: readonly FunctionModel[]
}

type Body = FunctionModel | ModifierModel

/** Facts of single bodies are remembered; those of a function gather them over all that it reaches. */
export class BodyReader {
  private readonly model: Model
  private readonly known = new Map<Body, Map<ContractModel, BodyFacts>>()

  constructor(model: Model) {
    this.model = model
  }

  /** What happens when this function of an instance is called, modifiers included. */
  readAll(fn: FunctionModel, instance: ContractModel): BodyFacts {
    const seen = new Set<Body>([...this.modifiersOf(fn, instance), fn])
    const writes = new Set<VariableModel>()
    const externalCalls: string[] = []
    // The set grows while it is walked: everything reached is read once.
    for (const body of seen) {
      const facts = this.read(body, instance)
      for (const variable of facts.writes) writes.add(variable)
      externalCalls.push(...facts.externalCalls)
      for (const called of facts.calls) {
        for (const modifier of this.modifiersOf(called, instance)) seen.add(modifier)
        seen.add(called)
      }
    }
    return {
      writes,
      externalCalls: [...new Set(externalCalls)],
      calls: this.read(fn, instance).calls,
    }
  }

  modifiersOf(fn: FunctionModel, instance: ContractModel): ModifierModel[] {
    return fn.modifiers.flatMap((use) => this.model.modifierFor(use, instance) ?? [])
  }

  read(body: Body, instance: ContractModel): BodyFacts {
    const byInstance = this.known.get(body) ?? new Map<ContractModel, BodyFacts>()
    this.known.set(body, byInstance)
    const known = byInstance.get(instance)
    if (known) return known
    const facts = this.readBody(body, instance)
    byInstance.set(instance, facts)
    return facts
  }

  private readBody(body: Body, instance: ContractModel): BodyFacts {
    const writes = new Set<VariableModel>()
    const externalCalls: string[] = []
    const calls: FunctionModel[] = []
    const pointers = new Map<VariableModel, Expression>()
    const textOf = (node: Node): string =>
      oneLine(body.file.text.slice(node.start - body.file.base, node.end - body.file.base))
    const writeTo = (target: Expression): void => {
      for (const variable of this.stateBehind(target, pointers)) writes.add(variable)
    }
    walk(body.node, (node) => {
      switch (node.kind) {
        case 'VariableStatement': {
          const [variable] = this.model.variablesOf(node)
          if (variable && variable.location === 'storage' && node.value) pointers.set(variable, node.value)
          break
        }
        case 'Assignment':
          writeTo(node.target)
          break
        case 'Unary':
          if (['++', '--', 'delete'].includes(node.operator)) writeTo(node.operand)
          break
        case 'Call':
          this.readCall(node, instance, { writeTo, textOf, externalCalls, calls })
          break
      }
    })
    return { writes, externalCalls, calls }
  }

  private readCall(
    node: Call,
    instance: ContractModel,
    found: {
      writeTo(target: Expression): void
      textOf(node: Node): string
      externalCalls: string[]
      calls: FunctionModel[]
    },
  ): void {
    const target = this.model.callTarget(node)
    if (target.isOption) return
    if (target.builtin === 'push' || target.builtin === 'pop') {
      if (target.receiver) found.writeTo(target.receiver)
    } else if (target.isExternal) found.externalCalls.push(found.textOf(calleeOf(node)))
    else if (target.function) {
      const called = target.isVirtual ? this.model.dispatch(target.function, instance) : target.function
      found.calls.push(called)
    }
  }

  /** The state variables at the root of what is assigned to, also through local pointers into storage. */
  private stateBehind(
    target: Expression,
    pointers: ReadonlyMap<VariableModel, Expression>,
    depth = 0,
  ): VariableModel[] {
    if (depth > 8) return []
    switch (target.kind) {
      case 'Identifier': {
        const meaning = this.model.declarationOf(target)
        if (meaning?.kind !== 'variable') return []
        if (meaning.role === 'state') return [meaning]
        const pointed = pointers.get(meaning)
        return pointed ? this.stateBehind(pointed, pointers, depth + 1) : []
      }
      case 'Member':
      case 'Index':
        return this.stateBehind(target.object, pointers, depth + 1)
      case 'Tuple':
        return target.elements.flatMap((element) => (element ? this.stateBehind(element, pointers, depth + 1) : []))
      default:
        return []
    }
  }
}

/** `token.transfer` of `token.transfer{gas: 1}(to, 1)`. */
const calleeOf = ({ callee }: Call): Expression => (callee.kind === 'CallOptions' ? callee.callee : callee)

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 120)

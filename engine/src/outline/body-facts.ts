/**
 * What a function does, with all that it calls inside of its contract: which state it writes, what it calls outside, and
 * what it asks of its caller. Read from the tree alone, so it says what is written, not what can happen.
 */
import type { ContractModel, FunctionModel, Model, ModifierModel, VariableModel } from '../model/index.ts'
import { type Call, type Expression, type Node, walk } from '../syntax/index.ts'

export interface BodyFacts {
  readonly writes: ReadonlySet<VariableModel>
  /** `token.transfer`, as written. */
  readonly externalCalls: readonly string[]
  /** Conditions that name the caller, as written. */
  readonly callerConditions: readonly string[]
  /** Functions of the same contract that are called directly. */
  readonly calls: readonly FunctionModel[]
}

type Body = FunctionModel | ModifierModel

/** Also the origin: a poor question, but one about who calls. */
const callerNames = new Set(['msg.sender', 'tx.origin'])

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
    const callerConditions: string[] = []
    // The set grows while it is walked: everything reached is read once.
    for (const body of seen) {
      const facts = this.read(body, instance)
      for (const variable of facts.writes) writes.add(variable)
      externalCalls.push(...facts.externalCalls)
      callerConditions.push(...facts.callerConditions)
      for (const called of facts.calls) {
        for (const modifier of this.modifiersOf(called, instance)) seen.add(modifier)
        seen.add(called)
      }
    }
    return {
      writes,
      externalCalls: [...new Set(externalCalls)],
      callerConditions: [...new Set(callerConditions)],
      calls: this.read(fn, instance).calls,
    }
  }

  /** Whether a modifier asks who calls, itself or by what it calls. */
  asksForCaller(modifier: ModifierModel, instance: ContractModel): boolean {
    const seen = new Set<Body>([modifier])
    for (const body of seen) {
      const { callerConditions, calls } = this.read(body, instance)
      if (callerConditions.length > 0) return true
      for (const called of calls) seen.add(called)
    }
    return modifier.effect === 'guard'
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
    const callerConditions: string[] = []
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
        case 'IfStatement':
          if (this.namesCaller(node.condition)) callerConditions.push(textOf(node.condition))
          break
        case 'Call':
          this.readCall(node, instance, { writeTo, textOf, externalCalls, callerConditions, calls })
          break
      }
    })
    return { writes, externalCalls, callerConditions, calls }
  }

  private readCall(
    node: Call,
    instance: ContractModel,
    found: {
      writeTo(target: Expression): void
      textOf(node: Node): string
      externalCalls: string[]
      callerConditions: string[]
      calls: FunctionModel[]
    },
  ): void {
    const target = this.model.callTarget(node)
    if (target.isOption) return
    if (target.builtin === 'push' || target.builtin === 'pop') {
      if (target.receiver) found.writeTo(target.receiver)
    } else if (target.builtin === 'require' || target.builtin === 'assert') {
      const [condition] = target.args
      if (condition && this.namesCaller(condition)) found.callerConditions.push(found.textOf(condition))
    } else if (target.isExternal) found.externalCalls.push(found.textOf(calleeOf(node)))
    else if (target.function) {
      const called = target.isVirtual ? this.model.dispatch(target.function, instance) : target.function
      found.calls.push(called)
      // `_checkRole(role, msg.sender)`: the question is asked there, of the caller named here.
      if (
        /^_?(check|require|only|enforce|assert)/i.test(called.name) &&
        target.args.some((arg) => this.namesCaller(arg))
      )
        found.callerConditions.push(found.textOf(node))
    }
  }

  private namesCaller(expression: Expression): boolean {
    let names = false
    walk(expression, (node) => {
      if (
        node.kind === 'Member' &&
        node.object.kind === 'Identifier' &&
        callerNames.has(`${node.object.name}.${node.name.name}`)
      )
        names = true
      if (node.kind === 'Identifier' && node.name === '_msgSender') names = true
      return !names
    })
    return names
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

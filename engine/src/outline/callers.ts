/** Who may call a function, as the principal lattice ranks it: by the checks of the sender that hold, not by what is written. */
import { isBroken, principalAt, senderGuardsAt } from '../facts/index.ts'
import { Context, type Flow, type Op, type Site } from '../ir/index.ts'
import type { ContractModel, FunctionModel, Model } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import { negate } from './negate.ts'

/** Answers for the functions of a model, each as it runs in one of its contracts. */
export class CallerReader {
  readonly #model: Model
  readonly #context: Context

  constructor(model: Model) {
    this.#model = model
    this.#context = new Context(model)
  }

  /** The checks that everyone who calls must pass, as written; empty: anyone may call. */
  callersOf(fn: FunctionModel, instance: ContractModel): readonly string[] {
    const flow = this.flowOf(fn, instance)
    const open = flow === undefined ? undefined : effectsOf(flow).find((op) => principalAt(flow, op) === 'anyone')
    if (flow === undefined || open !== undefined) return []
    return [...new Set(effectsOf(flow).flatMap((op) => this.#checksAt(flow, op)))]
  }

  /** A function as it runs in one of its contracts. */
  flowOf(fn: FunctionModel, instance: ContractModel): Flow | undefined {
    const own = this.#context.contracts.find(({ contract }) => contract === instance)
    return own?.flows.find((flow) => flow.fn === fn) ?? this.#context.flowOf(fn) ?? own?.follow(fn, instance)
  }

  #checksAt(flow: Flow, op: Op): readonly string[] {
    const principal = principalAt(flow, op)
    if (principal === 'later') return ['anyone until set up']
    // The holder of a record passes a check that rests on what holders write.
    const checks = senderGuardsAt(flow, op).filter(
      (guard) => principal === 'holder' || !isBroken(flow.contractFlow, guard),
    )
    return checks.map((guard) => this.#demandOf(flow, guard.op, op))
  }

  /** What a check demands for `op` to run: a modifier says it shorter than the condition inside of it. */
  #demandOf(flow: Flow, check: Op, op: Op): string {
    const modifier = modifierOf(check)
    if (modifier !== null) return this.#textAt(modifier)
    if (check.kind === 'assume' && check.operator !== 'revert') return this.#textAt(check.args[0])
    const written = this.#textAt(check)
    return check.kind === 'assume' || isFalseAt(flow, check, op) ? negate(written) : written
  }

  #textAt({ start, end }: Span): string {
    const file = this.#model.fileAt(start)
    return file === undefined ? '' : file.text.slice(start - file.base, end - file.base).replace(/\s+/g, ' ')
  }
}

const effectsOf = (flow: Flow): readonly Op[] => [
  ...flow.stateStores(),
  ...flow.externalCalls(),
  ...flow.builtins('selfdestruct'),
  ...flow.ops('emit'),
]

/** `if (!isAdmin[msg.sender]) { … revert(); }`: no way leads from where the condition is true to `op`. */
const isFalseAt = (flow: Flow, condition: Op, op: Op): boolean => {
  const [whenTrue] = flow.blocks.find((block) => block.condition === condition)?.succs ?? []
  return whenTrue !== undefined && !canReach(flow, whenTrue, op.block)
}

const canReach = (flow: Flow, from: number, to: number): boolean => {
  const seen = new Set([from])
  for (const block of seen) for (const next of flow.blocks[block]!.succs) seen.add(next)
  return seen.has(to)
}

const modifierOf = (check: Op): Span | null => {
  let outer: Site | null = check.site
  while (outer !== null && outer.parent !== null) outer = outer.parent
  return outer !== null && outer.call === null ? outer.at : null
}

import { type Bounds, canHoldWithin, intervalOf, Source, taintOf } from '../../facts/index.ts'
import { type CallOp, type Flow, type Op, type OpOf, rangeOf, stripCasts } from '../../ir/index.ts'
import type { FunctionModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Violation {
  readonly flow: Flow
  /** What always fails: the `require`, or the call of another contract that has it. */
  readonly op: Op
  readonly check: Op
  readonly at: Span
  readonly message: string
}

type FlowOf = (fn: FunctionModel) => Flow | undefined

/** Written in the scan itself: of known libraries there is only a short account. */
const requiresOf = (flow: Flow): OpOf<'assume'>[] =>
  flow
    .ops('assume')
    .filter(({ operator, args, site }) => operator === 'require' && !site?.fn.isStub && isPlainCondition(args[0]))

/** Bounds come straight from a type, a check or a constant; of computed values too little is known. */
const isPlainCondition = (condition: Op): boolean => {
  // Each is looked at once, however often it occurs.
  const conditions = new Set([condition])
  for (const { kind, operator, args } of conditions) {
    if (kind === 'un') conditions.add(args[0])
    else if (kind !== 'bin') return false
    else if (operator === '&&' || operator === '||') for (const arg of args) conditions.add(arg)
    else if (!args.every(isPlain)) return false
  }
  return true
}

const isPlain = (value: Op): boolean => {
  const { kind } = stripCasts(value)
  return kind === 'const' || kind === 'param' || kind === 'env' || kind === 'call'
}

const boundsAt =
  (flow: Flow, at: Op): Bounds =>
  (value) =>
    intervalOf(flow, value, at)

/** A helper that is called with a constant which its own `require` refuses: the call is the mistake. */
const refusingCall = ({ site }: Op): Span | null =>
  site?.call?.args.some((arg) => stripCasts(arg).kind === 'const') ? site.at : null

/** On constants alone that nobody passed in: a way to write `revert`. */
const isRevert = ({ args }: Op): boolean => args.every((arg) => stripCasts(arg).kind === 'const')

/** No way through the function avoids it. */
const isAlwaysMet = (flow: Flow, check: Op): boolean =>
  flow.ir.exits.every((exit) => flow.blockDominates(check.block, exit))

/** Conditions that nothing which gets there can meet. */
function* impossibleIn(flow: Flow): Iterable<Violation> {
  for (const check of requiresOf(flow)) {
    const condition = check.args[0]
    const refused = refusingCall(check)
    const bounds = boundsAt(flow, check)
    if ((refused === null && isRevert(condition)) || canHoldWithin(flow, bounds, condition, true)) continue
    if (!isAlwaysMet(flow, check)) continue
    yield {
      flow,
      op: check,
      check,
      at: refused ?? check,
      message:
        refused === null
          ? `The condition of this \`require\` can never hold, so \`${flow.name}()\` always reverts and nobody can use it.`
          : `\`${flow.name}()\` passes a constant that violates the \`require\` of \`${check.site!.fn.name}()\`, so this call always reverts.`,
    }
  }
}

/** No function here writes it: zero, unless this is the code behind a proxy that does. */
const isNeverSet = ({ contractFlow }: Flow, argument: Op): boolean => {
  const value = stripCasts(argument)
  if (value.kind !== 'load' || value.location.space !== 'state' || value.location.variable?.isConstant) return false
  return contractFlow.writersTo(value.location).length === 0
}

/** Calls of another contract of these files with arguments that the callee always refuses. */
function* refusedBy(flow: Flow, call: CallOp, flowOf: FlowOf): Iterable<Violation> {
  const { definition, kind } = call.call
  const callee = kind === 'external' && definition?.isImplemented ? flowOf(definition) : undefined
  if (definition === null || callee === undefined || callee === flow) return
  const passed: Bounds = (value) => {
    const argument = call.args[callee.params.indexOf(stripCasts(value))]
    if (argument === undefined) return intervalOf(callee, value)
    return isNeverSet(flow, argument) ? rangeOf(flow.typeOf(argument)) : intervalOf(flow, argument, call)
  }
  for (const check of requiresOf(callee)) {
    const condition = check.args[0]
    if (
      !isAlwaysMet(callee, check) ||
      (taintOf(callee, condition) & Source.param) === 0 ||
      canHoldWithin(callee, passed, condition, true)
    )
      continue
    const message = `\`${flow.name}()\` passes an argument to \`${definition.name}()\` that always violates a \`require\` there, so this call always reverts.`
    yield { flow, op: call, check, at: call, message }
  }
}

export default defineDetector<Violation>({
  id: 'requirement-violation',
  swc: 'SWC-123',
  title: 'Requirement violation',
  aliases: { words: ['always reverts', 'unsatisfiable require'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A `require` can never hold for the values that reach it: a value outside its type or an earlier check, an argument that the callee always rejects, or a result the called contract never returns. The call always reverts.',
  recommendation: 'Correct the condition or the value passed to the function.',
  references: ['https://swcregistry.io/docs/SWC-123'],
  cwe: ['CWE-573'],

  *candidates(context) {
    // What a call meets may stand in a contract of another partition.
    const flowOf: FlowOf = (fn) => context.flowOf(fn)
    for (const flow of context.functions) {
      yield* impossibleIn(flow)
      for (const call of flow.externalCalls()) yield* refusedBy(flow, call, flowOf)
    }
  },

  finding: ({ flow, op, check, at, message }) => ({
    at,
    message,
    trace:
      at === check
        ? flow.trace(check)
        : [...(at === op ? flow.trace(op) : []), { at: check, message: 'This can never hold.' }],
  }),
})

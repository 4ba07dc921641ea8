import {
  type Bounds,
  canHoldWithin,
  guardsAt,
  type Interval,
  intervalOf,
  isPassedIn,
  isReachable,
  Source,
  taintOf,
} from '../../facts/index.ts'
import { type Context, type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import type { FunctionModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, type Hit, noHits, type TraceStep } from '../define-detector.ts'

type FlowOf = (fn: FunctionModel) => Flow | undefined

/** What a function of this file answers when it only ever answers constants. */
const answersOf = (callee: Flow): Interval | null => {
  let all: Interval | null = null
  for (const { args } of callee.ops('return')) {
    const value = args.length === 1 ? stripCasts(args[0]!) : undefined
    if (value?.kind !== 'const' || value.constant === null) return null
    const known: Interval = all ?? { min: value.constant, max: value.constant }
    all = {
      min: value.constant < known.min ? value.constant : known.min,
      max: value.constant > known.max ? value.constant : known.max,
    }
  }
  return all
}

const boundsAt =
  (flow: Flow, at: Op, flowOf: FlowOf): Bounds =>
  (value) => {
    const op = stripCasts(value)
    const fn = op.kind === 'call' && op.call!.kind === 'external' ? op.call!.definition : null
    const callee = fn?.isImplemented === true && fn.contract?.contractKind !== 'interface' ? flowOf(fn) : undefined
    return (callee === undefined ? null : answersOf(callee)) ?? intervalOf(flow, value, at)
  }

const isRequire = (op: Op): boolean => op.operator === 'require'

/** About something that comes from outside; a plain condition on constants alone is a way to write `revert`. */
const concernsOutside = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'bin' || op.kind === 'un') return op.args.some(concernsOutside)
  return isPassedIn(op) || (op.kind === 'call' && !op.call!.inlined)
}

const stepTo = (check: Span): TraceStep => ({
  at: { start: check.start, end: check.end },
  message: 'This can never hold.',
})

/** A helper that is called with a value its own `require` refuses: the call is the mistake. */
const refusedHere = (check: Op): Hit | null => {
  if (check.site === null || check.site.call === null) return null
  const { args } = check.site.call
  if (!args.some((arg) => stripCasts(arg).kind === 'const')) return null
  return {
    at: check.site.at,
    message: 'The function called here refuses what it is given: its `require` can never hold.',
    trace: [stepTo(check)],
  }
}

/** Bounds that come straight from a type, a check or a constant; of computed values too little is known. */
const isPlain = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'const' || op.kind === 'param' || op.kind === 'env' || op.kind === 'call'
}

const isPlainCondition = (condition: Op): boolean => {
  if (condition.kind === 'un') return isPlainCondition(condition.args[0]!)
  if (condition.kind !== 'bin') return false
  const isJunction = condition.operator === '&&' || condition.operator === '||'
  return condition.args.every(isJunction ? isPlainCondition : isPlain)
}

const addImpossible = (flow: Flow, flowOf: FlowOf, hits: Hit[]): void => {
  for (const check of flow.ops('assume')) {
    const condition = check.args[0]!
    if (!isRequire(check) || !isPlainCondition(condition) || check.site?.fn.isStub) continue
    const isRefused = isFalse(condition)
    if (!isRefused && !isNeverMet(flow, check, flowOf)) continue
    const hit = refusedHere(check)
    if ((hit === null && isRefused) || !isReachable(flow, check)) continue
    const message = 'This requirement can never hold, so the function always fails here.'
    hits.push(hit ?? { at: check, message, trace: flow.trace(check) })
  }
}

const isNeverMet = (flow: Flow, check: Op, flowOf: FlowOf): boolean => {
  const condition = check.args[0]!
  // Nothing in sight is only ever one value, so two values can always differ.
  if (condition.operator === '!=' || !concernsOutside(condition)) return false
  return !canHoldWithin(boundsAt(flow, check, flowOf), condition, true)
}

/** False by the constants that were passed in. */
const isFalse = (condition: Op): boolean =>
  condition.kind === 'bin' &&
  condition.args.every((arg) => stripCasts(arg).kind === 'const') &&
  !canHoldWithin(constantBounds, condition, true)

const constantBounds: Bounds = (value) => {
  const op = stripCasts(value)
  return op.kind === 'const' && op.constant !== null ? { min: op.constant, max: op.constant } : null
}

/** Calls of another contract of this file with arguments that the callee always refuses. */
const addRefused = (flow: Flow, flowOf: FlowOf, hits: Hit[]): void => {
  for (const call of flow.externalCalls()) {
    const { definition, kind } = call.call!
    if (kind !== 'external' || definition === null || !definition.isImplemented) continue
    const callee = flowOf(definition)
    if (callee === undefined || callee === flow) continue
    const passed: Bounds = (value) => {
      const index = callee.params.indexOf(stripCasts(value))
      const argument = index < 0 ? undefined : call.args[index]
      return argument === undefined ? intervalOf(callee, value) : intervalOf(flow, argument, call)
    }
    for (const check of callee.ops('assume')) {
      // Only what every execution of the callee meets.
      if (
        !isRequire(check) ||
        !isPlainCondition(check.args[0]!) ||
        guardsAt(callee, check).some(({ op }) => !isRequire(op))
      )
        continue
      if ((taintOf(callee, check.args[0]!) & Source.param) === 0 || canHoldWithin(passed, check.args[0]!, true))
        continue
      hits.push({
        at: call,
        message: `\`${definition.name}\` refuses what it is given here: its \`require\` can never hold.`,
        trace: [...flow.trace(call), stepTo(check)],
      })
    }
  }
}

const findAll = (context: Context): Hit[] => {
  const flowOf: FlowOf = (fn) => context.flowOf(fn)
  const hits: Hit[] = []
  for (const flow of context.functions) {
    addImpossible(flow, flowOf, hits)
    addRefused(flow, flowOf, hits)
  }
  return hits
}

export default defineDetector({
  id: 'requirement-violation',
  swc: 'SWC-123',
  title: 'Requirement violation',
  severity: 'medium',
  confidence: 'medium',
  description:
    'A `require` can never be met by what reaches it: a value outside its type or outside what was checked before, an argument that the called function always refuses, or an answer that the called contract never gives. The call always fails.',
  recommendation: 'Correct the condition, or the value that is passed to the function.',
  references: ['https://swcregistry.io/docs/SWC-123'],
  cwe: ['CWE-573'],

  // What a call meets may stand in a contract of another portion.
  run: (context) => (context.has('assume') || context.hasCall('external') ? oncePerPlace(findAll(context)) : noHits),
})

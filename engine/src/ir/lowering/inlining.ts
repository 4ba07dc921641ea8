/** Runs functions with their modifiers where they are called, so that order and data flow need no second mechanism. */

import type { FunctionModel, ModifierModel, ModifierUse } from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import { CallSite, type FlowCallKind, type Op, plainCallInfo } from '../ir.ts'
import type { Builder } from './builder.ts'
import { results } from './external-calls.ts'
import { Frame, Level, type Placeholder } from './frames.ts'
import { join, meet } from './joins.ts'
import { bound, exprs, zero } from './operands.ts'
import { asValue, forgetState } from './stored-values.ts'

const maxProblems = 4

/** Runs `fn` here and now, unless a budget says that it must stay a call. */
export const inline = (to: Builder, fn: FunctionModel, args: Op[], node: ast.Span, kind: FlowCallKind): Op => {
  const depth = to.site === null ? 0 : to.site.depth
  const canInline = fn.isImplemented && depth < to.budget.maxDepth && canCopy(to) && !to.active.includes(fn)
  if (!canInline && fn.isImplemented) noteCut(to, fn, depth)
  const info = plainCallInfo(kind, fn, fn.name, canInline, null)
  const call = to.push(to.make('call', node, fn.name, args, null, info))
  if (canInline && to.computations.includes(fn)) return compute(to, fn, args, node)
  if (canInline) return runHere(to, fn, args, node, call, depth)
  forgetState(to)
  return results(to, call, fn.returns.length, node)
}

/** The body says how the result is computed; callers need what it is computed from. */
const compute = (to: Builder, fn: FunctionModel, args: Op[], node: ast.Span): Op => {
  const values = args.map((arg) => asValue(to, arg, node))
  const op = to.push(to.make('compute', node, fn.name, values, null, null, false, null, fn))
  return results(to, op, fn.returns.length, node)
}

/** There is room for one more copy of code that stands elsewhere. */
const canCopy = (to: Builder): boolean => inlinedSoFar(to) < to.budget.maxInlinedOps && to.spend()

const inlinedSoFar = (to: Builder): number =>
  to.inlinedOps + (to.inlineStart === -1 ? 0 : to.ops.length - to.inlineStart)

const noteCut = (to: Builder, fn: FunctionModel, depth: number): void => {
  if (to.active.includes(fn)) return
  noteProblem(
    to,
    depth >= to.budget.maxDepth ? `calls nest too deeply at ${fn.name}` : `too much to inline at ${fn.name}`,
  )
}

const noteProblem = (to: Builder, message: string): void => {
  if (to.problems.length < maxProblems) to.problem(message)
}

/** Whatever `run` makes is a copy of code that stands elsewhere. */
const asCopy = (to: Builder, run: () => void): void => {
  if (to.inlineStart !== -1) {
    run()
    return
  }
  to.inlineStart = to.ops.length
  run()
  to.inlinedOps += to.ops.length - to.inlineStart
  to.inlineStart = -1
}

const runHere = (to: Builder, fn: FunctionModel, args: Op[], node: ast.Span, call: Op, depth: number): Op => {
  const isOutermost = to.inlineStart === -1
  if (isOutermost) to.inlineStart = to.ops.length
  const { frame, env, isEnvShared, site, stubSpan, level, arithmeticChecked, enforcesView, scopesBlocks, placeholder } =
    to
  if (fn.isStub && stubSpan === null) to.stubSpan = node
  to.site = new CallSite(site, fn, call, stubSpan ?? node, depth + 1)
  to.frame = new Frame(to.vars.length, fn)
  to.env = []
  to.isEnvShared = false
  to.level = null
  to.placeholder = null
  const { params } = fn
  for (let i = 0; i < params.length; i++) {
    const variable = params[i]!
    const value = args[i] ?? to.unknown('missing argument', node)
    to.declare(variable, bound(to, variable, value, node))
  }
  to.active.push(fn)
  runFunction(to, fn)
  to.active.pop()
  const isEnded = to.cur === null
  const { firstReturn, returnCount } = to.frame
  const only = isEnded || returnCount !== 1 ? null : returned(to, firstReturn, node)
  const several = isEnded || returnCount < 2 ? [] : returnedValues(to, node)
  to.vars.length = to.frame.base
  to.frame = frame
  to.env = env
  to.isEnvShared = isEnvShared
  to.site = site
  to.stubSpan = stubSpan
  to.level = level
  to.arithmeticChecked = arithmeticChecked
  to.enforcesView = enforcesView
  to.scopesBlocks = scopesBlocks
  to.placeholder = placeholder
  if (isOutermost) {
    to.inlinedOps += to.ops.length - to.inlineStart
    to.inlineStart = -1
  }
  return only ?? to.make('tuple', node, '', several)
}

const returned = (to: Builder, slot: number, node: ast.Span): Op => to.env[slot] ?? to.constant(0n, node)

const returnedValues = (to: Builder, node: ast.Span): Op[] => {
  const { firstReturn, returnCount } = to.frame
  const values = [returned(to, firstReturn, node), returned(to, firstReturn + 1, node)]
  for (let i = 2; i < returnCount; i++) values.push(returned(to, firstReturn + i, node))
  return values
}

/** Arithmetic and `view` mean what the compiler of the file makes of them. */
export const enter = (to: Builder, file: FunctionModel['file']): void => {
  to.arithmeticChecked = file.versions.checkedArithmetic === 'always'
  to.enforcesView = file.versions.isAtLeast(5)
  to.scopesBlocks = to.enforcesView
}

/** Runs modifiers and body in the current frame; its return values are then in its return slots. */
export const runFunction = (to: Builder, fn: FunctionModel): void => {
  to.covered.push(fn)
  to.model.bind(fn)
  enter(to, fn.file)
  const { returns } = fn
  to.frame.firstReturn = to.nextSlot
  to.frame.returnCount = returns.length
  for (let i = 0; i < returns.length; i++) {
    const variable = returns[i]!
    to.declare(variable, zero(to, variable, variable.span))
  }
  const { placeholder, unchecked, loop } = to
  to.unchecked = false
  to.loop = null
  runModifiers(to, fn, 0)
  to.placeholder = placeholder
  to.unchecked = unchecked
  to.loop = loop
}

const runModifiers = (to: Builder, fn: FunctionModel, from: number): void => {
  const { modifiers } = fn
  for (let i = from; i < modifiers.length; i++) {
    const use = modifiers[i]!
    if (use.base !== null) continue
    const modifier = modifierFor(to, use)
    if (modifier === null) {
      // An unknown modifier may check or do anything; the body still runs.
      unknownModifier(to, use)
      continue
    }
    if (modifier.node.body === null) continue
    runModifier(to, fn, use, modifier, modifier.node.body, i + 1)
    return
  }
  if (fn.node.body !== null) runBody(to, fn.node.body, false)
}

const argumentsOf = (to: Builder, use: ModifierUse): Op[] =>
  use.node.args === null ? [] : exprs(to, use.node.args.values)

const unknownModifier = (to: Builder, use: ModifierUse): void => {
  const name = use.node.name.names.map((part) => part.name).join('.')
  const args = argumentsOf(to, use)
  to.push(to.make('call', use.node, 'modifier', args, null, plainCallInfo('internal', null, name, false, null)))
}

const modifierFor = (to: Builder, use: ModifierUse): ModifierModel | null => {
  if (use.modifier === null) return null
  if (to.contract === null) return use.modifier
  const got = to.model.modifierFor(use, to.contract)
  to.decisions.push({ called: use.modifier, from: null, got, use, virtual: true })
  return got
}

const runModifier = (
  to: Builder,
  fn: FunctionModel,
  use: ModifierUse,
  modifier: ModifierModel,
  body: ast.Block,
  next: number,
): void => {
  const args = argumentsOf(to, use)
  to.covered.push(modifier)
  to.model.bind(modifier)
  const { site, stubSpan, placeholder } = to
  const firstSlot = to.nextSlot
  if (modifier.isStub && stubSpan === null) to.stubSpan = use.node
  to.site = new CallSite(site, modifier, null, stubSpan ?? use.node, site === null ? 1 : site.depth + 1)
  if (modifier.isStub) {
    const info = plainCallInfo('internal', null, modifier.name, true, null)
    to.push(to.make('call', use.node, 'modifier', args, null, info, false, null, modifier))
  }
  const { params } = modifier
  for (let i = 0; i < params.length; i++) {
    to.declare(params[i]!, args[i] ?? to.unknown('missing argument', use.node))
  }
  to.placeholder = { outer: placeholder, fn, modifier, next, site, stubSpan, hasRun: false }
  enter(to, modifier.file)
  const lastSlot = to.nextSlot
  runBody(to, body, true)
  to.placeholder = placeholder
  to.hide(firstSlot, lastSlot)
  to.site = site
  to.stubSpan = stubSpan
  enter(to, fn.file)
}

/** `_` in a modifier: what the modifier stands before. A second `_` is a copy: modifiers with two of them multiply each other. */
export const runPlaceholder = (to: Builder): void => {
  const { placeholder } = to
  if (placeholder === null) return
  if (!placeholder.hasRun) {
    placeholder.hasRun = true
    if (to.spend()) runRest(to, placeholder)
  } else if (canCopy(to)) asCopy(to, () => runRest(to, placeholder))
  else {
    noteProblem(to, `too much to inline at the modifier ${placeholder.modifier.name}`)
    forgetState(to)
  }
}

const runRest = (to: Builder, placeholder: Placeholder): void => {
  const { loop, site, stubSpan } = to
  to.loop = null
  to.site = placeholder.site
  to.stubSpan = placeholder.stubSpan
  enter(to, placeholder.fn.file)
  runModifiers(to, placeholder.fn, placeholder.next)
  to.site = site
  to.stubSpan = stubSpan
  enter(to, placeholder.modifier.file)
  to.loop = loop
}

const runBody = (to: Builder, body: ast.Block, isModifier: boolean): void => {
  const level = new Level(to.level, isModifier)
  to.level = level
  to.lower.statement(to, body)
  to.level = level.outer
  closeLevel(to, level)
}

/** Goes on where the paths that `return` ended meet the end of the body. */
export const closeLevel = (to: Builder, level: Level): void => {
  const { exits } = level
  if (exits === null) {
    meet(to, level.first)
    return
  }
  if (to.cur !== null) exits.push(to.exit())
  join(to, exits)
}

/** The current path leaves the body it is in. */
export const leaveLevel = (to: Builder): void => {
  const { level } = to
  if (level === null || to.cur === null) return
  if (level.first === null) level.first = to.exit()
  else if (level.exits === null) level.exits = [level.first, to.exit()]
  else level.exits.push(to.exit())
  to.cur = null
}

/** A rule without code as a detector: what its patterns match, then who may call it and what flows into it, by the facts of the scan. */
import { type Detector, defineDetector } from '../detectors/define-detector.ts'
import { dependsOn, isProtected, Source, taintOf } from '../facts/index.ts'
import type { Context, Flow, Op } from '../ir/index.ts'
import type { Model } from '../model/index.ts'
import { type Node, nodesOf, type SourceUnit, type Span } from '../syntax/index.ts'
import { type Bindings, type Matching, matchesWildcard, matchNode, spend } from './match.ts'
import type { Pattern } from './pattern.ts'
import type { Conditions, PatternRule, SourceName, Taint } from './read-rule.ts'

interface Match {
  readonly node: Node
  readonly bindings: Bindings
}

/** Comparisons of one rule in one scan: seconds of work. A rule that needs more is reported as not finished. */
const maxWork = 5_000_000

export const toDetector = (rule: PatternRule): Detector => {
  const known = new WeakMap<Model, readonly Match[]>()
  const matchesIn = (model: Model): readonly Match[] => {
    const matches = known.get(model) ?? findMatches(rule, model)
    known.set(model, matches)
    return matches
  }
  const needsFlow = rule.callableBy !== null || rule.taint !== null
  return defineDetector<Match>({
    id: rule.id,
    swc: null,
    title: rule.title,
    severity: rule.severity,
    confidence: rule.confidence,
    description: rule.description,
    recommendation: rule.recommendation,
    references: rule.references,
    cwe: rule.cwe,
    ...(needsFlow
      ? { candidates: (context) => matchesIn(context.model).filter((match) => holdsInFlow(rule, match, context)) }
      : { candidatesInModel: (model) => matchesIn(model) }),
    finding: ({ node, bindings }) => ({
      at: placeOf(node),
      message: fillIn(rule.message, bindings),
      confidence: rule.confidence,
    }),
  })
}

/** Of a function or a contract the name is reported, not all of its lines. */
const placeOf = (node: Node): Span =>
  (node.kind === 'FunctionDefinition' || node.kind === 'ContractDefinition') && node.name !== null ? node.name : node

const fillIn = (message: string, bindings: Bindings): string =>
  message.replace(/\$[A-Z][A-Z0-9_]*/g, (name) => {
    const text = bindings.get(name)?.text
    return text === undefined ? name : `\`${text.slice(0, 80)}\``
  })

function findMatches(rule: PatternRule, model: Model): readonly Match[] {
  const found = new Map<Node, Match>()
  let work = maxWork
  for (const { unit, text, base } of model.files) {
    const matching: Matching = { work, textOf: ({ start, end }) => text.slice(start - base, end - base) }
    for (const conditions of rule.alternatives)
      for (const match of matchesOf(conditions, unit, matching))
        if (isNamed(rule, match) && !found.has(match.node)) found.set(match.node, match)
    work = matching.work
  }
  return [...found.values()]
}

function* matchesOf(conditions: Conditions, unit: SourceUnit, matching: Matching): Generator<Match> {
  const [first, ...others] = conditions.matches
  if (first === undefined) return
  for (const node of nodesOf(unit, first.node.kind)) {
    const own = [first, ...others].reduce<Bindings | undefined>(
      (bound, pattern) => bound && matchNode(pattern.node, node, matching, bound),
      new Map(),
    )
    const bindings = own && enclosed(conditions.inside, node, own, unit, matching)
    if (bindings === undefined) continue
    if (conditions.not.some((pattern) => matchNode(pattern.node, node, matching, bindings) !== undefined)) continue
    if (conditions.notInside.some((pattern) => enclosed([pattern], node, bindings, unit, matching) !== undefined))
      continue
    yield { node, bindings }
  }
}

/** The bindings with which each pattern matches something around the node. */
function enclosed(
  patterns: readonly Pattern[],
  { start, end }: Span,
  given: Bindings,
  unit: SourceUnit,
  matching: Matching,
): Bindings | undefined {
  let bindings: Bindings | undefined = given
  for (const pattern of patterns) {
    const before: Bindings = bindings
    bindings = undefined
    for (const around of nodesOf(unit, pattern.node.kind)) {
      spend(matching)
      const isAround = around.start <= start && end <= around.end && (around.start < start || end < around.end)
      bindings = isAround ? matchNode(pattern.node, around, matching, before) : undefined
      if (bindings !== undefined) break
    }
    if (bindings === undefined) return undefined
  }
  return bindings
}

const isNamed = ({ where }: PatternRule, { bindings }: Match): boolean =>
  [...where].every(([name, wanted]) => {
    const text = bindings.get(name)?.text
    return text !== undefined && wanted.some((pattern) => matchesWildcard(pattern, text))
  })

const holdsInFlow = (rule: PatternRule, match: Match, { entryPoints }: Context): boolean =>
  entryPoints.some((flow) => {
    const ops = opsIn(flow, match.node)
    if (ops.length === 0) return false
    const { callableBy, taint } = rule
    if (callableBy !== null && !ops.some((op) => isProtected(flow, op) === (callableBy === 'role'))) return false
    return taint === null || ops.some((op) => isTainted(flow, op, match, taint))
  })

/** What changes something, calls or pays, of what is written there; of a function all of it. */
const opsIn = (flow: Flow, { start, end }: Span): readonly Op[] =>
  flow.ir.ops.filter((op) => isEffect(op) && op.start >= start && op.end <= end)

const effects: ReadonlySet<string> = new Set(['store', 'call', 'builtin', 'emit'])
const isEffect = ({ kind }: Op): boolean => effects.has(kind)

function isTainted(flow: Flow, op: Op, { bindings }: Match, { sources, into }: Taint): boolean {
  const at = bindings.get(into)?.at
  if (at === undefined) return false
  return valuesAt(flow, op, at).some((value) => sources.some((source) => comesFrom(flow, value, source)))
}

/** The operands of an operation that are written at this place. A variable that is only read has no operation of its own. */
const valuesAt = (flow: Flow, op: Op, { start, end }: Span): readonly Op[] => {
  const operands = [...op.args, op.call?.target, op.call?.value].filter(
    (value) => value !== undefined && value !== null,
  )
  const written = operands.filter((value) => value.start >= start && value.end <= end)
  if (written.length > 0) return written
  const { node } = op
  const position = node === null ? -1 : positionOf(node as Node, { start, end })
  const value = position === receiver ? op.call?.target : op.args[position]
  return value === undefined || value === null
    ? flow.ir.ops.filter((each) => each.start === start && each.end === end)
    : [value]
}

const receiver = -2

/** Which argument of a call stands there, or that it is what is called on. */
function positionOf(node: Node, { start, end }: Span): number {
  if (node.kind !== 'Call') return -1
  const index = node.args.values.findIndex((value) => value.start === start && value.end === end)
  if (index >= 0) return index
  return node.callee.start <= start && end <= node.callee.end ? receiver : -1
}

const sourceBits: Readonly<Record<SourceName, number>> = {
  parameter: Source.param,
  sender: Source.sender,
  value: Source.value,
  calldata: Source.data,
  origin: Source.origin,
  timestamp: Source.time,
  block: Source.block,
  state: Source.state,
  'outsider-state': Source.outsiderState,
  'call-result': Source.call,
  balance: Source.balance,
}

function comesFrom(flow: Flow, value: Op, source: SourceName | Pattern): boolean {
  if (typeof source === 'string') return (taintOf(flow, value) & sourceBits[source]) !== 0
  const matching: Matching = { work: maxWork / 100, textOf: () => '' }
  return dependsOn(
    flow,
    value,
    ({ node }) => node !== null && 'kind' in node && matchNode(source.node, node as Node, matching) !== undefined,
  )
}

import { resultUse } from '../../facts/index.ts'
import { type Context, type Flow, isTransient, type Op } from '../../ir/index.ts'
import type { ContractModel, FunctionModel, ModifierModel } from '../../model/index.ts'
import { type Block, type Span, type Statement, walk } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly context: Context
  readonly fn: FunctionModel
  readonly flow: Flow
  /** What it changes before it ends without a value, where another path returns one. */
  readonly change: Op | null
}

/** Functions with a body whose results are never given a value: no `return` says one, and no result has a name that the body uses. */
function* answeringNothing(context: Context, { functions }: ContractModel): Iterable<Candidate> {
  for (const fn of functions) {
    const { body } = fn.node
    if (body === null || fn.returns.length === 0 || body.statements.every(isIdle)) continue
    // What only runs as part of others is not followed by itself: whether it ends at all is not known.
    const flow = givesValue(fn, body) ? undefined : context.flowOf(fn)
    if (flow !== undefined) yield { context, fn, flow, change: null }
  }
}

/** Functions that return a value on one path, and on another change something lasting and end without one. */
function* answeringOnePath(context: Context): Iterable<Candidate> {
  const found = new Map<FunctionModel, readonly Span[]>()
  for (const contract of context.part.contracts)
    if (contract.contractKind !== 'interface' && !contract.isStub)
      for (const fn of contract.functions) {
        const ends = endsWithoutValue(fn)
        if (ends.length > 0) found.set(fn, ends)
      }
  if (found.size === 0) return
  for (const flow of context.functions)
    for (const { fn, change } of changesBefore(flow, found)) {
      // One finding for each function, by the first flow that shows it.
      if (found.delete(fn)) yield { context, fn, flow, change }
    }
}

/** Where a function that returns a value on another path ends without one. */
const endsWithoutValue = (fn: FunctionModel): readonly Span[] => {
  const { body } = fn.node
  if (body === null || fn.returns.length === 0 || fn.returns.some(({ name }) => name !== '')) return []
  const ends = openEndsOf(body.statements)
  return ends.length > 0 && givesValue(fn, body) ? ends : []
}

/** The runs of plain statements after which a body ends without a value: its last ones, or those of a branch that is its last statement. */
const openEndsOf = (statements: readonly Statement[]): readonly Span[] => {
  const last = statements.at(-1)
  if (last === undefined) return []
  if (last.kind === 'Block') return openEndsOf(last.statements)
  if (last.kind === 'IfStatement')
    return [last.then, last.else].flatMap((branch) => (branch === null ? [] : openEndsOf([branch])))
  const from = statements.findLastIndex((statement) => !plainStatements.has(statement.kind)) + 1
  return from === statements.length ? [] : [{ start: statements[from]!.start, end: last.end }]
}

const plainStatements: ReadonlySet<string> = new Set(['ExpressionStatement', 'EmitStatement', 'VariableStatement'])

/** What `flow` changes in these spans of the functions it runs through: an operation, or the call through which it came in, stands there. */
function* changesBefore(
  flow: Flow,
  ends: ReadonlyMap<FunctionModel | ModifierModel, readonly Span[]>,
): Iterable<{ fn: FunctionModel; change: Op }> {
  for (const op of [...flow.stateStores(), ...flow.externalCalls()]) {
    if (op.kind === 'call' ? op.call.isStatic : isTransient(op)) continue
    let at: Span = op
    for (let { site } = op; ; site = site.parent) {
      const fn = site === null ? flow.fn : site.fn
      const isBefore = (ends.get(fn!) ?? []).some(({ start, end }) => start <= at.start && at.end <= end)
      if (isBefore) yield { fn: fn as FunctionModel, change: op }
      if (site === null) break
      at = site.at
    }
  }
}

/** `who;` only keeps the compiler from saying that an argument is not used. */
const isIdle = (statement: Statement): boolean =>
  statement.kind === 'ExpressionStatement' && statement.expression.kind === 'Identifier'

const givesValue = ({ returns }: FunctionModel, body: Block): boolean => {
  // Most functions end by it: nothing else of them has to be looked at.
  if (body.statements.at(-1)!.kind === 'ReturnStatement') return true
  const names = new Set(returns.map(({ name }) => name).filter((name) => name !== ''))
  let isGiven = false
  walk(body, (node) => {
    if (node.kind === 'AssemblyStatement') isGiven = true
    if (node.kind === 'ReturnStatement' && node.value !== null) isGiven = true
    if (node.kind === 'Identifier' && names.has(node.name)) isGiven = true
    return !isGiven
  })
  return isGiven
}

/** Every way reverts, destroys the contract, or ends in assembly, which says what is answered: a proxy that passes on. */
const neverEnds = ({ flow, change }: Candidate): boolean =>
  change === null && flow.ir.exits.every((exit) => flow.blocks[exit]!.ops.some(isHalt))

const isHalt = ({ kind, operator }: Op): boolean =>
  (kind === 'return' && operator === 'halt') || (kind === 'builtin' && operator === 'selfdestruct')

/** What callers receive instead. */
const nothingOf = ({ returns }: FunctionModel): string => {
  const [first, second] = returns
  if (second !== undefined || first === undefined) return 'zero values'
  if (first.type.kind === 'bool') return '`false`'
  if (first.type.kind === 'address' || first.type.kind === 'contract') return 'the zero address'
  return first.type.kind === 'int' ? '0' : 'an empty value'
}

/** A scanned call uses the result, or the result says whether the function succeeded. */
const isRelevant = ({ context, fn }: Candidate): boolean =>
  fn.returns[0]!.type.kind === 'bool' ||
  context
    .opsOfKind('call')
    .some(
      ({ flow, op }) =>
        op.call.name === fn.name && op.args.length === fn.params.length && resultUse(flow, op) !== 'unused',
    )

const answersYesOrNo = ({ returns }: FunctionModel): boolean => returns.length === 1 && returns[0]!.type.kind === 'bool'

export default defineDetector<Candidate>({
  id: 'missing-return',
  swc: null,
  title: 'Missing return value',
  aliases: { owasp: ['SC03:2025'], words: ['missing return statement', 'returns zero'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A function declares a return value and ends without returning one. Callers receive zero or false regardless of what happened, so a success looks like a failure.',
  recommendation: 'Return the value, or remove it from the declaration.',
  references: ['https://docs.soliditylang.org/en/latest/contracts.html#return-variables'],
  cwe: ['CWE-394', 'CWE-252'],

  *candidates(context) {
    for (const contract of context.part.contracts)
      if (contract.contractKind !== 'interface' && !contract.isStub) yield* answeringNothing(context, contract)
    yield* answeringOnePath(context)
  },
  excuses: [excuse('never-ends', 'the end is unreachable: it reverts, or assembly returns first', neverEnds)],
  finding: ({ context, fn, flow, change }) => ({
    ...(isRelevant({ context, fn, flow, change }) ? {} : { severity: 'low' as const }),
    ...(change === null
      ? {
          at: fn.node.name ?? fn.node,
          message: `\`${fn.name}()\` declares a return value but never returns one, so callers always receive ${nothingOf(fn)}${answersYesOrNo(fn) ? ', as if it had failed' : ''}.`,
        }
      : {
          at: fn.node.name ?? fn.node,
          message: `\`${fn.name}()\` returns a value on one path only: on the other it makes its changes and ends without one, so callers receive ${nothingOf(fn)} after a success.`,
          trace: flow.trace(change),
          factors: { counterEvidence: ['the path may be meant to return zero or `false`'] },
        }),
  }),
})

import type { Context, Flow } from '../../ir/index.ts'
import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { type Block, type Statement, walk } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly fn: FunctionModel
  readonly body: Block
  /** What it does when it is called; undefined where it only runs as part of others. */
  readonly flow: Flow | undefined
}

/** Functions with a body whose results are never given a value: no `return` says one, and no result has a name that the body uses. */
function* answeringNothing(context: Context, { functions }: ContractModel): Iterable<Candidate> {
  for (const fn of functions) {
    const { body } = fn.node
    if (body === null || fn.returns.length === 0 || body.statements.length === 0) continue
    if (!givesValue(fn, body)) yield { fn, body, flow: context.flowOf(fn) }
  }
}

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

const isRevert = (statement: Statement | undefined): boolean => {
  if (statement === undefined) return false
  if (statement.kind === 'RevertStatement') return true
  const call =
    statement.kind === 'ExpressionStatement' && statement.expression.kind === 'Call' ? statement.expression : null
  return call?.callee.kind === 'Identifier' && call.callee.name === 'revert'
}

export default defineDetector<Candidate>({
  id: 'missing-return',
  swc: null,
  title: 'A function that never says its result',
  severity: 'medium',
  confidence: 'medium',
  description:
    'A function declares a result, works, and ends without giving one. Whoever calls it is told zero or false, whatever happened: a success is taken for a failure, an amount for nothing.',
  recommendation: 'Return the value, or remove the result from the declaration.',
  references: ['https://docs.soliditylang.org/en/latest/contracts.html#return-variables'],
  cwe: ['CWE-394', 'CWE-252'],

  *candidates(context) {
    for (const contract of context.part.contracts)
      if (contract.contractKind !== 'interface' && !contract.isStub) yield* answeringNothing(context, contract)
  },
  excuses: [
    excuse('never-ends-well', 'it always reverts, and nobody gets an answer', ({ flow, body }) =>
      flow === undefined ? isRevert(body.statements.at(-1)) : flow.ir.exits.length === 0,
    ),
  ],
  finding: ({ fn }) => ({
    at: fn.node.name ?? fn.node,
    message: `\`${fn.name}\` declares a result and never gives one: callers are told zero.`,
  }),
})

import { isProtected } from '../../facts/index.ts'
import { entriesOf, paymentsOf, tradeOf, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type Op } from '../../ir/index.ts'
import type { FunctionModel, VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** What moves value. */
  readonly op: Op
  readonly limit: VariableModel
}

/** An unread parameter says nothing but its name: the words by which callers state a limit. */
const limitWords =
  /(^|_)(min|max|minimum|maximum|least|limit|deadline|slippage|expiry)(?![a-z])|(Min|Max|Minimum|Maximum|Limit|Deadline|Slippage|Expiry)(?![a-z])/

const isLimit = ({ name, type, role }: VariableModel): boolean =>
  role === 'parameter' && type.kind === 'int' && limitWords.test(name)

/** The function and those inside the contract that it calls. */
const functionsIn = (flow: Flow): ReadonlySet<FunctionModel> => {
  const found = new Set<FunctionModel>(flow.fn === null ? [] : [flow.fn])
  for (const { call } of flow.ops('call'))
    if (call.inlined && call.definition !== null && !call.definition.isStub) found.add(call.definition)
  return found
}

const unreadLimitsIn = ({ model }: Flow, fn: FunctionModel): readonly VariableModel[] => {
  const unnamed = new Set(model.unnamedVariables(fn.file))
  return fn.params.filter((param) => isLimit(param) && unnamed.has(param))
}

/** The first place where assets or shares change hands. */
const valueMoveIn = (flow: Flow): Op | undefined =>
  flow.ops('call').find((op) => tradeOf(flow, op) !== null) ?? paymentsOf(flow)[0]?.op ?? entriesOf(flow)[0]?.op

export default defineDetector<Candidate>({
  id: 'ignored-limit',
  swc: null,
  title: 'Slippage limit or deadline is ignored',
  aliases: {
    owasp: ['SC03:2025'],
    words: ['unused minAmountOut', 'unused deadline', 'slippage parameter not checked', 'amountOutMin ignored'],
  },
  severity: 'medium',
  confidence: 'high',
  description:
    'A function that trades or pays takes a limit from its caller, such as a minimum amount or a deadline, and never reads it. The caller believes to be protected against sandwich attacks and late execution, and is not.',
  recommendation:
    'Check the amount against the limit and `block.timestamp` against the deadline, and revert otherwise.',
  references: ['https://cwe.mitre.org/data/definitions/1284.html'],
  cwe: ['CWE-1284'],

  needs: [holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      const op = valueMoveIn(flow)
      if (op === undefined) continue
      for (const fn of functionsIn(flow)) for (const limit of unreadLimitsIn(flow, fn)) yield { flow, op, limit }
    }
  },
  excuses: [excuse('protected', 'only privileged accounts get there', ({ flow, op }) => isProtected(flow, op))],

  finding: ({ flow, op, limit }) => ({
    at: limit.node,
    message: `\`${flow.name}()\` never reads \`${limit.name}\`, so the limit that the caller sets has no effect.`,
    trace: [
      witnessStep(flow, op, 'accepts any amount and any delay despite the limit', 'A user'),
      { at: op, message: 'Value moves here without the check.' },
    ],
  }),
})

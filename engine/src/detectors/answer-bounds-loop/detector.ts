import { isProtected, writesState } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { type CallOp, describeCall, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { type Keeper, keeperOf } from './keepers.ts'

interface Candidate {
  readonly flow: Flow
  readonly call: CallOp
  readonly test: Op
  readonly keeper: Keeper
}

/** The list, in memory, that a loop's end is the length of. */
const answeredList = (flow: Flow, value: Op): CallOp | null => {
  const end = stripCasts(value)
  if (end.kind !== 'load' || end.location.part !== 'length' || end.location.space !== 'memory') return null
  const list = end.location.base === null ? null : stripCasts(end.location.base)
  // The length of `address[3]` is fixed.
  const type = list === null ? null : flow.typeOf(list)
  if (type?.kind === 'array' && type.length !== null) return null
  return outsideCall(list?.kind === 'extract' ? stripCasts(list.args[0]) : list)
}

const outsideCall = (op: Op | null): CallOp | null => (op?.kind === 'call' && op.call.kind === 'external' ? op : null)

/** `i < book.count()` */
const answeredNumber = (value: Op): CallOp | null => outsideCall(stripCasts(value))

const isCall = (call: CallOp | null): call is CallOp => call !== null

export default defineDetector<Candidate>({
  id: 'answer-bounds-loop',
  swc: 'SWC-128',
  title: 'Unbounded loop over an external list',
  aliases: {
    slither: ['calls-loop', 'costly-loop'],
    aderyn: ['costly-loop'],
    owasp: ['SC10:2025'],
    scwe: ['SCWE-109'],
    words: ['unbounded loop', 'gas limit dos'],
  },
  severity: 'low',
  confidence: 'low',
  description:
    'A transaction iterates over an array that another contract returns. If others can grow that array, the loop exceeds the block gas limit and the function becomes unusable.',
  recommendation: 'Process the list in pages chosen by the caller, or store a running total instead of iterating.',
  references: ['https://swcregistry.io/docs/SWC-128'],
  cwe: ['CWE-400'],
  yieldsTo: ['dos-block-gas-limit', 'unexpected-gas-usage'],

  needs: [holding.loop],
  *candidates(context) {
    for (const flow of context.entryPoints) {
      if (!writesState(flow)) continue
      for (const { test } of flow.ir.loops) {
        const condition = test === -1 ? null : flow.blocks[test]!.condition
        if (condition?.kind !== 'bin') continue
        const list = condition.args.map((side) => answeredList(flow, side)).find(isCall)
        const call = list ?? condition.args.map(answeredNumber).find(isCall)
        if (call === undefined) continue
        const keeper = keeperOf(context, flow, call)
        // Most numbers that others answer with count nothing that grows.
        if (list !== undefined || keeper.grower === 'anyone') yield { flow, call, test: condition, keeper }
      }
    }
  },
  excuses: [
    excuse('only-roles', 'only privileged callers need the function', ({ flow, test }) => isProtected(flow, test)),
    excuse(
      'kept-by-roles',
      'the list lives in a scanned contract and only privileged accounts can grow it',
      ({ keeper: { grower } }) => grower === 'privileged' || grower === 'none',
    ),
  ],
  finding: ({ flow, call, test, keeper: { grower, contract } }) => ({
    at: test,
    message:
      grower === 'anyone'
        ? `\`${flow.name}()\` loops over a list in \`${contract!.name}\` that anyone can grow: once it is too long, the loop exceeds the block gas limit and \`${flow.name}()\` reverts.`
        : `\`${flow.name}()\` loops over a list that \`${describeCall(flow.model, call)}\` returns. If that list gets too long, the loop exceeds the block gas limit and \`${flow.name}()\` always reverts.`,
    factors: grower === 'anyone' ? { hasWitness: true } : {},
    unproven: 'it is not known who can grow the list',
    trace: [
      ...(grower === 'anyone' ? [witnessStep(flow, test, 'it reverts once the list is too long', 'A user')] : []),
      {
        at: { start: call.start, end: call.end },
        message: 'The list or its length is read from the other contract here.',
      },
      ...flow.trace(test),
    ],
  }),
})

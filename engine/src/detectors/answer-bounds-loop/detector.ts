import { isProtected, isSender, writesState } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { type Keeper, keeperOf } from './keepers.ts'

interface Candidate {
  readonly flow: Flow
  readonly call: CallOp
  readonly test: Op
  readonly keeper: Keeper
}

/** The list, in memory, that a loop's end is the length of. */
const answeredList = (value: Op): CallOp | null => {
  const end = stripCasts(value)
  if (end.kind !== 'load' || end.location.part !== 'length' || end.location.space !== 'memory') return null
  const list = end.location.base === null ? null : stripCasts(end.location.base)
  return outsideCall(list?.kind === 'extract' ? stripCasts(list.args[0]) : list)
}

const outsideCall = (op: Op | null): CallOp | null => (op?.kind === 'call' && op.call.kind === 'external' ? op : null)

/** `i < book.count()` */
const answeredNumber = (value: Op): CallOp | null => outsideCall(stripCasts(value))

const isCall = (call: CallOp | null): call is CallOp => call !== null

export default defineDetector<Candidate>({
  id: 'answer-bounds-loop',
  swc: 'SWC-128',
  title: 'Loop over a list that another contract keeps',
  severity: 'low',
  confidence: 'low',
  description:
    'A transaction goes through a list that another contract answers with. Whoever can make that list long makes the loop cost more gas than a block has, and what stands behind it is out of reach.',
  recommendation:
    'Let callers say which part of the list to go through, or keep a running total there instead of a list.',
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
        const list = condition.args.map(answeredList).find(isCall)
        const call = list ?? condition.args.map(answeredNumber).find(isCall)
        if (call === undefined) continue
        const keeper = keeperOf(context, flow, call)
        // Most numbers that others answer with count nothing that grows.
        if (list !== undefined || keeper.grower === 'anyone') yield { flow, call, test: condition, keeper }
      }
    }
  },
  excuses: [
    excuse('only-roles', 'only holders of a role need it', ({ flow, test }) => isProtected(flow, test)),
    excuse(
      'kept-by-roles',
      'the contract that keeps the list is among the files, and only holders of a role make it longer',
      ({ keeper: { grower } }) => grower === 'privileged' || grower === 'nobody',
    ),
    excuse(
      'own-list',
      'it is the caller’s own list, which nobody else can make longer',
      ({ call, keeper: { grower } }) => grower === 'self' && call.args.some((arg) => isSender(arg)),
    ),
  ],
  finding: ({ flow, call, test, keeper: { grower, contract } }) => ({
    at: test,
    message:
      grower === 'anyone'
        ? `How often this runs is decided by a list in \`${contract!.name}\`, which anybody can make longer.`
        : 'How often this runs is decided by a list in another contract.',
    grounds: grower === 'anyone' ? { hasWitness: true } : {},
    trace: [
      ...(grower === 'anyone'
        ? [
            witnessStep(
              flow,
              test,
              'what stands behind the loop is out of reach once others have made the list too long',
            ),
          ]
        : []),
      { at: { start: call.start, end: call.end }, message: 'The list is asked for here.' },
      ...flow.trace(test),
    ],
  }),
})

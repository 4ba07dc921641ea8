import { isOwnTokenBalance } from '../../idioms/index.ts'
import { type Flow, holding, isZero, type Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
}

export default defineDetector<Candidate>({
  id: 'strict-token-balance',
  swc: null,
  title: 'Exact comparison with a token balance',
  severity: 'low',
  confidence: 'high',
  description:
    'Tokens can be sent to any address without asking. A condition that demands an exact token balance can be broken for good by a stranger with one unit of the token.',
  recommendation: 'Keep the sum in a state variable of your own, or compare with `>=`.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#dangerous-strict-equalities'],
  cwe: ['CWE-697'],
  yieldsTo: ['unexpected-gas-usage'],

  needs: [holding.balanceQuery],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const op of flow.ops('bin'))
        if ((op.operator === '==' || op.operator === '!=') && op.args.some(isOwnTokenBalance)) yield { flow, op }
  },

  excuses: [
    excuse(
      'in-a-library',
      'a library compares what it computed with what it was given',
      ({ flow, op }) => flow.writtenIn(op)?.contract?.contractKind === 'library',
    ),
    excuse(
      'unchanged',
      'it asks whether the balance is still what it was before a call, and whoever sends tokens meanwhile only undoes their own call',
      ({ op }) => op.args.every(isOwnTokenBalance),
    ),
    excuse('emptiness', 'it asks for zero: a test for emptiness only skips work', ({ op }) => op.args.some(isZero)),
  ],

  finding: ({ flow, op }) => ({
    at: op,
    message: 'Anybody can send a few tokens here and make this exact comparison come out as they like.',
    trace: flow.trace(op),
  }),
})

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
  title: 'Strict equality on token balance',
  aliases: {
    slither: ['incorrect-equality'],
    aderyn: ['strict-equality-contract-balance'],
    owasp: ['SC10:2025'],
    words: ['donation', 'strict equality', 'balanceOf'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    'Anyone can send tokens to any address. A condition that requires an exact token balance can be broken permanently by sending one unit of the token.',
  recommendation: 'Track the amount in a state variable, or compare with `>=`.',
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
      'a library compares a computed value with its argument',
      ({ flow, op }) => flow.writtenIn(op)?.contract?.contractKind === 'library',
    ),
    excuse(
      'unchanged',
      'it checks that a balance is unchanged after a call, so a donation only reverts the donor’s own call',
      ({ op }) => op.args.every(isOwnTokenBalance),
    ),
    excuse('emptiness', 'it compares with zero to skip work', ({ op }) => op.args.some(isZero)),
  ],

  finding: ({ flow, op }) => ({
    at: op,
    message: 'Anyone can send tokens here, so an attacker can make this exact balance comparison fail.',
    trace: flow.trace(op),
  }),
})

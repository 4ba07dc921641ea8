import { isReachable } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { holding } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { isInOtherPhase } from './phases.ts'
import { isAccrued, isMovedOver, isShareOfPot, onlyCounts, violationsOf } from './rules.ts'
import type { Violation } from './violation.ts'

export default defineDetector<Violation>({
  id: 'ledger-invariant',
  swc: null,
  title: 'Inconsistent accounting',
  aliases: {
    owasp: ['SC03:2025'],
    words: [
      'total not updated with its parts',
      'missing debit',
      'credit without debit',
      'claim increased on payout',
      'once-only mark never set',
      'wrong sign',
      'total supply mismatch',
      'payout not recorded',
    ],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'The role of a number follows from how other functions move it: a total moves with the entries it sums, a claim rises when value enters and falls when it leaves, a transfer lowers one entry and raises another, a once-only mark is set. Here one of these does not hold, so balances are credited that nothing covers, or payouts repeat.',
  recommendation: 'Change the total and its entries by the same amount, in one internal function.',
  references: ['https://cwe.mitre.org/data/definitions/682.html'],
  cwe: ['CWE-682'],
  yieldsTo: ['missing-state-update', 'erroneous-accounting', 'unprotected-token-withdrawal'],

  needs: [holding.effect],
  *candidates({ contracts }) {
    for (const contractFlow of contracts) yield* violationsOf(contractFlow, contracts)
  },
  excuses: [
    excuse('only-counts', 'the total counts what ever moved one way, and nothing depends on it', onlyCounts),
    excuse('moved-over', 'an entry of another kind takes the amount', isMovedOver),
    excuse('accrued', 'the total grows by a share of itself or with time, such as interest', isAccrued),
    excuse('other-phase', 'the record is closed, and functions that move its total reject it', isInOtherPhase),
    excuse('unreachable', 'no transaction reaches it', ({ flow, at }) => !isReachable(flow, at)),
    excuse('share-of-pot', 'the entry is used up for its share of a fixed pot', isShareOfPot),
  ],
  finding: ({ rule, flow, at, text, kept, place, unsure }) => ({
    at: place ?? at,
    message: `${rule}: ${text}.`,
    ...(unsure === undefined ? {} : { factors: { counterEvidence: [unsure] } }),
    ...(kept?.kind === 'load' ? { recommendation: 'Set the mark before the value moves.' } : {}),
    trace: [
      witnessStep(
        flow,
        at,
        kept?.kind === 'load' ? 'passes a check that rejects nothing' : 'changes one number without the other',
      ),
      ...flow.trace(at),
      ...(kept === null
        ? []
        : [
            {
              at: kept,
              message: kept.kind === 'load' ? 'The mark is checked here.' : 'Another function changes both here.',
            },
          ]),
    ],
  }),
})

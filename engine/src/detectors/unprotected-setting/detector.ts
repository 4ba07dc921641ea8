import { hasIncomingPayment, type UnprotectedOp, unprotectedFinding, unprotectedOpExcuses } from '../../idioms/index.ts'
import { holding } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { openSettings } from './open-settings.ts'
import { overwritten, rewritten } from './others-records.ts'
import { redirected } from './payees.ts'

export default defineDetector<UnprotectedOp>({
  id: 'unprotected-setting',
  formerly: 'access-control',
  swc: null,
  title: 'Unprotected setting or payee',
  aliases: {
    aderyn: ['centralization-risk'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-016'],
    words: [
      'unprotected setter',
      'unprotected configuration',
      'payee redirected',
      'missing access control',
      'missing onlyOwner',
    ],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'A function that anyone can call sets state that others rely on: the recipient or amount of payments, an account that other functions accept, an allowance, or the terms in a record that another user opened.',
  recommendation:
    'Restrict the setter with an access check on `msg.sender`, or let each user change only records in their own name.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-862', 'CWE-284'],
  yieldsTo: [
    'unprotected-ether-withdrawal',
    'unprotected-token-withdrawal',
    'unprotected-selfdestruct',
    'unprotected-initializer',
    'arbitrary-transfer-from',
  ],
  isPerFunction: true,

  needs: [holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* redirected(flow)
      yield* openSettings(flow)
      yield* rewritten(flow)
      yield* overwritten(flow)
    }
  },
  excuses: [
    unprotectedOpExcuses.callerChecked,
    unprotectedOpExcuses.accountConsented,
    unprotectedOpExcuses.runsOnce,
    unprotectedOpExcuses.decidedByRecord,
    unprotectedOpExcuses.earned,
    excuse(
      'paid-for',
      'the caller pays to become the recipient',
      ({ flow, amount }) => amount === null && hasIncomingPayment(flow),
    ),
  ],
  finding: unprotectedFinding,
})

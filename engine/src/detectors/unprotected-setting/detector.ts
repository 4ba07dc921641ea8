import { hasIncomingPayment, type UnprotectedOp, unprotectedFinding, unprotectedOpExcuses } from '../../idioms/index.ts'
import { type Flow, holding } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { openSettings } from './open-settings.ts'
import { othersRecords } from './others-records.ts'
import { redirected } from './payees.ts'

/** What others rely on becomes what the caller says, and nothing at all is asked. */
function* setByAnyone(flow: Flow): Iterable<UnprotectedOp> {
  for (const { op, message, gain } of openSettings(flow)) yield { flow, op, account: null, amount: null, message, gain }
}

/** A record in a user's name, and the caller says what is paid by it. */
function* rewritten(flow: Flow): Iterable<UnprotectedOp> {
  for (const { op, value, field } of othersRecords(flow)) {
    const message = `\`${flow.name}()\` lets any caller overwrite \`${field}\` in records that other users opened.`
    yield { flow, op, account: null, amount: value, message, gain: `overwrites \`${field}\` of another user’s record` }
  }
}

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
      yield* setByAnyone(flow)
      yield* rewritten(flow)
    }
  },
  excuses: [
    unprotectedOpExcuses.callerChecked,
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

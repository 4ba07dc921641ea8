import { findDependency, guardRestingOn, isListed, isSender, lockedAt, queriesCaller } from '../../facts/index.ts'
import { keysOf, type UnprotectedOp, unprotectedFinding, unprotectedOpExcuses } from '../../idioms/index.ts'
import { type Flow, holding, type Op, type StoreOp } from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'
import { attestedPayments } from './attested.ts'

const messageOf = (flow: Flow, op: StoreOp): string =>
  `\`${flow.name}()\` only checks values that \`msg.sender\` itself returns, so an attacker’s contract that returns them passes and changes \`${flow.describe(op.location)}\`.`

/** `require(IVault(msg.sender).owner() == address(this))`: the caller itself is called, and returns what it likes. */
function* selfAttested(flow: Flow): Iterable<UnprotectedOp> {
  const gain = 'passes the check with values that their contract returns'
  for (const op of flow.stateStores()) {
    const guard = guardRestingOn(flow, op, restsOnCaller)
    if (guard === null || keysOf(op.location).some(isSender) || isReleaseOfLock(flow, op)) continue
    const query = findDependency(flow, guard, restsOnCaller)
    if (query === undefined || !isListed(flow, query.call!.target!, op))
      yield { flow, op, account: null, amount: null, message: messageOf(flow, op), gain }
  }
}

/** A query, and no hook that is acknowledged by a fixed code: any caller passes that one. */
const restsOnCaller = (op: Op): boolean =>
  queriesCaller(op) && (op.call!.isStatic || op.call!.definition?.returns[0]?.type.kind !== 'fixedBytes')

/** The lock of this call is opened again, which gives nobody a right. */
const isReleaseOfLock = (flow: Flow, op: StoreOp): boolean => lockedAt(flow, op)?.location === op.location

export default defineDetector<UnprotectedOp>({
  id: 'untrusted-authorization',
  formerly: 'access-control',
  swc: null,
  title: 'Authorization by an untrusted contract',
  aliases: {
    owasp: ['SC01:2025'],
    scwe: ['SCWE-013'],
    words: ['caller-supplied contract', 'self-attested caller', 'fake contract passes check', 'missing access control'],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'The only check rests on what `msg.sender` or a contract that the caller names returns. An attacker passes it with a contract of their own and changes state or is paid.',
  recommendation:
    'Check the contract against a registry or an allowlist that only a privileged account can extend before its answer counts.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-863', 'CWE-345'],
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
      yield* selfAttested(flow)
      yield* attestedPayments(flow)
    }
  },
  excuses: [unprotectedOpExcuses.callerChecked, unprotectedOpExcuses.runsOnce],
  finding: unprotectedFinding,
})

import { dependsOn, guardsAt, isSender, privilegedState } from '../../facts/index.ts'
import { isNow, type UnprotectedOp, unprotectedFinding, unprotectedOpExcuses } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, holding, isZero, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'
import { enlistedByAnyone } from './enlisted.ts'

/** State that names the deployer: someone in particular. */
const appointed = ({ flows }: ContractFlow): ReadonlySet<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of flows)
    if (flow.isConstructor)
      for (const { location, args } of flow.stateStores())
        if (location.depth === 0 && location.variable !== null && isSender(args[0])) found.add(location.variable)
  return found
}

/** Who may do what is decided by this: the deployer was noted there. */
function* takenOver(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    const { variable, depth } = op.location
    if (variable === null || depth > 0 || !flow.contractFlow.answer(appointed).has(variable)) continue
    const value = stripCasts(op.args[0])
    const message = `Anyone can call \`${flow.name}()\` and set \`${variable.name}\` to their own address, and so take over its rights.`
    const gain = `becomes \`${variable.name}\``
    if (value.kind === 'param' || isSender(value))
      yield { flow, op, account: null, amount: null, message, gain, isTakeover: true }
  }
}

/** Who is checked elsewhere becomes another, or nobody, and nothing is checked: a nominee who never accepted, or an owner who never resigned. */
function* replacedByAnyone(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    const { variable, depth, type } = op.location
    if (variable === null || depth > 0 || type?.kind !== 'address') continue
    if (!privilegedState(flow.contractFlow).has(variable) || isAfterWaiting(flow, op)) continue
    const value = stripCasts(op.args[0])
    if (value.location === op.location) continue
    const isNominee = value.kind === 'load' && isNomination(value.location.variable) && value.location.depth === 0
    if (!isNominee && !isZero(value)) continue
    if (!isNominee && flow.contractFlow.answer(heldDuringCalls).has(variable)) continue
    const name = `\`${variable.name}\``
    const by = isNominee ? `\`${flow.describe(value.location)}\`, which never accepted,` : 'the zero address'
    const message =
      `Anyone can call \`${flow.name}()\` and replace ${name}, whom other functions check, with ${by}.`.replace(
        ',.',
        '.',
      )
    const gain = isNominee ? `completes the transfer of ${name} for the nominee` : `removes ${name}`
    yield {
      flow,
      op,
      account: null,
      amount: null,
      message,
      gain,
      isTakeover: true,
      severity: isNominee ? 'medium' : 'high',
    }
  }
}

/** Every entry point that names someone there clears it again before it ends: between calls nobody has that right. */
const heldDuringCalls = ({ flows, entryPoints }: ContractFlow): ReadonlySet<VariableModel> => {
  const names = ({ args }: StoreOp): boolean => !isZero(stripCasts(args[0]))
  const found = new Set<VariableModel>()
  for (const flow of entryPoints)
    for (const { location } of flow.stateStores()) if (location.variable !== null) found.add(location.variable)
  for (const flow of flows) {
    if (!flow.isEntryPoint && !flow.isConstructor) continue
    const stores = flow.stateStores()
    for (const op of stores.filter(names)) {
      const isCleared = stores.some(
        (other) => other.location === op.location && !names(other) && flow.canFollow(op, other),
      )
      if (op.location.variable !== null && !isCleared) found.delete(op.location.variable)
    }
  }
  return found
}

/** State that names who may come next; what was fixed from the beginning names nobody new. */
const isNomination = (variable: VariableModel | null): boolean =>
  variable !== null && !variable.isImmutable && !variable.isConstant

/** `require(block.timestamp >= readyAt)`: a change that was announced may be carried out by anyone. */
const isAfterWaiting = (flow: Flow, op: StoreOp): boolean =>
  guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isNow))

export default defineDetector<UnprotectedOp>({
  id: 'unprotected-role-change',
  formerly: 'access-control',
  swc: null,
  title: 'Unprotected ownership or role change',
  aliases: {
    slither: ['protected-vars'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-016'],
    words: [
      'missing access control',
      'unauthorized access',
      'broken access control',
      'missing onlyOwner',
      'unprotected function',
    ],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'A function that anyone can call replaces the owner or another privileged account, completes a transfer of rights for a nominee who never accepted, or adds an account to a list whose members have rights.',
  recommendation:
    'Restrict the function with an access check on `msg.sender` (`onlyOwner`, `AccessControl`), and let a new owner accept the role (`Ownable2Step`).',
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
      yield* takenOver(flow)
      yield* replacedByAnyone(flow)
      yield* enlistedByAnyone(flow)
    }
  },
  excuses: [
    unprotectedOpExcuses.callerChecked,
    unprotectedOpExcuses.runsOnce,
    unprotectedOpExcuses.decidedByRecord,
    unprotectedOpExcuses.earned,
    unprotectedOpExcuses.rightPaidFor,
  ],
  finding: unprotectedFinding,
})

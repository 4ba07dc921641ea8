import {
  dependsOn,
  isFreelyDone,
  isProtected,
  keepsNothing,
  type SenderGuard,
  senderGuardAt,
  writesState,
} from '../../facts/index.ts'
import {
  etherOfUsers,
  isKeyed,
  isMessageValue,
  isSelf,
  lossAt,
  outgoingOf,
  outsiderNamedBy,
  paysOut,
  recordedEther,
  uncheckedStep,
} from '../../idioms/index.ts'
import type { ContractFlow, Flow, Op } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'
import { excuses, isOwnBalance } from './excuses.ts'
import { type Grant, grantsOf, type Withdrawal } from './withdrawals.ts'

const loss = 'withdraws ETH of the contract'

const describeGrant = ({ flow, op }: Withdrawal, grant: Grant) => ({
  at: grant.flow.inEntry(grant.op),
  message: `Anyone can set \`${grant.variable.name}\` through \`${grant.flow.name}()\` and then withdraw ETH through \`${flow.name}()\`.`,
  trace: [
    uncheckedStep(grant.flow, grant.op, `sets \`${grant.variable.name}\``),
    ...grant.flow.trace(grant.op),
    { at: op, message: `The attacker calls \`${flow.name}()\`, which sends the ETH here.` },
  ],
  recommendation: protect(grant.flow.name, grant.variable.name),
})

/** The withdrawal has a check already: what is open is the way to pass it. */
const protect = (setter: string, variable: string): string =>
  `Restrict \`${setter}()\` to the account that holds the role, or set \`${variable}\` in the constructor only.`

interface Setter {
  readonly flow: Flow
  readonly op: Op
  readonly variable: string
}

const setterOf = (flow: Flow, { places }: SenderGuard): Setter | null => {
  for (const { variable } of places) {
    const writer = flow.contractFlow
      .writersOf(variable!)
      .find(({ flow: other, op }) => !other.isConstructor && !isProtected(other, op))
    if (writer !== undefined) return { flow: writer.flow, op: writer.op, variable: variable!.name }
  }
  return null
}

const describeWithdrawal = ({ flow, op, receiver, guard }: Withdrawal): Omit<Hit, 'at'> => {
  const setter = guard === null ? null : setterOf(flow, guard)
  if (guard === null || setter === null) {
    const message = `Anyone can call \`${flow.name}()\` and send the contract's ETH to ${outsiderNamedBy(flow, receiver)}.`
    return { message, trace: [uncheckedStep(flow, op, loss), ...flow.trace(op)] }
  }
  return {
    message: `Anyone can set \`${setter.variable}\` through \`${setter.flow.name}()\`, pass the check in \`${flow.name}()\` and withdraw ETH.`,
    trace: [
      uncheckedStep(setter.flow, setter.op, `sets \`${setter.variable}\``),
      ...setter.flow.trace(setter.op),
      { at: guard.op, message: `The attacker calls \`${flow.name}()\` and passes this check.` },
      ...flow.trace(op),
      { at: op, message: 'The ETH is sent here.' },
    ],
    recommendation: protect(setter.flow.name, setter.variable),
  }
}

/** Ether of others, where no record shows that the caller has a claim on it, and nothing else in the call can have paid it in. */
const lossOf = (withdrawal: Withdrawal): string | undefined => {
  const { flow, op, amount, guard } = withdrawal
  if (dependsOn(flow, amount, isRecord) || flow.stateStores().some(({ location }) => isKeyed(location)))
    return undefined
  const held = callsOthers(withdrawal) ? recordedEther(flow) : etherOfUsers(flow)
  const setter = guard === null ? null : setterOf(flow, guard)
  if (setter === null) return lossAt(flow, op, held)
  return held !== null && isFreelyDone(setter.flow, setter.op) ? held : undefined
}

const lossByGrant = (flow: Flow, grant: Grant): string | undefined =>
  isFreelyDone(grant.flow, grant.op) ? (etherOfUsers(flow) ?? undefined) : undefined

const isRecord = (op: Op): boolean => op.kind === 'load' && isKeyed(op.location)

const callsOthers = ({ flow, op }: Withdrawal): boolean =>
  flow.externalCalls().some((call) => call !== op && !call.call.isStatic)

/**
 * The whole balance, where anyone can run several functions at once, or a derived contract that is not here may let them: what is left
 * over of what someone paid can be had back in the same call.
 */
const isLeftOver = ({ flow, amount }: Withdrawal): boolean =>
  flow.isPayable &&
  isOwnBalance(amount) &&
  (flow.contractFlow.entryPoints.some(runsSeveral) || isPartOfRouter(flow.contractFlow))

/** It is there to be inherited, keeps nothing at all, and is sent ether without a word only by those it knows. */
const isPartOfRouter = ({ flows, entryPoints }: ContractFlow): boolean =>
  flows.every((flow) => flow.contract?.contractKind === 'abstract' && (flow.isConstructor || !writesState(flow))) &&
  !entryPoints.some(isOpenToGifts)

const isOpenToGifts = (flow: Flow): boolean =>
  flow.isPayable &&
  (flow.fn?.role === 'receive' || flow.fn?.role === 'fallback') &&
  !flow.ops('return').every((end) => isProtected(flow, end))

/** `batch(bytes[] calldata data)`: payable, and runs what it is given on this contract. */
const runsSeveral = (flow: Flow): boolean =>
  flow.isPayable &&
  flow.ops('call').some(({ call }) => call.kind === 'delegate' && call.target !== null && isSelf(call.target))

/** Payable, and it calls others as well: what it sends on may be what was sent along, which no check of the amount shows. */
const mayBePaidIn = (withdrawal: Withdrawal): boolean => withdrawal.flow.isPayable && callsOthers(withdrawal)

/** Some function notes for someone what was paid: what lies here may be theirs. */
const recordsEther = ({ entryPoints }: ContractFlow): boolean =>
  entryPoints.some(
    (flow) =>
      flow.usesEnvironment('msg.value') &&
      flow.stateStores().some((store) => dependsOn(flow, store.args[0], isMessageValue)),
  )

/** Nothing is written down, no ether arrives without a call, and every payable function pays out the whole balance in the end. */
const isEmptyBetweenCalls = (contractFlow: ContractFlow): boolean => contractFlow.answer(findEmptyBetweenCalls)

const findEmptyBetweenCalls = (contractFlow: ContractFlow): boolean =>
  keepsNothing(contractFlow) &&
  contractFlow.entryPoints.every(
    (flow) =>
      !flow.isPayable ||
      outgoingOf(flow).some(
        ({ op, asset, amount }) =>
          asset === 'ether' &&
          isOwnBalance(amount) &&
          !flow.ops('call').some((later) => later !== op && !later.call.inlined && flow.canFollow(op, later)),
      ),
  )

const counterEvidenceAbout = (withdrawal: Withdrawal): string[] => {
  const isUnowned = !recordsEther(withdrawal.flow.contractFlow)
  if (!isLeftOver(withdrawal))
    return [
      ...(isUnowned && mayBePaidIn(withdrawal) ? ['the caller brings the ETH with the call'] : []),
      ...(isEmptyBetweenCalls(withdrawal.flow.contractFlow) ? ['the contract holds no ETH between calls'] : []),
    ]
  return [
    'the rest can be reclaimed in the same batch',
    ...(isUnowned ? ['the contract holds no payments of others'] : []),
  ]
}

export default defineDetector<Withdrawal>({
  id: 'unprotected-ether-withdrawal',
  swc: 'SWC-105',
  title: 'Unprotected ether withdrawal',
  aliases: {
    slither: ['arbitrary-send-eth'],
    aderyn: ['eth-send-unchecked-address'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-049'],
    words: ['drain ether', 'missing onlyOwner', 'withdraw all'],
  },
  severity: 'critical',
  confidence: 'high',
  description:
    'An attacker can make the contract pay out ETH that is not theirs: the caller is not checked (or anyone can pass the check), and no balance of the caller decreases.',
  recommendation:
    'Restrict withdrawals to a privileged role, or pay each caller at most their recorded balance and reduce it.',
  references: ['https://swcregistry.io/docs/SWC-105'],
  cwe: ['CWE-284'],
  yieldsTo: ['unprotected-selfdestruct'],
  isPerFunction: true,

  needs: [paysOut],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { op, asset, to: receiver, amount } of outgoingOf(flow)) {
        if (asset !== 'ether' || receiver === null) continue
        if (outsiderNamedBy(flow, receiver) === null) continue
        if (isProtected(flow, op)) continue
        const guard = senderGuardAt(flow, op)
        const withdrawal = { flow, op, receiver, amount, guard }
        yield { ...withdrawal, grant: null }
        for (const grant of guard === null ? [] : grantsOf(flow, guard)) yield { ...withdrawal, grant }
      }
  },
  excuses,
  finding: (candidate) =>
    candidate.grant === null
      ? {
          at: candidate.op,
          ...describeWithdrawal(candidate),
          factors: { loss: lossOf(candidate), counterEvidence: counterEvidenceAbout(candidate) },
        }
      : {
          ...describeGrant(candidate, candidate.grant),
          factors: { loss: lossByGrant(candidate.flow, candidate.grant) },
        },
})

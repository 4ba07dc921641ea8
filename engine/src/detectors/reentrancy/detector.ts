import { isUntrusted } from '../../facts/index.ts'
import {
  etherOfUsers,
  firstThatFits,
  lossAt,
  loweredBy,
  outgoingOf,
  provenStep,
  tokenCallOf,
} from '../../idioms/index.ts'
import { describeCall, describeValue, type Flow, holding, isZero } from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'
import { excuses, findBypass } from './excuses.ts'
import { reentrantCallees } from './reentrant-callees.ts'
import { factorsOf, type StaleState, staleState } from './stale-state.ts'

/** What is updated too late. */
const lateOf = ({ flow, write: { location, variable } }: StaleState): string => {
  if (location !== null) return `\`${flow.describe(location)}\``
  return variable === null ? 'the state' : `\`${variable.name}\``
}

/** Whose code runs: the callee's, or that of an account which the callee notifies. */
const agentOf = ({ flow, call }: StaleState): string => {
  const { target } = call.call
  if (target === null || !isUntrusted(flow, target, call)) return 'an account that the callee notifies'
  const name = describeValue(flow.model, target)
  return name === '…' ? 'the callee' : `\`${name}\``
}

/** What was granted is taken away too late: by how much is not decided here. */
const isReduced = ({ op }: StaleState['write']): boolean =>
  op.kind === 'store' && (op.flag || isZero(op.args[0]) || loweredBy(op) !== null)

/** Ether that is sent once more than it was granted comes from what others paid in. */
const lossOf = ({ flow, call, write }: StaleState): string | undefined => {
  const isPaid = outgoingOf(flow).some(
    ({ op, asset }) => asset === 'ether' && (op === call || flow.canFollow(call, op)),
  )
  return isPaid && isReduced(write) ? lossAt(flow, call, etherOfUsers(flow)) : undefined
}

/** What follows after "re-enter and". */
const gainOf = (candidate: StaleState): string => {
  const { flow, call, write } = candidate
  const asset = outgoingOf(flow).find(({ op }) => op === call)?.asset
  if (!isReduced(write) || asset === undefined) return `use the old value of ${lateOf(candidate)} once more`
  if (asset !== 'ether') return 'withdraw the tokens again'
  return lossOf(candidate) === undefined ? 'withdraw the ETH again' : 'withdraw the ETH of other users'
}

const messageOf = (candidate: StaleState, isOutsiders: boolean, bypass: Flow | undefined): string => {
  const { flow, call } = candidate
  const [late, agent, gain] = [lateOf(candidate), agentOf(candidate), gainOf(candidate)]
  const isOfToken = tokenCallOf(call) !== null
  const callback = isOfToken ? 'the token calls its sender or receiver (ERC-777)' : 'that call runs code of a user'
  const claim = (callee: string): string => {
    const defect = `\`${flow.name}()\` updates ${late} only after it calls ${callee}`
    if (bypass !== undefined)
      return `${defect}, and \`${bypass.name}()\` does not hold the lock, so ${agent} can re-enter there while ${late} is outdated.`
    return isOutsiders
      ? `${defect}, so ${agent} can re-enter and ${gain}.`
      : `${defect}. If ${callback}, an attacker can re-enter and ${gain}.`
  }
  const callee = describeCall(flow.model, call)
  return firstThatFits(
    // `call()` alone names nobody.
    claim(callee.includes('.') ? `\`${callee}\`` : 'another contract'),
    claim('another contract'),
    `\`${flow.name}()\` updates its state only after an external call, so the callee can re-enter and ${gain}.`,
  )
}

export default defineDetector<StaleState>({
  id: 'reentrancy',
  swc: 'SWC-107',
  title: 'Reentrancy: state updated after external call',
  aliases: {
    slither: ['reentrancy-eth', 'reentrancy-no-eth', 'reentrancy-benign', 'reentrancy-unlimited-gas'],
    aderyn: ['reentrancy-state-change'],
    owasp: ['SC05:2025'],
    scwe: ['SCWE-046'],
    words: ['re-entrancy', 'checks-effects-interactions', 'recursive call', 'the DAO', 'nonReentrant'],
  },
  severity: 'critical',
  confidence: 'high',
  description:
    'A function reads state, calls an external contract, and updates the state afterwards. The callee can re-enter and act on the stale value, for example withdraw twice.',
  recommendation:
    'Update state before the external call (checks-effects-interactions), or add a reentrancy guard (`nonReentrant`) to every function that shares the state.',
  references: [
    'https://swcregistry.io/docs/SWC-107',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#reentrancy',
  ],
  cwe: ['CWE-841'],

  needs: [holding.foreignCall],
  *candidates({ functions }) {
    for (const flow of functions)
      if (!flow.isConstructor) for (const call of reentrantCallees(flow)) yield* staleState(flow, call)
  },

  excuses,

  finding(candidate) {
    const { flow, call, read, write } = candidate
    const bypass = findBypass(candidate)
    const late = lateOf(candidate)
    const factors = factorsOf(flow, call, write)
    const isOutsiders = factors.controlledBy === 'outsider'
    return {
      at: flow.inCommonCaller(call, write.op),
      // Many calls before the same late write, or else the same call from many functions: to fix that one fixes all.
      cause: [flow.inCommonCaller(write.op, call), call],
      factors: { ...factors, loss: lossOf(candidate) },
      message: messageOf(candidate, isOutsiders, bypass),
      ...(isOutsiders ? {} : { unproven: 'it was not proven that the callee runs such code' }),
      trace: [
        provenStep(flow, call, `${isOutsiders ? 're-enters' : 'may re-enter'} before ${late} is updated`),
        { at: read, message: `${late} is read here.` },
        ...flow.trace(call),
        {
          at: call,
          message: `\`${describeCall(flow.model, call)}\` ${isOutsiders ? 'hands' : 'may hand'} control to ${agentOf(candidate)}.`,
        },
        ...(bypass?.fn
          ? [
              {
                at: bypass.fn.node.name ?? bypass.fn.node,
                message: `\`${bypass.name}()\` changes the same state without the lock.`,
              },
            ]
          : []),
        { at: write, message: `${late} is updated here, after the call.` },
      ],
    }
  },
})

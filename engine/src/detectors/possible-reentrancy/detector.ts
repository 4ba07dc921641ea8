import { isReserved, runsOnce } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { holding } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { isAfterFailure, isCovered, isOfCallee, isRenewed, isTestedAgain, type Window, windowsOf } from './windows.ts'

const nameOf = ({ flow, after, variable }: Window): string =>
  after.kind === 'store' ? flow.describe(after.location) : (variable?.name ?? 'state')

const messageOf = (window: Window): string => {
  switch (window.kind) {
    case 'stale':
      return `\`${nameOf(window)}\` is read before this external call and written after it, and no lock covers every function that uses it.`
    case 'split':
      return `The callee runs before \`${nameOf(window)}\` is updated, and other functions that no lock covers use it.`
    case 'elsewhere':
      return 'Another contract is read before this external call and updated after it. A callee that re-enters in between works with the old value.'
    case 'quoted':
      return 'The price follows from the token balance before this transfer, and the payer can re-enter before the balance changes (ERC-777).'
  }
}

const afterOf = ({ kind }: Window): string =>
  kind === 'elsewhere'
    ? 'The other contract is updated here, after the call.'
    : 'The state is updated here, after the call.'

export default defineDetector<Window>({
  id: 'possible-reentrancy',
  swc: 'SWC-107',
  title: 'Possible reentrancy: no lock covers the state',
  aliases: {
    slither: ['reentrancy-no-eth', 'reentrancy-benign'],
    owasp: ['SC05:2025'],
    scwe: ['SCWE-046'],
    words: ['cross-function reentrancy', 'cross-contract reentrancy', 'safeMint callback', 'onERC721Received', 'hook'],
  },
  severity: 'critical',
  confidence: 'low',
  description:
    'Code that an outsider influences runs between a read and a write of the same state, or between two halves of an update, and no reentrancy guard covers every function that uses the state. No profitable sequence of calls was found, so a person has to decide.',
  recommendation:
    'Update all state before the external call, or add one reentrancy guard to every function that uses the state, in all contracts that share it.',
  references: [
    'https://swcregistry.io/docs/SWC-107',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#reentrancy',
  ],
  cwe: ['CWE-841'],
  yieldsTo: ['reentrancy', 'token-hook-reentrancy', 'measured-around-callback'],

  needs: [holding.foreignCall],
  *candidates({ functions }) {
    for (const flow of functions) if (!flow.isConstructor) for (const window of windowsOf(flow)) if (yield window) break
  },
  excuses: [
    excuse('reserved', 'only privileged accounts get there', ({ flow, call }) => isReserved(flow, call)),
    excuse('covered', 'a lock is held, and every open function that uses the state asks for one', isCovered),
    excuse('after-failure', 'the write runs only if the call failed', isAfterFailure),
    excuse('tested-again', 'a condition before the write checks the state again', isTestedAgain),
    excuse('of-callee', 'the record is stored under the callee’s own key', isOfCallee),
    excuse('set-up', 'it only works until initialized', ({ flow, call }) => runsOnce(flow, call)),
    excuse('renewed', 'the state is written before the call too, and read again after it', isRenewed),
  ],
  finding: (window) => {
    const { flow, call, before, after } = window
    return {
      at: flow.inCommonCaller(call, after),
      cause: call,
      message: messageOf(window),
      trace: [
        witnessStep(flow, call, 're-enters before the state is updated'),
        ...(before === call ? [] : [{ at: before, message: 'The state is read or changed here.' }]),
        ...flow.trace(call),
        { at: call, message: 'The external call hands control to the callee.' },
        ...(after === call ? [] : [{ at: after, message: afterOf(window) }]),
      ],
    }
  },
})

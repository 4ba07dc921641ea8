import { isAfterFailure, isReserved, isUntrusted, lockedAt, runsOnce } from '../../facts/index.ts'
import { firstThatFits, witnessStep } from '../../idioms/index.ts'
import { describeCall, describeValue, type Flow, holding, type Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { decidesOnAssets, isCovered, isOfCallee, isRenewed, isTestedAgain, type Window, windowsOf } from './windows.ts'

/** What is updated too late: a state variable, or the contract that is called last. */
const nameOf = ({ flow, after, variable, kind }: Window): string => {
  if (kind === 'quoted') return 'the token balance'
  if (after.kind === 'store') return `\`${flow.describe(after.location)}\``
  if (variable !== null) return `\`${variable.name}\``
  const target = after.call?.target ? describeValue(flow.model, after.call.target) : '…'
  return target === '…' ? 'the other contract' : `\`${target}\``
}

const sourceOf = ({ flow }: Window, op: Op): string => {
  if (op.kind === 'call') return `\`${describeCall(flow.model, op)}\``
  return op.location === null ? 'the state' : `\`${flow.describe(op.location)}\``
}

/** Whose code runs during the call: the callee's, if an outsider chooses it; else that of an account which the callee notifies; null. */
const agentOf = ({ flow, call }: Window): string | null => {
  const { target } = call.call
  if (target === null || !isUntrusted(flow, target, call)) return null
  const name = describeValue(flow.model, target)
  return name === '…' ? 'the callee' : `\`${name}\``
}

const receiverOf = (window: Window): string => {
  if (window.kind === 'quoted') return 'the payer'
  return agentOf(window) ?? 'the callee, which may call back an outsider'
}

const isNumber = ({ location }: Op): boolean => location === null || location.type?.kind === 'int'

/** The order is certain; who can make use of it is for a person to decide. */
const defectOf = (window: Window): { defect: string; target: string; harm: string } => {
  const { flow, call, before, after, kind, reader } = window
  const [name, callee] = [nameOf(window), sourceOf(window, call)]
  switch (kind) {
    case 'stale':
      return {
        defect: `\`${flow.name}()\` reads ${name}, calls ${callee} and only then updates it.`,
        target: '',
        harm: isNumber(after)
          ? 'the second call uses the same old value, so an amount counts twice or a change is lost'
          : 'the second call sees the old value, so a check of it passes twice',
      }
    case 'split':
      return {
        defect: `\`${flow.name}()\` calls ${callee} before it updates ${name}.`,
        target: ` \`${reader?.name}()\``,
        harm: 'it uses the old value, so an amount counts twice or a check passes that should fail',
      }
    case 'elsewhere':
      return {
        defect: `\`${flow.name}()\` ${before.kind === 'store' ? 'writes' : 'reads'} ${sourceOf(window, before)}, calls ${callee} and only then ${sourceOf(window, after)}.`,
        target: '',
        harm:
          before.kind === 'store'
            ? 'it acts while the records of the two contracts disagree'
            : 'the last call still rests on what was read before',
      }
    case 'quoted':
      return {
        defect: `The price in \`${flow.name}()\` follows from the token balance before ${callee}.`,
        target: ' (ERC-777)',
        harm: 'they buy again at the old price, at the cost of the other users',
      }
  }
}

/** Who would re-enter: "If `receiver` re-enters". */
const ifReentered = (window: Window, target: string): string => {
  if (window.kind === 'quoted') return `If the payer re-enters${target}`
  const agent = agentOf(window)
  return agent === null
    ? `If that call lets a user’s code run (token hook, callback) and it re-enters${target}`
    : `If ${agent} re-enters${target}`
}

const lockOf = (window: Window): string =>
  lockedAt(window.flow, window.call) === null
    ? ''
    : ` The lock does not cover every function that uses ${nameOf(window)}.`

const messageOf = (window: Window): string => {
  const { defect, target, harm } = defectOf(window)
  const whole = `${defect} ${ifReentered(window, target)}, ${harm}.`
  return firstThatFits(
    whole + lockOf(window),
    whole,
    `${defect} If the callee re-enters${target}, ${harm}.`,
    `${defect} A callee that re-enters finds the old value.`,
    defect,
  )
}

const beforeOf = (window: Window): string =>
  `${sourceOf(window, window.before)} is ${window.before.kind === 'store' ? 'written' : 'read'} here.`

/** What comes too late. */
const lateOf = (window: Window): string =>
  window.kind === 'elsewhere' ? `${sourceOf(window, window.after)} is called` : `${nameOf(window)} is updated`

const afterOf = (window: Window): string =>
  window.kind === 'elsewhere'
    ? `${sourceOf(window, window.after)} is called here, after it.`
    : window.kind === 'quoted'
      ? 'The token balance is updated here, after the call.'
      : `${nameOf(window)} is updated here, after the call.`

/** One window of a function is reported: one that decides on assets, where there is one. */
const decisiveFirst = (flow: Flow): readonly Window[] => {
  const windows = [...windowsOf(flow)]
  return windows.length < 2
    ? windows
    : [...windows.filter(decidesOnAssets), ...windows.filter((each) => !decidesOnAssets(each))]
}

export default defineDetector<Window>({
  id: 'possible-reentrancy',
  swc: 'SWC-107',
  title: 'Possible reentrancy: state updated after external call',
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
    for (const flow of functions)
      if (!flow.isConstructor) for (const window of decisiveFirst(flow)) if (yield window) break
  },
  excuses: [
    excuse('reserved', 'only privileged accounts get there', ({ flow, call }) => isReserved(flow, call)),
    excuse('covered', 'a lock is held, and every open function that uses the state asks for one', isCovered),
    excuse('after-failure', 'the write runs only if the call failed', ({ flow, call, after }) =>
      isAfterFailure(flow, call, after),
    ),
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
      factors: { hasWitness: decidesOnAssets(window) },
      message: messageOf(window),
      unproven: 'no sequence of calls that profits from it was found',
      trace: [
        witnessStep(flow, call, `may re-enter before ${lateOf(window)}`),
        ...(before === call ? [] : [{ at: before, message: beforeOf(window) }]),
        ...flow.trace(call),
        { at: call, message: `${sourceOf(window, call)} hands control to ${receiverOf(window)}.` },
        ...(after === call ? [] : [{ at: after, message: afterOf(window) }]),
      ],
    }
  },
})

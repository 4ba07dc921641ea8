import { dependsOn, guardsAt, isProtected, isSender, isUntrusted } from '../../facts/index.ts'
import { incomingOf, isSelf, keysOf, outgoingOf, tokenCallOf, witnessStep } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly target: Op
  readonly data: Op
}

const isCallers = (flow: Flow, value: Op): boolean => dependsOn(flow, value, ({ kind }) => kind === 'param')

/** What is called is put together from parameters alone, not from a function that this contract names. */
const isCallersData = (flow: Flow, data: Op): boolean =>
  isCallers(flow, data) &&
  !dependsOn(flow, data, ({ kind, operator }) => kind === 'builtin' && operator.startsWith('abi.encode'))

/** Somebody else has put something into its hands: entries for accounts, the right to move their tokens, or tokens of its own to pay out. */
const isTrusted = ({ flows }: ContractFlow): boolean =>
  flows.some(
    (flow) =>
      flow.stateStores().some(({ location }) => keysOf(location).some(isSender)) ||
      incomingOf(flow).length > 0 ||
      outgoingOf(flow).some(({ token }) => token !== null && stripCasts(token).kind === 'load'),
  )

/** A condition on the way holds target or data against something. */
const isHeldAgainst = ({ flow, op, target, data }: Candidate): boolean =>
  guardsAt(flow, op).some(({ condition }) => {
    const isNamed = (part: Op): boolean => part === target || part === data
    return dependsOn(flow, condition, isNamed, { keys: true }) && !dependsOn(flow, condition, (part) => part === op)
  })

export default defineDetector<Candidate>({
  id: 'arbitrary-call',
  swc: null,
  title: 'The caller chooses what this contract calls, and with what',
  severity: 'critical',
  confidence: 'medium',
  description:
    'Anyone can have this contract call any contract with any data. In its name an attacker moves what it holds, and what others have allowed it to move.',
  recommendation:
    'Call known contracts only, name the function here and take no more than its arguments from the caller, or make such calls from a contract that holds nothing and that nobody approves.',
  references: ['https://cwe.mitre.org/data/definitions/829.html'],
  cwe: ['CWE-829', 'CWE-284'],
  yieldsTo: ['unprotected-ether-withdrawal', 'delegatecall-to-untrusted-callee'],

  needs: [holding.lowLevelCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const op of flow.externalCalls()) {
        const { kind, target } = op.call
        const data = op.args[0]
        if (kind !== 'lowlevel' || target === null || data === undefined || tokenCallOf(op) !== null) continue
        if (isSender(target) || isSelf(target) || !isCallers(flow, target) || !isUntrusted(flow, target, op)) continue
        if (isCallersData(flow, data)) yield { flow, op, target, data }
      }
  },
  excuses: [
    excuse(
      'asks-who-calls',
      'it takes more than anybody to get there: those who hold a right, or a function that is not there to be read',
      ({ flow, op }) => isProtected(flow, op),
    ),
    excuse(
      'nothing-at-stake',
      'nobody has put anything into its hands',
      ({ flow }) => !flow.contractFlow.answer(isTrusted),
    ),
    excuse('held-against', 'a condition holds the target or the data against something', isHeldAgainst),
  ],
  finding: ({ flow, op }) => ({
    at: op,
    message: `Anyone can call \`${flow.name}\` and have any contract called with any data, in the name of this one.`,
    trace: [
      witnessStep(flow, op, 'they spend what others have allowed this contract, and what it holds'),
      ...flow.trace(op),
    ],
  }),
})

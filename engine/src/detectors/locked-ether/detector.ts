import { dependsOn, isForTestRunner } from '../../facts/index.ts'
import { isOwnEther, takesEther } from '../../idioms/index.ts'
import { type CallOp, type ContractFlow, type Flow, isZero } from '../../ir/index.ts'
import type { ContractModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly contractFlow: ContractFlow
  readonly contract: ContractModel
  /** Where ether comes in. */
  readonly entrance: Flow
}

const leaving = new Set(['selfdestruct', 'suicide', 'call', 'callcode', 'delegatecall', 'create', 'create2'])

/** Ether may get out by this call. */
const mayRelease = ({ call }: CallOp): boolean => {
  const { kind, value } = call
  if (['send', 'transfer', 'delegate', 'callcode', 'pointer'].includes(kind)) return true
  return value !== null && !isZero(value)
}

const letsOut = (flow: Flow): boolean =>
  flow.ops('call').some(mayRelease) || flow.ops('builtin').some(({ operator }) => leaving.has(operator))

/** `bridge.withdrawTo(token, wallet, address(this).balance)`: where ether is a token of the chain, it leaves by a call without value. */
const passesBalance = (flow: Flow): boolean =>
  flow
    .externalCalls()
    .some(
      ({ call, args }) =>
        !call.isStatic &&
        args.some((arg) => dependsOn(flow, arg, isOwnEther)) &&
        args.some((arg) => flow.typeOf(arg)?.kind === 'address'),
    )

/** Code that is not given, or was not followed to its end, could do anything. */
const isUnknown = (flow: Flow): boolean =>
  flow.has('opaque') ||
  flow.isPartial ||
  flow.ops('call').some(({ call, operator }) => {
    const { kind, definition } = call
    return (kind === 'internal' || kind === 'library') && definition === null && operator !== 'modifier'
  })

/** What is paid is looked at, or it is a plain transfer: someone is meant to pay. One that looks at nothing only keeps to an interface. */
const expectsPayment = (flow: Flow): boolean =>
  flow.kind === 'receive' || (flow.kind === 'fallback' && !servesCalls(flow)) || flow.usesEnvironment('msg.value')

/** The payment is neither noted nor needed: the function does nothing else, or is a fallback that only answers with data. */
const isNoDeposit = (flow: Flow): boolean =>
  !flow.usesEnvironment('msg.value') &&
  !flow.has('emit') &&
  flow.stateStores().length === 0 &&
  flow.externalCalls().every(({ call }) => call.isStatic) &&
  (flow.kind === 'entry' || flow.ops('return').every(({ operator, args }) => operator === 'halt' || args.length > 0))

const severities = ['medium', 'low', 'info'] as const

/** Where no payment is expected, only ETH that was sent by mistake is lost. */
const severityOf = (entrance: Flow): (typeof severities)[number] => {
  if (isNoDeposit(entrance)) return 'info'
  return expectsPayment(entrance) ? 'medium' : 'low'
}

/** A fallback that reads the data of the call is payable for calls that it serves: a plain transfer has none. */
const servesCalls = (flow: Flow): boolean =>
  flow.usesEnvironment('msg.data') || flow.ops('builtin').some(({ operator }) => servings.has(operator))

/** Reads of the data of the call in assembly. */
const servings: ReadonlySet<string> = new Set(['calldataload', 'calldatacopy'])

export default defineDetector<Candidate>({
  id: 'locked-ether',
  swc: null,
  title: 'Locked ether',
  aliases: {
    slither: ['locked-ether'],
    aderyn: ['contract-locks-ether'],
    owasp: ['SC03:2025'],
    words: ['stuck ether', 'no withdraw function', 'frozen funds'],
  },
  severity: 'medium',
  confidence: 'high',
  description:
    'The contract has a payable function but no function that sends ETH, calls with value or delegates. ETH sent to it is locked forever.',
  recommendation: 'Remove `payable`, or add a protected withdrawal function.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#contracts-that-lock-ether'],
  cwe: ['CWE-772'],

  *candidates({ contracts }) {
    for (const contractFlow of contracts) {
      const { contract, flows } = contractFlow
      if (contract?.contractKind !== 'contract') continue
      const entrances = flows.filter(takesEther)
      const entrance = severities.flatMap((severity) => entrances.filter((flow) => severityOf(flow) === severity))[0]
      if (entrance) yield { contractFlow, contract, entrance }
    }
  },

  excuses: [
    excuse('can-send-ether', 'some function sends ETH or destroys the contract', ({ contractFlow }) =>
      contractFlow.flows.some(letsOut),
    ),
    excuse(
      'passes-balance',
      'some function passes the ETH balance and an account to another contract',
      ({ contractFlow }) => contractFlow.flows.some(passesBalance),
    ),
    excuse('for-a-test-runner', 'it is a test contract that is never deployed', ({ contractFlow, contract }) =>
      isForTestRunner(contractFlow.model, contract),
    ),
    excuse(
      'unknown-code',
      'missing code may send it',
      ({ contractFlow, contract }) => contract.hasUnresolvedBase || contractFlow.flows.some(isUnknown),
    ),
  ],

  finding: ({ contract, entrance }) => ({
    at: contract.node.name,
    message: `\`${contract.name}\` accepts ETH in \`${entrance.name}()\` but has no function that can send it out, so ETH that users send is locked forever.`,
    trace: entrance.fn ? [{ at: entrance.fn.node.name ?? entrance.fn.node, message: 'ETH arrives here.' }] : [],
    severity: severityOf(entrance),
  }),
})

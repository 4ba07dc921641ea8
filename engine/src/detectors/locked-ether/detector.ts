import { isForTestRunner } from '../../facts/index.ts'
import { takesEther } from '../../idioms/index.ts'
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

/** Code that is not given, or was not followed to its end, could do anything. */
const isUnknown = (flow: Flow): boolean =>
  flow.has('opaque') ||
  flow.isPartial ||
  flow.ops('call').some(({ call, operator }) => {
    const { kind, definition } = call
    return (kind === 'internal' || kind === 'library') && definition === null && operator !== 'modifier'
  })

/** What is paid is looked at, or taking it is all that the function does: somebody is meant to pay. One that is told something and looks at nothing only keeps to an interface. */
const isAskedFor = (flow: Flow): boolean =>
  flow.kind === 'receive' ||
  flow.kind === 'fallback' ||
  flow.usesEnvironment('msg.value') ||
  (flow.params.length === 0 && flow.stateStores().length === 0 && flow.externalCalls().length === 0)

export default defineDetector<Candidate>({
  id: 'locked-ether',
  swc: null,
  title: 'Ether can come in and never out',
  severity: 'medium',
  confidence: 'high',
  description:
    'The contract has a payable function, and no function that sends ether, calls with value or hands over to other code. Whatever it receives is lost.',
  recommendation: 'Remove `payable`, or add a withdrawal that the right person can call.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#contracts-that-lock-ether'],
  cwe: ['CWE-772'],

  *candidates({ contracts }) {
    for (const contractFlow of contracts) {
      const { contract, flows } = contractFlow
      const entrance = contract?.contractKind === 'contract' ? flows.find(takesEther) : undefined
      if (contract && entrance) yield { contractFlow, contract, entrance }
    }
  },

  excuses: [
    excuse('a-way-out', 'some function sends ether or destroys the contract', ({ contractFlow }) =>
      contractFlow.flows.some(letsOut),
    ),
    excuse(
      'for-a-test-runner',
      'a test holds ether while it runs, and never on a chain',
      ({ contractFlow, contract }) => isForTestRunner(contractFlow.model, contract),
    ),
    excuse(
      'unknown-code',
      'code that is not given may send it',
      ({ contractFlow, contract }) => contract.hasUnresolvedBase || contractFlow.flows.some(isUnknown),
    ),
  ],

  finding: ({ contract, entrance }) => ({
    at: contract.node.name,
    message: `\`${contract.name}\` takes ether in \`${entrance.name}\` and has no way to send it on.`,
    trace: entrance.fn ? [{ at: entrance.fn.node.name ?? entrance.fn.node, message: 'Ether comes in here.' }] : [],
    grounds: { doubts: isAskedFor(entrance) ? [] : ['nothing asks for the ether or notes what came'] },
  }),
})

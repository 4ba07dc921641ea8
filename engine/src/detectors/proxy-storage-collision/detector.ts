import { type CallOp, stripCasts } from '../../ir/index.ts'
import type { ContractModel, VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly contract: ContractModel | null
  /** Where it delegates; null where the known library does that it inherits from. */
  readonly call: CallOp | null
  /** Where the proxy keeps the code it delegates to. */
  readonly variable: VariableModel
}

const targetVariable = ({ call }: CallOp): VariableModel | null => {
  const target = call.kind === 'delegate' && call.target ? stripCasts(call.target) : null
  if (target?.kind !== 'load' || target.location.space !== 'state' || target.location.part !== 'root') return null
  // A slot that a constant names lies far from whatever is declared.
  return target.location.base === null ? target.location.variable : null
}

const isDelegating = ({ call }: CallOp): boolean => call.kind === 'delegate' || call.name === 'functionDelegateCall'

/** A proxy hands on everything it does not know: whatever it keeps in ordinary slots of its own lies in the way. */
const ownVariable = (contract: ContractModel | null): VariableModel | undefined =>
  contract?.stateVariables.find((variable) => !variable.isConstant && !variable.isImmutable)

/** It inherits from the proxies of the known library, which hand on everything from slots that are set aside. */
const isLibraryProxy = ({ linearization }: ContractModel): boolean =>
  linearization.some(({ isStub, name }) => isStub && name === 'Proxy')

export default defineDetector<Candidate>({
  id: 'proxy-storage-collision',
  swc: null,
  title: 'Proxy storage collision',
  aliases: { scwe: ['SCWE-005'], words: ['storage collision', 'ERC-1967', 'proxy slot'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A proxy keeps its implementation address in an ordinary storage slot. The implementation uses the same slot for its own variables, so a write there replaces the implementation address.',
  recommendation: 'Store the implementation address in the ERC-1967 slot, or make it immutable.',
  references: ['https://eips.ethereum.org/EIPS/eip-1967'],
  cwe: ['CWE-787'],

  *candidates({ contracts }) {
    for (const { contract, flows } of contracts) {
      const variable = contract !== null && isLibraryProxy(contract) ? ownVariable(contract) : undefined
      if (variable) yield { contract, call: null, variable }
      for (const flow of flows) {
        if (!flow.isEntryPoint) continue
        for (const call of flow.ops('call')) {
          const own = flow.kind === 'fallback' && isDelegating(call) ? ownVariable(contract) : undefined
          const variable = targetVariable(call) ?? own
          if (variable) yield { contract, call, variable }
        }
      }
    }
  },

  excuses: [
    excuse(
      'no-slot',
      'the variable is constant or immutable and uses no slot',
      ({ variable }) => variable.isConstant || variable.isImmutable,
    ),
  ],

  finding: ({ contract, call, variable }) => ({
    at: variable.span,
    message: `The code that \`${contract?.name}\` delegates to uses the same storage slots, so writing its own variables overwrites \`${variable.name}\`.`,
    trace: call === null ? [] : [{ at: call, message: 'All other calls are delegated here.' }],
  }),
})

import { type CallOp, type Flow, stripCasts } from '../../ir/index.ts'
import type { ContractModel, VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly contract: ContractModel | null
  /** Where it delegates; null where the known library does that it inherits from. */
  readonly call: CallOp | null
  /** The function that delegates. */
  readonly flow: Flow | null
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

const isStored = ({ isConstant, isImmutable, isTransient }: VariableModel): boolean =>
  !isConstant && !isImmutable && !isTransient

/**
 * A proxy hands on everything it does not know: whatever it keeps in ordinary slots of its own lies in the way. The entries of a mapping are
 * elsewhere, and nothing is in its slot.
 */
const ownVariable = (contract: ContractModel | null): VariableModel | undefined =>
  contract?.stateVariables.find((variable) => isStored(variable) && variable.type.kind !== 'mapping')

/** It inherits from the proxies of the known library, which hand on everything from slots that are reserved for it. */
const isLibraryProxy = ({ linearization }: ContractModel): boolean =>
  linearization.some(({ isStub, name }) => isStub && name === 'Proxy')

/** The variable in slot 0, unless a base whose source is missing may have one before it. */
const firstIn = ({ allStateVariables, hasUnresolvedBase, linearization }: ContractModel): VariableModel | undefined =>
  hasUnresolvedBase || linearization.some(({ isStub, contractKind }) => isStub && contractKind !== 'interface')
    ? undefined
    : allStateVariables.find(isStored)

/** The contract behind the proxy, where a type names it. */
const implementationOf = ({ call }: Candidate): ContractModel | null => {
  const type = call === null ? undefined : targetVariable(call)?.type
  if (type?.kind !== 'contract' || type.contract.contractKind !== 'contract') return null
  return type.contract
}

/** Whether a slot is used twice is for the code to say that the proxy is pointed at. */
const isUnknownCode = (candidate: Candidate): boolean => implementationOf(candidate) === null

/** Which calls go by `delegatecall` to which code. */
const forwardsOf = (candidate: Candidate): string => {
  const { contract, call, flow } = candidate
  const target = call === null ? null : targetVariable(call)
  const code = implementationOf(candidate)?.name ?? target?.name
  const to = code === undefined ? 'its implementation' : `\`${code}\``
  if (flow !== null && flow.kind !== 'fallback') return `\`${flow.name}()\` runs the code of ${to} by \`delegatecall\``
  return `\`${contract?.name}\` forwards calls of functions it does not define by \`delegatecall\` to ${to}`
}

const messageOf = (candidate: Candidate): string => {
  const { contract, variable } = candidate
  const implementation = implementationOf(candidate)
  // The first variables of both share slot 0; where later ones are depends on the size of those before.
  const [own, other] = [contract, implementation].map((each) => (each === null ? undefined : firstIn(each)))
  if (contract === null || implementation === null || own === undefined || other === undefined)
    return `${forwardsOf(candidate)}: variables of that code use the same storage slots as \`${variable.name}\`, so writing them overwrites it.`
  return `${forwardsOf(candidate)}: \`${implementation.name}.${other.name}\` and \`${contract.name}.${own.name}\` share a storage slot, so writes of \`${implementation.name}\` overwrite the variables of \`${contract.name}\`.`
}

/** `contract Logic is Layout` beside `contract Proxy is Layout`: another contract, which does not delegate so, declares it at the same slot. */
const isSharedLayout = ({ contract, call, flow, variable }: Candidate): boolean => {
  const layout = variable.contract
  const delegating = flow === null || call === null ? null : flow.writtenIn(call)?.contract
  if (flow === null || layout === null || !delegating || delegating === layout) return false
  return [layout, ...flow.model.derivedFrom(layout)].some(
    (other) =>
      other.contractKind === 'contract' &&
      !other.linearization.includes(delegating) &&
      !contract?.linearization.includes(other),
  )
}

export default defineDetector<Candidate>({
  id: 'proxy-storage-collision',
  swc: null,
  title: 'Proxy storage collision',
  aliases: { scwe: ['SCWE-005'], words: ['storage collision', 'ERC-1967', 'proxy slot'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A proxy keeps its implementation address in an ordinary storage slot. The implementation uses the same slot for its own variables, so a write there replaces the implementation address. The same holds for every other variable of the proxy.',
  recommendation:
    'Keep the proxy’s own variables in ERC-1967 or ERC-7201 slots or make them immutable, or declare the same variables in the same order in both contracts.',
  references: ['https://eips.ethereum.org/EIPS/eip-1967'],
  cwe: ['CWE-787'],

  *candidates({ contracts }) {
    for (const { contract, flows } of contracts) {
      const variable = contract !== null && isLibraryProxy(contract) ? ownVariable(contract) : undefined
      if (variable) yield { contract, call: null, flow: null, variable }
      for (const flow of flows) {
        if (!flow.isEntryPoint) continue
        for (const call of flow.ops('call')) {
          const own = flow.kind === 'fallback' && isDelegating(call) ? ownVariable(contract) : undefined
          const variable = targetVariable(call) ?? own
          if (variable) yield { contract, call, flow, variable }
        }
      }
    }
  },

  excuses: [
    excuse('shared-layout', 'a base contract declares the variable for proxy and implementation alike', isSharedLayout),
    excuse(
      'no-slot',
      'the variable is constant or immutable and uses no slot',
      ({ variable }) => variable.isConstant || variable.isImmutable,
    ),
  ],

  finding: (candidate) => ({
    at: candidate.variable.span,
    message: messageOf(candidate),
    factors: { counterEvidence: isUnknownCode(candidate) ? ['the code behind the proxy is not known'] : [] },
    trace: candidate.call === null ? [] : [{ at: candidate.call, message: `${forwardsOf(candidate)} here.` }],
  }),
})

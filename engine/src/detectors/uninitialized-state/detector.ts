import { guardsAt } from '../../facts/index.ts'
import { paymentsOf, witnessStep } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, isZero, type LoadOp, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly read: LoadOp
  readonly variable: VariableModel
  readonly use: Op
  readonly role: Role
}

type Role = 'callee' | 'recipient' | 'condition'

const consequences: Readonly<Record<Role, readonly [is: string, loss: string]>> = {
  callee: ['called', 'the call goes to address(0)'],
  recipient: ['paid', 'the payment is lost at address(0)'],
  condition: ['checked', 'the check treats everyone alike'],
}

/** The compiler checks for code before a call by an interface: at the zero address there is none. */
const lossOf = ({ role, use }: Candidate): string =>
  role === 'callee' && use.call?.kind === 'external' ? `${consequences.callee[1]} and reverts` : consequences[role][1]

/** A plain variable or mapping that only an assignment could fill. */
const isFilledByCode = ({ isConstant, isImmutable, isTransient, value }: VariableModel): boolean =>
  value === null && !isConstant && !isImmutable && !isTransient

const readOf = (value: Op | null | undefined): LoadOp | null => {
  if (value == null) return null
  const op = stripCasts(value)
  return op.kind === 'load' && op.location.variable !== null && op.location.space === 'state' ? op : null
}

interface Use {
  readonly read: LoadOp
  readonly use: Op
  readonly role: Role
}

/** `lists[msg.sender].remove(id)` on a type of a missing file: a library's function, which fills what it is called on. */
const isOfLibrary = (flow: Flow, read: LoadOp): boolean =>
  read.location.part !== 'root' && flow.typeOf(read)?.kind === 'unknown'

/** Where it matters what a variable holds: whom to call, whom to pay, and a yes or no that is demanded. */
function* usesIn(flow: Flow): Iterable<Use> {
  for (const use of flow.externalCalls()) {
    const read = readOf(use.call.target)
    if (read !== null && use.call.value === null && !isOfLibrary(flow, read)) yield { read, use, role: 'callee' }
  }
  for (const { op: use, to } of paymentsOf(flow)) {
    const read = readOf(to)
    if (read !== null) yield { read, use, role: 'recipient' }
  }
  const effects = [...flow.stateStores(), ...flow.externalCalls()]
  for (const use of effects.slice(0, 1))
    for (const { condition } of guardsAt(flow, use)) {
      const read = readOf(condition)
      if (read !== null) yield { read, use: condition, role: 'condition' }
    }
}

/** The contract runs foreign code on its state, or writes to slots that it works out: what that fills is not seen. */
const writesOutOfSight = ({ flows }: ContractFlow): boolean =>
  flows.some(
    (flow) =>
      flow.isPartial ||
      flow.has('opaque') ||
      flow.hasCall('delegate') ||
      flow.hasCall('callcode') ||
      flow.stateStores().some(({ location }) => location.space !== 'state'),
  )

/** `if (hook != address(0)) hook.call()`: while it is unset, the code does not run. */
const isOptional = ({ flow, use, variable, role }: Candidate): boolean =>
  role !== 'condition' &&
  guardsAt(flow, use).some(({ condition, polarity }) => {
    const { kind, operator, args } = stripCasts(condition)
    return (
      kind === 'bin' &&
      operator === (polarity ? '!=' : '==') &&
      args.some(isZero) &&
      args.some((side) => readOf(side)?.location.variable === variable)
    )
  })

/** What fails at its first use would not have been deployed, unless something that is not here sets the variable. */
const counterEvidenceOf = ({ role, use }: Candidate): string[] =>
  role === 'condition' || (role === 'callee' && use.call?.kind === 'external')
    ? ['an earlier version or the code that deploys the contract may set it']
    : []

/** It belongs to a layout that several contracts share: one of them, or a derived contract that is not here, fills it. */
const isSharedLayout = ({ flow, variable }: Candidate): boolean => variable.contract !== flow.contract

export default defineDetector<Candidate>({
  id: 'uninitialized-state',
  swc: null,
  title: 'Uninitialized state variable',
  aliases: {
    slither: ['uninitialized-state'],
    owasp: ['SC03:2025'],
    words: ['never set', 'zero address', 'unset variable'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A state variable decides whom to call, whom to pay or who may pass, but no code ever writes it. It stays zero: payments are burned, calls go nowhere, and a check passes everyone or nobody.',
  recommendation: 'Set the variable in the constructor or a protected function, or remove the code that relies on it.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#uninitialized-state-variables'],
  cwe: ['CWE-457', 'CWE-665'],

  *candidates({ contracts }) {
    for (const contractFlow of contracts) {
      const { contract, entryPoints } = contractFlow
      if (contract === null || contract.contractKind !== 'contract' || !contract.isMostDerived) continue
      const unset = new Set(
        contract.allStateVariables.filter(
          (variable) => isFilledByCode(variable) && contractFlow.writersOf(variable).length === 0,
        ),
      )
      if (unset.size === 0) continue
      for (const flow of entryPoints)
        for (const { read, use, role } of usesIn(flow)) {
          const variable = read.location.variable!
          if (unset.has(variable)) yield { flow, read, variable, use, role }
        }
    }
  },
  excuses: [
    excuse(
      'written-out-of-sight',
      'the contract also writes computed slots or runs foreign code on its storage',
      ({ flow }) => flow.contractFlow.answer(writesOutOfSight),
    ),
    excuse('optional', 'the code only runs once the variable is set', isOptional),
    excuse('shared-layout', 'a shared base or struct declares it, and other contracts may set it', isSharedLayout),
  ],
  finding: (candidate) => {
    const { flow, read, variable, use, role } = candidate
    return {
      at: read,
      message: `\`${flow.name}()\` relies on \`${variable.name}\`, which is ${consequences[role][0]} but never set, so ${lossOf(candidate)}.`,
      cause: variable.node,
      factors: { counterEvidence: counterEvidenceOf(candidate) },
      trace: [
        witnessStep(flow, use, lossOf(candidate), 'A user'),
        { at: variable.node, message: 'The variable is declared here and stays zero.' },
      ],
    }
  },
})

import type { ContractModel, VariableModel } from '../../model/index.ts'
import { defineDetector, excuse, type TraceStep } from '../define-detector.ts'

interface Candidate {
  readonly contract: ContractModel
  readonly variable: VariableModel
  /** Keeps variables of its own behind those of the contract. */
  readonly derived: ContractModel
}

/** Meant to run behind a proxy: it has, or inherits, initializers instead of constructors. */
const isUpgradeable = (contract: ContractModel): boolean =>
  contract.linearization.some(
    (base) => base.modifiers.some(({ effect }) => effect === 'initializer') || base.name === 'Initializable',
  ) || contract.bases.some(({ node }) => node.base.names.at(-1)?.name === 'Initializable')

const isStored = ({ isConstant, isImmutable, isTransient }: VariableModel): boolean =>
  !isConstant && !isImmutable && !isTransient

/** Of each contract the first that inherits it and keeps variables of its own. */
const firstDerived = (contracts: readonly ContractModel[]): ReadonlyMap<ContractModel, ContractModel> => {
  const derivedContracts = new Map<ContractModel, ContractModel>()
  for (const contract of contracts) {
    if (!contract.stateVariables.some(isStored)) continue
    for (const base of contract.linearization)
      if (base !== contract && !derivedContracts.has(base)) derivedContracts.set(base, contract)
  }
  return derivedContracts
}

/** What comes after the variables of the base. */
const moved = ({ name, stateVariables }: ContractModel): TraceStep[] => {
  const variable = stateVariables.find(isStored)
  return variable === undefined
    ? []
    : [{ at: variable.span, message: `\`${variable.name}\` of \`${name}\` would move to another slot.` }]
}

export default defineDetector<Candidate>({
  id: 'missing-storage-gap',
  swc: null,
  title: 'Missing storage gap',
  aliases: { scwe: ['SCWE-005'], words: ['__gap', 'upgradeable storage', 'ERC-7201'] },
  severity: 'low',
  confidence: 'medium',
  description:
    'Upgradeable contracts inherit this base contract. Adding a variable to it in a later version shifts their storage by a slot, so after the upgrade they read wrong values.',
  recommendation: 'Reserve a gap at the end (`uint256[50] private __gap;`), or use namespaced storage (ERC-7201).',
  references: [
    'https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#storage-gaps',
    'https://eips.ethereum.org/EIPS/eip-7201',
  ],
  cwe: ['CWE-710'],

  *candidatesInModel({ contracts }) {
    const derivedContracts = firstDerived(contracts)
    for (const contract of contracts) {
      if (contract.contractKind === 'interface' || contract.contractKind === 'library' || contract.isMostDerived)
        continue
      const variable = contract.stateVariables.find(isStored)
      const derived = derivedContracts.get(contract)
      if (variable && derived && isUpgradeable(contract)) yield { contract, variable, derived }
    }
  },

  excuses: [
    excuse('has-a-gap', 'a gap is reserved, such as `uint256[50] private __gap`', ({ contract }) =>
      contract.stateVariables.some(
        ({ type, visibility }) => type.kind === 'array' && type.length !== null && visibility !== 'public',
      ),
    ),
  ],

  finding: ({ contract, variable, derived }) => ({
    at: contract.node.name,
    message: `\`${contract.name}\` has no storage gap, so a new variable in it moves the variables of \`${derived.name}\` to other slots: a proxy upgraded to such a version reads wrong values.`,
    trace: [
      {
        at: variable.span,
        message: `\`${variable.name}\` is the first stored variable that \`${contract.name}\` declares.`,
      },
      ...moved(derived),
    ],
  }),
})

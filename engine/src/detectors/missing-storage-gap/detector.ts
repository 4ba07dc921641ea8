import type { ContractModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** Meant to run behind a proxy: it has, or inherits, initializers instead of constructors. */
const isUpgradeable = (contract: ContractModel): boolean =>
  contract.linearization.some(
    (base) => base.modifiers.some(({ effect }) => effect === 'initializer') || base.name === 'Initializable',
  ) || contract.bases.some(({ node }) => node.base.names.at(-1)?.name === 'Initializable')

const isStored = ({ isConstant, isImmutable, isTransient }: ContractModel['stateVariables'][number]): boolean =>
  !isConstant && !isImmutable && !isTransient

/** `uint256[50] private __gap`: room kept free at the end. */
const hasGap = (contract: ContractModel): boolean =>
  contract.stateVariables.some(
    ({ type, visibility }) => type.kind === 'array' && type.length !== null && visibility !== 'public',
  )

export default defineDetector({
  id: 'missing-storage-gap',
  swc: null,
  title: 'Upgradeable base leaves no room for new variables',
  severity: 'low',
  confidence: 'medium',
  description:
    'Other upgradeable contracts inherit this one. A variable added to it in a later version moves all of theirs by a slot, and after the upgrade they read each other’s values.',
  recommendation:
    'Keep a gap at the end (`uint256[50] private __gap;`), or put the variables into namespaced storage (ERC-7201).',
  references: [
    'https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#storage-gaps',
    'https://eips.ethereum.org/EIPS/eip-7201',
  ],
  cwe: ['CWE-710'],

  read(model) {
    const hits: Hit[] = []
    for (const contract of model.contracts) {
      if (contract.contractKind === 'interface' || contract.contractKind === 'library') continue
      if (contract.isMostDerived || !isUpgradeable(contract)) continue
      const variable = contract.stateVariables.find(isStored)
      const heir = model.contracts.find(
        (other) => other !== contract && other.linearization.includes(contract) && other.stateVariables.some(isStored),
      )
      if (!variable || !heir || hasGap(contract)) continue
      hits.push({
        at: contract.node.name,
        message: `\`${heir.name}\` keeps its variables directly behind those of \`${contract.name}\`, which has no gap at its end.`,
        trace: [{ at: variable.span, message: 'A variable of this contract.' }],
      })
    }
    return hits
  },
})

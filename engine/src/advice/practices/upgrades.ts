import { isProtected, runsOnce } from '../../facts/index.ts'
import type { ContractFlow, Flow } from '../../ir/index.ts'
import type { ContractModel, VariableModel } from '../../model/index.ts'
import { definePractice, type Practice } from '../practice.ts'
import { changesOf } from '../privileges.ts'

const category = 'Upgrades'

/** Anyone may call it, once, and what it sets is set up nowhere else: it does the work of a constructor. */
const isInitializer = (flow: Flow): boolean => {
  const stores = changesOf(flow)
  const setsUp = stores.some(({ args }) => args[0].kind !== 'const')
  return setsUp && stores.every((store) => runsOnce(flow, store) && !isProtected(flow, store))
}

/** Known bases that were written to run behind a proxy; the name is the one of our own account of them. */
const isForProxies = ({ isStub, name }: ContractModel): boolean => isStub && name.endsWith('Upgradeable')

/** Set up after it was deployed: it runs behind a proxy, which can be given other code. */
const upgradeableOf = ({ contract, entryPoints }: ContractFlow): ContractModel | null =>
  contract !== null && (contract.linearization.some(isForProxies) || entryPoints.some(isInitializer)) ? contract : null

/** A list of fixed length that nothing reads or writes: room for variables to come. */
const isGap = (contractFlow: ContractFlow, variable: VariableModel): boolean =>
  variable.type.kind === 'array' &&
  variable.type.length !== null &&
  variable.visibility !== 'public' &&
  contractFlow.readersOf(variable).length === 0 &&
  contractFlow.writersOf(variable).length === 0

const compatibleLayout = definePractice({
  id: 'compatible-layout',
  category,
  *subjects({ contracts }) {
    for (const contractFlow of contracts) {
      const contract = contractFlow.answer(upgradeableOf)
      if (contract === null) continue
      const isKept = contract.stateVariables.some((variable) => isGap(contractFlow, variable))
      yield { at: contract.node, name: contract.name, isKept }
    }
  },
  kept: 'A storage gap leaves room for new variables.',
  advice: () =>
    'Keep the storage layout compatible: use a gap or namespaced storage (ERC-7201), and check the layout before each upgrade.',
})

const closedImplementation = definePractice({
  id: 'closed-implementation',
  category,
  *subjects({ contracts }) {
    for (const contractFlow of contracts) {
      const contract = contractFlow.answer(upgradeableOf)
      if (contract !== null) yield { at: contract.node, name: contract.name }
    }
  },
  isCheck: true,
  advice: () => 'Disable initializers in the implementation, and call `initialize` in the deployment transaction.',
})

export const upgrades: readonly Practice[] = [compatibleLayout, closedImplementation]

import { holding } from '../../ir/index.ts'
import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { isDocumented } from '../natspec.ts'
import { definePractice, namesOf, type Practice } from '../practice.ts'
import { isWriter } from '../privileges.ts'
import { functionsThat } from '../subjects.ts'

const category = 'Documentation and tests'

const isPublic = ({ visibility, isImplemented, role }: FunctionModel): boolean =>
  isImplemented && role !== 'constructor' && (visibility === 'public' || visibility === 'external')

const isContract = ({ contractKind }: ContractModel): boolean =>
  contractKind !== 'interface' && contractKind !== 'library'

const documentedFunctions = definePractice({
  id: 'documented-functions',
  category,
  *subjectsInFile({ contracts }) {
    for (const { functions } of contracts.filter(isContract))
      for (const { file, node, name, role } of functions.filter(isPublic))
        yield { at: node, name: name || role, isKept: isDocumented(file, node) }
  },
  kept: 'Every public function is documented.',
  advice: (open, all) =>
    `Document ${namesOf(open)} in NatSpec (${all.length - open.length} of ${all.length} public functions are).`,
})

const testedRefusals = definePractice({
  id: 'tested-refusals',
  category,
  needs: [holding.effect],
  subjects: ({ entryPoints }) => functionsThat(entryPoints, (flow) => isWriter(flow) || flow.sends().length > 0),
  isCheck: true,
  advice: (_, all) => `Test reverts as well as successes of ${namesOf(all)}, and add an invariant test for the totals.`,
})

export const documentation: readonly Practice[] = [documentedFunctions, testedRefusals]

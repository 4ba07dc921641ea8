import { isPendingRight, privilegedState, senderGuardsAt } from '../../facts/index.ts'
import { type ContractFlow, type Flow, holding, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly contractFlow: ContractFlow
  readonly flow: Flow
  readonly store: StoreOp
  readonly variable: VariableModel
}

export default defineDetector<Candidate>({
  id: 'single-step-ownership',
  swc: null,
  title: 'Ownership moves in one step',
  severity: 'info',
  confidence: 'high',
  description:
    'The holder of a right hands it to another address in a single transaction. If that address is wrong or nobody has its key, the right is lost for good.',
  recommendation: 'Let the holder propose and the new one accept (`Ownable2Step`).',
  references: ['https://docs.openzeppelin.com/contracts/5.x/api/access#Ownable2Step'],
  cwe: ['CWE-284'],

  needs: [holding.addressWrite],
  *candidates({ contracts }) {
    for (const contractFlow of contracts)
      for (const flow of contractFlow.entryPoints)
        for (const store of flow.stateStores()) {
          const { part, variable } = store.location
          if (part !== 'root' || variable === null || stripCasts(store.args[0]).kind !== 'param') continue
          if (variable.type.kind === 'address' && privilegedState(contractFlow).has(variable))
            yield { contractFlow, flow, store, variable }
        }
  },

  excuses: [
    excuse(
      'by-another-role',
      'another role replaces the holder, and can repair a mistake',
      // Which account is asked for, not whether one is.
      ({ flow, store, variable }) => !senderGuardsAt(flow, store).some(({ variables }) => variables.includes(variable)),
    ),
    excuse('pending', 'the right has to be taken by the one named', ({ contractFlow, variable }) =>
      isPendingRight(contractFlow, variable),
    ),
  ],

  finding: ({ flow, store, variable }) => ({
    at: store,
    message: `\`${flow.name}\` gives \`${variable.name}\` away at once; a mistyped address cannot be taken back.`,
  }),
})

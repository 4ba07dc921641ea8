import { isPendingRight, isSetByOthers, privilegedState, senderGuardsAt } from '../../facts/index.ts'
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
  title: 'Single-step ownership transfer',
  aliases: {
    aderyn: ['centralization-risk'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-017'],
    words: ['Ownable2Step', 'two-step ownership', 'transferOwnership'],
  },
  severity: 'info',
  confidence: 'high',
  description:
    'A privileged role is transferred in a single transaction. If the new address is wrong or nobody has its key, the role is lost permanently.',
  recommendation:
    'Use a two-step transfer: store the new account as pending and let it accept (for an owner OpenZeppelin `Ownable2Step`).',
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
      'another role can replace the holder and correct a mistake',
      // Which account is required, not whether one is.
      ({ contractFlow, flow, store, variable }) =>
        !senderGuardsAt(flow, store).some(({ places }) => places.some((place) => place.variable === variable)) ||
        isSetByOthers(contractFlow, variable),
    ),
    excuse('pending', 'the new holder must accept the role', ({ contractFlow, variable }) =>
      isPendingRight(contractFlow, variable),
    ),
  ],

  finding: ({ flow, store, variable }) => ({
    at: store,
    message: `\`${flow.name}()\` transfers \`${variable.name}\` in one step, so if the new address is mistyped, nobody can ever call the functions reserved for it.`,
  }),
})

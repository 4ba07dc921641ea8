import { comparisonsOf, isPendingRight, privilegedState } from '../../facts/index.ts'
import { type ContractFlow, type Flow, holding, isZero, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly contractFlow: ContractFlow
  readonly flow: Flow
  readonly store: StoreOp
  readonly variable: VariableModel
}

export default defineDetector<Candidate>({
  id: 'missing-zero-address-check',
  swc: null,
  title: 'Rights can go to the zero address',
  severity: 'low',
  confidence: 'high',
  description:
    'An address that decides who is privileged is set from a parameter without a look at zero. A forgotten argument locks everyone out for good.',
  recommendation: 'Refuse `address(0)` with a `require` or a custom error before it is stored.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#missing-zero-address-validation'],
  cwe: ['CWE-20'],

  needs: [holding.addressWrite],
  *candidates({ contracts }) {
    for (const contractFlow of contracts)
      for (const flow of contractFlow.flows) {
        if (!flow.isConstructor && !flow.isEntryPoint) continue
        for (const store of flow.stateStores()) {
          const { variable, part } = store.location
          if (variable?.type.kind !== 'address' || part !== 'root') continue
          if (stripCasts(store.args[0]).kind === 'param' && privilegedState(contractFlow).has(variable))
            yield { contractFlow, flow, store, variable }
        }
      }
  },

  excuses: [
    excuse('pending', 'the right has to be taken by the one named', ({ contractFlow, variable }) =>
      isPendingRight(contractFlow, variable),
    ),
    excuse('tested', 'some condition looks whether it is zero', ({ flow, store }) =>
      comparisonsOf(flow, stripCasts(store.args[0])).some(({ args }) => args.some(isZero)),
    ),
  ],

  finding: ({ flow, store, variable }) => ({
    at: store,
    message: `\`${variable.name}\` can become the zero address, and then nobody holds its rights any more.`,
    trace: flow.trace(store),
  }),
})

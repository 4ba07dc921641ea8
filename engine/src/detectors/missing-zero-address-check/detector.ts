import { comparisonsOf, isSetByOthers, privilegedState } from '../../facts/index.ts'
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
  title: 'Missing zero-address check',
  aliases: {
    slither: ['missing-zero-check'],
    aderyn: ['state-no-address-check'],
    owasp: ['SC04:2025'],
    words: ['zero address', 'address(0)'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    'A privileged address is set from a parameter without a check for the zero address. A mistake permanently locks everyone out.',
  recommendation: 'Reject `address(0)` with a `require` or a custom error before storing it.',
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
    excuse('set-by-others', 'another account can set it again', ({ contractFlow, variable }) =>
      isSetByOthers(contractFlow, variable),
    ),
    excuse('tested', 'a condition checks for zero', ({ flow, store }) =>
      comparisonsOf(flow, stripCasts(store.args[0])).some(({ args }) => args.some(isZero)),
    ),
  ],

  finding: ({ flow, store, variable }) => ({
    at: store,
    message: `${flow.isConstructor ? 'The constructor' : `\`${flow.name}()\``} can set \`${variable.name}\` to \`address(0)\` by mistake, and then nobody can ever call the functions reserved for it.`,
    trace: flow.trace(store),
  }),
})

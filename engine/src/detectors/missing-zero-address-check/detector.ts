import { comparisonsOf, guardsAt, privilegedState, runsOnce, senderGuardsAt } from '../../facts/index.ts'
import { type ContractFlow, type Flow, holding, isZero, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly contractFlow: ContractFlow
  readonly flow: Flow
  readonly store: StoreOp
  readonly variable: VariableModel
}

/** `require(keeper == address(0))`: as long as it is unset, it can be set. */
const isSetWhileUnset = (flow: Flow, store: StoreOp, variable: VariableModel): boolean =>
  guardsAt(flow, store).some(
    ({ condition: { kind, args } }) =>
      kind === 'bin' && args.some(isZero) && args.some((arg) => stripCasts(arg).location?.variable === variable),
  )

/** `require(msg.sender == admin); guardian = next`: the admin names another guardian, and removes one by the zero address. */
const isSetByOthers = ({ entryPoints }: ContractFlow, variable: VariableModel): boolean =>
  entryPoints.some((flow) =>
    flow
      .stateStores()
      .some(
        (store) =>
          store.location.variable === variable &&
          (!runsOnce(flow, store) || isSetWhileUnset(flow, store, variable)) &&
          !senderGuardsAt(flow, store).some(({ places }) => places.some((place) => place.variable === variable)),
      ),
  )

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

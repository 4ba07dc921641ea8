/** Whether a right that is lost by mistake can be given again. */
import { type ContractFlow, type Flow, isZero, type StoreOp, stripCasts } from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { guardsAt } from './guards.ts'
import { runsOnce } from './initializers.ts'
import { senderGuardsAt } from './sender-checks.ts'

/** `require(keeper == address(0))`: as long as it is unset, it can be set. */
const isSetWhileUnset = (flow: Flow, store: StoreOp, variable: VariableModel): boolean =>
  guardsAt(flow, store).some(
    ({ condition: { kind, args } }) =>
      kind === 'bin' && args.some(isZero) && args.some((arg) => stripCasts(arg).location?.variable === variable),
  )

/** Another account than the one it names can set it: `require(msg.sender == admin); guardian = next`. */
export const isSetByOthers = ({ entryPoints }: ContractFlow, variable: VariableModel): boolean =>
  entryPoints.some((flow) =>
    flow
      .stateStores()
      .some(
        (store) =>
          store.location.variable === variable &&
          (!runsOnce(flow, store) || isSetWhileUnset(flow, store, variable)) &&
          !senderGuardsAt(flow, store).some(
            ({ places }) => places.length > 0 && places.every((place) => place.variable === variable),
          ),
      ),
  )

import {
  chosenByCaller,
  dependsOn,
  guardsAt,
  isFreelyDone,
  isPassedIn,
  privilegedState,
  runsOnce,
  senderGuardsAt,
  taintOf,
} from '../../facts/index.ts'
import { isMessageValue, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly store: StoreOp
  readonly variable: VariableModel
}

const isChosen = (flow: Flow, value: Op): boolean =>
  value.kind !== 'const' && (isPassedIn(value) || (taintOf(flow, value) & chosenByCaller) !== 0)

const mentions = ({ flow, store }: Candidate, decides: (op: Op) => boolean): boolean =>
  guardsAt(flow, store).some(({ condition }) => dependsOn(flow, condition, decides))

/** `caller = msg.sender; pool.swap(data); caller = address(1);`: who acts just now, and nobody once it has ended. */
const isRestored = (flow: Flow, store: StoreOp): boolean =>
  flow
    .stateStores()
    .some(
      (later) =>
        later.location === store.location &&
        stripCasts(later.args[0]).kind === 'const' &&
        flow.canFollow(store, later) &&
        !flow.canFollow(later, store) &&
        flow.ir.exits.every((exit) => flow.blockDominates(later.block, exit)),
    )

/** Set for the length of the call and set again before its end, each time to a number of the code: a lock, or a mark that a set-up is under way. */
const isMark = (flow: Flow, { location }: StoreOp): boolean => {
  const stores = flow.stateStores().filter((store) => store.location === location)
  const constants = new Set(stores.map(({ args: [value] }) => stripCasts(value).constant))
  return (
    constants.size > 1 &&
    !constants.has(null) &&
    stores.every(({ args: [value] }) => stripCasts(value).kind === 'const')
  )
}

/** It is decided by what the function changes for good. */
const followsRule = (candidate: Candidate): boolean => {
  const { flow } = candidate
  const changed = flow.stateStores().filter((store) => !isMark(flow, store))
  const written = new Set(changed.map(({ location }) => location.variable))
  return mentions(
    candidate,
    (op) => op.kind === 'load' && op.location.variable !== null && written.has(op.location.variable),
  )
}

export default defineDetector<Candidate>({
  id: 'unprotected-initializer',
  swc: null,
  title: 'Unprotected ownership or initializer',
  aliases: {
    slither: ['unprotected-upgrade'],
    aderyn: ['unprotected-initializer'],
    owasp: ['SC01:2025'],
    words: ['ownership takeover', 'unprotected setOwner', 'reinitialize'],
  },
  severity: 'critical',
  confidence: 'high',
  description:
    'A public function sets the address that guards privileged functions, does not check the caller and can be called again. An attacker becomes the owner.',
  recommendation:
    'Set it in the constructor, use the `initializer` modifier, or restrict the function to the current owner.',
  references: ['https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers'],
  cwe: ['CWE-284', 'CWE-665'],
  yieldsTo: ['incorrect-constructor-name', 'unprotected-ether-withdrawal'],

  needs: [holding.rootWrite],
  *candidates({ contracts }) {
    for (const contractFlow of contracts)
      for (const flow of contractFlow.entryPoints)
        for (const store of flow.stateStores()) {
          const { variable, part } = store.location
          if (variable === null || part !== 'root' || !isChosen(flow, store.args[0])) continue
          if (privilegedState(contractFlow).has(variable)) yield { flow, store, variable }
        }
  },

  excuses: [
    // No question of authority: where a test stands that anyone passes, anyone who breaks that test is the one to blame.
    excuse('protected', 'the caller is checked', ({ flow, store }) => senderGuardsAt(flow, store).length > 0),
    excuse('runs-once', 'the function only works until the value is set once', ({ flow, store }) =>
      runsOnce(flow, store),
    ),
    excuse('restored', 'the value is set during the call and restored at its end', ({ flow, store }) =>
      isRestored(flow, store),
    ),
    excuse('bought', 'the caller must pay for it', (candidate) => mentions(candidate, isMessageValue)),
    excuse(
      'a-rule',
      'a condition on state that the function itself changes decides: a feature, not a missing guard',
      followsRule,
    ),
  ],

  finding: ({ flow, store, variable }) => ({
    at: store,
    factors: {
      loss: isFreelyDone(flow, store) ? `control of the contract (\`${variable.name}\`)` : undefined,
    },
    message: `Anyone can call \`${flow.name}()\` at any time and set \`${variable.name}\`, which controls privileged functions, and so take over the contract.`,
    trace: [witnessStep(flow, store, 'becomes the privileged account'), ...flow.trace(store)],
  }),
})

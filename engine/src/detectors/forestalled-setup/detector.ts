import { isUntrusted, principalAt, privilegedState, runsOnce, Source, taintOf } from '../../facts/index.ts'
import { tokenCalls, witnessStep } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, holding, type StoreOp, stripCasts } from '../../ir/index.ts'
import { nodesOf } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface OpenSetup {
  readonly flow: Flow
  readonly store: StoreOp
}

/**
 * The constructor keeps something that its deployer chose: the contract is deployed as it stands, not behind a proxy, so that its
 * set-up is a transaction of its own. What is immutable is part of the code, also of code for proxies.
 */
const isDeployedAsItStands = ({ flows }: ContractFlow): boolean =>
  flows.some(
    (flow) =>
      flow.isConstructor &&
      flow.stateStores().some(({ location, args }) => {
        const variable = location.variable
        if (variable === null || variable.isImmutable || variable.contract?.isStub) return false
        return (taintOf(flow, args[0]) & (Source.param | Source.sender)) !== 0
      }),
  )

/** What anyone says becomes state of the contract, once and for all. */
const findSetup = (flow: Flow): StoreOp | undefined => flow.stateStores().find((store) => isSetting(flow, store))

const isSetting = (flow: Flow, store: StoreOp): boolean =>
  store.location.part === 'root' &&
  store.location.variable !== null &&
  stripCasts(store.args[0]).kind === 'param' &&
  runsOnce(flow, store)

/** What it sets as the caller says, by name; of more than three the first two and how many others. */
const settingsIn = (flow: Flow): string => {
  const set = flow.stateStores().flatMap((store) => (isSetting(flow, store) ? [store.location.variable!] : []))
  // Who is privileged from then on says more than a name or a symbol.
  const privileged = privilegedState(flow.contractFlow)
  const ordered = [...set.filter((each) => privileged.has(each)), ...set.filter((each) => !privileged.has(each))]
  const names = [...new Set(ordered.map(({ name }) => `\`${name}\``))]
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} other variables`
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
}

/** Another contract of these files makes it, and can set it up in the same transaction. */
const isMadeHere = ({ flow: { model, contract } }: OpenSetup): boolean =>
  model.files.some(({ unit }) =>
    nodesOf(unit, 'NewExpression').some(({ type }) => {
      const made = model.typeOfName(type)
      return made.kind === 'contract' && made.contract === contract
    }),
  )

const isDoneByConstructor = ({ flow, store }: OpenSetup): boolean =>
  flow.contractFlow.writersOf(store.location.variable!).some(({ flow: writer }) => writer.isConstructor)

/** The set-up itself lets anyone whom the caller named take tokens of the contract's own choice, now or whenever there are some. */
const givesTokensAway = (flow: Flow): boolean =>
  tokenCalls(flow).some(
    ({ name, token, to, op }) =>
      name !== 'transferFrom' && token !== null && !isUntrusted(flow, token, op) && isUntrusted(flow, to, op),
  )

export default defineDetector<OpenSetup>({
  id: 'forestalled-setup',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: 'Front-runnable initializer',
  aliases: { owasp: ['SC01:2025'], words: ['front-run initialize', 'initializer front-running'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'The contract is deployed in one transaction and initialized in another that anyone can send once. An attacker front-runs the initialization and sets the parameters or roles.',
  recommendation:
    'Initialize in the deployment transaction (the constructor, or the init data of the proxy), or restrict the initializer to the deployer.',
  references: [
    'https://swcregistry.io/docs/SWC-114',
    'https://docs.soliditylang.org/en/latest/security-considerations.html',
  ],
  cwe: ['CWE-362'],
  yieldsTo: ['tx-origin-authorization'],

  needs: [holding.rootWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      const store = findSetup(flow)
      if (store !== undefined && isDeployedAsItStands(flow.contractFlow)) yield { flow, store }
    }
  },

  excuses: [
    excuse('guarded', 'the caller is checked', ({ flow, store }) => principalAt(flow, store) !== 'anyone'),
    excuse('done-by-constructor', 'the constructor has already done it', isDoneByConstructor),
    excuse('made-here', 'a factory deploys and initializes it in one transaction', isMadeHere),
  ],

  finding({ flow, store }) {
    const hasWitness = givesTokensAway(flow)
    const decides = `Anyone can call \`${flow.name}()\` before the deployer and set ${settingsIn(flow)} for good`
    return {
      at: store,
      message: hasWitness
        ? `${decides}; the address they set receives the contract’s tokens.`
        : `${decides}, so the contract must be deployed again.`,
      trace: [witnessStep(flow, store, 'sets the parameters before the deployer does'), ...flow.trace(store)],
      // Set up wrongly and deployed again, it has cost gas; who receives tokens of it has gained something.
      factors: { hasWitness, impact: hasWitness ? 'assets' : 'none' },
    }
  },
})

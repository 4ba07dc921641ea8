import {
  dependsOn,
  endsInRevert,
  type Fact,
  guardsAt,
  guardsAtEnd,
  isSender,
  principalAt,
  privilegedState,
  runsOnce,
} from '../../facts/index.ts'
import { isSelf } from '../../idioms/index.ts'
import {
  type CallOp,
  type ContractFlow,
  type Flow,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { ContractModel, FunctionModel, ModifierModel } from '../../model/index.ts'
import { collect } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly contractFlow: ContractFlow | undefined
  readonly contract: ContractModel
  readonly initializer: FunctionModel
  readonly flow: Flow | undefined
}

/** That of OpenZeppelin, or one of its name where its file is missing. */
const hasInitializerModifier = (fn: FunctionModel): boolean =>
  fn.modifiers.some(({ modifier, node }) => {
    if (modifier === null) return node.name.names.at(-1)?.name === 'initializer'
    return modifier.effect === 'initializer' || (modifier.name === 'initializer' && isOfLibrary(modifier))
  })

const isOfLibrary = ({ contract }: ModifierModel): boolean => /^Initializable(Upgradeable)?$/.test(contract.name)

/** `function lock() external initializer {}` sets nothing: it is how the initializer is used up. */
const locksOnly = ({ node: { body } }: FunctionModel): boolean => body !== null && body.statements.length === 0

const isInitializer = (fn: FunctionModel): boolean =>
  !fn.isStub &&
  fn.role === 'function' &&
  !locksOnly(fn) &&
  (fn.visibility === 'public' || fn.visibility === 'external') &&
  hasInitializerModifier(fn)

const constructorsOf = ({ linearization }: ContractModel): FunctionModel[] =>
  linearization.flatMap(({ constructor_ }) => constructor_ ?? [])

/** It runs once, for anyone, and says who is privileged from then on. */
const appoints = (flow: Flow): boolean =>
  appointmentsIn(flow).some((store) => runsOnce(flow, store) && principalAt(flow, store) === 'anyone')

/** Writes of the caller's choice to a variable that says who is privileged. */
const appointmentsIn = (flow: Flow): readonly StoreOp[] =>
  flow.stateStores().filter(({ location: { variable, part }, args }) => {
    if (variable === null || part !== 'root' || !privilegedState(flow.contractFlow).has(variable)) return false
    const value = stripCasts(args[0])
    return value.kind === 'param' || isSender(value)
  })

/** Runs other code in its own name, or destroys itself: anyone who is privileged can end it, and every proxy with it. */
const canBeEnded = (flow: Flow): boolean =>
  flow
    .ops('call')
    .some((op) => isForeignCode(op) && !endsInRevert(flow, op.block) && !guardsAt(flow, op).some(isThroughProxy)) ||
  flow.ops('builtin').some(({ operator }) => operator === 'selfdestruct' || operator === 'suicide')

/** A batch of calls of its own functions runs no other code. */
const isForeignCode = ({ call: { kind, target } }: CallOp): boolean =>
  (kind === 'delegate' || kind === 'callcode') && !(target !== null && isSelf(target))

/** `require(address(this) != self)`: on the implementation itself it is refused. */
const isThroughProxy = ({ condition, polarity }: Fact): boolean => {
  const { kind, operator, args } = stripCasts(condition)
  return kind === 'bin' && operator === (polarity ? '!=' : '==') && args.some((side) => isSelf(side))
}

/** No path through it ends without the check. */
const endsThroughProxy = (flow: Flow): boolean =>
  flow.ir.exits.length > 0 && flow.ir.exits.every((exit) => guardsAtEnd(flow, exit).some(isThroughProxy))

/** An initializer by what it does, of a contract that keeps nothing when it is made and is no proxy itself: the code for proxies. */
const openSetupOf = ({ flows, entryPoints }: ContractFlow): FunctionModel | null => {
  if (flows.some((flow) => flow.isConstructor && flow.stateStores().length > 0)) return null
  if (!entryPoints.some(canBeEnded) || entryPoints.some(forwardsCalls)) return null
  return entryPoints.find(appoints)?.fn ?? null
}

const forwardsCalls = (flow: Flow): boolean => flow.kind === 'fallback' && flow.ops('call').some(isForeignCode)

/** Closed when it is deployed; also where the file of `initializer` and `_disableInitializers` is missing. */
const isUsedUp = (candidate: Candidate): boolean =>
  constructorsOf(candidate.contract).some((fn) => hasInitializerModifier(fn) || disables(fn)) ||
  initializesItself(candidate) ||
  setsFlag(candidate)

const disables = ({ node: { body } }: FunctionModel): boolean =>
  body !== null &&
  collect(body, 'Call').some(({ callee }) => callee.kind === 'Identifier' && callee.name === '_disableInitializers')

/** The constructor calls the initializer, whose modifier lets nobody call it again. */
const initializesItself = ({ contractFlow, initializer }: Candidate): boolean =>
  hasInitializerModifier(initializer) &&
  contractFlow?.flows.some(
    ({ isConstructor, ir }) => isConstructor && ir.ops.some(({ site }) => site?.fn === initializer),
  ) === true

/** `constructor() { initialized = true; }`, and the initializer begins with `require(!initialized)`. */
const setsFlag = ({ contractFlow, flow }: Candidate): boolean => {
  if (contractFlow === undefined || flow === undefined) return false
  const constructors = contractFlow.flows.filter(({ isConstructor }) => isConstructor)
  const set = new Set(constructors.flatMap((one) => one.stateStores().map(({ location }) => location.variable)))
  const isSet = ({ kind, location }: Op): boolean =>
    kind === 'load' && location.variable !== null && isFlag(location.type) && set.has(location.variable)
  return flow.ir.exits.some((exit) =>
    guardsAtEnd(flow, exit).some(({ condition }) => dependsOn(flow, condition, isSet)),
  )
}

const isFlag = (type: Location['type']): boolean => type?.kind === 'bool' || type?.kind === 'int'

/** What the caller becomes, by the functions of the usual bases that the initializer calls. */
const gains: readonly (readonly [callee: RegExp, gain: string])[] = [
  [/^(__Ownable\w*_init\w*|_transferOwnership)$/, 'become its owner'],
  [/^(_setupRole|_grantRole)$/, 'become its admin'],
]

const gainOf = (flow: Flow | undefined): string => {
  if (flow === undefined) return 'set its initial state'
  const appointed = appointmentsIn(flow)[0]?.location.variable?.name
  if (appointed !== undefined && /^\w+$/.test(appointed)) return `become its \`${appointed}\``
  const names = flow.ops('call').map(({ call }) => call.name)
  return gains.find(([callee]) => names.some((name) => callee.test(name)))?.[1] ?? settingOf(flow)
}

const settingOf = (flow: Flow): string => {
  const chosen = flow.stateStores().find(({ args: [value] }) => stripCasts(value).kind === 'param')
  const name = chosen?.location.variable?.name ?? ''
  return /^\w+$/.test(name) ? `set its \`${name}\`` : 'set its initial state'
}

export default defineDetector<Candidate>({
  id: 'uninitialized-implementation',
  swc: null,
  title: 'Uninitialized implementation contract',
  aliases: {
    slither: ['unprotected-upgrade'],
    aderyn: ['unprotected-initializer'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-092'],
    words: ['disableInitializers', 'UUPS', 'logic contract', 'implementation takeover'],
  },
  severity: 'low',
  confidence: 'medium',
  description:
    'The contract is set up by an initializer that a proxy calls. On the implementation itself nobody has called it, so an attacker can, and sets its initial state and roles. The proxies keep their own state.',
  recommendation:
    'Call `_disableInitializers()` in the constructor; before OpenZeppelin 4.6, or with an `Initializable` of your own, declare `constructor() initializer {}`.',
  references: [
    'https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializing_the_implementation_contract',
  ],
  cwe: ['CWE-665'],

  *candidates(context) {
    const { part, contracts } = context
    const initializers = new Set(part.contracts.flatMap(({ functions }) => functions.filter(isInitializer)))
    const initializerOf = ({ allFunctions }: ContractModel): FunctionModel | undefined =>
      initializers.size === 0 ? undefined : allFunctions.find((fn) => initializers.has(fn))

    for (const contractFlow of contracts) {
      const { contract } = contractFlow
      if (contract?.contractKind !== 'contract' || !contract.isMostDerived) continue
      const initializer = initializerOf(contract) === undefined ? openSetupOf(contractFlow) : null
      if (initializer !== null) yield { contractFlow, contract, initializer, flow: context.flowOf(initializer) }
    }

    for (const contract of part.contracts) {
      if (contract.contractKind !== 'contract' || !contract.isMostDerived) continue
      const initializer = initializerOf(contract)
      const contractFlow = contracts.find((one) => one.contract === contract)
      if (initializer) yield { contractFlow, contract, initializer, flow: context.flowOf(initializer) }
    }
  },

  excuses: [
    excuse(
      'used-up',
      'the constructor runs the initializer, disables it, or sets the flag that it demands to be unset',
      isUsedUp,
    ),
    excuse(
      'through-proxy',
      'the initializer runs only by delegatecall from a proxy',
      ({ flow }) => flow !== undefined && endsThroughProxy(flow),
    ),
  ],

  finding: ({ contract, initializer, flow }) => {
    const takeover = `No constructor locks the initializer, so anyone can call \`${initializer.name}()\` on the implementation itself, not the proxy, and ${gainOf(flow)}`
    return {
      at: contract.node.name,
      // Since EIP-6780 `selfdestruct` leaves the code that proxies run in place.
      message: `${takeover}. The state of the proxies is not affected.`,
      trace: [
        { at: initializer.node.name ?? initializer.node, message: `\`${initializer.name}()\` is declared here.` },
      ],
    }
  },
})

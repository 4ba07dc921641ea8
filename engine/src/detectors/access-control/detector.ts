import {
  anyChoice,
  asksCaller,
  demandAt,
  dependsOn,
  type Fact,
  guardCallsAt,
  guardRestingOn,
  guardsAt,
  isCallersNumber,
  isForOne,
  isProtected,
  isSender,
  isUntrusted,
  relationsAt,
  runsOnce,
  senderGuardsAt,
  someFactAt,
  stateReadsOf,
} from '../../facts/index.ts'
import {
  bringsSomething,
  entriesOf,
  incomingOf,
  isMessageValue,
  isNothingPaid,
  isOwnTokenBalance,
  isPaid,
  isPaidFrom,
  isRepayment,
  keysOf,
  loweredBy,
  outgoingOf,
  proofOf,
  raisedBy,
  stakeOf,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type CallOp,
  type ContractFlow,
  describeValue,
  type Flow,
  holding,
  isOrdering,
  type Location,
  mayOverlap,
  mayOverlapAcross,
  type Op,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { ContractModel, VariableModel } from '../../model/index.ts'
import { defineDetector, excuse, type Grounds } from '../define-detector.ts'
import { calledOff } from './called-off.ts'
import { enlisted } from './enlisted.ts'
import { isUnconditional, openSettings } from './open-settings.ts'
import { othersRecords } from './others-records.ts'
import { isAskedAbout, isOwnMatter, restsOnAnswer, type Vouched, vouchedPayments } from './vouched.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly message: string
  /** Whose consent is missing, if it is one account's. */
  readonly account: Op | null
  /** What the account would lose or be given; null where a right is taken. */
  readonly amount: Op | null
  /** The payment, and the contract that the caller names to vouch for it. */
  readonly vouched?: Vouched
  /** What the caller has on record of their own does not make it theirs. */
  readonly isOfOthers?: true
  /** An account comes onto a list of those who may do something. */
  readonly isMembership?: true
}

/** State that names the deployer: somebody in particular. */
const appointed = ({ flows }: ContractFlow): ReadonlySet<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of flows)
    if (flow.isConstructor)
      for (const { location, args } of flow.stateStores())
        if (location.depth === 0 && location.variable !== null && isSender(args[0])) found.add(location.variable)
  return found
}

/** Who may do what is decided by this: the deployer was noted there. */
function* takenOver(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const { variable, depth } = op.location
    if (variable === null || depth > 0 || !flow.contractFlow.answer(appointed).has(variable)) continue
    const value = stripCasts(op.args[0])
    const message = `Anyone can put an account of their own into \`${variable.name}\`.`
    if (value.kind === 'param' || isSender(value)) yield { flow, op, account: null, amount: null, message }
  }
}

/** An account that the caller names. */
const isNamed = (flow: Flow, key: Op): boolean => key.kind === 'param' && flow.typeOf(key)?.kind === 'address'

/** The entry of an account that the caller names is lowered, by as much as the caller says. */
function* takenFromOthers(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const amount = loweredBy(op)
    const keys = amount === null ? [] : keysOf(op.location)
    const account = keys.find((key) => isNamed(flow, key))
    if (account === undefined || keys.some(isSender) || !(amount!.kind === 'const' || isCallersNumber(flow, amount!)))
      continue
    const message = `The caller of \`${flow.name}\` chooses whose entry is lowered here.`
    yield { flow, op, account, amount, message }
  }
}

/** A number is added to an entry for which nobody gives anything, and entries are paid out, or others' entries are worth less by it. */
function* creditedForNothing(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const amount = raisedBy(op)
    if (amount === null || op.location.part !== 'index' || !isCallersNumber(flow, amount)) continue
    const { variable } = op.location
    if (variable === null) continue
    if (isPaidFrom(flow, variable))
      yield { flow, op, account: null, amount, message: `Anyone can raise \`${variable.name}\`, which is paid out.` }
    else if (isIssued(flow, amount) && isPassedOn(flow, variable))
      yield { flow, op, account: null, amount, message: `Anyone can create any amount in \`${variable.name}\`.` }
  }
}

/** The same number is added to a total: it is new, nobody loses it. */
const isIssued = (flow: Flow, amount: Op): boolean => flow.answer(addedToTotals).has(amount)

const addedToTotals = (flow: Flow): ReadonlySet<Op | null> =>
  new Set(flow.stateStores().flatMap((store) => (store.location.part === 'root' ? [raisedBy(store)] : [])))

/** What is created there can be sold to others: by ERC-20, or because what one entry loses another one gains. */
const isPassedOn = (flow: Flow, variable: VariableModel): boolean =>
  isToken(flow) || flow.contractFlow.answer(passedOn).has(variable)

const passedOn = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel | null> => {
  const found = new Set<VariableModel | null>()
  for (const passer of entryPoints) {
    const entries = entriesOf(passer)
    const lowered = new Map<VariableModel | null, Set<Op>>()
    for (const { isRaised, op, amount } of entries) {
      if (isRaised) continue
      const known = lowered.get(op.location.variable) ?? new Set()
      lowered.set(op.location.variable, known)
      known.add(amount)
    }
    for (const { isRaised, op, amount } of entries)
      if (isRaised && lowered.get(op.location.variable)?.has(amount)) found.add(op.location.variable)
  }
  return found
}

const isToken = ({ contract }: Flow): boolean =>
  contract?.allFunctions.some(({ signature }) => signature === 'transferFrom(address,address,uint256)') ?? false

/** Tokens leave for whoever asks, although elsewhere only a role can pay them out. */
function* handedOut(flow: Flow): Iterable<Candidate> {
  for (const { op, token, to, amount } of outgoingOf(flow)) {
    if (token === null || to === null) continue
    const receiver = stripCasts(to)
    if (!isSender(receiver) && receiver.kind !== 'param') continue
    if (!isCallersNumber(flow, amount) && !isOwnTokenBalance(amount)) continue
    if (!isKeptForRole(flow, token)) continue
    yield {
      flow,
      op,
      account: null,
      amount,
      message: 'Anyone can have these tokens, which elsewhere only a role pays out.',
    }
  }
}

/** Another function pays out the same token, kept in the same variable, and asks who calls. */
const isKeptForRole = (flow: Flow, token: Op): boolean => {
  const kept = stripCasts(token)
  if (kept.kind !== 'load' || kept.location.variable === null) return false
  return flow.contractFlow.answer(tokensOfRoles).has(kept.location.variable)
}

/** Variables that name a token which somewhere only one account pays out. */
const tokensOfRoles = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel | null> =>
  new Set(
    entryPoints.flatMap((payer) =>
      outgoingOf(payer).flatMap(({ op, token }) => {
        const kept = token === null ? null : stripCasts(token)
        const isOfRole = kept?.kind === 'load' && isForOne(payer, op)
        return isOfRole ? [kept.location.variable] : []
      }),
    ),
  )

/** Others are paid what stands in an account's name on record, and anyone can put another account there. */
function* redirected(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const { variable } = op.location
    if (variable === null || !isAccountOfCaller(flow, stripCasts(op.args[0])) || !isExisting(op.location)) continue
    if (!isPayee(flow, op.location)) continue
    const message = `Anyone can put another account into \`${variable.name}\`, which is paid elsewhere.`
    yield { flow, op, account: null, amount: null, message }
  }
}

const isAccountOfCaller = (flow: Flow, value: Op): boolean => isSender(value) || isNamed(flow, value)

/** A record that may stand already, of somebody else: kept under nothing, or under what the caller names. */
const isExisting = (location: Location): boolean => keysOf(location).every(({ kind }) => kind === 'param')

/** Another function pays the account that is kept there, on some of its ways at least. */
const isPayee = (flow: Flow, place: Location): boolean =>
  flow.contractFlow.answerAt(place, payersTo).some((payer) => payer !== flow)

const payersTo = (contractFlow: ContractFlow, place: Location): readonly Flow[] =>
  (contractFlow.answer(payeesOf).get(place.variable) ?? []).flatMap((payee) =>
    mayOverlapAcross(payee.place, place) ? [payee.payer] : [],
  )

interface Payee {
  readonly payer: Flow
  readonly place: Location
}

/** The accounts that functions pay, by the variables that they are kept in. */
const payeesOf = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel | null, readonly Payee[]> => {
  const payees = new Map<VariableModel | null, Payee[]>()
  for (const payer of entryPoints)
    for (const { to } of outgoingOf(payer)) {
      const note = (value: Op): boolean => {
        if (value.kind !== 'load') return false
        const known = payees.get(value.location.variable) ?? []
        payees.set(value.location.variable, known)
        known.push({ payer, place: value.location })
        return false
      }
      if (to !== null) anyChoice(to, note)
    }
  return payees
}

/** Accounts have put themselves on a list, and the caller says whose place another one takes. */
function* displaced(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const { variable, index, part } = op.location
    const value = stripCasts(op.args[0])
    if (variable === null || part !== 'index' || index === null || !isCallersNumber(flow, index)) continue
    if (value.kind !== 'load' || value.location.variable !== variable || !isJoined(flow, variable)) continue
    const message = `The caller of \`${flow.name}\` chooses who is taken off \`${variable.name}\`.`
    yield { flow, op, account: null, amount: null, message, isOfOthers: true }
  }
}

const isJoined = ({ contractFlow }: Flow, variable: VariableModel): boolean =>
  contractFlow.writersOf(variable).some(({ op }) => op.location.part === 'index' && isSender(op.args[0]))

/** Who stands there is asked before. */
const isLookedAt = ({ flow, op, isOfOthers }: Candidate): boolean =>
  isOfOthers === true &&
  op.kind === 'store' &&
  guardsAt(flow, op).some(({ condition }) =>
    stateReadsOf(flow, condition).some((read) => mayOverlap(read.location, op.location)),
  )

/** Who may do what is decided by a list, and the caller says who comes onto it. */
function* enlistedByAnybody(flow: Flow): Iterable<Candidate> {
  for (const { op, list } of enlisted(flow)) {
    const message = `Anyone can put an account of their own on \`${list}\`, whose members have rights that others do not have.`
    yield { flow, op, account: null, amount: null, message, isMembership: true }
  }
}

/** A deal of two is undone by whoever likes. */
function* undoneByAnybody(flow: Flow): Iterable<Candidate> {
  for (const { op, other } of calledOff(flow)) {
    const message = `Anyone, also the one who is paid, can call the deal off: what \`${other}\` was to have goes back.`
    yield { flow, op, account: null, amount: null, message }
  }
}

/** What others rely on becomes what the caller says, and nothing at all is asked. */
function* setByAnybody(flow: Flow): Iterable<Candidate> {
  for (const { op, message } of openSettings(flow)) yield { flow, op, account: null, amount: null, message }
}

/** A record in somebody's name, and the caller says what is paid by it. */
function* rewritten(flow: Flow): Iterable<Candidate> {
  for (const { op, value, field } of othersRecords(flow)) {
    const message = `The caller of \`${flow.name}\` sets \`${field}\` in records that others have opened in their own name.`
    yield { flow, op, account: null, amount: value, message }
  }
}

const mint = 'mint(address,uint256)'

/** Something on the way speaks of the caller, or is answered by somebody else: whether that is a right is not for this claim to say. */
const isAskedWho = (flow: Flow, op: Op): boolean =>
  guardCallsAt(flow, op).length > 0 ||
  guardsAt(flow, op).some(({ condition }) =>
    dependsOn(flow, condition, (part) => isSender(part) || part.kind === 'call' || part.kind === 'unknown', {
      keys: true,
    }),
  )

/** Only who counts its tokens has such a function: elsewhere the number after the account may be the id of a single one. */
const ofAmounts = new Set([
  'decimals()',
  'allowance(address,address)',
  'transfer(address,uint256)',
  'burn(address,uint256)',
  'burnFrom(address,uint256)',
])

const countsAmounts = (token: ContractModel | null): boolean =>
  token?.allFunctions.some(({ signature }) => ofAmounts.has(signature)) ?? false

/** Ether is asked for on the way, or how much may be created is held to what the caller does not say. */
const hasPriceOrLimit = (flow: Flow, op: Op, amount: Op): boolean => {
  const isHeld = (value: Op, by: Op): boolean =>
    !isCallersNumber(flow, by) && dependsOn(flow, value, (part) => part === amount)
  return (
    relationsAt(flow, op).some(({ smaller, greater }) => isHeld(smaller, greater)) ||
    guardsAt(flow, op).some((guard) => {
      const { condition, polarity } = guard
      if (dependsOn(flow, condition, isMessageValue)) return !isNothingPaid(guard)
      const [left, right] = condition.args
      return (
        condition.kind === 'bin' &&
        condition.operator === (polarity ? '==' : '!=') &&
        (isHeld(left!, right!) || isHeld(right!, left!))
      )
    })
  )
}

/** A token that the protocol chose is told to create as much as the caller says, for whom they say. */
function* createdElsewhere(flow: Flow): Iterable<Candidate> {
  for (const op of flow.externalCalls()) {
    const { definition, target } = op.call
    const [to, amount] = op.args
    if (definition?.signature !== mint || target === null || isUntrusted(flow, target, op)) continue
    if (stripCasts(target).kind !== 'load' || !countsAmounts(definition.contract) || isAskedWho(flow, op)) continue
    if (!isCallersNumber(flow, amount!) || !(isSender(to!) || isCallersNumber(flow, to!))) continue
    if (hasPriceOrLimit(flow, op, stripCasts(amount!))) continue
    const message = `Anyone can have any amount of \`${describeValue(flow.model, target)}\` created for an account of their choice.`
    yield { flow, op, account: null, amount: stripCasts(amount!), message }
  }
}

/** `require(IVault(msg.sender).owner() == address(this))`: the caller is asked about itself, and answers what it likes. */
function* selfVouched(flow: Flow): Iterable<Candidate> {
  const message = 'Only the caller’s own answers say that it may do this: any contract can give them.'
  for (const op of flow.stateStores())
    if (guardRestingOn(flow, op, asksCaller) !== null && !keysOf(op.location).some(isSender))
      yield { flow, op, account: null, amount: null, message }
}

/** `require(feed.price() > n)`, and the caller says which feed: it answers what they like. */
function* vouchedByNamed(flow: Flow): Iterable<Candidate> {
  const message = 'Only a contract that the caller names says that they may have this: they can name one of their own.'
  for (const vouched of vouchedPayments(flow)) {
    const { op, amount } = vouched.payment
    yield { flow, op, account: null, amount, message, vouched }
  }
}

/** A condition, a record or a call speaks of the account and of the caller: an approval, an allowance, an equality. */
const isConsented = ({ flow, op, account }: Candidate): boolean =>
  account !== null &&
  (flow.answerAbout(account, isNamedWithSender) ||
    flow.answerAbout(account, callsWithSender).some((call) => call !== op))

const isNamedWithSender = (flow: Flow, account: Op): boolean => {
  const isAccount = (value: Op): boolean => stripCasts(value) === account
  return (
    flow.answer(conditionsOnSender).some((condition) => dependsOn(flow, condition, isAccount, { keys: true })) ||
    flow.answer(keysWithSender).some((keys) => keys.includes(account))
  )
}

const conditionsOnSender = (flow: Flow): readonly Op[] =>
  conditionsOf(flow).filter((condition) => dependsOn(flow, condition, isSender, { keys: true }))

const keysWithSender = (flow: Flow): readonly (readonly Op[])[] =>
  [...flow.stateStores(), ...flow.stateLoads()]
    .map(({ location }) => keysOf(location))
    .filter((keys) => keys.some(isSender))

const callsWithSender = (flow: Flow, account: Op): readonly CallOp[] =>
  flow
    .ops('call')
    .filter(({ args }) => args.some((arg) => stripCasts(arg) === account) && args.some((arg) => isSender(arg)))

/** What is on record of the account elsewhere decides whether it may be taken from: a debt, a term, a signature. */
const isAllowedByRecord = ({ flow, op, account }: Candidate): boolean =>
  account !== null && someFactAt(flow, op, flow.answerAbout(account, recordsBeside)(op.location!.variable))

type Question = (flow: Flow, fact: Fact) => boolean

/** One question for each account and variable, so that each condition is asked once. */
const recordsBeside = (_: Flow, account: Op): ((variable: VariableModel | null) => Question) =>
  onePer((variable) => (flow, { condition }) => {
    const isRecord = (value: Op): boolean =>
      (value.kind === 'load' && value.location.variable !== variable && keysOf(value.location).includes(account)) ||
      (value.kind === 'call' && value.args.some((arg) => stripCasts(arg) === account)) ||
      (value.kind === 'builtin' && value.operator === 'ecrecover')
    return dependsOn(flow, condition, isRecord)
  })

const onePer = <Subject, T>(make: (subject: Subject) => T): ((subject: Subject) => T) => {
  const known = new Map<Subject, T>()
  return (subject) => {
    const made = known.get(subject) ?? make(subject)
    known.set(subject, made)
    return made
  }
}

/** What goes down is what the account owes, and the caller brings as much of the token that was lent. */
const isRepaid = ({ flow, op, account, amount }: Candidate): boolean =>
  account !== null &&
  amount !== null &&
  op.kind === 'store' &&
  incomingOf(flow).some(
    (payment) => sameValue(stripCasts(payment.amount), amount) && isRepayment(flow, op.location, payment),
  )

/** What is on record decides who comes next, whoever asks: nobody stands there yet, or a term is over. */
const isDecidedByRecord = ({ flow, op, account, amount, isMembership }: Candidate): boolean =>
  isMembership === undefined &&
  account === null &&
  amount === null &&
  op.kind === 'store' &&
  demandAt(flow, op) === 'vacancy'

/** The caller itself comes in, for what it shows: the solution of a puzzle, a proof, a better offer. */
const isEarned = ({ flow, op, account, amount }: Candidate): boolean => {
  if (account !== null || amount !== null || op.kind !== 'store' || !isSender(op.args[0])) return false
  const demand = demandAt(flow, op)
  return demand === 'proof' || demand === 'offer'
}

/** What the caller brings is held against the amount, or is as much. */
const isBroughtFor = (flow: Flow, amount: Op): boolean => {
  if (!bringsSomething(flow)) return false
  const brought = new Set(incomingOf(flow).map((payment) => stripCasts(payment.amount)))
  const isBrought = (value: Op): boolean => isMessageValue(value) || brought.has(value)
  const isAmount = (value: Op): boolean => value === amount
  return (
    [...brought].some(
      (value) => dependsOn(flow, value, isAmount) || dependsOn(flow, amount, (part) => part === value),
    ) || conditionsOf(flow).some((check) => dependsOn(flow, check, isBrought) && dependsOn(flow, check, isAmount))
  )
}

/** Everything that is asked on some way. */
const conditionsOf = (flow: Flow): readonly Op[] => [
  ...flow.blocks.flatMap(({ condition }) => (condition === null ? [] : [condition])),
  ...flow.ops('assume').map(({ args }) => args[0]),
]

/** What one entry gains another loses, or the caller pays for it, here or in a contract that is told the amount. */
const isPaidFor = ({ flow, op, account, amount, isMembership }: Candidate): boolean => {
  if (account !== null) return false
  if (amount === null)
    return op.kind === 'store' && (isMembership === true || isPayee(flow, op.location)) && bringsSomething(flow)
  const isAmount = (value: Op): boolean => stripCasts(value) === amount
  if (isBroughtFor(flow, amount)) return true
  if (flow.stateStores().some((store) => store !== op && loweredBy(store) !== null)) return true
  // Told of the caller too, it takes from them, in units of its own; a contract that the caller names takes nothing.
  const isTaken = (call: CallOp): boolean =>
    call.args.some((arg) => isSender(arg)) &&
    call.args.some((arg) => dependsOn(flow, arg, isAmount)) &&
    (call.call.target === null || !isUntrusted(flow, call.call.target, call))
  return flow
    .externalCalls()
    .some((call) => call.start !== op.start && !call.call.isStatic && (call.args.some(isAmount) || isTaken(call)))
}

/** `require(token.balanceOf(address(this)) >= before)`: what was lent must be back when the call ends. */
const isWeighedAfter = ({ flow, op }: Candidate): boolean =>
  flow.answer(weighedBalances).some((balance) => flow.canFollow(op, balance))

const weighedBalances = (flow: Flow): readonly Op[] => {
  const balances = new Set<Op>()
  const note = (value: Op): boolean => {
    if (isOwnTokenBalance(value)) balances.add(value)
    return false
  }
  if (flow.ops('call').some(isOwnTokenBalance))
    for (const { operator, args } of flow.ops('bin'))
      if (isOrdering(operator)) for (const side of args) dependsOn(flow, side, note)
  return [...balances]
}

/** A name or a function of a missing file. */
const isUnseen = ({ kind, call }: Op): boolean =>
  kind === 'unknown' || (kind === 'call' && call.target === null && call.definition === null)

const restsOnUnseen: Question = (flow, { condition }) => dependsOn(flow, condition, isUnseen)

const otherRecords = (_: Flow, account: Op): ((place: Location | null) => Question) =>
  onePer((place) => (flow, { condition }) => {
    const isOther = (part: Op): boolean =>
      part.kind === 'load' && part.location !== place && keysOf(part.location).includes(account)
    return dependsOn(flow, condition, isOther)
  })

/** What is asked on the way may be consent: of the one whose entry it is, or by a function that is not there to be read. */
const groundsOf = (flow: Flow, op: Op, account: Op | null): Grounds => {
  const isAllowedElsewhere =
    account !== null && someFactAt(flow, op, flow.answerAbout(account, otherRecords)(op.location))
  const doubts = [
    ...(someFactAt(flow, op, restsOnUnseen) ? ['what is asked on the way is not there to be read'] : []),
    ...(isAllowedElsewhere ? ['what else is on record for that account allows it'] : []),
  ]
  return { hasWitness: isUnconditional(flow, op), stake: stakeOf(flow), doubts }
}

export default defineDetector<Candidate>({
  id: 'access-control',
  swc: null,
  title: 'Anyone can take what belongs to others',
  severity: 'critical',
  confidence: 'medium',
  description:
    'A function that everybody can call changes who is in charge, takes from an account that the caller names, calls off what others agreed, puts accounts on a list of those with rights, sets what payments or rights rest on, hands out or credits what nobody paid for, or believes a caller who vouches for itself, or whom a contract of their own choice vouches for.',
  recommendation:
    'Demand that the caller holds the right: compare the sender with state that only the right holders can change, or ask for an approval of the account whose tokens move.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-862', 'CWE-284'],
  yieldsTo: [
    'unprotected-ether-withdrawal',
    'unprotected-token-withdrawal',
    'unprotected-selfdestruct',
    'unprotected-initializer',
    'arbitrary-transfer-from',
  ],

  needs: [holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* takenOver(flow)
      yield* takenFromOthers(flow)
      yield* creditedForNothing(flow)
      yield* handedOut(flow)
      yield* redirected(flow)
      yield* setByAnybody(flow)
      yield* enlistedByAnybody(flow)
      yield* undoneByAnybody(flow)
      yield* displaced(flow)
      yield* rewritten(flow)
      yield* createdElsewhere(flow)
      yield* selfVouched(flow)
      yield* vouchedByNamed(flow)
    }
  },
  excuses: [
    excuse(
      'asks-who-calls',
      'the sender is compared with state, a list or a signature before',
      ({ flow, op, vouched, isOfOthers }) =>
        (isOfOthers === true ? isProtected(flow, op) : true) &&
        // No question of authority otherwise: where a test stands that anybody passes, whoever breaks that test is the one to blame.
        senderGuardsAt(flow, op).some(
          (guard) =>
            !dependsOn(flow, guard.op, asksCaller) &&
            (vouched === undefined || !restsOnAnswer(flow, guard.op, vouched.voucher)),
        ),
    ),
    excuse(
      'asked-about',
      'the contract that the caller names is looked up or compared before',
      ({ flow, op, vouched }) => vouched !== undefined && isAskedAbout(flow, op, vouched.voucher),
    ),
    excuse(
      'own-matter',
      'what is paid belongs to the contract that the caller names',
      ({ flow, vouched }) => vouched !== undefined && isOwnMatter(flow, vouched.payment, vouched.voucher),
    ),
    excuse('runs-once', 'it works only as long as nothing is set', ({ flow, op }) => runsOnce(flow, op)),
    excuse('account-consented', 'the account that is taken from approved the caller, or is the caller', isConsented),
    excuse(
      'allowed-by-record',
      'what is on record of the account decides whether it may be taken from',
      isAllowedByRecord,
    ),
    excuse('repaid', 'it is a debt of the account, and the caller brings as much of what was lent', isRepaid),
    excuse('looked-at', 'it is asked who stands there', isLookedAt),
    excuse('decided-by-record', 'what is on record there decides who comes next', isDecidedByRecord),
    excuse('earned', 'the caller comes in for what it shows: the solution of a puzzle, a proof', isEarned),
    excuse(
      'paid-to-the-account',
      'what is taken from the account is paid to it',
      ({ flow, account }) => account !== null && isPaid(flow, account),
    ),
    excuse('paid-for', 'the caller pays for it, or another entry is lowered in turn', isPaidFor),
    excuse(
      'proven',
      'a proof that somebody is owed this number is held against what the contract keeps',
      ({ flow, op, amount }) => amount !== null && proofOf(flow, op, amount) !== undefined,
    ),
    excuse('weighed-after', 'what the contract holds is weighed afterwards', isWeighedAfter),
  ],
  // A helper that does what it is told is not to blame.
  finding: ({ flow, op, account, message }) => ({
    at: flow.inEntry(op),
    message,
    trace: [witnessStep(flow, op, 'they take or change what belongs to others'), ...flow.trace(op)],
    grounds: groundsOf(flow, op, account),
  }),
})

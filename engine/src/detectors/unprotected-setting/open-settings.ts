/** State that others rely on, set as the caller says: by anyone, whatever stands there, and for nothing. */
import {
  dependsOn,
  findDependency,
  guardsAt,
  isCallersNumber,
  isUnconditional,
  type Principal,
  principalAt,
  senderGuardsAt,
} from '../../facts/index.ts'
import {
  byVariable,
  firstThatFits,
  flowsAt,
  hasIncomingPayment,
  isAllowance,
  isHash,
  keysOf,
  listFunctions,
  loweredBy,
  outgoingOf,
  type PlaceOfFlow,
  type PlacesOfFlows,
  raisedBy,
  type UnprotectedOp,
} from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  type Location,
  mayOverlap,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'

export function* openSettings(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    if (raisedBy(op) !== null || loweredBy(op) !== null) continue
    const isReached = keysOf(op.location).every((key) => key.kind === 'const' || isCallersNumber(flow, key))
    if (!isReached || isNamedByContent(flow, op)) continue
    const reliance = relianceFor(flow, op)
    if (reliance === null || hasIncomingPayment(flow) || !isUnconditional(flow, op)) continue
    const relied = reliance(flow, op.location)
    if (relied === null) continue
    const place = `\`${flow.describe(op.location)}\``
    const message = `Anyone can call \`${flow.name}()\` and set ${place}, ${relied.words}`
    yield {
      flow,
      op,
      account: null,
      amount: null,
      message: firstThatFits(`${message}, so an attacker ${relied.gain}.`, `${message}.`),
      gain: relied.gain,
    }
  }
}

/** The key is a hash over all that goes into the entry: under that name nothing else can ever stand. */
const isNamedByContent = (flow: Flow, { location, args: [value] }: StoreOp): boolean =>
  keysOf(location).some((key) => {
    const hash = stripCasts(key)
    if (!isHash(hash)) return false
    const named = argumentsIn(flow, hash)
    const content = [...argumentsIn(flow, value)]
    // A mark says nothing of what it stands for: anyone who sets it has set something.
    return content.length > 0 && content.every((argument) => named.has(argument))
  })

/** What a value takes from the caller: whole arguments, and single parts of them. */
const argumentsIn = (flow: Flow, value: Op): ReadonlySet<Op | Location> => {
  const found = new Set<Op | Location>()
  findDependency(flow, value, (op) => {
    if (op.kind === 'load' && op.location.space === 'memory') found.add(op.location)
    else if (op.kind === 'param') found.add(op)
    return false
  })
  return found
}

/** How others rely on a place, after its name, and what an attacker gains by it, after "An attacker"; null: they do not. */
type Reliance = (flow: Flow, place: Location) => { readonly words: string; readonly gain: string } | null

/** What others must rely on depends on what is put there; null: nothing that the caller chooses. */
const relianceFor = (flow: Flow, { location, args: [written] }: StoreOp): Reliance | null => {
  const value = stripCasts(written)
  if (location.variable === null) return null
  if (isCallersNumber(flow, value)) return relianceOnChoice
  if (value.kind === 'const') return relianceOnMark
  // An element is removed: another one of the list takes its place.
  const isElement = value.kind === 'load' && value.location.variable === location.variable
  return isElement && value.location !== location ? relianceOnRight : null
}

const relianceOnChoice: Reliance = (flow, place) => {
  const checking = flow.contractFlow.answerAt(place, checkersOf)
  if (checking.length > 0)
    return {
      words: `the account that ${listFunctions(checking)} accept${checking.length === 1 ? 's' : ''}`,
      gain: `names an account of their own and uses ${checking.length === 1 ? `\`${checking[0]!.name}()\`` : 'these functions'}`,
    }
  const payers = payingBy(flow, place)
  if (payers.length > 0)
    return {
      words: `which decides what ${listFunctions(payers)} pay${payers.length === 1 ? 's' : ''}`,
      gain: 'chooses what the contract pays out',
    }
  if (isAllowance(flow, place))
    return {
      words: 'the allowance by which others spend from an account',
      gain: 'approves their own account and takes anyone’s tokens',
    }
  return relianceOnRight(flow, place)
}

const checkersOf = (contractFlow: ContractFlow, place: Location): readonly Flow[] =>
  flowsAt(contractFlow.answer(comparedWithSender), place)

/** Where the accounts stand that the sender must equal before something happens. */
const comparedWithSender = ({ entryPoints }: ContractFlow): PlacesOfFlows =>
  byVariable(
    entryPoints.flatMap((flow) =>
      [...flow.stateStores(), ...flow.externalCalls()].flatMap((op) =>
        senderGuardsAt(flow, op).flatMap(({ against, places }) =>
          against === 'state' ? places.map((place) => ({ flow, place })) : [],
        ),
      ),
    ),
  )

const relianceOnRight: Reliance = (flow, place) => {
  const keepers = keepersOf(flow, place)
  if (keepers.length === 0) return null
  return {
    words: `which ${listFunctions(keepers)} change${keepers.length === 1 ? 's' : ''} only after a check of the caller`,
    gain: 'bypasses that check',
  }
}

/** `ended = true` may be everybody's to say, unless someone has more right to it; what is paid is cleared by anyone who asks. */
const relianceOnMark: Reliance = (flow, place) => (isSettled(flow, place) ? null : relianceOnRight(flow, place))

/** What stood there is used before it goes: paid to someone, added elsewhere. */
const isSettled = (flow: Flow, place: Location): boolean =>
  flow.answer(placesRead).some((read) => mayOverlap(read, place))

/** Each once, however often it is read. */
const placesRead = (flow: Flow): readonly Location[] => [...new Set(flow.stateLoads().map(({ location }) => location))]

/** Nobody writes a function by hand that pays more often. */
const mostPayments = 32

/** State that a payment rests on: its amount, also by way of other state, its token, and the conditions before it. */
const paidBy = (contractFlow: ContractFlow): PlacesOfFlows => {
  const found: PlaceOfFlow[] = []
  for (const payer of contractFlow.entryPoints)
    for (const { op, token, amount } of outgoingOf(payer).slice(0, mostPayments)) {
      const places = new Set(stateIn(payer, amount))
      let last: readonly Location[] = [...places]
      for (let hops = 0; hops < mostHops && last.length > 0; hops++) {
        last = last.flatMap((place) => contractFlow.answerAt(place, stateBehind)).filter((place) => !places.has(place))
        for (const place of last) places.add(place)
      }
      for (const place of token === null ? [] : stateIn(payer, token)) places.add(place)
      for (const { condition } of guardsAt(payer, op)) for (const place of stateIn(payer, condition)) places.add(place)
      for (const place of places) found.push({ flow: payer, place })
    }
  return byVariable(found)
}

/** An amount is worked out of what is stored, that of what was stored before. */
const mostHops = 3

/** State that a value is made of, inside this flow: one place for all that other functions cannot tell apart. */
const stateIn = (flow: Flow, value: Op): readonly Location[] => {
  const places = new Set<Location>()
  dependsOn(flow, value, (read) => {
    if (read.kind === 'load' && read.location.space !== 'memory')
      places.add(flow.contractFlow.answerAt(read.location, firstOfKind))
    return false
  })
  return [...places]
}

const firstOfKind = (_: ContractFlow, place: Location): Location => place

/** State that what is stored in a place is made of. */
const stateBehind = (contractFlow: ContractFlow, place: Location): readonly Location[] =>
  place.variable === null
    ? []
    : [...new Set(contractFlow.writersTo(place).flatMap(({ flow, op }) => stateIn(flow, op.args[0])))]

const payingBy = (flow: Flow, place: Location): readonly Flow[] =>
  flow.contractFlow.answerAt(place, payersBy).filter((payer) => payer !== flow)

const payersBy = (contractFlow: ContractFlow, place: Location): readonly Flow[] =>
  flowsAt(contractFlow.answer(paidBy), place)

const rights: ReadonlySet<Principal> = new Set(['one', 'role', 'holder', 'granted'])

/** Other functions write there, and ask who calls. */
const keepersOf = (flow: Flow, place: Location): readonly Flow[] =>
  flow.contractFlow.answerAt(place, keepersAt).filter((keeper) => keeper !== flow)

const keepersAt = (contractFlow: ContractFlow, place: Location): readonly Flow[] =>
  flowsAt(contractFlow.answer(writtenByRight), place)

const writtenByRight = ({ entryPoints }: ContractFlow): PlacesOfFlows =>
  byVariable(
    entryPoints.flatMap((flow) =>
      flow
        .stateStores()
        .filter((op) => op.location.variable !== null && rights.has(principalAt(flow, op)))
        .map(({ location }) => ({ flow, place: location })),
    ),
  )

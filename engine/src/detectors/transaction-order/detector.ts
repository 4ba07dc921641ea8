import {
  dependsOn,
  type Fact,
  findDependency,
  guardsAt,
  isProtected,
  isSender,
  runsOnce,
  Source,
  senderGuardsAt,
  taintOf,
  writesAfter,
} from '../../facts/index.ts'
import { tokenCallOf, tradeOf } from '../../idioms/index.ts'
import { type Flow, type Location, type Op, oncePerStart, sameValue, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { nodesOf } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

export default defineDetector({
  id: 'transaction-order',
  swc: 'SWC-114',
  title: 'The outcome depends on who comes first',
  severity: 'high',
  confidence: 'medium',
  description:
    'Pending transactions are public. Whoever sees this one can place another before it: copy a solution and take the reward, or change a price, a reward or an allowance just before it is used.',
  recommendation:
    'Bind secrets to the sender with a commitment that is revealed later, let callers state the value they expect, and change allowances by difference.',
  references: [
    'https://swcregistry.io/docs/SWC-114',
    'https://docs.soliditylang.org/en/latest/security-considerations.html',
  ],
  cwe: ['CWE-362'],
  yieldsTo: ['tx-origin-authorization'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints) {
      const hasStores = flow.stateStores().length > 0
      const hasCalls = flow.externalCalls().length > 0
      const hasHash = flow.has('builtin')
      if (hasHash) addSolvedPuzzles(flow, hits)
      if (hasCalls && hasStores) addChangedAmounts(flow, hits)
      if (hasCalls) addReplacedPrices(flow, hits)
      if (hasStores) addReplacedAllowances(flow, hits)
      addOpenTrades(flow, hits)
      if (hasStores) addOpenSetups(flow, hits)
      if (hasHash) addLooseCommitments(flow, hits)
    }
    return oncePerStart(hits)
  },
})

// A secret that is worth something the moment it is sent

/** A caller's value whose hash fits opens a reward for the sender: anybody can send the same value first. */
const addSolvedPuzzles = (flow: Flow, hits: Hit[]): void => {
  for (const prize of prizes(flow)) {
    const fact = guardsAt(flow, prize).find((guard) => isPuzzle(flow, guard))
    if (fact === undefined || isCommittedTo(flow, prize)) continue
    hits.push({
      at: { start: fact.condition.start, end: fact.condition.end },
      message: 'Whoever sees this solution in a pending transaction can send it first and take what it is worth.',
      trace: [{ at: { start: prize.start, end: prize.end }, message: 'The sender is rewarded here.' }],
    })
  }
}

/** Ether for the sender, or the sender written down as the winner. */
const prizes = (flow: Flow): Op[] => [
  ...flow.sends().filter((call) => call.call!.target !== null && isSender(call.call!.target)),
  ...flow.stateStores().filter((store) => isSender(store.args[0]!) && !isKeyedBySender(store.location!)),
]

const hashes = new Set(['keccak256', 'sha256', 'ripemd160'])

const isPuzzle = (flow: Flow, fact: Fact): boolean => {
  const op = fact.condition
  if (op.kind !== 'bin' || (op.operator === '==') !== fact.polarity || (op.operator !== '==' && op.operator !== '!='))
    return false
  return isSolution(flow, op.args[0]!, op.args[1]!) || isSolution(flow, op.args[1]!, op.args[0]!)
}

/** The sender had to lay down a hash of the solution in an earlier block: who sees it only now comes too late. */
const isCommittedTo = (flow: Flow, prize: Op): boolean => {
  const facts = guardsAt(flow, prize)
  const isOwn = (op: Op): boolean => op.kind === 'load' && isKeyedBySender(op.location!)
  return (
    facts.some(
      ({ condition }) =>
        condition.kind === 'bin' &&
        condition.args.some((side) => isOwn(stripCasts(side))) &&
        condition.args.some(
          (side) =>
            (taintOf(flow, side) & Source.param) !== 0 &&
            dependsOn(flow, side, (op) => op.kind === 'builtin' && hashes.has(op.operator)),
        ),
    ) &&
    facts.some(({ condition }) => (taintOf(flow, condition) & Source.time) !== 0 && dependsOn(flow, condition, isOwn))
  )
}

const isSolution = (flow: Flow, guess: Op, answer: Op): boolean => {
  const bits = taintOf(flow, guess)
  if ((bits & Source.param) === 0 || (bits & (Source.sender | Source.origin)) !== 0) return false
  if (!dependsOn(flow, guess, (op) => op.kind === 'builtin' && hashes.has(op.operator))) return false
  if ((taintOf(flow, answer) & (Source.param | Source.call | Source.unknown)) !== 0) return false
  const stored = stripCasts(answer)
  return stored.kind !== 'load' || !isKeyedBySender(stored.location!)
}

const isKeyedBySender = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent)
    if (at.index !== null && isSender(at.index)) return true
  return false
}

// An amount that is paid and replaced in one go

/** Pays what is stored, then stores what the caller says: two such transactions give different results in either order. */
const addChangedAmounts = (flow: Flow, hits: Hit[]): void => {
  for (const call of flow.externalCalls()) {
    const info = call.call!
    if (info.isStatic) continue
    const amounts = info.value === null ? call.args : [info.value]
    if (!amounts.some((amount) => isVariable(flow, amount))) continue
    for (const write of writesAfter(flow, call)) {
      const place = write.location
      if (place === null || place.variable === null || place.index !== null) continue
      const next = write.op.args[0]!
      if ((taintOf(flow, next) & (Source.param | Source.value)) === 0 || (taintOf(flow, next) & Source.state) !== 0)
        continue
      const paid = amounts.some((amount) => {
        const value = stripCasts(amount)
        return value.kind === 'load' && value.location === place
      })
      if (!paid || isWeighed(flow, write.op, place, next)) continue
      hits.push({
        at: { start: call.start, end: call.end },
        message: `\`${place.variable.name}\` is paid here and then replaced by the caller's value: the result depends on which transaction comes first.`,
        trace: [{ at: { start: write.start, end: write.end }, message: 'It is replaced here.' }],
      })
    }
  }
}

/** Whom it goes to is no amount. */
const isVariable = (flow: Flow, amount: Op): boolean => {
  const value = stripCasts(amount)
  if (value.kind !== 'load' || value.location!.variable === null || value.location!.index !== null) return false
  const type = flow.typeOf(value)?.kind
  return type !== 'address' && type !== 'contract'
}

/** The new value had to beat the old one, as in an auction: coming first gains nothing. */
const isWeighed = (flow: Flow, at: Op, place: Location, next: Op): boolean =>
  guardsAt(flow, at).some(({ condition }) => {
    if (condition.kind !== 'bin') return false
    const sides = condition.args.map(stripCasts)
    return (
      sides.some((side) => side.kind === 'load' && side.location === place) &&
      sides.some((side) => sameValue(side, next))
    )
  })

// A price that somebody else sets

/** The caller is paid by a price that another function replaces, and cannot say which one he expects. */
const addReplacedPrices = (flow: Flow, hits: Hit[]): void => {
  for (const send of flow.sends()) {
    const { target, value } = send.call!
    if (target === null || value === null || !isSender(target)) continue
    const place = priceIn(value, 0)
    const variable = place?.variable ?? null
    if (place === null || variable === null || isForOne(flow, send) || isExpected(flow, send, place)) continue
    const setter = flow.whole.writersOf(variable).find((write) => replaces(write.flow, write.op))
    if (setter === undefined) continue
    hits.push({
      at: { start: send.start, end: send.end },
      confidence: 'low',
      message: `\`${variable.name}\` decides what the caller gets here, and \`${setter.flow.name}\` can replace it just before.`,
      trace: [{ at: { start: setter.op.start, end: setter.op.end }, message: 'It is replaced here.' }],
    })
  }
}

/** One known account gets here; others are let in by what is on record about them, or by the tokens they pay. */
const isForOne = (flow: Flow, send: Op): boolean =>
  senderGuardsAt(flow, send).some(
    ({ against, places, op }) =>
      against !== 'keyed' &&
      against !== 'signature' &&
      !places.some((place) => place.index !== null) &&
      !(against === 'external' && op.kind === 'assume' && tokenCallOf(stripCasts(op.args[0]!)) !== null),
  )

/** The amount itself, or a factor of it, that lies in a variable of its own. */
const priceIn = (value: Op, depth: number): Location | null => {
  const op = stripCasts(value)
  if (op.kind === 'load') return op.location!.space === 'state' && op.location!.part === 'root' ? op.location : null
  if (op.kind !== 'bin' || depth > 3) return null
  if (op.operator === '*') return priceIn(op.args[0]!, depth + 1) ?? priceIn(op.args[1]!, depth + 1)
  return op.operator === '/' ? priceIn(op.args[0]!, depth + 1) : null
}

/** A condition holds the price, or what follows from it, against something that the caller said. */
const isExpected = (flow: Flow, send: Op, price: Location): boolean =>
  guardsAt(flow, send).some(
    ({ condition }) =>
      condition.kind === 'bin' &&
      (taintOf(flow, condition) & (Source.param | Source.value)) !== 0 &&
      dependsOn(flow, condition, (op) => op.kind === 'load' && op.location === price),
  )

/** Some function that works more than once stores a number of its caller there, whatever was there before. */
const replaces = (flow: Flow, store: Op): boolean => {
  if (!flow.isEntryPoint || store.location!.part !== 'root' || runsOnce(flow, store)) return false
  const bits = taintOf(flow, store.args[0]!)
  return (bits & (Source.param | Source.value)) !== 0 && (bits & Source.state) === 0
}

// An allowance that is replaced, not changed

/** `allowed[msg.sender][spender] = value` where a spender can use up the old value first and then the new one. */
const addReplacedAllowances = (flow: Flow, hits: Hit[]): void => {
  for (const store of flow.stateStores()) {
    const place = store.location!
    const variable = place.variable
    if (variable === null || place.depth !== 2 || place.index === null || place.parent?.index == null) continue
    if (
      !isSender(place.parent.index) ||
      stripCasts(place.index).kind !== 'param' ||
      stripCasts(store.args[0]!).kind !== 'param'
    )
      continue
    if (flow.writtenIn(store)?.file.isStub || isInOtherEntry(flow, store)) continue
    if (requiresZero(flow, store, place) || !isSpent(flow, place) || hasDifference(flow, place)) continue
    hits.push({
      at: flow.inEntry(store),
      message: 'The spender can use the old allowance just before this replaces it, and then the new one.',
    })
  }
}

/** Through another function that callers see as well: it is reported there, once for the token. */
const isInOtherEntry = (flow: Flow, op: Op): boolean => {
  for (let site = op.site; site !== null; site = site.parent)
    if (site.call !== null && flow.whole.entryPoints.some(({ fn }) => fn === site.fn)) return true
  return false
}

const requiresZero = (flow: Flow, store: Op, place: Location): boolean =>
  guardsAt(flow, store).some(({ condition }) =>
    dependsOn(flow, condition, (op) => op.kind === 'load' && op.location === place),
  )

/** Some function lowers `allowed[owner][msg.sender]`: an allowance that others spend. */
const isSpent = (flow: Flow, place: Location): boolean =>
  flow.whole.writersOf(place.variable!).some(({ op }) => {
    const at = op.location!
    if (at.depth !== 2 || at.index === null || !isSender(at.index)) return false
    const value = stripCasts(op.args[0]!)
    return value.kind === 'bin' ? value.operator === '-' : value.kind === 'phi' || value.kind === 'call'
  })

/** The contract also offers to raise or lower an allowance by a difference. */
const hasDifference = (flow: Flow, place: Location): boolean =>
  flow.whole.writersOf(place.variable!).some(({ op }) => {
    const at = op.location!
    if (at.depth !== 2 || at.parent?.index == null || !isSender(at.parent.index) || isSender(at.index!)) return false
    const value = stripCasts(op.args[0]!)
    return value.kind === 'bin' && (value.operator === '+' || value.operator === '-')
  })

// A trade at whatever price the exchange has when it runs

/** Whoever trades just before moves the price, lets this one through and moves the price back. */
const addOpenTrades = (flow: Flow, hits: Hit[]): void => {
  for (const call of flow.externalCalls()) {
    const trade = tradeOf(flow, call)
    if (trade === null || trade.bound === 'given' || (trade.bound === 'none' && !trade.isPooled)) continue
    hits.push({
      at: { start: call.start, end: call.end },
      message:
        trade.bound === 'none'
          ? `\`${trade.name}\` trades what the contract holds and takes any amount in return: whoever trades just before decides the price.`
          : `The least amount for \`${trade.name}\` follows from the price that whoever trades just before has made.`,
      trace: flow.trace(call),
    })
  }
}

// A set-up that whoever comes first does

/**
 * Takes addresses from anybody, once. A contract whose constructor already stored something is deployed as it stands,
 * not behind a proxy, so its set-up is a second transaction that a stranger can forestall.
 */
const addOpenSetups = (flow: Flow, hits: Hit[]): void => {
  for (const store of flow.stateStores()) {
    const place = store.location!
    if (place.part !== 'root' || place.variable === null || stripCasts(store.args[0]!).kind !== 'param') continue
    if (!isAccount(place.variable) || !runsOnce(flow, store)) continue
    if (senderGuardsAt(flow, store).length > 0 || !isSetByConstructor(flow, place.variable) || isMadeHere(flow))
      continue
    hits.push({
      at: { start: store.start, end: store.end },
      confidence: 'low',
      message: `Whoever calls \`${flow.name}\` first decides \`${place.variable.name}\`, once and for all: the deployer can be forestalled.`,
      trace: flow.trace(store),
    })
    return
  }
}

const isAccount = ({ type }: VariableModel): boolean =>
  type.kind === 'address' || type.kind === 'contract' || type.kind === 'unknown'

/** The constructor keeps something in storage, and does not do this very set-up itself. */
const isSetByConstructor = ({ whole }: Flow, chosen: VariableModel): boolean => {
  const constructors = whole.flows.filter(({ isConstructor }) => isConstructor)
  if (constructors.some((flow) => flow.stateStores().some(({ location }) => location!.variable === chosen)))
    return false
  return constructors.some((flow) =>
    flow.stateStores().some(({ location, args }) => {
      const variable = location!.variable
      if (variable === null || variable.isImmutable || variable.contract?.isStub) return false
      return (taintOf(flow, args[0]!) & (Source.param | Source.sender)) !== 0
    }),
  )
}

/** Another contract of these files makes it, and can set it up in the same transaction. */
const isMadeHere = ({ model, contract }: Flow): boolean =>
  model.files.some(({ unit }) =>
    nodesOf(unit, 'NewExpression').some(({ type }) => {
      const made = model.typeOfName(type)
      return made.kind === 'contract' && made.contract === contract
    }),
  )

// A commitment that does not say for whom

/** The revealed secret fits whoever copies it, because neither the sender nor the beneficiary is part of the hash. */
const addLooseCommitments = (flow: Flow, hits: Hit[]): void => {
  for (const call of flow.ops('call')) {
    if (call.call!.inlined || call.call!.isStatic || call.operator === 'modifier') continue
    const favoured = call.args.map(stripCasts).filter((arg) => isSender(arg) || isAddressParam(arg))
    if (favoured.length === 0 || isForSome(flow, call)) continue
    const hash = commitmentAt(flow, call)
    if (hash === null || favoured.some((who) => dependsOn(flow, hash, (op) => op === who || sameValue(op, who))))
      continue
    hits.push({
      at: { start: hash.start, end: hash.end },
      message:
        'This commitment does not say for whom it is: whoever sees it revealed can reveal it first, for themselves.',
      trace: [{ at: { start: call.start, end: call.end }, message: 'It is worth something here.' }],
    })
  }
}

/** Something asks who is calling; a function of a missing file that is only called on the way does not. */
const isForSome = (flow: Flow, call: Op): boolean =>
  senderGuardsAt(flow, call).some(({ against, op }) => against !== 'unknown' || op.operator === 'modifier')

const isAddressParam = (op: Op): boolean =>
  op.kind === 'param' && op.decl?.kind === 'variable' && op.decl.type.kind === 'address'

/** The hash of what the caller reveals, under which the time of an earlier commitment is noted. */
const commitmentAt = (flow: Flow, at: Op): Op | null => {
  for (const { condition } of guardsAt(flow, at)) {
    const note = findDependency(flow, condition, (op) => op.kind === 'load' && op.location!.index !== null)
    const hash = note === undefined ? null : stripCasts(note.location!.index!)
    const variable = note?.location?.variable ?? null
    if (hash === null || variable === null || hash.kind !== 'builtin' || !hashes.has(hash.operator)) continue
    const bits = taintOf(flow, hash)
    if ((bits & Source.param) === 0 || (bits & (Source.sender | Source.origin)) !== 0) continue
    if (flow.whole.writersOf(variable).some((write) => isNotedTime(write.flow, write.op))) return hash
  }
  return null
}

/** `commitments[c] = block.timestamp`, by anybody: the moment itself, not a record that has one. */
const isNotedTime = (flow: Flow, store: Op): boolean =>
  store.location!.part === 'index' &&
  stripCasts(store.args[0]!).kind !== 'make' &&
  flow.isEntryPoint &&
  (taintOf(flow, store.args[0]!) & Source.time) !== 0 &&
  !isProtected(flow, store)

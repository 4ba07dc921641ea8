/**
 * Numbers that an outsider can really bring about: an under-approximation beside `interval`, which says what cannot be
 * excluded. Where nothing is known a number is ordinary: small, and what suits the arithmetic in question best. Followed
 * across transactions: what anyone can have stored can be read.
 *
 * - A parameter is the caller's, unless only a role gets here; then an outsider chooses nothing.
 * - Ether and tokens exist in limited numbers, and nobody can pay for more than so many calls.
 * - A contract that an outsider chose answers anything; one that the protocol chose answers something ordinary.
 */
import {
  addRelation,
  contentOf,
  grownBy,
  intervalOf,
  isChosenByRole,
  isUntrusted,
  partFor,
  type Relation,
  relationsAt,
  relationsOnEdge,
  Source,
  taintOf,
  upperBoundsOf,
  valuesFor,
} from '../facts/index.ts'
import {
  type BinaryOp,
  budget,
  exactBounds,
  type Flow,
  fieldPath,
  type Interval,
  isBefore,
  join,
  type LoadOp,
  type Location,
  mayOverlapAcross,
  type Op,
  type OpOf,
  rangeOf,
  rootOf,
  type StoreOp,
  sameValue,
  stripCasts,
  within,
} from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { choicesOf, chosenBy, rangesInto } from './choices.ts'
import { afterRounds, isRoundStart } from './loop-rounds.ts'
import { isPaidFor } from './paid-amounts.ts'

/** Units of one token that exist, however many decimals it has. */
const tokenSupply = 1n << 112n
/** Calls that someone can pay for: more would take all blocks of a year. */
const payableCalls = 1n << 31n

/** What the clock of a chain shows in the years to come, in seconds or in blocks: nobody can put it forward. */
const soon = 1n << 31n
const clocks: ReadonlySet<string> = new Set(['block.timestamp', 'block.number'])

const maxDepth = budget.depth.attainable
const maxStateDepth = budget.depth.attainableState

interface Question {
  /** What stands for a number that nobody unprivileged has a hand in. */
  readonly ordinary: Interval
  /** What stands for a number that the deployer or a role has set: a rate, a price. */
  readonly configured: Interval
  /** Whether what a function that is missing keeps for outsiders counts. */
  readonly isUnreadKept: boolean
  /** Places whose writers are being looked at. */
  readonly open: readonly Location[]
  /** What was found out about values at the operation in question, by the depth of the search: many of them share their parts and limits. */
  readonly known: Map<Op, Interval[]>
  /** The same question about values at other operations. */
  readonly elsewhere: Map<Op, Question>
}

/** A question that differs from another has answers of its own. */
const withOwnMemo = (question: Omit<Question, 'known' | 'elsewhere'>): Question => ({
  ...question,
  known: new Map(),
  elsewhere: new Map(),
})

const questionAt = (question: Question, at: Op): Question => {
  let other = question.elsewhere.get(at)
  if (other === undefined) {
    other = { ...question, known: new Map() }
    question.elsewhere.set(at, other)
  }
  return other
}

const none: Interval = { min: 0n, max: 0n }

/**
 * Whether an outsider can bring an operation to a result that its type cannot hold: `surely` when that takes nothing that
 * others have to do first, `perhaps` when a number that others set must not be nothing.
 */
export const canBeMadeToWrap = (flow: Flow, op: BinaryOp): 'surely' | 'perhaps' | 'no' => {
  if (isChosenByRole(flow, op) && !op.args.some((arg) => (taintOf(flow, arg) & Source.outsiderState) !== 0)) return 'no'
  const configured = op.operator === '*' ? rate : none
  const wrapsBy = (ordinary: readonly [Interval, Interval], set: Interval): boolean =>
    wrapsWith(flow, op, ordinary, { configured: set, isUnreadKept: false })
  if (op.operator === '-' && isRefusedBelowZero(flow, op)) return 'no'
  if (wrapsBy(nothing, configured) && (op.operator !== '-' || wrapsBy(fromPlenty, none)))
    return op.operator === '-' && areRelated(flow, op) ? 'perhaps' : 'surely'
  const ordinary = ordinaryFor(op.operator)
  return wrapsWith(flow, op, ordinary, { configured: ordinary[0], isUnreadKept: true }) ? 'perhaps' : 'no'
}

/** What may be taken off when the rest is looked at afterwards: a step, not an amount. */
const largestStep = 1n << 64n

/** `priceOf(id - 1)`, where `require(id <= latest)` follows before anything is done with it: what lies below zero is more than anyone can have counted. */
const isRefusedBelowZero = (flow: Flow, op: BinaryOp): boolean => {
  const range = rangeOf(flow.typeOf(op))
  const step = stripCasts(op.args[1])
  if (range.min !== 0n || step.kind !== 'const' || step.constant === null || step.constant > largestStep) return false
  const least = range.max - step.constant
  const question = { ordinary: none, configured: none, isUnreadKept: false, open: [] }
  const users = flow.usersOf(op).filter(({ kind, call }) => kind !== 'call' || !call.inlined)
  return users.some((test) => {
    if (test.kind !== 'bin') return false
    const subject = flow.usersOf(test).find(({ kind, args }) => kind === 'assume' && args[0] === test)
    const relations: Relation[] = []
    addRelation(relations, test, true)
    const limit = relations.find(({ smaller }) => stripCasts(smaller) === op)?.greater
    if (subject === undefined || limit === undefined) return false
    if (!users.every((user) => user === test || flow.dominates(subject, user))) return false
    return reach(flow, limit, subject, withOwnMemo(question), 0).max < least
  })
}

/** Both sides of a difference rest on the same number: one cannot be made small and the other large at will. */
const areRelated = (flow: Flow, { args }: Op): boolean => {
  const sources = sourcesOf(flow, args[0]!)
  for (const source of sourcesOf(flow, args[1]!)) if (sources.has(source)) return true
  return false
}

const maxSources = budget.work.attainableSources

/** What a value is worked out from: parameters, answers, and places that are read. */
const sourcesOf = (flow: Flow, value: Op): ReadonlySet<object> => {
  const found = new Set<object>()
  const seen = new Set<Op>()
  const work = [value]
  while (work.length > 0 && seen.size < maxSources) {
    const op = work.pop()!
    if (seen.has(op)) continue
    seen.add(op)
    if (op.kind === 'load') addPlace(flow, op.location, found, work)
    else if (op.kind === 'param' || op.kind === 'call') found.add(op)
    else work.push(...op.args)
    // What decides which of several values it is counts too.
    if (op.kind === 'phi') for (const pred of flow.blocks[op.block]!.preds) addCondition(flow, pred, work)
  }
  return found
}

const addCondition = (flow: Flow, block: number, work: Op[]): void => {
  const { condition, preds } = flow.blocks[block]!
  if (condition !== null) work.push(condition)
  for (const pred of preds) {
    const before = flow.blocks[pred]!.condition
    if (before !== null && pred < block) work.push(before)
  }
}

const addPlace = (flow: Flow, place: Location, found: Set<object>, work: Op[]): void => {
  const content = contentOf(flow, place)
  if (content === null) found.add(place)
  else work.push(...content.values)
}

const wrapsWith = (
  flow: Flow,
  op: BinaryOp,
  ordinary: readonly [Interval, Interval],
  others: Pick<Question, 'configured' | 'isUnreadKept'>,
): boolean => {
  const range = rangeOf(flow.typeOf(op))
  const of = (side: 0 | 1): Interval =>
    reach(flow, op.args[side], op, withOwnMemo({ ...others, ordinary: ordinary[side], open: [] }), 0)
  const [a, b] = [of(0), of(1)]
  const exact = exactBounds(op.operator, a, b)
  return exact === null || exact.max > range.max || exact.min < range.min
}

/** A number that someone set in order to multiply by it is something. */
const rate: Interval = { min: 0n, max: 2n }

/** What proves nothing: nothing is added or multiplied, and there is plenty of what is taken from. */
const nothing: readonly [Interval, Interval] = [none, none]
const fromPlenty: readonly [Interval, Interval] = [{ min: tokenSupply, max: tokenSupply }, none]

/** One more, or twice as much, of something that is there; nothing to take from. */
const ordinaryFor = (operator: string): readonly [Interval, Interval] => {
  const ordinary = operator === '+' ? { min: 0n, max: 1n } : operator === '-' ? none : { min: 0n, max: 2n }
  return [ordinary, ordinary]
}

const reach = (flow: Flow, value: Op, at: Op, question: Question, depth: number): Interval => {
  const range = rangeOf(flow.typeOf(value))
  if (depth > maxDepth) return within(question.ordinary, range)
  if (value.kind === 'const') return within(unguarded(flow, value, at, range, question, depth), range)
  const known = question.known.get(value) ?? []
  question.known.set(value, known)
  known[depth] ??= guarded(
    flow,
    value,
    within(unguarded(flow, value, at, range, question, depth), range),
    at,
    question,
    depth,
  )
  return known[depth]
}

/** What was compared on the path here leaves less to choose. */
const guarded = (flow: Flow, value: Op, own: Interval, at: Op, question: Question, depth: number): Interval => {
  let { min, max } = own
  const proven = intervalOf(flow, value, at)
  if (proven.min > min) min = proven.min
  if (proven.max < max) max = proven.max
  if (depth + 2 <= maxDepth)
    for (const { greater } of upperBoundsOf(flow, relationsAt(flow, at), value)) {
      if (stripCasts(greater) === stripCasts(value)) continue
      const most = reach(flow, greater, at, question, depth + 2).max
      if (most < max) max = most
    }
  return max < min ? { min, max: min } : { min, max }
}

const unguarded = (flow: Flow, value: Op, at: Op, range: Interval, question: Question, depth: number): Interval => {
  const of = (arg: Op): Interval => reach(flow, arg, at, question, depth + 1)
  switch (value.kind) {
    case 'const':
      return value.constant === null ? question.ordinary : { min: value.constant, max: value.constant }
    case 'env':
      if (clocks.has(value.operator)) return { min: intervalOf(flow, value).min, max: soon }
      return value.operator === 'msg.value' && isChosenByRole(flow, at) ? question.ordinary : intervalOf(flow, value)
    case 'param':
      return isChosenByRole(flow, at) ? question.ordinary : given(flow, value, at, range)
    case 'cast':
      return of(value.args[0])
    case 'load':
      return loaded(flow, value, at, range, question, depth)
    case 'phi':
      return chosen(flow, value, at, question, depth)
    case 'select':
      return joined(choicesOf(value, of), question)
    case 'bin':
      if (isDivision(value) && isOutOfReach(flow, value.args[1], at, question, depth)) return question.ordinary
      return computed(flow, value, of(value.args[0]), of(value.args[1]), range, question)
    case 'call':
    case 'extract':
      return answered(flow, value, range, question, depth)
    default:
      return question.ordinary
  }
}

/** What leads there first, and in a loop what the rounds make of it: each step is held to what was compared where it is taken. */
const chosen = (flow: Flow, phi: OpOf<'phi'>, at: Op, question: Question, depth: number): Interval => {
  const of = (arg: Op): Interval => reach(flow, arg, at, question, depth + 1)
  const first = joined(
    rangesInto(flow, phi, (arg) => isBefore(arg, phi), of),
    question,
  )
  if (!isRoundStart(flow, phi)) return first
  return afterRounds(flow, phi, first, {
    of: (value, user) => (user === at ? of(value) : reach(flow, value, user, questionAt(question, user), depth + 1)),
    computed: (op, a, b) => computed(flow, op, a, b, rangeOf(flow.typeOf(op)), question),
  })
}

const joined = (parts: readonly Interval[], question: Question): Interval =>
  parts.length === 0 ? question.ordinary : parts.reduce(join)

/** What a caller names; an amount that is paid with exists. */
const given = (flow: Flow, param: Op, at: Op, range: Interval): Interval =>
  range.max > tokenSupply && isPaidFor(flow, param, at)
    ? { min: range.min < 0n ? 0n : range.min, max: tokenSupply }
    : range

const computed = (
  flow: Flow,
  op: BinaryOp,
  a: Interval,
  b: Interval,
  range: Interval,
  question: Question,
): Interval => {
  const exact = quotient(op.operator, a, b) ?? exactBounds(op.operator, a, b)
  if (exact === null) return op.operator === '<<' ? shifted(flow, op, a, range) : question.ordinary
  // Whether this one wraps is judged where it stands: one mistake, one finding.
  return within(exact, range)
}

const isDivision = ({ operator }: Op): boolean => operator === '/' || operator === '%'

/** Nobody divides by nothing: of a divisor that no outsider has a hand in, nothing is known but that it is something. */
const isOutOfReach = (flow: Flow, divisor: Op, at: Op, question: Question, depth: number): boolean => {
  const value = stripCasts(divisor)
  if (value.kind === 'const') return false
  const unconfigured = withOwnMemo({ ...question, configured: none })
  return unguarded(flow, value, at, rangeOf(flow.typeOf(value)), unconfigured, depth + 1).max === 0n
}

const shifted = (flow: Flow, op: BinaryOp, a: Interval, range: Interval): Interval => {
  const by = intervalOf(flow, op.args[1])
  if (by.max > 255n || a.min < 0n) return range
  const most = a.max << by.max
  return most > range.max ? range : { min: a.min << by.min, max: most }
}

const quotient = (operator: string, a: Interval, b: Interval): Interval | null => {
  if (a.min < 0n || b.min < 0n) return null
  const least = b.min > 0n ? b.min : 1n
  if (operator === '/') return { min: 0n, max: a.max / least }
  if (operator !== '%') return null
  const most = b.max > 0n ? b.max - 1n : 0n
  return { min: 0n, max: a.max < most ? a.max : most }
}

const answered = (flow: Flow, value: Op, range: Interval, question: Question, depth: number): Interval => {
  const call = value.kind === 'extract' ? value.args[0] : value
  const target = call.call?.kind === 'external' ? call.call.target : null
  if (target != null && isUntrusted(flow, target, call)) return range
  const isQueried = question.isUnreadKept && depth <= maxStateDepth && storageArgument(call) !== null
  return isQueried ? keptUnread(flow, call, question, depth) : question.ordinary
}

/** `store.get(key)` of a library that is not among the files: the state that it is handed. */
const storageArgument = ({ kind, call, args }: Op): VariableModel | null => {
  if (kind !== 'call' || call.kind !== 'internal' || call.definition !== null) return null
  const first = args[0] === undefined ? undefined : stripCasts(args[0])
  return first?.kind === 'load' && first.location.space === 'state' ? first.location.variable : null
}

/** What anyone can have instructed such a library to keep there: `store.set(key, number)`, which answers nothing that is used. */
const keptUnread = (flow: Flow, question: Op, subject: Question, depth: number): Interval => {
  let all = subject.ordinary
  for (const writer of flow.contractFlow.entryPoints)
    for (const call of writer.ops('call')) {
      if (storageArgument(call) !== storageArgument(question) || writer.usersOf(call).length > 0) continue
      if (isChosenByRole(writer, call) || isOtherEntry(call, question)) continue
      for (const kept of call.args.slice(1))
        if (stripCasts(kept).kind === 'param')
          all = join(all, reach(writer, kept, call, withOwnMemo({ ...subject, isUnreadKept: false }), depth + 2))
    }
  return all
}

/** Both name an entry by something that is written there, and not by the same. */
const isOtherEntry = (a: Op, b: Op): boolean =>
  a.args.some((arg, i) => {
    const other = b.args[i]
    if (arg.kind !== 'const' || other?.kind !== 'const') return false
    return arg.constant !== other.constant || arg.operator !== other.operator
  })

const loaded = (flow: Flow, load: LoadOp, at: Op, range: Interval, question: Question, depth: number): Interval => {
  const place = load.location
  if (place.part === 'length') return isKeptShort(flow, place) ? question.ordinary : intervalOf(flow, load)
  if (place.space !== 'memory') return kept(flow, place, question, depth)
  const content = contentOf(flow, place)
  if (content !== null) {
    const parts = content.values.map((value) => reach(flow, value, at, question, depth + 1))
    for (const copy of content.copies) parts.push(kept(flow, copy, question, depth))
    return joined([none, ...parts], question)
  }
  return isGivenObject(place) && !isChosenByRole(flow, at) ? range : question.ordinary
}

/** A list that its keepers alone make longer. */
const isKeptShort = ({ contractFlow }: Flow, { space, variable, parent }: Location): boolean => {
  if (space !== 'state' || variable === null || parent === null) return false
  const path = `${fieldPath(parent)}.length`
  const by = contractFlow.remember(
    contractFlow.remember(isKeptShort, variable, () => ({})),
    path,
    () => grownBy(contractFlow, variable, true, path),
  )
  return by === 'privileged' || by === 'none'
}

/** An element or a field of what the caller passes in. */
const isGivenObject = (place: Location): boolean => {
  const { base } = rootOf(place)
  return base !== null && stripCasts(base).kind === 'param'
}

/** What anyone can have stored there, in as many calls as it takes. */
const kept = (flow: Flow, place: Location, question: Question, depth: number): Interval => {
  if (place.variable === null || place.variable.isConstant) return question.ordinary
  if (place.variable.isImmutable) return join(question.ordinary, question.configured)
  if (depth > maxStateDepth || question.open.some((open) => isSamePart(open, place))) return question.ordinary
  const answers = flow.contractFlow.answer(createStored)
  const key = answers.keyOf(place, question, depth)
  let known = answers.known.get(key)
  if (known === undefined) {
    known = stored(flow, place, place.variable, question, depth)
    answers.known.set(key, known)
  }
  return known
}

/**
 * What was found out about stored numbers. All functions that read one mapping ask the same about the same writers: that is
 * answered once for each kind of place, and else would grow with the square of the functions.
 */
class StoredNumbers {
  readonly known = new Map<string, Interval>()
  readonly #variables = new Map<VariableModel | null, number>()

  /** Everything that the answer rests on: the place as far as writers can tell it from others, what the question is, and what is open. */
  keyOf(place: Location, { ordinary, configured, isUnreadKept, open }: Question, depth: number): string {
    const subject = [ordinary.min, ordinary.max, configured.min, configured.max, isUnreadKept, depth].join(' ')
    return [subject, this.#nameOf(place), ...open.map((one) => this.#nameOf(one))].join('|')
  }

  #nameOf(place: Location): string {
    let name = ''
    for (let at: Location | null = place; at !== null; at = at.parent)
      name += ` ${at.part} ${at.name} ${at.index?.kind === 'const' ? at.index.constant : ''}`
    let number = this.#variables.get(place.variable)
    if (number === undefined) {
      number = this.#variables.size
      this.#variables.set(place.variable, number)
    }
    return number + name
  }
}

const createStored = (): StoredNumbers => new StoredNumbers()

const stored = (flow: Flow, place: Location, variable: VariableModel, question: Question, depth: number): Interval => {
  let all = none
  const open = [...question.open, place]
  for (const { flow: writer, op } of flow.contractFlow.writersOf(variable)) {
    if (writer.isConstructor) all = join(all, written(op, place))
    if (!writer.isEntryPoint || !mayOverlapAcross(op.location, place)) continue
    if (isChosenByRole(writer, op)) {
      all = join(all, question.configured)
      continue
    }
    if (op.flag) continue
    const value = partFor(place, op)
    const values = stripCasts(value).kind === 'make' ? (valuesFor(writer, op, place) ?? []) : [value]
    for (const one of values)
      all = join(all, repeated(writer, stripCasts(one), op, place, withOwnMemo({ ...question, open }), depth))
  }
  return all
}

/** What the deployment puts there, where that is written down. */
const written = (store: StoreOp, place: Location): Interval => {
  const value = stripCasts(partFor(place, store))
  return value.kind === 'const' && value.constant !== null ? { min: value.constant, max: value.constant } : none
}

/** `n += step`, once for each call that someone pays for; a step of the caller's choice needs only one. */
const repeated = (
  writer: Flow,
  value: Op,
  store: StoreOp,
  place: Location,
  question: Question,
  depth: number,
): Interval => {
  const step = value.kind === 'bin' && value.operator === '+' ? stepOf(value, place) : null
  if (step === null) return reach(writer, value, store, question, depth + 2)
  const { max } = reach(writer, step, store, question, depth + 2)
  const most = isSupplied(writer, step, store, 0) ? max : max * payableCalls
  const range = rangeOf(writer.typeOf(value))
  return { min: 0n, max: most > range.max ? range.max : most }
}

/** What every call has to bring in ether or tokens: all calls together bring no more than there is. */
const isSupplied = (writer: Flow, step: Op, at: Op, depth: number): boolean => {
  const op = stripCasts(step)
  if (depth > maxStateDepth) return false
  const of = (arg: Op): boolean => isSupplied(writer, arg, at, depth + 1)
  switch (op.kind) {
    case 'env':
      return true
    case 'const':
      return op.constant === 0n
    case 'param':
      return isPaidFor(writer, op, at)
    case 'phi':
      return op.args.every((arg, edge) => of(arg) || isHeldTo(arg, relationsOnEdge(writer, op, edge), of))
    case 'select':
      return [op.args[1], op.args[2]].every((arg, i) => of(arg) || isHeldTo(arg, chosenBy(op, i === 0), of))
    case 'bin':
      return isDivision(op) && of(op.args[0])
    default:
      return false
  }
}

const isHeldTo = (arg: Op, relations: readonly Relation[], is: (arg: Op) => boolean): boolean =>
  relations.some(({ greater, smaller }) => sameValue(smaller, arg) && is(greater))

const stepOf = ({ args }: BinaryOp, place: Location): Op | null => {
  const isOld = (arg: Op): boolean => {
    const op = stripCasts(arg)
    return op.kind === 'load' && isSamePart(op.location, place)
  }
  return isOld(args[0]) ? args[1] : isOld(args[1]) ? args[0] : null
}

const isSamePart = (a: Location, b: Location): boolean =>
  a.variable === b.variable && a.part === b.part && a.name === b.name && a.depth === b.depth

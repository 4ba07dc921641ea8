import {
  dependsOn,
  findDependency,
  guardsAt,
  isRolePrincipal,
  type Principal,
  principalAt,
  relationsAt,
} from '../../facts/index.ts'
import { entriesOf, isRoundStart, keysOf, outgoingOf, witnessStep } from '../../idioms/index.ts'
import {
  type BinaryOp,
  bothOrders,
  type Flow,
  holding,
  isComparison,
  isInLoop,
  isOne,
  isOrdering,
  type Location,
  type LoopMark,
  type Op,
  rootOf,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly mark: LoopMark
  /** The list of the caller's that the loop goes through. */
  readonly list: Op
  /** What is read about each element: an entry of state, or another contract. */
  readonly checkedAt: Op
  /** What is given for the sum, or for the number of elements. */
  readonly effect: Op
}

/** The list of the caller's that an element of this round is read from. */
const listRead = (mark: LoopMark, op: Op): Op | null =>
  op.kind === 'load' && op.location.space === 'memory' && keysOf(op.location).some((index) => isCounter(mark, index))
    ? rootOfMemory(op.location)
    : null

const isCounter = ({ header }: LoopMark, index: Op): boolean => {
  const op = stripCasts(index)
  return op.kind === 'phi' && op.block === header
}

const rootOfMemory = (place: Location): Op | null => {
  const root = rootOf(place)
  const base = root.base === null ? null : stripCasts(root.base)
  return base?.kind === 'param' ? base : null
}

/** The lists of the caller's that the loop goes through, one element each round. */
const listsOf = (flow: Flow, mark: LoopMark): Set<Op> => {
  const lists = new Set<Op>()
  for (const op of flow.bodyOf(mark)) {
    const list = listRead(mark, op)
    if (list !== null) lists.add(list)
  }
  return lists
}

const restsOnElement = (flow: Flow, mark: LoopMark, list: Op, value: Op): boolean =>
  dependsOn(flow, value, (op) => listRead(mark, op) === list)

const keysRestOnElement = (flow: Flow, mark: LoopMark, list: Op, place: Location): boolean =>
  keysOf(place).some((index) => restsOnElement(flow, mark, list, index))

/** What is stored under the element, or what another contract answers about it. */
const isCheckOf = (flow: Flow, mark: LoopMark, list: Op, op: Op): boolean => {
  if (!isInLoop(mark, op)) return false
  if (op.kind === 'load') return op.location.space !== 'memory' && keysRestOnElement(flow, mark, list, op.location)
  return (
    op.kind === 'call' &&
    op.call.isStatic &&
    op.call.kind === 'external' &&
    op.args.some((arg) => restsOnElement(flow, mark, list, arg))
  )
}

/** `sum += …` in the loop: the sum as the loop carries it, and what each round adds. */
const sumsOf = (flow: Flow, mark: LoopMark): { sum: Op; addition: BinaryOp; added: Op }[] =>
  flow.bodyOf(mark).flatMap((addition) => {
    if (addition.kind !== 'bin' || addition.operator !== '+') return []
    const [left, right] = addition.args.map(stripCasts) as [Op, Op]
    const sum = isCounter(mark, left) ? left : isCounter(mark, right) ? right : null
    return sum === null ? [] : [{ sum, addition, added: sum === left ? right : left }]
  })

/** What each round counts for is decided by what is read about the element. */
const findChecked = (flow: Flow, mark: LoopMark, list: Op, addition: Op, added: Op): Op | undefined => {
  const conditions = guardsAt(flow, addition).flatMap(({ condition }) => (isInLoop(mark, condition) ? [condition] : []))
  return findAmong(flow, mark, list, [added, ...conditions])
}

const findAmong = (flow: Flow, mark: LoopMark, list: Op, values: readonly Op[]): Op | undefined => {
  let found: Op | undefined
  for (const value of values)
    dependsOn(flow, value, (op) => {
      if (isCheckOf(flow, mark, list, op)) found = op
      return found !== undefined
    })
  return found
}

/** What is given for a number: a payment or an entry of so much, or anything that it must be large enough for. */
const givenFor = (flow: Flow, mark: LoopMark, isNumber: (op: Op) => boolean): Op | undefined => {
  const rests = (value: Op): boolean => dependsOn(flow, value, isNumber)
  const paid = outgoingOf(flow).find(({ op, amount }) => !isInLoop(mark, op) && rests(amount))
  if (paid !== undefined) return paid.op
  const raised = entriesOf(flow).find(({ op, amount, isRaised }) => isRaised && !isInLoop(mark, op) && rests(amount))
  if (raised !== undefined) return raised.op
  return effectsAfter(flow, mark).find((op) =>
    relationsAt(flow, op).some(({ greater, smaller }) => rests(greater) && isDemanded(flow, smaller)),
  )
}

/** A number that the contract demands, more than one of them. */
const isDemanded = (flow: Flow, value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'const') return op.constant !== null && op.constant > 1n
  return dependsOn(flow, op, ({ kind, location }) => kind === 'load' && location.space !== 'memory')
}

const effectsAfter = (flow: Flow, { last }: LoopMark): Op[] =>
  [...flow.externalCalls().filter(({ call }) => !call.isStatic), ...flow.stateStores()].filter(
    ({ block }) => block > last,
  )

/** What each round adds up to. */
function* countedInSum(flow: Flow, mark: LoopMark, list: Op): Iterable<Candidate> {
  for (const { sum, addition, added } of sumsOf(flow, mark)) {
    const checkedAt = findChecked(flow, mark, list, addition, added)
    const effect = checkedAt && givenFor(flow, mark, (op) => op === sum)
    if (checkedAt && effect) yield { flow, mark, list, checkedAt, effect }
  }
}

/** Every element must pass, and there must be enough of them. */
function* countedByLength(flow: Flow, mark: LoopMark, list: Op): Iterable<Candidate> {
  const isLength = (op: Op): boolean =>
    op.kind === 'load' && op.location.part === 'length' && rootOfMemory(op.location) === list
  const demands = flow.ops('assume').flatMap((op) => (isInLoop(mark, op) ? op.args : []))
  const branches = flow.blocks.slice(mark.header + 1, mark.last + 1).flatMap(({ condition }) => condition ?? [])
  const checkedAt = findAmong(flow, mark, list, [...demands, ...branches])
  const effect =
    checkedAt &&
    effectsAfter(flow, mark).find((op) =>
      relationsAt(flow, op).some(({ greater, smaller }) => isLength(stripCasts(greater)) && isDemanded(flow, smaller)),
    )
  if (checkedAt && effect) yield { flow, mark, list, checkedAt, effect }
}

/** Something is noted under the element, or it is handed to another contract that does something with it. */
const isUsedUp = ({ flow, mark, list }: Candidate): boolean =>
  flow.ops('store').some((op) => isInLoop(mark, op) && keysRestOnElement(flow, mark, list, op.location)) ||
  flow
    .externalCalls()
    .some(
      (op) => isInLoop(mark, op) && !op.call.isStatic && op.args.some((arg) => restsOnElement(flow, mark, list, arg)),
    ) ||
  flow.ops('store').some((op) => isInLoop(mark, op) && isMarkOfRecord(flow, mark, list, op))

/** `require(seen[members[signer].index] == 0); seen[members[signer].index] = …`: a place that a record of the element names, tested and set. */
const isMarkOfRecord = (flow: Flow, mark: LoopMark, list: Op, store: StoreOp): boolean => {
  const { location } = store
  const isTest = (op: Op): boolean => op.kind === 'load' && op.location === location
  return (
    location.space === 'memory' &&
    keysOf(location).some((key) => dependsOn(flow, key, (op) => listRead(mark, op) === list, { keys: true })) &&
    guardsAt(flow, store).some(({ condition }) => isInLoop(mark, condition) && dependsOn(flow, condition, isTest))
  )
}

/** Two elements are compared, or something besides the sums is carried from one to the next. */
const isDistinguished = ({ flow, mark, list }: Candidate): boolean => {
  const rests = (value: Op): boolean => restsOnElement(flow, mark, list, value)
  const sums = new Set(sumsOf(flow, mark).map(({ sum }) => sum))
  return (
    flow.ops('bin').some((op) => isInLoop(mark, op) && isComparison(op.operator) && op.args.every(rests)) ||
    flow.blocks[mark.header]!.phis.some((phi) => !sums.has(phi) && phi.args.slice(1).some(rests))
  )
}

/**
 * Before anything is given for them, each element is compared with all others, which takes two loops, or strictly ordered with its
 * neighbour. To differ from the neighbour is not enough.
 */
const isComparedWithOthers = ({ flow, list, effect }: Candidate): boolean => {
  const loops = flow.ir.loops.filter(({ header }) => flow.blockDominates(header, effect.block))
  const positionsIn = (value: Op): Op[] => {
    const read = findDependency(
      flow,
      value,
      ({ kind, location }) => kind === 'load' && location.space === 'memory' && rootOfMemory(location) === list,
    )
    return read?.location ? keysOf(read.location) : []
  }
  return flow.ops('bin').some((op) => {
    if (!isComparison(op.operator) || !loops.some((mark) => isInLoop(mark, op))) return false
    const [left, right] = op.args.map(positionsIn) as [Op[], Op[]]
    return left.some((one) =>
      right.some((other) => isOfOtherLoop(flow, one, other) || (isStrictOrder(flow, op) && areNeighbours(one, other))),
    )
  })
}

const isOfOtherLoop = (flow: Flow, one: Op, other: Op): boolean =>
  one.block !== other.block && isRoundStart(flow, one) && isRoundStart(flow, other)

/** `require(a > b)` or `if (a <= b) revert()`, where `a <= b` itself may have no user and its opposite is demanded. */
const isStrictOrder = (flow: Flow, op: Op): boolean =>
  isOrdering(op.operator) &&
  (flow.isCondition(op) || flow.usersOf(op).length > 0) &&
  (op.operator === '>' || op.operator === '<') !== isNegated(flow, op)

const isNegated = (flow: Flow, op: Op): boolean =>
  flow
    .usersOf(op)
    .some((user) => user.operator === '!' || (['&&', '||'].includes(user.operator) && isNegated(flow, user)))

const areNeighbours = (one: Op, other: Op): boolean => isNextTo(one, other) || isNextTo(other, one)

const isNextTo = (position: Op, value: Op): boolean =>
  value.kind === 'bin' && bothOrders(value).some(([a, b]) => a === position && isOne(b))

/** A signature says what may be done, not that nothing in it is listed twice. */
const isByMembers = (principal: Principal): boolean =>
  isRolePrincipal(principal) || principal === 'granted' || principal === 'unread'

export default defineDetector<Candidate>({
  id: 'repeated-element',
  swc: null,
  title: 'Duplicate array element counted twice',
  aliases: { owasp: ['SC04:2025'], words: ['duplicate', 'duplicate signatures', 'multisig bypass', 'duplicate ids'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'The caller passes an array, each element is validated, and valid elements add up to a payout or a threshold. Duplicates are not rejected, so one element listed several times counts several times.',
  recommendation: 'Require strictly ascending elements, or mark each element as counted before checking the next.',
  references: ['https://cwe.mitre.org/data/definitions/694.html'],
  cwe: ['CWE-694', 'CWE-841'],

  needs: [holding.loop],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const mark of flow.ir.loops)
        for (const list of listsOf(flow, mark)) {
          yield* countedInSum(flow, mark, list)
          yield* countedByLength(flow, mark, list)
        }
  },
  excuses: [
    excuse('used-up', 'each element is marked or passed on', isUsedUp),
    excuse(
      'compared-with-earlier',
      'elements are compared with earlier ones',
      (candidate) => isDistinguished(candidate) || isComparedWithOthers(candidate),
    ),
    excuse('protected', 'only privileged accounts pass the array', ({ flow, effect }) =>
      isByMembers(principalAt(flow, effect)),
    ),
  ],
  finding: ({ flow, checkedAt, effect, list }) => ({
    at: checkedAt,
    message: `\`${flow.name}()\` validates and adds up the elements of \`${list.operator}\` without rejecting duplicates, so a caller who lists one element many times is paid, or reaches the threshold, with it alone.`,
    trace: [
      witnessStep(flow, checkedAt, 'is credited for one element many times'),
      ...flow.trace(checkedAt),
      { at: effect, message: 'The payout or threshold is decided here.' },
    ],
    cause: checkedAt,
  }),
})

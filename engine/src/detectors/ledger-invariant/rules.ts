/** What must hold of numbers and marks whose role was inferred from how they move: one rule each, and what breaks it. */
import {
  dependsOn,
  guardsAt,
  isAfterFailure,
  isCleared,
  isProtected,
  isSender,
  lockedAt,
  relationsAt,
} from '../../facts/index.ts'
import {
  type Column,
  clockOf,
  columnOf,
  elapsedSince,
  incomingOf,
  isBesides,
  isInColumn,
  isMessageValue,
  isSameAmount,
  isTotalFor,
  isWith,
  keyOfColumn,
  keysOf,
  loweredBy,
  type NumberMove,
  nameOfColumn,
  netMovesOf,
  numberMovesOf,
  outgoingOf,
  type Payment,
  raisedBy,
  requiredUnset,
  type Sum,
  sumsOf,
} from '../../idioms/index.ts'
import {
  alternativesOf,
  type CallOp,
  type ContractFlow,
  type Flow,
  isZero,
  type LoadOp,
  type Location,
  mayOverlap,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { brokenCompanions } from './companions.ts'
import { uncountedPassages } from './counters.ts'
import { lostPositions, survivingApprovals } from './left-behind.ts'
import { brokenMirrors } from './mirrored.ts'
import { overwrittenCredits } from './overwritten-credits.ts'
import { brokenPairs } from './paired-records.ts'
import { isInOtherPhase } from './phases.ts'
import { depositsAsSurplus, pricedByItself, spentTwice } from './spent-twice.ts'
import { uncountedDeposits } from './uncounted-deposits.ts'
import { unrecordedPayouts } from './unrecorded-payouts.ts'
import { unrecordedSurpluses } from './unrecorded-surplus.ts'
import { unspentLimits } from './unspent-limits.ts'
import type { Evidence, Violation } from './violation.ts'

const directionOf = ({ isRaised }: NumberMove): string => (isRaised ? 'increases' : 'decreases')

const movesIn = (moves: readonly NumberMove[], column: Column): readonly NumberMove[] =>
  moves.filter((move) => keyOfColumn(move.column) === keyOfColumn(column))

/** Also as part of a whole record that is written; in the same execution as another operation, where one is given. */
const isWritten = (flow: Flow, { variable, path }: Column, beside: Op | null = null): boolean =>
  flow.stateStores().some((store) => {
    const written = columnOf(store.location)
    if (written?.variable !== variable || !(path.startsWith(written.path) || written.path.startsWith(path)))
      return false
    return beside === null || store === beside || isBesides(flow, store, beside)
  })

interface SumRule {
  readonly rule: string
  readonly text: (move: string, parts: string, total: string) => string
  readonly breaches: (flow: Flow, sum: Sum) => readonly NumberMove[]
}

/** What holds of a total and the entries that it sums. */
const sumRules: readonly SumRule[] = [
  {
    rule: 'Total not updated with its parts',
    text: (move, _, total) =>
      `${move}, but its total \`${total}\` does not, so shares and payouts computed from the two are wrong`,
    breaches: (flow, { parts, total }) =>
      movesIn(netMovesOf(flow), parts).filter(({ isNew, op }) => !isNew && !isWritten(flow, total, op)),
  },
  {
    rule: 'Total updated without its parts',
    text: (move, parts) =>
      `${move}, but none of the entries in \`${parts}\` that it sums does, so shares and payouts computed from the two are wrong`,
    breaches: (flow, { parts, total, isOfNew }) =>
      isOfNew ? [] : movesIn(netMovesOf(flow), total).filter(({ op }) => !isWritten(flow, parts, op)),
  },
  {
    rule: 'Total moves against its parts',
    text: (move, parts) =>
      `${move}, while \`${parts}\`, which it sums, moves the other way by the same amount, so the total is wrong by twice that amount`,
    breaches: (flow, { parts, total }) =>
      movesIn(numberMovesOf(flow), total).filter((move) =>
        movesIn(netMovesOf(flow), parts).some(
          (part) => part.isRaised !== move.isRaised && isTotalFor(flow, part, move),
        ),
      ),
  },
]

/** What is broken more often than a third of the times it is kept is no invariant; a single breach is one. What happens to a closed record says nothing. */
const isInvariant = ({ together }: Sum, breaches: readonly Violation[]): boolean => {
  const current = breaches.filter((breach) => !isInOtherPhase(breach) && !isShareOfPot(breach))
  const breakers = new Set(current.map(({ flow, at }) => flow.writtenIn(at)))
  return breakers.size === 1 || breakers.size * 3 <= together.length
}

const flowsOf = ({ flows }: ContractFlow): readonly Flow[] => flows.filter(({ isConstructor }) => !isConstructor)

const brokenSums = (contractFlow: ContractFlow): readonly Violation[] =>
  sumsOf(contractFlow).flatMap((sum) => {
    const [parts, total] = [nameOfColumn(sum.parts), nameOfColumn(sum.total)]
    const breaches = flowsOf(contractFlow).flatMap((flow) =>
      sumRules.flatMap(({ rule, text, breaches }) =>
        breaches(flow, sum).map((move) => ({
          rule,
          flow,
          at: move.op,
          text: text(`\`${nameOfColumn(move.column)}\` ${directionOf(move)} in \`${flow.name}()\``, parts, total),
          kept: sum.together[0]!,
          total: rule === sumRules[2]!.rule ? null : sum.total,
        })),
      ),
    )
    return isInvariant(sum, breaches) ? breaches : []
  })

/** `balances[from] -= n; balances[to] -= n`: two entries of one column move the same way by one amount. */
const sameDirection = (contractFlow: ContractFlow): readonly Violation[] =>
  flowsOf(contractFlow).flatMap((flow) => {
    const moves = numberMovesOf(flow).filter(
      ({ op, amount, isNew }) => keysOf(op.location).length > 0 && amount.kind !== 'const' && !isNew,
    )
    return moves.flatMap((move, i): readonly Violation[] => {
      const first = moves.slice(0, i).find((other) => isOtherSide(flow, other, move))
      if (first === undefined || movesBothDirections(flow, moves, move)) return []
      const text = `\`${flow.name}()\` ${move.isRaised ? 'increases' : 'decreases'} two entries of \`${nameOfColumn(move.column)}\` by the same amount, so ${move.isRaised ? 'tokens are created that nobody paid for' : 'the receiver of a transfer loses the amount too'}`
      return [{ rule: 'Both sides move the same way', flow, at: move.op, text, kept: null, total: null }]
    })
  })

const isOtherSide = (flow: Flow, one: NumberMove, other: NumberMove): boolean => {
  if (one.isRaised !== other.isRaised || keyOfColumn(one.column) !== keyOfColumn(other.column)) return false
  const [a, b] = [keysOf(one.op.location), keysOf(other.op.location)]
  const differing = a.filter((key, i) => b[i] !== undefined && !sameValue(key, b[i]))
  return differing.length === 1 && isSameAmount(one.amount, other.amount) && isWith(flow, other.op, one.op)
}

/** Another entry moves against these by the same amount, or by one that theirs is a part of: `half = penalty / 2`. */
const movesBothDirections = (
  flow: Flow,
  moves: readonly NumberMove[],
  { column, isRaised, amount }: NumberMove,
): boolean =>
  moves.some(
    (other) =>
      other.isRaised !== isRaised &&
      keyOfColumn(other.column) === keyOfColumn(column) &&
      dependsOn(flow, amount, (part) => isSameAmount(part, other.amount)),
  )

const evidenceIn = (flow: Flow): readonly Evidence[] => {
  const [incoming, outgoing] = [incomingOf(flow), outgoingOf(flow)]
  const isPaidBy = (payment: Payment, { op, amount }: NumberMove): boolean =>
    isSameAmount(payment.amount, amount) && isBesides(flow, payment.op, op)
  const isPaidIn = (move: NumberMove): boolean =>
    isMessageValue(move.amount) || incoming.some((payment) => isPaidBy(payment, move))
  const isPaidOut = (move: NumberMove): boolean =>
    outgoing.some((payment) => isPaidBy(payment, move) && !isAfterFailure(flow, payment.op, move.op))
  return netMovesOf(flow).flatMap((move): readonly Evidence[] => {
    const { op, isRaised } = move
    const [isIn, isOut] = [isPaidIn(move), isPaidOut(move)]
    if (keysOf(op.location).length === 0 || isIn === isOut) return []
    return [{ flow, move, isClaim: isRaised === isIn, isPayout: isOut }]
  })
}

/** A column that is a claim elsewhere rises here as value leaves, or falls as it enters. */
const againstValue = (contractFlow: ContractFlow): readonly Violation[] => {
  const byColumn = new Map<string, Evidence[]>()
  for (const flow of flowsOf(contractFlow))
    for (const evidence of evidenceIn(flow)) {
      const key = keyOfColumn(evidence.move.column)
      byColumn.set(key, [...(byColumn.get(key) ?? []), evidence])
    }
  return [...byColumn.values()].flatMap((all) => {
    const claims = all.filter(({ isClaim }) => isClaim)
    const debts = all.filter((evidence) => !evidence.isClaim && !isRecordedElsewhere(evidence))
    const placesOf = (list: readonly Evidence[]): number =>
      new Set(list.map(({ flow, move }) => flow.writtenIn(move.op))).size
    if (claims.length === 0 || placesOf(debts) !== 1 || placesOf(claims) < placesOf(debts)) return []
    return debts.map(({ flow, move, isPayout }) => ({
      rule: isPayout ? 'Claim increased on payout' : 'Claim decreased on deposit',
      flow,
      at: move.op,
      text: `\`${nameOfColumn(move.column)}\` ${directionOf(move)} here by what is paid ${isPayout ? 'out' : 'in'}, the opposite of every other function, so ${isPayout ? 'the account can be paid again' : 'the depositor loses the deposit'}`,
      kept: claims[0]!.move.op,
      total: null,
    }))
  })
}

/** `bonds[poll] = Bond(msg.sender, n); bonds[listing] -= n`: what is paid in is recorded as another claim. */
const isRecordedElsewhere = ({ flow, move, isPayout }: Evidence): boolean =>
  !isPayout &&
  flow.stateStores().some((store) => {
    const column = columnOf(store.location)
    if (column === null || keysOf(store.location).length === 0 || isInColumn(store.location, move.column)) return false
    const value = raisedBy(store) ?? store.args[0]
    return (value.kind === 'make' ? value.args : [value]).some((part) => isSameAmount(part, move.amount))
  })

/** `assets += n` beside `shares[user] += s` when `n` is paid in: what lowers the shares and pays out lowers the assets. */
const heldTotals = (contractFlow: ContractFlow): readonly Violation[] => {
  const flows = flowsOf(contractFlow)
  const sums = new Set(sumsOf(contractFlow).map(({ total }) => keyOfColumn(total)))
  const pairs = new Map<string, { claim: Column; total: NumberMove }>()
  for (const flow of flows)
    for (const move of depositedIn(flow).filter(({ column }) => !sums.has(keyOfColumn(column))))
      for (const claim of netMovesOf(flow))
        if (claim.isRaised && keysOf(claim.op.location).length > 0 && isWorkedOutFrom(flow, claim, move))
          pairs.set(`${keyOfColumn(claim.column)} ${keyOfColumn(move.column)}`, { claim: claim.column, total: move })
  return [...pairs.values()].flatMap(({ claim, total }): readonly Violation[] => {
    const payers = flows.flatMap((flow) =>
      incomingOf(flow).length > 0
        ? []
        : movesIn(netMovesOf(flow), claim).flatMap((move) =>
            !move.isRaised && (outgoingOf(flow).length > 0 || isOwedFor(flow, move, total.column))
              ? [{ flow, move }]
              : [],
          ),
    )
    const forgetful = payers.filter(({ flow }) => !isWritten(flow, total.column))
    const breakers = new Set(forgetful.map(({ flow, move }) => flow.writtenIn(move.op)))
    if (breakers.size !== 1 || forgetful.length * 2 > payers.length + 1) return []
    return forgetful.map(({ flow, move }) => ({
      rule: 'Total not lowered on payout',
      flow,
      at: move.op,
      text: `\`${nameOfColumn(claim)}\` decreases here for a payout, but \`${nameOfColumn(total.column)}\`, which rises with every deposit, is not lowered, so it counts money that has left`,
      kept: total.op,
      total: total.column,
    }))
  })
}

/** `promised += shares * pooled / supply; shares[user] -= shares`: what the shares were worth is noted, to be paid later. */
const isOwedFor = (flow: Flow, { amount: burned }: NumberMove, total: Column): boolean =>
  flow
    .stateStores()
    .some(({ args }) =>
      dependsOn(
        flow,
        args[0],
        (part) =>
          part.kind === 'bin' &&
          part.operator === '/' &&
          dependsOn(flow, part.args[0], (factor) => isSameAmount(factor, burned)) &&
          dependsOn(flow, part.args[0], (factor) => factor.kind === 'load' && isInColumn(factor.location, total)),
      ),
    )

/** Shares that an amount buys, and not the amount itself. */
const isWorkedOutFrom = (flow: Flow, claim: NumberMove, paid: NumberMove): boolean =>
  !isSameAmount(claim.amount, paid.amount) && dependsOn(flow, claim.amount, (part) => sameValue(part, paid.amount))

/** Totals that rise by what is paid in. */
const depositedIn = (flow: Flow): readonly NumberMove[] =>
  numberMovesOf(flow).filter(
    ({ op, amount, isRaised }) =>
      isRaised &&
      keysOf(op.location).length === 0 &&
      (isMessageValue(amount) || incomingOf(flow).some((payment) => isSameAmount(payment.amount, amount))),
  )

/** What is written may be something else than unset: `jobs[id].done = false` and `jobs[id] = Job(target, false)` leave the mark as it was. */
const isEverSet = ({ flows }: ContractFlow, column: Column): boolean =>
  flows.some((flow) => isWritten(flow, column) && flow.stateStores().some((store) => maySet(store, column)))

const maySet = ({ location, args: [value] }: StoreOp, { variable, path }: Column): boolean => {
  const written = columnOf(location)
  if (written?.variable !== variable) return false
  if (written.path === path) return !isZero(stripCasts(value))
  const record = stripCasts(value)
  const field = path.startsWith(`${written.path}.`)
    ? fieldIn(location, record, path.slice(written.path.length + 1))
    : null
  return field === null ? path.startsWith(written.path) || written.path.startsWith(path) : !isZero(stripCasts(field))
}

/** The part of a record that is made on the spot; null where it is not known. */
const fieldIn = ({ type }: Location, record: Op, name: string): Op | null => {
  if (record.kind !== 'make' || type?.kind !== 'struct') return null
  const index = type.struct.fields.findIndex((field) => field.name === name)
  return (record.args.length === type.struct.fields.length ? record.args[index] : null) ?? null
}

/**
 * A mark is checked before value moves or another contract acts, and nothing ever sets it. A contract that inherits the same variable may
 * work on the same storage, as the facets of one proxy do.
 */
const neverMarked = (contractFlow: ContractFlow, contracts: readonly ContractFlow[]): readonly Violation[] =>
  flowsOf(contractFlow).flatMap((flow) => {
    const calls = flow.externalCalls().filter(({ call }) => !call.isStatic)
    const effects = [...[...outgoingOf(flow), ...numberMovesOf(flow)].map(({ op }) => op), ...calls]
    if (!flow.isEntryPoint) return []
    return effects.slice(0, 1).flatMap((effect) =>
      guardsAt(flow, effect).flatMap(({ condition, polarity }): readonly Violation[] => {
        const mark = requiredUnset(condition, polarity)
        const column = mark === null ? null : columnOf(mark.location)
        if (mark === null || column === null || keysOf(mark.location).length === 0) return []
        if (isEverSet(contractFlow, column) || isProtected(flow, effect)) return []
        // A call may be made as long as a number is not set; only a mark says that it is made once.
        if (calls.includes(effect as CallOp) && mark.location.type?.kind !== 'bool') return []
        const text = `\`${flow.describe(mark.location)}\` must be unset before this, but no function of this contract sets it, so the check rejects nothing and the call can be repeated`
        const isSetBeside = contracts.some((other) => isEverSet(other, column))
        const unsure = isSetBeside ? 'another contract sets it, and may share the storage' : undefined
        return [{ rule: 'Once-only mark never set', flow, at: effect, text, kept: mark, total: null, unsure }]
      }),
    )
  })

/** A number that is lowered beside another one, while only the other is ever raised or set: it is zero from the beginning. */
const neverRaised = (contractFlow: ContractFlow): readonly Violation[] => {
  const flows = flowsOf(contractFlow)
  const raised = new Map(
    flows.flatMap((flow) =>
      numberMovesOf(flow).flatMap(({ op, column, isRaised }) => (isRaised ? [[keyOfColumn(column), op] as const] : [])),
    ),
  )
  const lowered = flows.flatMap((flow) => {
    const moves = flow.isPartial ? [] : netMovesOf(flow).filter((move) => !move.isRaised)
    const kept = moves.flatMap(({ column }) => raised.get(keyOfColumn(column)) ?? [])[0]
    return kept === undefined ? [] : moves.flatMap((move) => (isDrawnDown(move) ? [{ flow, move, kept }] : []))
  })
  return lowered.flatMap(({ flow, move, kept }): readonly Violation[] => {
    const { variable } = move.column
    if (variable.value !== null || variable.contract?.isStub || isFilled(contractFlow, move.column)) return []
    const isFilledBeside = isFilledByOther(flow, move.column)
    if (isFilledBeside && runsOtherCode(contractFlow)) return []
    const text = `\`${nameOfColumn(move.column)}\` decreases here, but no function ever increases or sets it, so the call reverts`
    const unsure = isFilledBeside ? 'a contract that inherits the same variable sets it' : undefined
    return [{ rule: 'Number never increased', flow, at: move.op, text, kept, total: null, unsure }]
  })
}

/** It delegates to other contracts, which write to its storage. */
const runsOtherCode = ({ flows }: ContractFlow): boolean =>
  flows.some((flow) => flow.externalCalls().some(({ call }) => call.kind === 'delegate' || call.kind === 'callcode'))

/** Unsigned, and not only by what is read there: that may be nothing. */
const isDrawnDown = ({ op, amount, isRaised }: NumberMove): boolean => {
  const { type } = op.location
  if (isRaised || isCleared(op) || type?.kind !== 'int' || type.signed) return false
  return !(amount.kind === 'load' && amount.location === op.location)
}

/** Some store may leave more than there was; what nobody here reads may write it too. */
const isFilled = (contractFlow: ContractFlow, column: Column): boolean =>
  contractFlow.contract?.hasUnresolvedBase === true || contractFlow.flows.some((flow) => fills(flow, column))

/** The same of the contracts that inherit the variable from the same base: they may run on the same storage. */
const isFilledByOther = ({ model, contract, contractFlow }: Flow, column: Column): boolean =>
  column.variable.contract !== null &&
  [column.variable.contract, ...model.derivedFrom(column.variable.contract)].some(
    (other) =>
      other !== contract &&
      other.allFunctions.some((fn) => fn.isImplemented && fills(contractFlow.follow(fn, other), column)),
  )

const fills = (flow: Flow, column: Column): boolean =>
  flow.isPartial ||
  flow.stateStores().some((store) => {
    const written = columnOf(store.location)
    if (written?.variable !== column.variable) return store.location.variable === null
    if (!column.path.startsWith(written.path) && !written.path.startsWith(column.path)) return false
    return !isCleared(store) && loweredBy(store) === null
  })

/** `require(saved[id] >= n); pay(n)`: a number that functions raise says how much may be paid, and nothing ever lowers it. */
const neverLowered = (contractFlow: ContractFlow): readonly Violation[] =>
  flowsOf(contractFlow).flatMap((flow) => {
    if (!flow.isEntryPoint || flow.isPartial) return []
    return outgoingOf(flow).flatMap((payment): readonly Violation[] => {
      const isRecorded = numberMovesOf(flow).some((move) => isSameAmount(move.amount, payment.amount))
      if (isRecorded || payment.amount.kind === 'const' || isOnceOnly(flow, payment.op)) return []
      const limit = limitsOn(flow, payment).find(({ location }) => isOnlyRaised(contractFlow, location))
      if (limit === undefined) return []
      const text = `\`${flow.describe(limit.location)}\` limits this payout, but no function ever reduces it, so the same amount can be paid again`
      return [{ rule: 'Claim never reduced', flow, at: payment.op, text, kept: limit, total: null }]
    })
  })

/** Numbers in storage that the amount is held against, or is the lesser of. */
const limitsOn = (flow: Flow, { op, amount }: Payment): readonly LoadOp[] => {
  const paid = stripCasts(amount)
  const greater = relationsAt(flow, op).flatMap((relation) =>
    isSameAmount(relation.smaller, paid) ? [stripCasts(relation.greater)] : [],
  )
  return [...greater, ...lesserOf(paid)].filter(isStoredNumber)
}

/** `n > kept ? kept : n`, also when a fixed number is left behind: `if (n == kept) n--`. */
const lesserOf = (paid: Op): readonly Op[] => {
  const found = new Set<Op>()
  const work = [paid]
  while (work.length > 0 && found.size < 12) {
    const op = stripCasts(work.pop()!)
    if (found.has(op)) continue
    found.add(op)
    if (op.kind === 'bin' && op.operator === '-' && stripCasts(op.args[1]).kind === 'const') work.push(op.args[0])
    work.push(...alternativesOf(op))
  }
  found.delete(paid)
  return [...found]
}

const isStoredNumber = (op: Op): op is LoadOp =>
  op.kind === 'load' && op.location.variable !== null && op.location.type?.kind === 'int'

const isOnlyRaised = (contractFlow: ContractFlow, place: Location): boolean => {
  const stores = contractFlow.writersTo(place).filter(({ flow }) => !flow.isConstructor)
  return (
    stores.length > 0 && stores.every(({ op }) => raisedBy(op) !== null) && place.variable?.contract?.isStub !== true
  )
}

/** A condition on the path reads state that the call writes, other than the time: the same call does not pass again. */
const isOnceOnly = (flow: Flow, payment: Op): boolean => {
  const lock = lockedAt(flow, payment)?.variable ?? null
  const written = flow
    .stateStores()
    .filter(({ location, args }) => location.variable !== lock && clockOf(stripCasts(args[0])) === null)
  const isWritten = (op: Op): boolean =>
    op.kind === 'load' && written.some(({ location }) => mayOverlap(location, op.location))
  return guardsAt(flow, payment).some(({ condition }) => dependsOn(flow, condition, isWritten))
}

const companions = (contractFlow: ContractFlow): readonly Violation[] =>
  brokenCompanions(contractFlow, flowsOf(contractFlow))

const unrecorded = (contractFlow: ContractFlow): readonly Violation[] => {
  const flows = flowsOf(contractFlow)
  return unrecordedPayouts(flows, flows.flatMap(evidenceIn))
}

const overwritten = (contractFlow: ContractFlow): readonly Violation[] => overwrittenCredits(flowsOf(contractFlow))

const uncounted = (contractFlow: ContractFlow): readonly Violation[] => uncountedDeposits(flowsOf(contractFlow))

const passages = (contractFlow: ContractFlow): readonly Violation[] => uncountedPassages(flowsOf(contractFlow))

const mirrors = (contractFlow: ContractFlow): readonly Violation[] => brokenMirrors(flowsOf(contractFlow))

const unspent = (contractFlow: ContractFlow): readonly Violation[] => unspentLimits(flowsOf(contractFlow))

const spent = (contractFlow: ContractFlow): readonly Violation[] => spentTwice(flowsOf(contractFlow))

const priced = (contractFlow: ContractFlow): readonly Violation[] => pricedByItself(flowsOf(contractFlow))

const rules = [
  neverRaised,
  neverLowered,
  brokenSums,
  sameDirection,
  againstValue,
  heldTotals,
  neverMarked,
  unrecorded,
  unrecordedSurpluses,
  overwritten,
  uncounted,
  passages,
  mirrors,
  unspent,
  spent,
  priced,
  depositsAsSurplus,
  lostPositions,
  survivingApprovals,
]

/** Where another rule speaks of the function, what moves beside the number says the same again. */
export const violationsOf = (contractFlow: ContractFlow, contracts: readonly ContractFlow[]): readonly Violation[] => {
  const found = rules.flatMap((rule) => rule(contractFlow, contracts))
  const writers = new Set(found.map(({ flow, at }) => flow.writtenIn(at)))
  const beside = [...companions(contractFlow), ...brokenPairs(contractFlow)]
  return [...found, ...beside.filter(({ flow, at }) => !writers.has(flow.writtenIn(at)))]
}

/** A total that only counts what ever came in: it moves one way, and no calculation, limit or standard rests on it. */
export const onlyCounts = ({ flow: { contractFlow }, total }: Violation): boolean => {
  if (total === null) return false
  const { variable } = total
  const moves = flowsOf(contractFlow).flatMap((flow) =>
    numberMovesOf(flow).filter(({ column }) => column.variable === variable),
  )
  if (moves.some(({ isRaised }) => isRaised !== moves[0]!.isRaised) || variable.name === 'totalSupply') return false
  return contractFlow
    .readersOf(variable)
    .every(
      ({ flow, op }) =>
        flow.name !== 'totalSupply' &&
        flow.usersOf(op).every((user) => user.kind === 'return' || (user.kind === 'bin' && user.operator === '+')),
    )
}

const moveAt = ({ flow, at }: Violation): NumberMove | undefined => numberMovesOf(flow).find(({ op }) => op === at)

/**
 * `held[a] -= n; staked[a] += n`: an entry of another column takes the amount, so both together are as before. And `reserve -= n;
 * shares[msg.sender] -= f(n)`: the caller gives up entries of another column for it.
 */
export const isMovedOver = (violation: Violation): boolean => {
  const { flow, rule } = violation
  const move = moveAt(violation)
  if (move === undefined) return false
  if (rule === sumRules[1]!.rule && !move.isRaised) return isGivenUpFor(flow, move)
  if (rule !== sumRules[0]!.rule) return false
  return numberMovesOf(flow).some(
    (other) =>
      other.isRaised !== move.isRaised &&
      keysOf(other.op.location).length > 0 &&
      isSameAmount(other.amount, move.amount) &&
      isWith(flow, move.op, other.op),
  )
}

const isGivenUpFor = (flow: Flow, { op, amount }: NumberMove): boolean =>
  netMovesOf(flow).some(
    (other) =>
      !other.isRaised &&
      keysOf(other.op.location).some(isSender) &&
      isWith(flow, op, other.op) &&
      (isSameAmount(other.amount, amount) ||
        dependsOn(flow, other.amount, (part) => isSameAmount(part, amount)) ||
        dependsOn(flow, amount, (part) => isSameAmount(part, other.amount))),
  )

/** `total += total * rate * (block.timestamp - last)`: interest, or what time releases, which changes the worth of all entries and none of them. */
export const isAccrued = (violation: Violation): boolean => {
  const { flow, rule } = violation
  const move = moveAt(violation)
  if (move === undefined || rule !== sumRules[1]!.rule) return false
  return dependsOn(
    flow,
    move.amount,
    (op) => elapsedSince(op) !== null || (move.isRaised && op.kind === 'load' && isInColumn(op.location, move.column)),
  )
}

/** `share = parts[a] * pot / total; parts[a] = 0`: shares of one fixed pot are worked out by the total of the beginning, and the pot may be such a total too. */
export const isShareOfPot = (violation: Violation): boolean => {
  const { flow, total, rule } = violation
  const move = moveAt(violation)
  if (move === undefined || total === null || move.isRaised || rule !== sumRules[0]!.rule) return false
  const isPart = (op: Op): boolean => op.kind === 'load' && op.location === move.op.location
  const isTotal = (op: Op): boolean => op.kind === 'load' && isInColumn(op.location, total)
  const isPot = (op: Op): boolean =>
    op.kind === 'bin' && op.operator === '*' && op.args.some((arg) => isTotal(stripCasts(arg)))
  return flow
    .ops('bin')
    .some(
      ({ operator, args: [above, below] }) =>
        operator === '/' &&
        dependsOn(flow, above, isPart) &&
        (dependsOn(flow, below, isTotal) || isPot(stripCasts(above))),
    )
}

/**
 * What the numbers of a contract are, recognized by how they move: a column is a sum of another one if some function moves both by the same
 * amount in the same direction. `shares[user] += n; total += n` makes `total` the sum of `shares`. What moves from one entry of a
 * column to another leaves the sum as it is. A sum with keys of its own must have grown with its parts: what an allowance and a balance
 * have in common is that both are used up.
 */
import { dependsOn, isCleared } from '../facts/index.ts'
import { type ContractFlow, type Flow, type LoadOp, type Op, type StoreOp, stripCasts } from '../ir/index.ts'
import type { StructModel } from '../model/index.ts'
import { type Column, columnOf, keyOfColumn } from './columns.ts'
import { keysOf, loweredBy, raisedBy } from './entries.ts'
import { isBesides, isSameAmount, isWith, linksOf } from './totals.ts'

/** A number that a store raises or lowers. */
export interface NumberMove {
  readonly op: StoreOp
  readonly column: Column
  readonly amount: Op
  readonly isRaised: boolean
  /** The field of a new record: raised if there was none before. */
  readonly isNew?: true
}

/** Numbers that move by an amount, in program order; what is cleared is lowered by what was read there before, or by an amount that is no other's. */
export const numberMovesOf = (flow: Flow): readonly NumberMove[] => flow.answer(findMoves)

const findMoves = (flow: Flow): readonly NumberMove[] =>
  flow.stateStores().flatMap((op): readonly NumberMove[] => {
    const column = columnOf(op.location)
    if (column === null) return []
    if (op.location.type?.kind === 'struct') return fieldMoves(flow, op, column, op.location.type.struct)
    if (op.location.type?.kind !== 'int') return []
    const raised = raisedBy(op)
    const amount = raised ?? loweredBy(op) ?? (isCleared(op) ? clearedAmount(flow, op) : null)
    return amount === null ? [] : [{ op, column, amount: stripCasts(amount), isRaised: raised !== null }]
  })

/** A record that is deleted, or replaced by a new one: its numbers move with it. */
const fieldMoves = (flow: Flow, op: StoreOp, { variable, path }: Column, { fields }: StructModel): NumberMove[] => {
  const made = stripCasts(op.args[0])
  return fields.flatMap((field, i): NumberMove[] => {
    if (field.type.kind !== 'int') return []
    const column = { variable, path: `${path}.${field.name}` }
    if (isCleared(op)) {
      const amount = flow.stateLoads().findLast((load) => isFieldOf(load, op, field.name) && flow.dominates(load, op))
      return amount === undefined ? [] : [{ op, column, amount, isRaised: false }]
    }
    if (made.kind !== 'make' || made.args.length !== fields.length) return []
    const amount = stripCasts(made.args[i]!)
    return amount.kind === 'const' ? [] : [{ op, column, amount, isRaised: true, isNew: true }]
  })
}

const isFieldOf = ({ location }: Op, record: StoreOp, name: string): boolean =>
  location?.part === 'field' && location.name === name && location.parent === record.location

/** Of an entry that nobody has read the amount is the clearing itself: it equals no other. */
const clearedAmount = (flow: Flow, clear: StoreOp): Op | null =>
  lastRead(flow, clear) ?? (keysOf(clear.location).length > 0 ? clear : null)

const lastRead = (flow: Flow, clear: StoreOp): LoadOp | null =>
  flow.stateLoads().findLast((load) => load.location === clear.location && flow.dominates(load, clear)) ?? null

/** Moves that change the sum of their column: not those that another entry of it balances. */
export const netMovesOf = (flow: Flow): readonly NumberMove[] => flow.answer(findNet)

const findNet = (flow: Flow): readonly NumberMove[] => {
  const moves = numberMovesOf(flow)
  return moves.filter((move) => {
    const others = moves.filter(
      (other) => keyOfColumn(other.column) === keyOfColumn(move.column) && isBesides(flow, move.op, other.op),
    )
    return (
      !others.some((other) => balances(flow, move, other)) && !isBalanced([move, ...others.filter((o) => o !== move)])
    )
  })
}

const balances = (flow: Flow, move: NumberMove, other: NumberMove): boolean =>
  move.isRaised !== other.isRaised &&
  (isSameAmount(move.amount, other.amount) || isAddedUp(flow, move, other) || isAddedUp(flow, other, move))

interface Term {
  readonly value: Op
  readonly isRaised: boolean
}

const maxTerms = 12

/** The parts of an amount: `n - fee` raises by `n` and lowers by `fee`. */
const termsOf = ({ amount, isRaised }: NumberMove): readonly Term[] => {
  const found: Term[] = []
  const work: Term[] = [{ value: amount, isRaised }]
  for (let term = work.pop(); term !== undefined && found.length < maxTerms; term = work.pop()) {
    const value = stripCasts(term.value)
    if (value.kind !== 'bin' || (value.operator !== '+' && value.operator !== '-')) found.push({ ...term, value })
    else
      work.push(
        { value: value.args[0], isRaised: term.isRaised },
        { value: value.args[1], isRaised: term.isRaised === (value.operator === '+') },
      )
  }
  return found
}

/** `held[a] -= n + fee; held[b] += n; held[c] += fee`: all that is taken is given, in whatever pieces. */
const isBalanced = (moves: readonly NumberMove[]): boolean => {
  if (moves.length < 3 || moves.length > maxTerms) return false
  const open: Term[] = []
  for (const term of moves.flatMap(termsOf)) {
    const at = open.findIndex(({ value, isRaised }) => isRaised !== term.isRaised && isSameAmount(value, term.value))
    if (at < 0) open.push(term)
    else open.splice(at, 1)
  }
  return open.length === 0
}

/** `for (…) { held[to[i]] += amounts[i]; sum += amounts[i]; } held[from] -= sum`: one move is the sum of what each round of a loop moves. */
const isAddedUp = (flow: Flow, sum: NumberMove, each: NumberMove): boolean =>
  flow.loopMarkAround(each.op) !== flow.loopMarkAround(sum.op) &&
  dependsOn(flow, sum.amount, (part) => isSameAmount(part, each.amount))

/** A total and the entries that it sums. */
export interface Sum {
  readonly parts: Column
  readonly total: Column
  /** Where both move together, one for each function. */
  readonly together: readonly StoreOp[]
  /** Only new records show it. */
  readonly isOfNew: boolean
}

/** In the order of the text. */
export const sumsOf = (contractFlow: ContractFlow): readonly Sum[] => contractFlow.answer(findSums)

const findSums = (contractFlow: ContractFlow): readonly Sum[] => {
  const found = new Map<
    string,
    {
      parts: Column
      total: Column
      hasGrown: boolean
      isOfNew: boolean
      isCounted: boolean
      isAlways: boolean
      hasFallen: boolean
      together: Map<unknown, StoreOp>
    }
  >()
  const free = contractFlow.answer(freeColumns)
  for (const flow of contractFlow.flows)
    for (const part of flow.isConstructor ? [] : netMovesOf(flow))
      for (const total of numberMovesOf(flow)) {
        if (part.isRaised !== total.isRaised || !isTotalFor(flow, part, total)) continue
        if (free.has(keyOfColumn(part.column)) || free.has(keyOfColumn(total.column))) continue
        const key = `${keyOfColumn(part.column)}|${keyOfColumn(total.column)}`
        const known = found.get(key) ?? {
          parts: part.column,
          total: total.column,
          hasGrown: keysOf(total.op.location).length === 0,
          isOfNew: true,
          isCounted: true,
          isAlways: true,
          hasFallen: false,
          together: new Map(),
        }
        found.set(key, known)
        known.hasGrown ||= part.isRaised
        if (!part.isNew) known.isOfNew = false
        known.isCounted &&= part.amount.kind === 'const'
        known.isAlways &&= isWith(flow, total.op, part.op)
        known.hasFallen ||= !part.isRaised
        if (!known.together.has(flow.writtenIn(part.op))) known.together.set(flow.writtenIn(part.op), part.op)
      }
  const summed = new Set([...found.values()].flatMap(({ total, isAlways }) => (isAlways ? [keyOfColumn(total)] : [])))
  return (
    [...found.values()]
      // A number that only ever grows by one names what comes next, and sums nothing.
      .filter(({ hasGrown, isCounted, hasFallen }) => hasGrown && (!isCounted || hasFallen))
      // `paid += n; raised += n; if (linked) referred += n`: what moves whenever the total does is what it sums.
      .filter(({ total, isAlways }) => isAlways || !summed.has(keyOfColumn(total)))
      .map(({ parts, total, isOfNew, together }) => ({ parts, total, isOfNew, together: [...together.values()] }))
  )
}

/** The one may be the sum of the other: it has fewer keys, all among those of the part, and moves by the same amount whenever the part does. */
export const isTotalFor = (flow: Flow, part: NumberMove, total: NumberMove): boolean =>
  keysOf(total.op.location).length < keysOf(part.op.location).length &&
  keyOfColumn(total.column) !== keyOfColumn(part.column) &&
  isSameAmount(part.amount, total.amount) &&
  linksOf(total.op.location, part.op.location) !== null &&
  isWith(flow, part.op, total.op)

/** Columns whose entries a caller sets to any number, as an allowance or a price: nothing sums them. */
const freeColumns = (contractFlow: ContractFlow): ReadonlySet<string> => {
  const free = new Set<string>()
  for (const flow of contractFlow.flows)
    for (const { location, args } of flow.isConstructor ? [] : flow.stateStores()) {
      const column = stripCasts(args[0]).kind === 'param' ? columnOf(location) : null
      if (column !== null) free.add(keyOfColumn(column))
    }
  return free
}

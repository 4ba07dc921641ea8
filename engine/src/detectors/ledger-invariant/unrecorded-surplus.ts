/** A balance beyond the recorded one counts as a payment, and the record is not updated: the next call counts it again. */
import { dependsOn, isProtected } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  isInColumn,
  isOwnEther,
  isOwnTokenBalance,
  keyOfColumn,
  keysOf,
  nameOfColumn,
  netMovesOf,
  outgoingOf,
} from '../../idioms/index.ts'
import { type BinaryOp, type ContractFlow, type Flow, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { Violation } from './violation.ts'

const isHeld = (value: Op): boolean => isOwnTokenBalance(value) || isOwnEther(stripCasts(value))

interface Recorded {
  readonly column: Column
  readonly at: StoreOp
}

/** `reserve = token.balanceOf(address(this))` */
const recordedBalances = ({ flows }: ContractFlow): readonly Recorded[] => {
  const found = new Map<string, Recorded>()
  for (const flow of flows)
    for (const at of flow.isConstructor ? [] : flow.stateStores()) {
      const column = isHeld(at.args[0]) ? columnOf(at.location) : null
      if (column !== null) found.set(keyOfColumn(column), { column, at })
    }
  return [...found.values()]
}

/** `token.balanceOf(address(this)) - reserve` */
const surplusesOf = (flow: Flow, { column }: Recorded): readonly BinaryOp[] =>
  flow
    .ops('bin')
    .filter(
      ({ operator, args }) =>
        operator === '-' &&
        isHeld(args[0]) &&
        dependsOn(flow, args[1], (part) => part.kind === 'load' && isInColumn(part.location, column)),
    )

/** What is given for the surplus: an entry that rises by what follows from it, or a payout that a condition on it allows. A payout of the surplus itself uses it up. */
const givenFor = (flow: Flow, surpluses: readonly Op[]): Op | undefined => {
  const isSurplus = (part: Op): boolean => surpluses.includes(part)
  const credit = netMovesOf(flow).find(
    ({ op, amount, isRaised }) => isRaised && keysOf(op.location).length > 0 && dependsOn(flow, amount, isSurplus),
  )
  if (credit !== undefined) return credit.op
  const checks = flow.ops('assume').filter((check) => dependsOn(flow, check.args[0], isSurplus))
  return outgoingOf(flow).find(
    ({ op, amount }) => !dependsOn(flow, amount, isHeld) && checks.some((check) => flow.isFollowedBy(op, check)),
  )?.op
}

const isWritten = (flow: Flow, { variable }: Column): boolean =>
  flow.stateStores().some(({ location }) => location.variable === variable)

const unrecordedIn = (flow: Flow, recorded: Recorded): readonly Violation[] => {
  if (flow.isPartial || isWritten(flow, recorded.column)) return []
  const surpluses = surplusesOf(flow, recorded)
  const at = surpluses.length === 0 ? undefined : givenFor(flow, surpluses)
  if (at === undefined || isProtected(flow, at)) return []
  const name = nameOfColumn(recorded.column)
  const text = `\`${flow.name}()\` takes the balance beyond \`${name}\` for a payment but does not update \`${name}\`, so the next call counts the same payment again`
  return [{ rule: 'Payment not recorded', flow, at, place: flow.inEntry(at), text, kept: recorded.at, total: null }]
}

/** A pair of reserves that is not updated is one finding. */
export const unrecordedSurpluses = (contractFlow: ContractFlow): readonly Violation[] => {
  const recorded = contractFlow.answer(recordedBalances)
  return contractFlow.entryPoints.flatMap((flow) => recorded.flatMap((each) => unrecordedIn(flow, each)).slice(0, 1))
}

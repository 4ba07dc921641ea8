/** What accounts owe: in which column it is kept, and in which token it is paid back. */
import { isSender } from '../facts/index.ts'
import { type ContractFlow, type Flow, type Location, type Op, stripCasts } from '../ir/index.ts'
import { columnOf, isInColumn } from './columns.ts'
import { keysOf } from './entries.ts'
import { entriesOf, isForCaller, outgoingOf, type Payment } from './ledger.ts'

/** Where an entry is raised under a caller's own name and something is paid to them. */
interface Debt {
  readonly place: Location
  /** What they were paid in; null: ether, or the code does not say. */
  readonly token: Op | null
}

/** What comes in is the token that was paid out for the debt at this place, not one that the caller names as they like. */
export const isRepayment = (flow: Flow, place: Location, { token }: Payment): boolean =>
  token !== null && debtsAt(flow, place).some((debt) => isOfSameToken(debt, place, stripCasts(token)))

const debtsAt = (flow: Flow, place: Location): readonly Debt[] =>
  flow.contractFlow.answer(debtsOf).filter((debt) => {
    const column = columnOf(debt.place)
    return column !== null && isInColumn(place, column)
  })

const debtsOf = ({ entryPoints }: ContractFlow): readonly Debt[] =>
  entryPoints.flatMap((flow) => {
    const paid = outgoingOf(flow).filter(isForCaller)
    if (paid.length === 0) return []
    return entriesOf(flow).flatMap(({ op, account, isRaised }) =>
      isRaised && isSender(account)
        ? paid.map(({ token }) => ({ place: op.location, token: token === null ? null : stripCasts(token) }))
        : [],
    )
  })

/** The same variable or constant, or kept under the same keys as the debt is; a token that is a key of the debt itself. */
const isOfSameToken = ({ place: raised, token: lent }: Debt, place: Location, token: Op): boolean => {
  if (lent === null) return false
  const [keysOfRaised, keys] = [keysOf(raised), keysOf(place)]
  const isSameKey = (one: Op | undefined, other: Op): boolean =>
    keys.some((key, at) => key === other && keysOfRaised[at] === one)
  if (token.kind === 'const' && lent.kind === 'const')
    return token.constant === null ? token.decl !== null && token.decl === lent.decl : token.constant === lent.constant
  if (token.kind !== 'load' || lent.kind !== 'load') return isSameKey(lent, token)
  const column = columnOf(lent.location)
  if (column === null || !isInColumn(token.location, column)) return false
  const keysOfLent = keysOf(lent.location)
  return keysOf(token.location).every((key, at) => isSameKey(keysOfLent[at], key))
}

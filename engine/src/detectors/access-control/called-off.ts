/** Deals between two, kept in a record that names both: what one has put in goes to the other only with consent, and back to the one for the asking. */
import { guardsAt, isSender } from '../../facts/index.ts'
import { outgoingOf, type Payment } from '../../idioms/index.ts'
import { bothOrders, type ContractFlow, type Flow, isEquality, isZero, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'

/** A party of a record: `deals[id].buyer`, also read from a copy of the record. */
interface Party {
  readonly records: VariableModel
  readonly name: string
}

const partyAt = (value: Op): Party | null => {
  const op = stripCasts(value)
  if (op.kind !== 'load' || op.location.part !== 'field') return null
  const { name, parent } = op.location
  if (op.location.space !== 'memory')
    return op.location.variable === null || parent?.part !== 'index' ? null : { records: op.location.variable, name }
  const copied = parent?.parent === null ? parent.base : null
  const records = copied?.kind === 'load' ? copied.location.variable : null
  return records === null ? null : { records, name }
}

const payeeOf = ({ to }: Payment): Party | null => (to === null ? null : partyAt(to))

/** `require(msg.sender == deal.buyer)`: the parties that are asked on the path. */
const partiesCheckedAt = (flow: Flow, op: Op): readonly Party[] =>
  guardsAt(flow, op).flatMap(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || !isEquality(condition.operator) || (condition.operator === '==') !== polarity)
      return []
    return bothOrders(condition).flatMap(([party, other]) => (isSender(other) ? (partyAt(party) ?? []) : []))
  })

/** One party is paid, with the consent of another. */
interface Deal {
  readonly records: VariableModel
  readonly payee: string
  readonly consents: string
}

const dealsOf = ({ entryPoints }: ContractFlow): readonly Deal[] =>
  entryPoints.flatMap((flow) =>
    outgoingOf(flow).flatMap((payment) => {
      const payee = payeeOf(payment)
      if (payee === null) return []
      return partiesCheckedAt(flow, payment.op)
        .filter(({ records, name }) => records === payee.records && name !== payee.name)
        .map(({ records, name }) => ({ records, payee: payee.name, consents: name }))
    }),
  )

/** Nothing is asked but whether there is such a record. */
const checksOnlyRecord = (flow: Flow, op: Op): boolean =>
  guardsAt(flow, op).every(({ condition }) => {
    if (condition.kind !== 'bin') return false
    return bothOrders(condition).some(([read, other]) => isZero(other) && isOfRecord(read))
  })

const isOfRecord = (value: Op): boolean => partyAt(value) !== null

export interface CalledOff {
  readonly op: Op
  /** The party that counted on it. */
  readonly other: string
}

/** What one party had put in for the other goes back to it, and neither of them is asked. */
export function* calledOff(flow: Flow): Iterable<CalledOff> {
  for (const payment of outgoingOf(flow)) {
    const payee = payeeOf(payment)
    if (payee === null) continue
    const deal = flow.contractFlow.answer(dealsOf).find(({ records, payee: other, consents }) => {
      return records === payee.records && other !== payee.name && consents === payee.name
    })
    if (deal !== undefined && checksOnlyRecord(flow, payment.op)) yield { op: payment.op, other: deal.payee }
  }
}

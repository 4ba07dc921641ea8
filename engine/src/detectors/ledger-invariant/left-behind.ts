/** What speaks of a record and is not changed with it: the position of a moved element, the approval of a former holder. */
import { guardsAt, isSender } from '../../facts/index.ts'
import { type Column, columnOf, keyOfColumn, keysOf, nameOfColumn } from '../../idioms/index.ts'
import {
  addendsOf,
  type ContractFlow,
  type Flow,
  type Op,
  type StoreOp,
  sameValue,
  sameValueOrPlace,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import type { Violation } from './violation.ts'

/** The list whose length this number is, up to a constant. */
const listOfPosition = (value: Op): VariableModel | null => {
  for (const part of [
    stripCasts(value),
    ...addendsOf(stripCasts(value)).map(stripCasts),
    ...value.args.map(stripCasts),
  ])
    if (part.kind === 'load' && part.location.part === 'length') return part.location.variable
  return null
}

interface Positions {
  readonly list: VariableModel
  readonly column: Column
  readonly at: StoreOp
}

/** `indexOf[member] = members.length`: where each element stands. */
const positionsIn = ({ flows }: ContractFlow): readonly Positions[] =>
  flows.flatMap((flow) =>
    flow.stateStores().flatMap((at): readonly Positions[] => {
      const column = keysOf(at.location).length > 0 ? columnOf(at.location) : null
      const list = column === null ? null : listOfPosition(at.args[0])
      return column === null || list === null || list === column.variable ? [] : [{ list, column, at }]
    }),
  )

/** `members[i] = members[members.length - 1]`, before the last one is dropped. */
const isMovedElement = (flow: Flow, store: StoreOp): boolean => {
  const moved = stripCasts(store.args[0])
  const { variable } = store.location
  if (moved.kind !== 'load' || variable === null || moved.location.variable !== variable) return false
  if (store.location.index === null || moved.location.index === null || moved.location === store.location) return false
  return flow
    .stateStores()
    .some(({ location }) => location.part === 'length' && location.variable === variable && location !== store.location)
}

export const lostPositions = (contractFlow: ContractFlow): readonly Violation[] => {
  const positions = contractFlow.answer(positionsIn)
  if (positions.length === 0) return []
  return contractFlow.entryPoints.flatMap((flow) =>
    flow.stateStores().flatMap((store): readonly Violation[] => {
      const kept = positions.find(({ list }) => list === store.location.variable)
      if (kept === undefined || flow.isPartial || !isMovedElement(flow, store)) return []
      const isUpdated = flow
        .stateStores()
        .some(
          ({ location }) =>
            location.variable === kept.column.variable &&
            keysOf(location).some(
              (key) => sameValueOrPlace(key, stripCasts(store.args[0])) || isSamePlaceRead(key, store),
            ),
        )
      if (isUpdated) return []
      const text = `\`${flow.name}()\` moves the last element of \`${kept.list.name}\` to another position but leaves \`${nameOfColumn(kept.column)}\` of that element as it is, so a later removal takes the wrong element or reverts`
      return [{ rule: 'Records out of sync', flow, at: store, text, kept: kept.at, total: null }]
    }),
  )
}

/** The element is read again from its new position. */
const isSamePlaceRead = (key: Op, store: StoreOp): boolean => key.kind === 'load' && key.location === store.location

interface Right {
  /** Who holds it. */
  readonly holder: Column
  /** Whom the holder allows to act. */
  readonly delegate: Column
  readonly at: StoreOp
}

const senderCompared = (flow: Flow, op: Op): readonly Op[] =>
  guardsAt(flow, op).flatMap(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return []
    const [a, b] = condition.args.map(stripCasts) as [Op, Op]
    return isSender(a) ? [b] : isSender(b) ? [a] : []
  })

const isAddress = (op: Op): boolean => op.location?.type?.kind === 'address'

/** `require(ownerOf[id] == msg.sender); approved[id] = to` */
const rightsIn = ({ entryPoints }: ContractFlow): readonly Right[] =>
  entryPoints.flatMap((flow) =>
    flow.stateStores().flatMap((at): readonly Right[] => {
      const [key, ...more] = keysOf(at.location)
      const delegate = columnOf(at.location)
      if (key === undefined || more.length > 0 || delegate === null || !isAddress(at)) return []
      if (stripCasts(at.args[0]).kind !== 'param') return []
      return senderCompared(flow, at).flatMap((required): readonly Right[] => {
        const holder = required.kind === 'load' && isAddress(required) ? columnOf(required.location) : null
        const [other] = required.kind === 'load' ? keysOf(required.location) : []
        if (holder === null || other === undefined || !sameValue(other, key)) return []
        return keyOfColumn(holder) === keyOfColumn(delegate) ? [] : [{ holder, delegate, at }]
      })
    }),
  )

/** Some condition asks whether the caller is the one who was allowed. */
const isUsed = ({ entryPoints }: ContractFlow, { delegate }: Right): boolean =>
  entryPoints.some((flow) =>
    [...flow.ops('bin')].some(
      ({ operator, args }) =>
        (operator === '==' || operator === '!=') &&
        args.some((side) => isSender(side)) &&
        args.some((side) => {
          const read = stripCasts(side)
          const column = read.kind === 'load' ? columnOf(read.location) : null
          return column !== null && keyOfColumn(column) === keyOfColumn(delegate)
        }),
    ),
  )

export const survivingApprovals = (contractFlow: ContractFlow): readonly Violation[] => {
  const rights = contractFlow.answer(rightsIn)
  return rights.flatMap((right) => {
    if (!isUsed(contractFlow, right)) return []
    return contractFlow.entryPoints.flatMap((flow) =>
      flow.stateStores().flatMap((store): readonly Violation[] => {
        const column = columnOf(store.location)
        if (column === null || keyOfColumn(column) !== keyOfColumn(right.holder) || flow.isPartial) return []
        const isChanged = flow.stateLoads().some((load) => load.location === store.location && load.id < store.id)
        const value = stripCasts(store.args[0])
        if (!isChanged || value.kind === 'const' || isSender(value)) return []
        if (flow.stateStores().some(({ location }) => location.variable === right.delegate.variable)) return []
        const text = `\`${flow.name}()\` changes \`${nameOfColumn(right.holder)}\` but leaves \`${nameOfColumn(right.delegate)}\`, whom the former holder allowed, so that account can still act on what now belongs to another`
        return [{ rule: 'Approval survives transfer', flow, at: store, text, kept: right.at, total: null }]
      }),
    )
  })
}

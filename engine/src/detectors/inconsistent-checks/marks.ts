/** A mark that must be unset, and that is set by the functions which do the same but one: there the same record is used again and again. */
import { guardsAt, isCleared } from '../../facts/index.ts'
import { type Column, columnOf, isKeyed, keyOfColumn, nameOfColumn, requiredUnset } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Op, stripCasts } from '../../ir/index.ts'
import { plain } from './habits.ts'
import { type Act, actsOf, type Exception } from './siblings.ts'

interface Tested {
  readonly flow: Flow
  readonly act: Act
  readonly column: Column
  readonly at: Op
}

/** Payments, writes of one kind, and calls with any data: of other calls two have little in common. */
const isSpecific = ({ key, ops }: Act): boolean =>
  key !== 'take' && (key !== 'call' || ops.some(({ call }) => call?.kind === 'lowlevel'))

/** Marks of records that must be unset where an act is performed. */
const testedIn = (flow: Flow): readonly Tested[] =>
  actsOf(flow)
    .filter(isSpecific)
    .flatMap((act) =>
      guardsAt(flow, act.ops[0]!).flatMap(({ condition, polarity, op }): readonly Tested[] => {
        const mark = requiredUnset(condition, polarity)
        const column = mark !== null && mark.location.type?.kind === 'bool' ? columnOf(mark.location) : null
        return column === null || !isKeyed(mark!.location) ? [] : [{ flow, act, column, at: op }]
      }),
    )

const sets = (flow: Flow, column: Column): boolean =>
  flow.stateStores().some((store) => {
    const written = columnOf(store.location)
    return (
      written !== null &&
      keyOfColumn(written) === keyOfColumn(column) &&
      !isCleared(store) &&
      stripCasts(store.args[0]).kind === 'const'
    )
  })

const writesRecord = (flow: Flow, { variable }: Column): boolean =>
  flow.stateStores().some(({ location }) => location.variable === variable)

export const markExceptions = (contractFlow: ContractFlow): readonly Exception[] => {
  const byKey = new Map<string, Tested[]>()
  for (const flow of contractFlow.entryPoints)
    for (const tested of flow.isPartial ? [] : testedIn(flow)) {
      const key = `${keyOfColumn(tested.column)} ${tested.act.key}`
      byKey.set(key, [...(byKey.get(key) ?? []), tested])
    }
  return [...byKey.values()].flatMap((all): readonly Exception[] => {
    const setters = all.filter(({ flow, column }) => sets(flow, column))
    const rest = all.filter(({ flow, column }) => !sets(flow, column) && !writesRecord(flow, column))
    const [first, ...more] = rest
    if (first === undefined || setters.length === 0 || more.some(({ flow }) => flow !== first.flow)) return []
    const words = `set \`${nameOfColumn(first.column)}\`, which it asks for`
    const habit = {
      ...plain,
      kind: 'mark' as const,
      key: `mark ${keyOfColumn(first.column)}`,
      words,
      at: setters[0]!.at,
    }
    return [{ flow: first.flow, act: first.act, siblings: [...new Set(setters.map(({ flow }) => flow))], habit }]
  })
}

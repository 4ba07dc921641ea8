/** What is paid over time is spread anew over a full period, for nothing or next to nothing: everybody else gets it later. */
import { dependsOn } from '../../facts/index.ts'
import { isNow } from '../../idioms/index.ts'
import { type Flow, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'

export interface Diluted {
  readonly flow: Flow
  readonly store: StoreOp
  readonly rate: VariableModel
  /** Where the end is counted from now again. */
  readonly end: StoreOp
}

const rootOf = ({ location }: StoreOp): VariableModel | null => (location.part === 'root' ? location.variable : null)

const isLoadOf =
  (variable: VariableModel) =>
  (op: Op): boolean =>
    op.kind === 'load' && op.location.variable === variable

/** Others earn by it: elsewhere so much is written down for the time that has gone. */
const isEarnedBy = (flow: Flow, rate: VariableModel): boolean =>
  flow.contractFlow.entryPoints.some(
    (earner) =>
      earner !== flow &&
      earner
        .stateStores()
        .some(
          ({ location, args }) =>
            location.variable !== rate &&
            dependsOn(earner, args[0], isLoadOf(rate)) &&
            dependsOn(earner, args[0], isNow),
        ),
  )

/** `rate = (amount + (end - now) * rate) / period; end = now + period`, where the caller says the amount. */
export function* diluted(flow: Flow): Iterable<Diluted> {
  for (const store of flow.stateStores()) {
    const rate = rootOf(store)
    if (rate === null || !isSpread(flow, store.args[0], rate)) continue
    const end = flow.stateStores().find((other) => {
      const until = rootOf(other)
      return (
        until !== null &&
        until !== rate &&
        isPostponed(other.args[0]) &&
        dependsOn(flow, store.args[0], isLoadOf(until))
      )
    })
    if (end !== undefined && isEarnedBy(flow, rate)) yield { flow, store, rate, end }
  }
}

const isQuotient = ({ kind, operator }: Op): boolean => kind === 'bin' && operator === '/'

const isSpread = (flow: Flow, value: Op, rate: VariableModel): boolean =>
  dependsOn(flow, value, isQuotient, { isKept: true }) &&
  dependsOn(flow, value, isLoadOf(rate)) &&
  dependsOn(flow, value, isNow) &&
  dependsOn(flow, value, ({ kind }) => kind === 'param')

/** `now + period` */
const isPostponed = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'bin' && op.operator === '+' && op.args.some((arg) => isNow(stripCasts(arg)))
}

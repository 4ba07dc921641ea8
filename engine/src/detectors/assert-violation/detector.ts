import {
  canHold,
  canHoldWithin,
  chosenByCaller,
  dependsOn,
  findDependency,
  intervalOf,
  isReachable,
  loopAround,
  Source,
  taintOf,
} from '../../facts/index.ts'
import {
  type Context,
  describeValue,
  type Flow,
  type Location,
  type Op,
  oncePerPlace,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const isArithmetic = ({ kind, operator }: Op): boolean =>
  kind === 'bin' && (operator === '+' || operator === '-' || operator === '*' || operator === '/')

const isPartOf = (value: Op, whole: Op): boolean => {
  const op = stripCasts(whole)
  if (!isArithmetic(op)) return false
  return op.args.some((arg) => sameValue(arg, value) || isPartOf(value, arg))
}

/** `assert(c >= a)` after `c = a + b`, `assert(b <= a)` before `a - b`: a check of arithmetic, said elsewhere. */
const isOverflowCheck = (flow: Flow, condition: Op): boolean => {
  if (condition.kind !== 'bin') return false
  const [left, right] = condition.args as [Op, Op]
  if (condition.operator === '||' || condition.operator === '&&')
    return isOverflowCheck(flow, left) || isOverflowCheck(flow, right)
  if (isPartOf(left, right) || isPartOf(right, left)) return true
  return flow
    .ops('bin')
    .some(
      ({ operator, args }) =>
        operator === '-' &&
        ((sameValue(args[0]!, left) && sameValue(args[1]!, right)) ||
          (sameValue(args[0]!, right) && sameValue(args[1]!, left))),
    )
}

const stateIn = (flow: Flow, value: Op): Set<VariableModel> => {
  const found = new Set<VariableModel>()
  dependsOn(flow, value, (op) => {
    if (op.kind === 'load' && op.location!.variable !== null) found.add(op.location!.variable)
    return false
  })
  return found
}

/** State compared with itself, before and after: a law of the bookkeeping that the code keeps by construction. */
const isConservation = (flow: Flow, condition: Op): boolean => {
  if (condition.kind !== 'bin') return false
  const left = stateIn(flow, condition.args[0]!)
  if (left.size === 0) return false
  return [...stateIn(flow, condition.args[1]!)].some((variable) => left.has(variable))
}

interface Change {
  readonly place: Location
  readonly operator: string
  readonly amount: Op | null
}

/** `n`, `n + x` or `n - x` of a place in storage. */
const changeOf = (value: Op): Change | null => {
  const op = stripCasts(value)
  if (op.kind === 'load')
    return op.location!.space === 'state' ? { place: op.location!, operator: '', amount: null } : null
  if (op.kind !== 'bin' || (op.operator !== '+' && op.operator !== '-')) return null
  const load = stripCasts(op.args[0]!)
  if (load.kind !== 'load' || load.location!.space !== 'state') return null
  return { place: load.location!, operator: op.operator, amount: op.args[1]! }
}

const isSameChange = (a: Change, b: Change): boolean =>
  a.operator === b.operator && (a.amount === null || (b.amount !== null && sameValue(a.amount, b.amount)))

/** `total >= part` where whoever changes a part changes the total with it: a total is never less than a part. */
const isTotal = (flow: Flow, condition: Op): boolean => {
  if (condition.kind !== 'bin' || !/^[<>]=$/.test(condition.operator)) return false
  const [left, right] = condition.args.map(changeOf) as [Change | null, Change | null]
  if (left === null || right === null || !isSameChange(left, right)) return false
  const [total, part] = condition.operator === '>=' ? [left.place, right.place] : [right.place, left.place]
  if (total.depth >= part.depth || total.variable === null || part.variable === null) return false
  return (
    keepsPace(flow, part.variable, '+', total.variable) &&
    keepsPace(flow, total.variable, '-', part.variable) &&
    total.variable !== part.variable
  )
}

/** Every change of the one this way, and every other than by a sum, comes with the same change of the other. */
const keepsPace = ({ whole }: Flow, changed: VariableModel, way: string, partner: VariableModel): boolean =>
  whole.writersOf(changed).every(({ flow: writer, op }) => {
    const change = changeOf(op.args[0]!)
    if (change === null) return way === '+' && isZero(op.args[0]!)
    if (change.operator !== way) return true
    return writer.stateStores().some((store) => {
      const other = store.location!.variable === partner ? changeOf(store.args[0]!) : null
      return other !== null && isSameChange(change, other)
    })
  })

const isZero = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'const' && op.constant === 0n
}

const isGas = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'builtin' && op.operator === 'gasleft'
}

/** Gas only ever goes down: undefined when that does not decide the condition. */
const holdsByGas = (condition: Op): boolean | undefined => {
  if (condition.kind !== 'bin') return undefined
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  if (!isGas(left) || !isGas(right)) return undefined
  const leftIsLater = left.id > right.id
  return condition.operator[0] === '<' ? leftIsLater : condition.operator[0] === '>' ? !leftIsLater : undefined
}

const canFail = (flow: Flow, check: Op): boolean =>
  canHold(flow, check.args[0]!, false) &&
  canHoldWithin((value) => intervalOf(flow, value, check), check.args[0]!, false)

/** Who can make the condition false; null when nobody in sight can. */
const breakerOf = (flow: Flow, check: Op): string | null => {
  const condition = check.args[0]!
  if (condition.kind === 'const') return condition.constant === 0n ? 'it is always false' : null
  const byGas = holdsByGas(condition)
  if (byGas !== undefined) return byGas ? null : 'gas never goes up'
  if (flow.isConstructor || isOverflowCheck(flow, condition) || isConservation(flow, condition)) return null
  if (isTotal(flow, condition)) return null
  if (!canFail(flow, check) || !isReachable(flow, check)) return null
  const sources = taintOf(flow, condition)
  if ((sources & Source.call) !== 0) return 'another contract decides it'
  if (!flow.isEntryPoint) return null
  if ((sources & chosenByCaller) !== 0) return 'it depends on what the caller passes'
  if ((sources & Source.outsiderState) !== 0) return 'it rests on state that anyone can change'
  return isPicked(flow, condition) ? 'the caller chooses which element is tested' : null
}

/** Looked up by a key of the caller, in a mapping into which something was put. */
const isPicked = (flow: Flow, condition: Op): boolean => {
  const load = findDependency(flow, condition, (op) => op.kind === 'load' && op.location!.part === 'index')
  const { variable, index } = load?.location ?? { variable: null, index: null }
  if (variable === null || index === null || (taintOf(flow, index) & (Source.param | Source.data)) === 0) return false
  return flow.whole.writersOf(variable).some(({ op }) => !isZero(op.args[0]!))
}

/** An array that nothing ever makes longer has no elements. */
const isAlwaysEmpty = (flow: Flow, load: Op): boolean => {
  const { location } = load
  const variable = location!.variable
  if (location!.part !== 'index' || location!.parent?.part !== 'root' || variable === null) return false
  if (variable.type.kind !== 'array' || variable.type.length !== null || variable.isConstant) return false
  return flow.whole.writersOf(variable).length === 0 && flow.contract?.hasUnresolvedBase === false
}

const findViolations = ({ functions, model }: Context): Hit[] => {
  const hits: Hit[] = []
  for (const flow of functions) {
    for (const check of flow.ops('assume')) {
      if (check.operator !== 'assert') continue
      const breaker = breakerOf(flow, check)
      if (breaker === null) continue
      hits.push({ at: check, message: `This \`assert\` can fail: ${breaker}.`, trace: flow.trace(check) })
    }
    for (const load of flow.stateLoads()) {
      // A loop over no elements never comes to read one.
      if (!isAlwaysEmpty(flow, load) || loopAround(flow, load) !== undefined) continue
      const name = describeValue(model, load)
      hits.push({
        at: load,
        message: `Nothing ever fills the array, so \`${name}\` always fails.`,
        trace: flow.trace(load),
      })
    }
  }
  return hits
}

export default defineDetector({
  id: 'assert-violation',
  swc: 'SWC-110',
  title: 'Assert violation',
  severity: 'low',
  confidence: 'medium',
  description:
    '`assert` states what must never be false. One that input, another contract or open state can make false is either a bug in the contract or a check of input that belongs in `require`; before 0.8 it also burns all remaining gas.',
  recommendation: 'Check input and results with `require`, and repair the code where an invariant can break.',
  references: [
    'https://swcregistry.io/docs/SWC-110',
    'https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require',
  ],
  cwe: ['CWE-670'],

  run: (context) => oncePerPlace(findViolations(context)),
})

import { dependsOn } from '../../facts/index.ts'
import { outgoingOf } from '../../idioms/index.ts'
import { type BinaryOp, type Flow, isEquality, isZero, type Op, sameValue, stripCasts } from '../../ir/index.ts'

/** `balance == x`, which decides something. */
export interface ExactBalance {
  readonly flow: Flow
  readonly op: BinaryOp
}

export function* exactBalances(flow: Flow): Iterable<ExactBalance> {
  for (const op of flow.ops('bin')) {
    if (!isEquality(op.operator) || !isExact(op)) continue
    if (flow.usersOf(op).length > 0 || flow.branchesOn(op).length > 0) yield { flow, op }
  }
}

/** Of a share of the balance, nothing is what there is without ether: only what is left over is nothing when there is a certain sum. */
const isExact = ({ args }: BinaryOp): boolean => {
  if (!args.some(isZero)) return args.some(isBalance)
  return args.some((side) => isBalance(side) && !shares.has(stripCasts(side).operator))
}

const shares = new Set(['*', '/', '+'])

/**
 * The balance, also counted with: `address(this).balance - msg.value`, `address(this).balance / 2 + 1 ether`, `address(this).balance % unit`.
 * Anyone who sends a little more makes another number of it.
 */
export const isBalance = (value: Op): boolean => readingsIn(value).size > 0

/** Whose balance is compared. */
export const holderOf = ({ args }: BinaryOp): Op | null => {
  const [reading] = args.flatMap((side) => [...readingsIn(side)])
  return reading?.args[0] ?? null
}

const readingsIn = (value: Op): ReadonlySet<Op> => {
  const readings = new Set<Op>()
  const seen = new Set<Op>()
  const work = [value]
  while (work.length > 0) {
    const op = stripCasts(work.pop()!)
    if (seen.has(op)) continue
    seen.add(op)
    if (op.kind === 'builtin' && op.operator === 'balance') readings.add(op)
    else if (op.kind === 'bin' && arithmetic.has(op.operator) && !isTakenBack(op)) work.push(...op.args)
  }
  return readings
}

const arithmetic = new Set(['+', '-', '*', '/', '%'])

/** `(a * b) / a`, `(a + b) - a`: how a checked operation asks whether it came out right, which has nothing to do with what `a` is. */
const isTakenBack = ({ operator, args: [whole, part] }: BinaryOp): boolean => {
  const made = stripCasts(whole)
  if (made.kind !== 'bin' || made.operator !== inverse.get(operator)) return false
  return made.args.some((arg) => sameValue(arg, part))
}

const inverse: ReadonlyMap<string, string> = new Map([
  ['/', '*'],
  ['-', '+'],
])

/** What was there before, or its difference to what is there now: ether that was forced in earlier is in both. */
export const comparesReadings = ({ op }: ExactBalance): boolean => op.args.every(isBalance) || op.args.some(isChange)

const isChange = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'bin' && op.operator === '-' && op.args.every(isBalance)
}

/**
 * What waits for the comparison to come out right: a payment above all, else a write or a call. What was done before it is undone when
 * it is demanded.
 */
export const heldUpBy = ({ flow, op }: ExactBalance): Op | undefined => {
  const kinds = flow.answer(effectsOf)
  for (const effects of kinds) for (const effect of flow.following(op, effects)) return effect
  return kinds.find(({ length }) => length > 0)?.[0]
}

const effectsOf = (flow: Flow): readonly (readonly Op[])[] => [
  outgoingOf(flow)
    .map((payment) => payment.op)
    .sort((a, b) => a.id - b.id),
  flow.builtins('selfdestruct'),
  flow.stateStores(),
  flow.externalCalls(),
]

/** Without any ether there is nothing to do: some that was forced in does what any other would. */
export const requiresEther = ({ flow, op }: ExactBalance): boolean => {
  if (!op.args.some(isZero)) return false
  const isEmpty = op.operator === '=='
  if (isEmpty && isRefused(flow, op)) return true
  if (flow.usersOf(op).some(({ kind }) => kind !== 'assume' || isEmpty)) return false
  // Where both paths meet again, what follows is done with ether and without.
  return flow.branchesOn(op).every(({ succs }) => {
    const idle = succs[isEmpty ? 0 : 1]!
    return flow.blocks[idle]!.preds.length > 1 || !hasEffect(flow, idle)
  })
}

/** `if (isStrict && balance == 0) revert()` */
const isRefused = (flow: Flow, test: Op): boolean =>
  flow.ops('assume').some(({ args: [condition] }) => {
    const { kind, operator, args } = stripCasts(condition)
    return kind === 'un' && operator === '!' && dependsOn(flow, args[0]!, (part) => part === test)
  })

const hasEffect = (flow: Flow, branch: number): boolean =>
  [...flow.stateStores(), ...flow.externalCalls()].some(({ block }) => flow.blockDominates(branch, block))
